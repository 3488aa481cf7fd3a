/**
 * Flip: the same text told with other quadranyms. The address holds the choice, so that a link keeps it; every choice
 * is a plain link or form, which flip.js follows without leaving the page.
 */
import type { Visit } from '../../http/index.ts'
import { counted, fits, type Grammar, indexes as indexesOf, tokens as tokensOf } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/kind.ts'
import { attributionOf } from './attribution.ts'
import { markedBody } from './marked.ts'
import { type Topic, type TopicAt, type Topics, template, termOf, tokens } from './tokens.ts'

export interface Flipped {
  /** The text, as it is told now. */
  readonly text: string
  /** Whether its words are not those of the record. */
  readonly isTurned: boolean
  /** Who it is from. */
  readonly attribution: string | undefined
  /** The same with its tokens marked. */
  readonly told: Content
  /** Told, template, blanks. */
  readonly views: Content
  /** The choice of other quadranyms; nothing for a text without tokens. */
  readonly panel: Content
  readonly topics: Topics
  /** The choice as parameters of the API, each with an ampersand behind it. */
  readonly asked: string
}

/** How many quadranyms to read when looking for fitting ones, from how many pages, and how many to offer. */
const DRAWN = 12
const PAGES = 5
const OFFERED = 6
const FOUND = 12
const SHORT = 120
/** A text with more topics shows the tokens of the others unchanged; the API spins with no more quadranyms. */
const MOST_TOPICS = 50

const VIEWS = ['told', 'template', 'blanks'] as const

interface Choice {
  readonly path: string
  readonly view: (typeof VIEWS)[number]
  /** The quadranyms of the record itself; phrases and fables have none. */
  readonly own: readonly Topic[]
  readonly chosen: readonly Topic[]
  /** The topic of an index of the text: the smallest index means the first chosen topic. */
  readonly topicAt: TopicAt
  readonly faults: readonly string[]
}

/** For a fortune, quote, phrase or fable: its text as the address asks for it, and the choice of others. */
export async function flipPanel(visit: Visit, kind: string, record: Shown): Promise<Flipped> {
  const grammar: Grammar = { untagged: kind === 'phrase' || kind === 'fable' }
  const qode: string = record['qode']
  const indexes = indexesOf(qode, grammar).slice(0, MOST_TOPICS)
  if (indexes.length === 0) return untold(record)
  const id: number = record[`${kind}_id`]
  const offers = await offersFor(visit, id, qode, grammar, indexes)
  const choice = await readChoice(visit, ownTopics(record), offers, indexes)
  const { path, view, chosen } = choice
  const { text, marked, isTurned } = await tell(visit, kind, record, choice, grammar)
  const matches = await findMatches(visit)
  return {
    text,
    isTurned,
    attribution: attributionOf(record, isTurned),
    topics: chosen,
    asked: addressOf({ ...choice, path: '', view: 'told' }).replace(/^\?(.+)$/, '$1&'),
    told: html`<p class=${view === 'template' ? 'text qode' : classOf(text)} data-flip="told" aria-live="polite">${marked}</p>`,
    views: html`<nav class="chips views" data-flip="views" aria-label="Ways to see it">
      ${VIEWS.map(
        (
          name,
        ) => html`<a class="btn small" data-swap data-key=${`view-${name}`} aria-current=${name === view ? 'true' : undefined}
          href=${addressOf({ ...choice, view: name })}>${name}</a>`,
      )}
    </nav>`,
    panel: html`<section class="flip" data-flip="panel" aria-labelledby="flip-title">
      <h2 id="flip-title">Flip it</h2>
      ${choice.faults.map((fault) => html`<p class="note bad">${fault}</p>`)}
      ${chosen.map((_, i) => topicRow(choice, i, offers[i] ?? [], matches))}
      ${share(visit, choice, path)}
    </section>`,
  }
}

/**
 * Told with its own quadranyms, a text is its own body, even if they have changed since; otherwise the API spins it.
 */
async function tell(visit: Visit, kind: string, record: Shown, choice: Choice, grammar: Grammar) {
  const { view, own, chosen, topicAt } = choice
  const isOwn = own.length > 0 && chosen.every(({ quadranym_id }, i) => quadranym_id === own[i]?.quadranym_id)
  if (isOwn && view === 'told') {
    return { text: record['body'] as string, marked: markedBody(record), isTurned: false }
  }
  const params = chosen.map(({ quadranym_id }) => `quadranym=${quadranym_id}`).join('&')
  const blanks = view === 'blanks'
  const told = await visit.ask(`/api/${kind}/${record[`${kind}_id`]}/spin/?${params}${blanks ? '&as=blanks' : ''}`)
  const written = () => template(record['qode'], topicAt, grammar)
  if (told.status !== 200) return { text: record['qode'] as string, marked: written(), isTurned: !isOwn }
  const { text, spans } = told.json
  const marked = view === 'template' ? written() : tokens(text, spans, topicAt, { blanks })
  return { text: text as string, marked, isTurned: blanks ? !isOwn : text !== record['body'] }
}

function untold(record: Shown): Flipped {
  const text: string = record['body'] ?? record['qode']
  const told = html`<p class=${classOf(text)} data-flip="told">${text}</p>`
  const attribution = attributionOf(record, false)
  return { text, isTurned: false, attribution, told, views: undefined, panel: undefined, topics: [], asked: '' }
}

/** A short saying is larger. */
function classOf(text: string): string {
  return text.length <= SHORT ? 'text short' : 'text'
}

/** The quadranyms of a record in the order of their indexes. */
export function ownTopics(record: Shown): readonly Topic[] {
  if (record['quadranym']) return [record['quadranym']]
  return [...(record['q2'] ?? []), ...(record['q1'] ?? [])]
}

/**
 * For each topic some quadranyms that read well in its place: different ones for different texts, the same each time.
 */
async function offersFor(visit: Visit, id: number, qode: string, grammar: Grammar, indexes: readonly number[]) {
  const page = (number: number) => visit.ask(`/api/quadranym/?page_size=${DRAWN}&page=${number}`)
  const mine = await page(1 + (id % PAGES))
  const { json } = mine.status === 200 ? mine : await page(1)
  const drawn: readonly Topic[] = json.results
  const marks = tokensOf(qode, grammar)
  const byIndex = Map.groupBy(marks, ({ index }) => index)
  return indexes.map((index, i) => {
    const own = byIndex.get(index)!
    const isWhole = (topic: Topic) => own.every(({ slot }) => /[^\s_]/.test(termOf(topic, slot)))
    const whole = drawn.filter(isWhole)
    const fitting = whole.filter((topic) => fits(own, topic))
    const offered = new Set([...fitting, ...whole.slice(0, Math.max(0, OFFERED - fitting.length))])
    // Topics of one text with the same first offer would be told alike.
    return [...offered].slice(i % 2 === 0 ? 0 : -OFFERED).slice(0, OFFERED)
  })
}

async function readChoice(
  visit: Visit,
  own: readonly Topic[],
  offers: readonly Topics[],
  indexes: readonly number[],
): Promise<Choice> {
  const faults: string[] = []
  const given = visit.query.all('quadranym').filter((id) => id.trim() !== '')
  const asked = await Promise.all(given.slice(0, offers.length).map((id) => topicOf(visit, id.trim(), own)))
  given.forEach((id, i) => {
    if (i >= offers.length) faults.push(`The text has ${counted(offers.length, 'topic')}.`)
    else if (!asked[i]) faults.push(`There is no quadranym ${id}.`)
  })
  const chosen = offers.flatMap((offered, i) => {
    const topic = asked[i] ?? own[i] ?? offered[0]
    return topic ? [topic] : []
  })
  const view = VIEWS.find((name) => name === visit.query.get('view')) ?? 'told'
  const topics = new Map(chosen.map((topic, i) => [indexes[i]!, topic]))
  const topicAt = (index: number) => topics.get(index)
  return { path: visit.path, view, own, chosen, topicAt, faults: [...new Set(faults)] }
}

async function topicOf(visit: Visit, id: string, own: readonly Topic[]): Promise<Topic | undefined> {
  const known = own.find(({ quadranym_id }) => String(quadranym_id) === id)
  if (known) return known
  const { status, json } = await visit.ask(`/api/quadranym/${encodeURIComponent(id)}/`)
  return status === 200 ? json : undefined
}

/** The results of the search box of a topic, for browsers without scripts. */
interface Matches {
  readonly topic: number
  readonly find: string
  readonly found: readonly Topic[]
}

async function findMatches(visit: Visit): Promise<Matches | undefined> {
  const find = visit.query.get('find')?.trim() ?? ''
  if (find === '') return undefined
  const { status, json } = await visit.ask(`/api/quadranym/?search=${encodeURIComponent(find)}&page_size=${FOUND}`)
  return { topic: Number(visit.query.get('topic') ?? 1), find, found: status === 200 ? json.results : [] }
}

/** The shortest address that keeps the choice: a text told as it is has none. */
function addressOf({ path, view, own, chosen }: Pick<Choice, 'path' | 'view' | 'own' | 'chosen'>): string {
  const last = chosen.findLastIndex((topic, i) => topic.quadranym_id !== own[i]?.quadranym_id)
  const pairs = chosen.slice(0, last + 1).map(({ quadranym_id }) => `quadranym=${quadranym_id}`)
  const query = [...pairs, ...(view === 'told' ? [] : [`view=${view}`])].join('&')
  return query === '' ? path : `${path}?${query}`
}

function withTopic(choice: Choice, i: number, topic: Topic): string {
  return addressOf({ ...choice, chosen: choice.chosen.with(i, topic) })
}

function topicRow(choice: Choice, i: number, offers: Topics, matches: Matches | undefined): Content {
  const { chosen, own, view } = choice
  const mine = matches?.topic === i + 1 ? matches : undefined
  const known = [own[i], chosen[i], ...(mine ? mine.found : offers)].filter((topic) => topic !== undefined)
  const chips = [...new Map(known.map((topic) => [topic.quadranym_id, topic])).values()]
  const field = `flip-${i + 1}`
  return html`<div class="topic">
    ${chosen.length > 1 && html`<h3>Topic ${i + 1}${own[i] && html`<span class="soft">, once ${own[i].name}</span>`}</h3>`}
    <div class="chips">
      ${chips.map((topic) => {
        const isChosen = topic.quadranym_id === chosen[i]!.quadranym_id
        return html`<a class="btn small" data-swap data-key=${`${i}-${topic.quadranym_id}`} data-tip=${fourOf(topic)}
          aria-current=${isChosen ? 'true' : undefined} href=${withTopic(choice, i, topic)}>${chipName(topic, chips)}</a>`
      })}
    </div>
    ${mine?.found.length === 0 && html`<p class="soft">No quadranym has “${mine.find}”. <a href=${`/make/quadranym/?name=${encodeURIComponent(mine.find)}`}>Make it</a></p>`}
    <form class="finder" action=${choice.path} data-pick="quadranym" data-topic=${i}>
      ${chosen.map(({ quadranym_id }) => html`<input type="hidden" name="quadranym" value=${quadranym_id} />`)}
      ${view !== 'told' && html`<input type="hidden" name="view" value=${view} />`}
      <input type="hidden" name="topic" value=${i + 1} />
      <label class="unseen" for=${field}>Another quadranym${chosen.length > 1 ? ` for topic ${i + 1}` : ''}</label>
      <input type="search" id=${field} name="find" value=${mine?.find} placeholder="Another quadranym …" autocomplete="off" />
      <button class="btn small" type="submit">Find</button>
    </form>
  </div>`
}

export function fourOf({ e, r, o, s }: Topic): string {
  return [e, r, o, s].map((term) => term || '_').join(', ')
}

/** Two with the same name are distinguished by their other members. */
function chipName(topic: Topic, among: Topics): string {
  const isShared = among.some((other) => other !== topic && other?.name === topic.name)
  return isShared ? `${topic.name} (${topic.e || topic.o})` : topic.name
}

function share(visit: Visit, choice: Choice, path: string): Content {
  const { chosen, own } = choice
  const changes = chosen.flatMap((topic, i) => {
    if (!own[i] || own[i].quadranym_id === topic.quadranym_id) return []
    return [html`<a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a> in place of ${own[i].name}`]
  })
  const href = addressOf(choice)
  const link = html`<a class="permalink" data-key="link" href=${`${visit.base}${href}`}>Link to this</a>`
  if (own.length > 0 && changes.length === 0) return html`<p class="by toldwith">${link}</p>`
  const told =
    own.length > 0
      ? changes
      : chosen.map(({ name, quadranym_id }) => html`<a href=${`/quadranym/${quadranym_id}/`}>${name}</a>`)
  return html`<p class="by toldwith">
    Told with ${told.map((each, i) => html`${i > 0 ? ', ' : ''}${each}`)} · ${link}
    ${own.length > 0 && html` · <a data-swap data-key="own" href=${path}>As it was</a>`}
  </p>`
}
