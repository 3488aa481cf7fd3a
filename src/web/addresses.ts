/** Addresses of pages, and the state of a list as its address describes it. */
import type { Visit } from '../http/index.ts'
import type { Shown } from './kinds/kind.ts'

/** The page of a record whose kind has pages of its own; `addressOf` of a kind also knows the others. */
export function recordAddress(kind: string, record: Shown): string {
  return `/${kind}/${record[`${kind}_id`]}/`
}

export function wordAddress(word: string): string {
  return `/word/${encodeURIComponent(word.trim().toLowerCase())}/`
}

/** Longer terms are sentences, which people do not look up. */
const LONGEST_TERM = 5

/** The page of a term; undefined for a sentence. */
export function termAddress(term: string): string | undefined {
  return term.trim().split(/\s+/).length > LONGEST_TERM ? undefined : wordAddress(term)
}

export function personAddress(name: string): string {
  return `/people/${encodeURIComponent(name)}/`
}

export function findAddress(wanted: string): string {
  return `/find/?q=${encodeURIComponent(wanted)}`
}

export type Parameters = Readonly<Record<string, string | number | undefined>>

/** The same query with some parameters changed or removed, without blanks. Sorted, so each state has one address. */
export function queryWith(query: Visit['query'], changes: Parameters): string {
  const kept = query.pairs.filter(([name, value]) => !(name in changes) && value !== '')
  const added = Object.entries(changes).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  const pairs = new URLSearchParams([...kept.map(([name, value]): [string, string] => [name, value]), ...added])
  pairs.sort()
  return pairs.toString()
}

/** The address of the same list in another state: its first page, unless a page is given. */
export function listAddress(path: string, query: Visit['query'], changes: Parameters): string {
  const wanted = queryWith(query, { page: undefined, ...changes })
  return wanted === '' ? path : `${path}?${wanted}`
}

/** The current page, to return to after signing in. */
export function hereOf({ path, query }: Visit): string {
  return query.raw ? `${path}?${query.raw}` : path
}
