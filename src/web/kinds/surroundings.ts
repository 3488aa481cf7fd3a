/**
 * Records that share words with a quadranym or a polynym: other senses of its name, records named like its words, and
 * the rest.
 */
import { recordAddress, wordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import { recordLink } from '../links.ts'
import { isBlank } from '../pictures/index.ts'
import type { ExplorerVisit, Kinds, Shown } from './kind.ts'

const RELATED = 24
const SHOWN = 8
export const SENSES = 6

export interface Related {
  readonly resource: string
  readonly shared: readonly string[]
  readonly record: Shown
}

/**
 * One request answers three questions: records that share its words include those with its name and those named like
 * one of its words.
 */
interface Surroundings {
  readonly senses: readonly Shown[]
  /** Quadranyms by name. */
  readonly nested: ReadonlyMap<string, readonly Shown[]>
  readonly related: readonly Related[]
}

export async function surroundings(
  visit: ExplorerVisit,
  kind: string,
  record: Shown,
  words: readonly string[],
): Promise<Surroundings> {
  const { json } = await visit.ask(`/api/${kind}/${record[`${kind}_id`]}/related/?limit=${RELATED}`)
  const all: readonly Related[] = json.results ?? []
  const key = (text: string) => text.trim().toLowerCase()
  const isSense = (each: Related) => each.resource === kind && key(each.record['name']) === key(record['name'])
  const called = (word: string) =>
    all.filter((each) => each.resource === 'quadranym' && !isSense(each) && key(each.record['name']) === key(word))
  const nested = new Map(words.map((word) => [word, called(word).map((each) => each.record)]))
  const others = new Set([...nested.values()].flat())
  return {
    senses: all.filter(isSense).map((each) => each.record),
    nested,
    related: all.filter((each) => !isSense(each) && !others.has(each.record)),
  }
}

export function word(term: string, slot?: string): Content {
  if (isBlank(term)) return html`<span class="soft">left open</span>`
  return html`<a class=${slot} href=${wordAddress(term)}>${term}</a>`
}

/** A word that is also the name of a quadranym links to it. */
export function unfolded(records: readonly Shown[]): Content {
  if (records.length === 0) return undefined
  return html`<span class="soft"> also a topic: ${records
    .slice(0, SENSES)
    .map((each, i) => [
      i > 0 && ' or ',
      html`<a href=${recordAddress('quadranym', each)}>${each['e'] || '–'}, ${each['r'] || '–'}</a>`,
    ])}</span>`
}

export function sharing(related: readonly Related[], kinds: Kinds): Content {
  if (related.length === 0) return undefined
  return html`<h2>Shares words with</h2>
    <ul class="hits sharing">
      ${related.slice(0, SHOWN).map(
        ({ resource, shared, record }) =>
          html`<li>
            ${recordLink(resource, record)} <span class="soft">${kinds.get(resource).one.toLowerCase()}, shares ${shared.join(', ')}</span>
          </li>`,
      )}
    </ul>
    <p class="more"><a href="/charts/network/">See which sets share the most words</a></p>`
}
