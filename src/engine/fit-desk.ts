/** Whether texts read well with topics, as people judge it: judgements, their results, and which pair to judge next. */
import type { AnyResource, JsonObject } from '../declare/index.ts'
import type { FitAbout, FitCell, FitTally, Judgement, Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import { currentActor } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'
import { uncertaintyOf } from './tells-most.ts'

/** The resources of texts and topics, and the member of topics that results are grouped by. */
export interface JudgedPair {
  readonly text: AnyResource
  readonly topic: AnyResource
  readonly group: string
}

/** Undefined if the catalogue has nothing to judge. */
export function judgedPair(catalogue: readonly AnyResource[]): JudgedPair | undefined {
  const text = catalogue.find(({ judged }) => judged?.as === 'text')
  const topic = catalogue.find(({ judged }) => judged?.as === 'topic')
  return text && topic?.judged?.as === 'topic' ? { text, topic, group: topic.judged.by } : undefined
}

/** What results are about: `pair`, `all`, `me`, or the names of a JudgedPair. */
export const FIT_BY = ['text', 'topic', 'group', 'pair', 'all', 'me'] as const
export type FitBy = (typeof FIT_BY)[number]

/** Texts and topics of a grid. */
export const MOST_IN_GRID = 20
const AT_ONCE = 500

export interface FitResult {
  readonly text?: number
  readonly topic?: number
  readonly group?: string
  readonly yes: number
  readonly no: number
  /** How many pairs were judged. */
  readonly pairs?: number
  /** How often two people agree about a pair, from 0 to 1; null if no two people have judged the same. */
  readonly agreement?: number | null
}

interface ResultsAsked {
  readonly by: FitBy
  /** Only pairs of this text or this topic. */
  readonly of?: { readonly as: 'text' | 'topic'; readonly id: number } | undefined
  readonly actor: Actor | undefined
}

export interface GridCell extends FitCell {
  /** What the user said about it. */
  readonly fits?: boolean
}

export class FitDesk {
  readonly #engine: Engine
  readonly pair: JudgedPair

  constructor(engine: Engine, pair: JudgedPair) {
    this.#engine = engine
    this.pair = pair
  }

  /** Returns the judgement, or undefined if it was taken back, and whether it is new. */
  async judge(actor: Actor, body: JsonObject): Promise<{ judgement: Judgement | undefined; isNew: boolean }> {
    const engine = this.#engine
    const { store } = engine
    const { pair } = this
    const { text, topic, fits } = this.#check(body)
    const at = engine.now().toISOString()
    return await store.write(function* () {
      const { id: account } = yield* currentActor(engine, actor)
      yield* mustExist(engine, pair.text, [text])
      const [row] = yield* mustExist(engine, pair.topic, [topic])
      const group = String(row?.[pair.group] ?? '')
      const isNew = yield* store.judgements.judge({ account, text, topic, group, fits, at })
      return { judgement: yield* store.judgements.one(account, { text, topic }), isNew }
    })
  }

  #check(body: JsonObject) {
    const errors: Record<string, string[]> = {}
    const idOf = ({ name }: AnyResource): number => {
      const given = body[name]
      if (given === undefined || given === null || given === '') errors[name] = ['This field is required.']
      else if (!/^[1-9][0-9]{0,14}$/.test(String(given))) errors[name] = ['A valid integer is required.']
      return Number(given)
    }
    const [text, topic] = [idOf(this.pair.text), idOf(this.pair.topic)]
    const { fits: given } = body
    if (given === undefined) errors['fits'] = ['This field is required.']
    const isTakenBack = given === null || given === ''
    const isYes = /^(true|1)$/i.test(String(given))
    if (given !== undefined && !isTakenBack && !isYes && !/^(false|0)$/i.test(String(given))) {
      errors['fits'] = ['Must be a valid boolean.']
    }
    refuse(errors)
    return { text, topic, fits: isTakenBack ? undefined : isYes }
  }

  async mine(actor: Actor, wanted: WantedPage) {
    const { store } = this.#engine
    return await store.read(function* () {
      const [own] = yield* store.judgements.talliesOf('user', [String(actor.id)])
      const count = own?.cells ?? 0
      const { offset, ...place } = placeOf(count, wanted)
      const rows = yield* store.judgements.ofAccount(actor.id, { limit: wanted.size, offset })
      return { count, ...place, rows }
    })
  }

  /** All judgements of a user, some at a time. */
  async *allMine(actor: Actor): AsyncGenerator<readonly Judgement[]> {
    const { store } = this.#engine
    let last = { text: 0, topic: 0 }
    for (;;) {
      const rows = await store.read(() => store.judgements.ofAccountAfter(actor.id, last, AT_ONCE))
      yield rows
      last = rows.at(-1) ?? last
      if (rows.length < AT_ONCE) return
    }
  }

  async results(asked: ResultsAsked, wanted: WantedPage) {
    const engine = this.#engine
    return await engine.store.read(function* (): Work<{
      count: number
      number: number
      last: number
      rows: FitResult[]
    }> {
      const count = yield* countResults(engine, asked)
      const { offset, ...place } = placeOf(count, wanted)
      const rows = yield* readResults(engine, asked, { limit: wanted.size, offset })
      return { count, ...place, rows }
    })
  }

  /** All results, some at a time; pairs by their ids. */
  async *allResults(asked: ResultsAsked): AsyncGenerator<readonly FitResult[]> {
    const { store } = this.#engine
    const isWhole = asked.by === 'pair' && !asked.of
    let last = { text: 0, topic: 0 }
    for (let offset = 0; ; offset += AT_ONCE) {
      const after = last
      const rows = await store.read(() =>
        isWhole ? cellsAfter(this.#engine, after) : readResults(this.#engine, asked, { limit: AT_ONCE, offset }),
      )
      yield rows
      const { text = 0, topic = 0 } = rows.at(-1) ?? {}
      last = { text, topic }
      if (rows.length < AT_ONCE) return
    }
  }

  /** The pairs of some texts and topics, and the one that tells most. */
  async grid(actor: Actor | undefined, texts: readonly number[], topics: readonly number[]) {
    const engine = this.#engine
    const { store } = engine
    const { pair } = this
    return await store.read(function* () {
      yield* mustExist(engine, pair.text, texts)
      yield* mustExist(engine, pair.topic, topics)
      const counted = byPair(yield* store.judgements.cellsAmong(texts, topics))
      const mine = byPair(actor ? yield* store.judgements.amongPairs(actor.id, texts, topics) : [])
      const ofTexts = byValue(yield* store.judgements.talliesOf('text', texts.map(String)))
      const ofTopics = byValue(yield* store.judgements.talliesOf('topic', topics.map(String)))
      const cells = texts.flatMap((text) =>
        topics.map((topic): GridCell => {
          const { yes, no } = counted.get(`${text} ${topic}`) ?? NONE
          const own = mine.get(`${text} ${topic}`)
          return { text, topic, yes, no, ...(own ? { fits: own.fits } : {}) }
        }),
      )
      const open = cells
        .filter(({ fits }) => fits === undefined)
        .map((cell) => ({
          cell,
          tells: uncertaintyOf({
            pair: cell,
            text: ofTexts.get(String(cell.text)) ?? NONE,
            topic: ofTopics.get(String(cell.topic)) ?? NONE,
          }),
        }))
      const next = open.reduce<(typeof open)[number] | undefined>(
        (best, each) => (best && best.tells >= each.tells ? best : each),
        undefined,
      )
      return { cells, next: next?.cell }
    })
  }
}

const NONE = { yes: 0, no: 0 }

function byPair<T extends { readonly text: number; readonly topic: number }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map((row) => [`${row.text} ${row.topic}`, row]))
}

function byValue(tallies: readonly FitTally[]): Map<string, FitTally> {
  return new Map(tallies.map((tally) => [tally.value, tally]))
}

function* mustExist({ store }: Engine, resource: AnyResource, ids: readonly number[]) {
  const members = resource.judged?.as === 'topic' ? [resource.judged.by] : []
  const rows = yield* store.records.byIds({ resource, only: members }, ids)
  const known = new Set(rows.map((row) => Number(row['id'])))
  const missing = ids.find((id) => !known.has(id))
  if (missing !== undefined) refuse({ [resource.name]: [`Invalid pk "${missing}" - object does not exist.`] })
  return rows
}

const ABOUT: Readonly<Record<Exclude<FitBy, 'pair' | 'me'>, FitAbout>> = {
  text: 'text',
  topic: 'topic',
  group: 'group',
  all: 'all',
}

function* countResults({ store }: Engine, { by, of, actor }: ResultsAsked): Work<number> {
  const { judgements } = store
  if (by === 'me' && !actor) throw problems.notSignedIn()
  if (by === 'me') return 1
  if (by !== 'pair') return yield* judgements.countTallies(ABOUT[by])
  const [tally] = of ? yield* judgements.talliesOf(of.as, [String(of.id)]) : yield* judgements.talliesOf('all', [''])
  return tally?.cells ?? 0
}

interface Rows {
  readonly limit: number
  readonly offset: number
}

function* readResults({ store }: Engine, { by, of, actor }: ResultsAsked, rows: Rows): Work<FitResult[]> {
  const { judgements } = store
  if (by === 'pair') return of ? yield* judgements.cellsOf(of.as, of.id, rows) : yield* judgements.cells(rows)
  if (by !== 'me') return (yield* judgements.tallies(ABOUT[by], rows)).map((tally) => resultOf(by, tally))
  if (!actor) throw problems.notSignedIn()
  const [own] = yield* judgements.talliesOf('user', [String(actor.id)])
  const { yes = 0, no = 0, cells = 0 } = own ?? {}
  const agreement = shareOf(yield* judgements.agreementOf(actor.id))
  return rows.offset > 0 ? [] : [{ yes, no, pairs: cells, agreement }]
}

function* cellsAfter({ store }: Engine, last: { readonly text: number; readonly topic: number }): Work<FitResult[]> {
  return yield* store.judgements.cellsAfter(last, AT_ONCE)
}

function resultOf(by: FitBy, tally: FitTally): FitResult {
  const { value, yes, no, cells } = tally
  const about = by === 'group' ? { group: value } : by === 'all' ? {} : { [by]: Number(value) }
  return { ...about, yes, no, pairs: cells, agreement: shareOf(tally) }
}

/** With three digits, the same on both databases. */
function shareOf({ agreed, compared }: Pick<FitTally, 'agreed' | 'compared'>): number | null {
  return compared === 0 ? null : Math.round((1000 * agreed) / compared) / 1000
}
