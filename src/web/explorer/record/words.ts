/** What pages of quadranyms and polynyms say beside the picture: their words, other senses, and what shares words with them. */
import { charactersIn, fits, spin, tokens as tokensIn } from '../../../language/index.ts'
import { recordAddress, wordAddress } from '../../addresses.ts'
import { RECORD } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kinds, Shown } from '../../kinds/index.ts'
import { drawSmallQuadranym, inPage, isBlank, POLES, polynymOf } from '../../pictures/index.ts'
import { type Topic, termOf, tokens } from '../../texts/tokens.ts'
import { link } from './head.ts'
import type { Body } from './index.ts'
import { usesOf } from './uses.ts'

const RELATED = 24
const SHOWN = 8
const SENSES = 6

interface Related {
  readonly resource: string
  readonly shared: readonly string[]
  readonly record: Shown
}

/** One question answers three: what shares its words also has its name, or is called like one of its words. */
interface Surroundings {
  readonly senses: readonly Shown[]
  /** Quadranyms by the word they are called by. */
  readonly nested: ReadonlyMap<string, readonly Shown[]>
  readonly related: readonly Related[]
}

async function surroundings(
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

export async function quadranymBody(visit: ExplorerVisit, record: Shown): Promise<Body> {
  const words = (['e', 'r', 'o', 's'] as const).map((slot) => record[slot] as string)
  const [around, uses, saying] = await Promise.all([
    surroundings(visit, 'quadranym', record, words),
    usesOf(visit, 'quadranym', record),
    sayingWith(visit, record as Topic),
  ])
  return {
    scripts: [RECORD],
    beside: html`<h2>Its words</h2>
      <dl class="words">
        ${Object.entries(POLES).map(([slot, title]) => {
          const term: string = record[slot]
          const pos = record[`${slot}pos`]
          return html`<div>
            <dt>${title}${pos && html` <abbr title=${PARTS_OF_SPEECH[pos] ?? pos}>${pos}</abbr>`}</dt>
            <dd>${word(term, slot)}${unfolded(around.nested.get(term) ?? [])}</dd>
          </div>`
        })}
      </dl>
      ${saying}`,
    below: html`${senses(around.senses, record)} ${uses} ${sharing(around.related, visit.kinds)}`,
  }
}

const PARTS_OF_SPEECH: Readonly<Record<string, string>> = { NN: 'noun', VB: 'verb', ADJ: 'adjective' }

function word(term: string, slot?: string): Content {
  if (isBlank(term)) return html`<span class="soft">left open</span>`
  return html`<a class=${slot} href=${wordAddress(term)}>${term}</a>`
}

/** A word that has a quadranym of its own leads on to it. */
function unfolded(records: readonly Shown[]): Content {
  if (records.length === 0) return undefined
  return html`<span class="soft"> which unfolds into ${records
    .slice(0, SENSES)
    .map((each, i) => [
      i > 0 && ' or ',
      html`<a href=${recordAddress('quadranym', each)}>${each['e'] || '–'}, ${each['r'] || '–'}</a>`,
    ])}</span>`
}

function senses(records: readonly Shown[], { name }: Shown): Content {
  if (records.length === 0) return undefined
  return html`<h2>Other senses of ${name}</h2>
    <ul class="grid">
      ${records.slice(0, SENSES).map((each) => html`<li>${tile(each)}</li>`)}
    </ul>
    ${records.length > SENSES && html`<p class="more"><a href=${`/quadranym/?name=${encodeURIComponent(name)}`}>All ${records.length + 1} senses</a></p>`}`
}

/** A quadranym as a small picture that leads to its page. */
export function tile(record: Shown): Content {
  return html`<a class="card tile" href=${recordAddress('quadranym', record)}>${inPage(drawSmallQuadranym(record as Topic))}</a>`
}

function sharing(related: readonly Related[], kinds: Kinds): Content {
  if (related.length === 0) return undefined
  return html`<h2>Shares words with</h2>
    <ul class="hits sharing">
      ${related.slice(0, SHOWN).map(
        ({ resource, shared, record }) =>
          html`<li>
            ${link(resource, record)} <span class="soft">${kinds.get(resource).one.toLowerCase()}, by ${shared.join(', ')}</span>
          </li>`,
      )}
    </ul>`
}

/** A phrase that reads well with it, or as well as the second that was drawn: the same ones each time. */
async function sayingWith(visit: ExplorerVisit, topic: Topic): Promise<Content> {
  const draw = (seed: string) => visit.ask(`/api/phrase/random/?seed=${topic.quadranym_id}${seed}`)
  const first = readsWith((await draw('')).json, topic)
  const drawn = first?.well ? first : (readsWith((await draw('-2')).json, topic) ?? first)
  if (!drawn) return undefined
  const { phrase } = drawn
  const { text, spans } = spin(phrase['qode'], [topic], UNTAGGED)
  const letters = charactersIn(text)
  const counted = spans.map((span) => {
    const offset = letters(span.offset)
    return { ...span, offset, length: letters(span.offset + span.length) - offset }
  })
  return html`<h2>Said with it</h2>
    <p class="text">${tokens(text, counted, () => topic)}</p>
    <p class="by">
      The phrase ${link('phrase', phrase)}. <a href=${`${recordAddress('phrase', phrase)}?quadranym=${topic.quadranym_id}`}>Flip it</a>
    </p>`
}

const UNTAGGED = { untagged: true }

/** Undefined when the phrase asks for a word that is left open. */
function readsWith(phrase: Shown, topic: Topic): { phrase: Shown; well: boolean } | undefined {
  const marks = phrase['qode'] ? tokensIn(phrase['qode'], UNTAGGED) : []
  if (marks.length === 0 || marks.some(({ slot }) => isBlank(termOf(topic, slot)))) return undefined
  return { phrase, well: fits(marks, topic) }
}

/** Sentences are read, not looked up. */
const MOST_WORDS = 5

/** More terms stand in two columns. */
const MANY = 6

export async function polynymBody(visit: ExplorerVisit, record: Shown): Promise<Body> {
  const { terms } = polynymOf(record)
  const [around, uses] = await Promise.all([
    surroundings(visit, 'polynym', record, terms),
    usesOf(visit, 'polynym', record),
  ])
  const others = around.senses.map((each): Related => ({ resource: 'polynym', shared: [each['name']], record: each }))
  return {
    scripts: [RECORD],
    beside: html`<h2>${MODES[record['mode']] ?? 'Its terms'}</h2>
      <ol class=${['words', record['mode'] !== 'step' && 'unordered', terms.length > MANY && 'many'].filter(Boolean).join(' ')}>
        ${terms.map(
          (term) =>
            html`<li>${term.split(/\s+/).length > MOST_WORDS ? term : word(term)}${unfolded(around.nested.get(term) ?? [])}</li>`,
        )}
      </ol>`,
    below: html`${uses} ${sharing([...others, ...around.related], visit.kinds)}`,
  }
}

const MODES: Readonly<Record<string, string>> = { part: 'Its parts', type: 'Its types', step: 'Its steps' }
