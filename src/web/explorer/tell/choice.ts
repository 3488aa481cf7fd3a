/**
 * The phrases and topics that the address of a page of /tell/ names. What it leaves blank is drawn: the same for the
 * same address on the same day, those that read well together first.
 */
import type { Visit } from '../../../http/index.ts'
import { fitOf, tokensInPlace } from '../../../language/index.ts'
import type { Shown } from '../../kinds/index.ts'
import { isBreak } from '../../kinds/phrase.ts'
import { type Topic, termOf } from '../../texts/tokens.ts'
import { today } from '../../today.ts'

/** How many records are looked at to find some that read well together. */
const DRAWN = 60
/** How often a page is shuffled before the shuffles begin again. */
const MOST_TURNS = 999

export interface Choice {
  readonly phrases: readonly Shown[]
  readonly topics: readonly Shown[]
  readonly turn: number
  readonly faults: readonly string[]
}

export interface Wanted {
  /** How many of each, if the address says nothing. */
  readonly some: number
  /** The address may name this many; of more, the last ones count. */
  readonly most: number
  /** Fill up to `some`, even if the address names fewer. */
  readonly isFilled?: boolean
  /** As they are drawn, whether they read well or not. */
  readonly isMixed?: boolean
  /** A filter for the topics that are drawn. */
  readonly topicsWith?: string
}

export async function readChoice(visit: Visit, wanted: Wanted): Promise<Choice> {
  const turn = turnOf(visit)
  const seed = turn > 0 ? `tell ${turn}` : `tell ${visit.byClock(today).toISOString().slice(0, 10)}`
  const [phrases, topics] = await Promise.all([named(visit, 'phrase', wanted), named(visit, 'quadranym', wanted)])
  const [drawnPhrases, drawnTopics] = await Promise.all([
    drawn(visit, 'phrase', phrases.places, seed),
    drawn(visit, 'quadranym', topics.places, seed, wanted.topicsWith),
  ])
  const score = wanted.isMixed ? () => 0 : fitting
  const chosenPhrases = filled(phrases.places, drawnPhrases, (phrase) => score([phrase], known(topics.places)))
  const chosenTopics = filled(topics.places, drawnTopics, (topic) => score(chosenPhrases, [topic]))
  return { phrases: chosenPhrases, topics: chosenTopics, turn, faults: [...phrases.faults, ...topics.faults] }
}

function turnOf({ query }: Visit): number {
  const turn = Number(query.get('turn') ?? 0)
  return Number.isInteger(turn) && turn > 0 && turn <= MOST_TURNS ? turn : 0
}

export function nextTurn(turn: number): number {
  return (turn % MOST_TURNS) + 1
}

type Places = readonly (Shown | undefined)[]

/** A place for each record; undefined where one is to be drawn. A blank value keeps its place. */
async function named(visit: Visit, kind: string, { some, most, isFilled }: Wanted) {
  const given = visit.query
    .all(kind)
    .map((id) => id.trim())
    .slice(-most)
  const ids = given.filter((id) => id !== '')
  const records = await readByIds(visit, kind, ids)
  const faults = ids.filter((id) => !records.has(id)).map((id) => `There is no ${kind} ${id}.`)
  const places = given.filter((id) => id === '' || records.has(id)).map((id) => records.get(id))
  const missing = isFilled || places.length === 0 ? Math.max(0, some - places.length) : 0
  return { places: [...places, ...Array<undefined>(missing).fill(undefined)], faults }
}

/** Records by id, as the address writes it. */
export async function readByIds(
  visit: Visit,
  kind: string,
  given: readonly string[],
): Promise<ReadonlyMap<string, Shown>> {
  const ids = [...new Set(given.filter((id) => /^[1-9][0-9]{0,14}$/.test(id)))]
  if (ids.length === 0) return new Map()
  const { status, json } = await visit.ask(`/api/${kind}/?id__in=${ids.join(',')}&page_size=${ids.length}`)
  const records: readonly Shown[] = status === 200 ? json.results : []
  return new Map(records.map((record) => [String(record[`${kind}_id`]), record]))
}

async function drawn(visit: Visit, kind: string, places: Places, seed: string, filter = ''): Promise<readonly Shown[]> {
  if (!places.includes(undefined)) return []
  const query = `n=${DRAWN}&seed=${encodeURIComponent(seed)}${filter && `&${filter}`}`
  const { status, json } = await visit.ask(`/api/${kind}/random/?${query}`)
  const records: readonly Shown[] = status === 200 ? json.results : []
  return kind === 'phrase' ? records.filter((phrase) => !isBreak(phrase)) : records
}

function known(places: Places): Shown[] {
  return places.filter((each) => each !== undefined)
}

/** Draws the records that read well most often, none that is there already, and no name twice if possible. */
function filled(places: Places, records: readonly Shown[], scoreOf: (record: Shown) => number): Shown[] {
  const names = new Set(known(places).map(({ name }) => name))
  const scored = records.map((record) => ({ record, score: scoreOf(record) })).sort((a, b) => b.score - a.score)
  const different = scored.filter(({ record: { name } }) => !names.has(name) && names.add(name))
  const next = different.values()
  return places.flatMap((place) => place ?? next.next().value?.record ?? [])
}

/** How well the phrases read with the topics: whether all words are there, and how well their parts of speech fit. */
function fitting(phrases: readonly Shown[], topics: readonly Shown[]): number {
  let sum = 0
  for (const { qode } of phrases) {
    const own = tokensInPlace(qode, { untagged: true })
    for (const topic of topics) {
      const isWhole = own.every(({ slot }) => /[^\s_]/.test(termOf(topicOf(topic), slot)))
      sum += isWhole ? 1 + fitOf(own, wordsOf(topic)) : 0
    }
  }
  return sum
}

/** A quadranym of the API, with the members that telling needs. */
export function topicOf({ quadranym_id, name, e, r, o, s }: Shown): Topic {
  return { quadranym_id, name, e, r, o, s }
}

function wordsOf(topic: Shown) {
  const { pos, epos, rpos, opos, spos } = topic
  return { ...topicOf(topic), pos, epos, rpos, opos, spos }
}
