/**
 * Authors, from the sources that records name. Each distinct source is counted by the API; several spellings of a name
 * are one author, and an author has one or more works.
 */
import type { Visit } from '../../http/index.ts'
import { authorKey, type Credit, creditOf } from '../../language/index.ts'
import type { ExplorerVisit, Kind } from '../kinds/index.ts'

/** A source as the records of a kind write it. */
export interface Source {
  readonly src: string
  readonly kind: Kind
  readonly count: number
  readonly credit: Credit
}

export interface Author {
  /** The most frequent spelling. */
  readonly name: string
  readonly key: string
  readonly count: number
  readonly sources: readonly Source[]
}

/** By key; of several spellings that are the same author, each leads to it. */
export type Authors = ReadonlyMap<string, Author>

/** The API counts at most the 1,000 most frequent sources of each kind. */
export async function readAuthors(visit: ExplorerVisit): Promise<Authors> {
  const kinds = visit.kinds.all.filter(({ hasSource }) => hasSource)
  const sources = await Promise.all(kinds.map((kind) => sourcesOf(visit, kind)))
  return joinAuthors(sources.flat())
}

/** The sources of one kind, all or those that begin with a text. */
export async function sourcesOf(visit: Visit, kind: Kind, beginning = ''): Promise<Source[]> {
  const narrowed = beginning === '' ? '' : `&src__startswith=${encodeURIComponent(beginning)}`
  const { status, json } = await visit.ask(`/api/${kind.name}/facets/?by=src${narrowed}`)
  if (status !== 200) return []
  const values: readonly { readonly value: string; readonly count: number }[] = json.facets['src']
  return values.flatMap(({ value, count }) => {
    const credit = creditOf(value)
    return credit ? [{ src: value, kind, count, credit }] : []
  })
}

export function joinAuthors(sources: readonly Source[]): Authors {
  const groups = new Map<string, Source[]>()
  for (const source of sources) addTo(groups, authorKey(source.credit.author), [source])
  unturn(groups)
  const same = sameAuthors(groups)
  const joined = new Map<string, Source[]>()
  for (const [key, list] of groups) addTo(joined, same.get(key) ?? key, list)
  const authors = new Map(Array.from(joined, ([key, list]) => [key, authorOf(key, list)]))
  for (const [key, whole] of same) {
    const author = authors.get(whole)
    if (author) authors.set(key, author)
  }
  return authors
}

function addTo<T>(groups: Map<string, T[]>, key: string, items: readonly T[]): void {
  const known = groups.get(key)
  if (known) known.push(...items)
  else groups.set(key, [...items])
}

/** "Shakespeare, William" is a name if there is a William Shakespeare, and not a work. */
function unturn(groups: Map<string, Source[]>): void {
  for (const [key, list] of [...groups]) {
    const kept = list.filter((source) => {
      const { author, work } = source.credit
      const turned = work === '' ? '' : authorKey(`${work} ${author}`)
      const others = turned === key ? undefined : groups.get(turned)
      others?.push({ ...source, credit: { ...source.credit, author: `${work} ${author}`, work: '' } })
      return !others
    })
    if (kept.length > 0) groups.set(key, kept)
    else groups.delete(key)
  }
}

/** These are not parts of a person's name. */
const NOT_A_PERSON = /\b(?:of|the|and|proverb|saying|maxim)\b/
const LONGEST_NAME = 4

/**
 * Short names to whole ones: "Shakespeare" and "W. Shakespeare" are William Shakespeare if nobody else has the name.
 * Sets often name a country or a tradition, which can also be somebody's last name, so only texts are looked at.
 */
function sameAuthors(groups: ReadonlyMap<string, readonly Source[]>): ReadonlyMap<string, string> {
  const byLast = new Map<string, string[]>()
  for (const key of groups.keys()) {
    const words = key.split(' ')
    if (words.length < 2 || words.length > LONGEST_NAME || NOT_A_PERSON.test(key)) continue
    addTo(byLast, words.at(-1) ?? '', [key])
  }
  const same = new Map<string, string>()
  for (const [key, list] of groups) {
    const words = key.split(' ')
    const isShort = words.slice(0, -1).every((word) => word.length === 1)
    if (!isShort || !list.some(({ kind }) => kind.textOf)) continue
    const whole = (byLast.get(words.at(-1) ?? '') ?? []).filter((other) => other !== key && begins(words, other))
    if (whole.length === 1 && whole[0] !== undefined) same.set(key, whole[0])
  }
  return same
}

/** By any spelling; also by a last name that only one author has. */
export function findAuthor(authors: Authors, name: string): Author | undefined {
  const key = authorKey(name)
  const words = key.split(' ')
  if (authors.has(key) || words.slice(0, -1).some((word) => word.length > 1)) return authors.get(key)
  const alike = [...authors].filter(([other]) => other.endsWith(` ${words.at(-1)}`) && begins(words, other))
  const found = new Set(alike.map(([, author]) => author))
  return found.size === 1 ? [...found][0] : undefined
}

/** Whether the initials of the short name are those of the other. */
function begins(words: readonly string[], other: string): boolean {
  const full = other.split(' ')
  if (full.slice(0, -1).every((word) => word.length === 1)) return false
  return words.slice(0, -1).every((initial, i) => full[i]?.startsWith(initial))
}

function authorOf(key: string, sources: readonly Source[]): Author {
  const names = new Map<string, number>()
  for (const { credit, count } of sources) {
    // A short name, or one in another order, is not what the author is called.
    const isWhole = authorKey(credit.author) === key
    names.set(credit.author, (names.get(credit.author) ?? 0) + (isWhole ? count : 0))
  }
  const [[name = key] = []] = [...names].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return { name, key, sources, count: sources.reduce((sum, { count }) => sum + count, 0) }
}
