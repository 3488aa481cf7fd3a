/**
 * A text as the address of a page asks for it: told with its own quadranyms or with others. The address holds the whole
 * choice, so that a link keeps it, and a page depends on nothing but its address, the data and the day.
 */
import type { Visit } from '../../http/index.ts'
import { counted, type Grammar, indexes as indexesOf } from '../../language/index.ts'
import type { Content } from '../html.ts'
import type { Shown } from '../kinds/kind.ts'
import { today } from '../today.ts'
import { attributionOf } from './attribution.ts'
import { markedBody } from './marked.ts'
import { freshTopics, offersFor } from './offers.ts'
import { betterSenses } from './senses.ts'
import { type Topic, type TopicAt, template, tokens } from './tokens.ts'

/** A text with more topics shows the tokens of the others unchanged; the API spins with no more quadranyms. */
const MOST_TOPICS = 50
/** How often a text is turned before the shuffles begin again. */
const MOST_TURNS = 999

export const VIEWS = ['told', 'template', 'blanks'] as const

/** The page that shows the text: its path, and the parameters that are not about the choice. */
export interface Place {
  readonly path: string
  readonly fixed?: string
}

export interface Choice {
  readonly place: Place
  readonly view: (typeof VIEWS)[number]
  /** How often the text was turned: the seed of the shuffle. 0 means the shuffle of the day. */
  readonly turn: number
  /** The quadranyms of the record itself; phrases and fables have none. */
  readonly own: readonly Topic[]
  readonly chosen: readonly Topic[]
  /** The topic of an index of the text: the smallest index means the first chosen topic. */
  readonly topicAt: TopicAt
  readonly faults: readonly string[]
}

export interface Turned {
  /** The text, as it is told now. */
  readonly text: string
  /** The same with its tokens marked. */
  readonly marked: Content
  /** Whether its words are not those of the record. */
  readonly isTurned: boolean
  /** Who it is from. */
  readonly attribution: string | undefined
  readonly choice: Choice
  /** For each topic, what else it can be told with, the best first. */
  readonly offers: readonly (readonly Topic[])[]
  /** For each topic, quadranyms of the same name that read better. */
  readonly senses: readonly (readonly Topic[])[]
}

/** For a fortune, quote, phrase or fable. Undefined if no word of it can be replaced. */
export async function turnText(
  visit: Visit,
  kind: string,
  record: Shown,
  place: Place = { path: visit.path },
): Promise<Turned | undefined> {
  const grammar: Grammar = { untagged: kind === 'phrase' || kind === 'fable' }
  const qode: string = record['qode']
  const indexes = indexesOf(qode, grammar).slice(0, MOST_TOPICS)
  if (indexes.length === 0) return undefined
  const own = ownTopics(record)
  const turn = turnOf(visit)
  const places = { qode, grammar, indexes }
  const offers = await offersFor(visit, places, seedOf(visit, kind, record, turn))
  const { chosen, faults } = await readChosen(visit, own, offers)
  const topics = new Map(chosen.map((topic, i) => [indexes[i], topic]))
  const view = viewIn(visit.query)
  const choice: Choice = { place, view, turn, own, chosen, topicAt: (index) => topics.get(index), faults }
  const told = await tell(visit, kind, record, choice, grammar)
  const senses = await betterSenses(visit, places, chosen, own)
  return { ...told, attribution: attributionOf(record, told.isTurned), choice, offers, senses }
}

/** The view that an address asks for. */
export function viewIn(query: { get(name: string): string | undefined }): Choice['view'] {
  return VIEWS.find((name) => name === query.get('view')) ?? 'told'
}

function turnOf({ query }: Visit): number {
  const turn = Number(query.get('turn') ?? 0)
  return Number.isInteger(turn) && turn > 0 && turn <= MOST_TURNS ? turn : 0
}

/** A text that has no quadranyms of its own begins with the same ones every day. */
function seedOf(visit: Visit, kind: string, record: Shown, turn: number): string {
  const text = `${kind} ${record[`${kind}_id`]}`
  if (turn > 0) return `${text} ${turn}`
  return ownTopics(record).length > 0 ? `${text} ${visit.byClock(today).toISOString().slice(0, 10)}` : text
}

/**
 * Told with its own quadranyms, a text is its own body, even if they have changed since; otherwise the API spins it.
 */
async function tell(visit: Visit, kind: string, record: Shown, choice: Choice, grammar: Grammar) {
  const { view, own, chosen, topicAt } = choice
  const body: string | undefined = record['body']
  const isOwn = own.length > 0 && chosen.every(({ quadranym_id }, i) => quadranym_id === own[i]?.quadranym_id)
  if (isOwn && view === 'told' && body !== undefined) {
    return { text: body, marked: markedBody(record), isTurned: false }
  }
  const params = chosen.map(({ quadranym_id }) => `quadranym=${quadranym_id}`).join('&')
  const blanks = view === 'blanks'
  const told = await visit.ask(`/api/${kind}/${record[`${kind}_id`]}/spin/?${params}${blanks ? '&as=blanks' : ''}`)
  const qode: string = record['qode']
  const written = () => template(qode, topicAt, grammar)
  if (told.status !== 200) return { text: qode, marked: written(), isTurned: !isOwn }
  const text: string = told.json.text
  const marked = view === 'template' ? written() : tokens(text, told.json.spans, topicAt, { blanks })
  return { text, marked, isTurned: blanks ? !isOwn : text !== body }
}

/** The quadranyms of a record in the order of their indexes. */
export function ownTopics(record: Shown): readonly Topic[] {
  if (record['quadranym']) return [record['quadranym']]
  return [...(record['q2'] ?? []), ...(record['q1'] ?? [])]
}

/** What the address asks for, and otherwise the record's own; topics without either are all different. */
async function readChosen(visit: Visit, own: readonly Topic[], offers: readonly (readonly Topic[])[]) {
  const faults = new Set<string>()
  const given = visit.query.all('quadranym').filter((id) => id.trim() !== '')
  const asked = await Promise.all(given.slice(0, offers.length).map((id) => topicOf(visit, id.trim(), own)))
  given.forEach((id, i) => {
    if (i >= offers.length) faults.add(`The text has ${counted(offers.length, 'topic')}.`)
    else if (!asked[i]) faults.add(`There is no quadranym ${id}.`)
  })
  const known = offers.map((_, i) => asked[i] ?? own[i])
  const open = freshTopics(
    offers.filter((_, i) => !known[i]),
    known,
  ).values()
  const chosen = known.flatMap((topic) => topic ?? open.next().value ?? [])
  return { chosen, faults: [...faults] }
}

async function topicOf(visit: Visit, id: string, own: readonly Topic[]): Promise<Topic | undefined> {
  const known = own.find(({ quadranym_id }) => String(quadranym_id) === id)
  if (known) return known
  const { status, json } = await visit.ask(`/api/quadranym/${encodeURIComponent(id)}/`)
  return status === 200 ? json : undefined
}

type Addressed = Pick<Choice, 'place' | 'view' | 'own' | 'chosen'> & { readonly turn?: number }

/** The shortest address that keeps the choice: a text told as it is has none. */
export function addressOf({ place, view, own, chosen, turn = 0 }: Addressed): string {
  const query = [
    ...(place.fixed ? [place.fixed] : []),
    ...parametersOf({ own, chosen }),
    ...(view === 'told' ? [] : [`view=${view}`]),
    ...(turn > 0 ? [`turn=${turn}`] : []),
  ].join('&')
  return query === '' ? place.path : `${place.path}?${query}`
}

/** The chosen quadranyms as parameters, without the last ones that are the text's own. */
export function parametersOf({ own, chosen }: Pick<Choice, 'own' | 'chosen'>): string[] {
  const last = chosen.findLastIndex((topic, i) => topic.quadranym_id !== own[i]?.quadranym_id)
  return chosen.slice(0, last + 1).map(({ quadranym_id }) => `quadranym=${quadranym_id}`)
}

/** The address that tells the text with the next quadranyms, all of them other than now. */
export function nextAddress({ choice, offers }: Pick<Turned, 'choice' | 'offers'>): string {
  const fresh = freshTopics(offers, [...choice.chosen, ...choice.own])
  const chosen = choice.chosen.map((topic, i) => fresh[i] ?? topic)
  return addressOf({ ...choice, view: 'told', chosen, turn: nextTurn(choice) })
}

/** The same text with the next shuffle of offers. */
export function shuffledAddress(choice: Choice): string {
  return addressOf({ ...choice, turn: nextTurn(choice) })
}

function nextTurn({ turn }: Choice): number {
  return (turn % MOST_TURNS) + 1
}
