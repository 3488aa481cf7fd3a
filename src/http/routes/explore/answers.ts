/** The answers of the exploring routes. */
import type { AnyResource } from '../../../declare/index.ts'
import {
  type Collection,
  compareSets,
  dayIn,
  dependenciesOf,
  type Engine,
  holdsSlots,
  listOf,
  type Nested,
  narrowingOf,
  pickDaily,
  pickRandom,
  problems,
  readCrossings,
  readFacets,
  readNested,
  readRelated,
  readSetAddresses,
  readSuggestions,
  readTerm,
  readVocabulary,
  relatedJson,
} from '../../../engine/index.ts'
import { hasTerms } from '../../../store/index.ts'
import type { Keep, Outcome, Span } from '../../exchange/message.ts'
import { integerIn } from '../../request/integer-parameter.ts'
import { wantedPage, wantedSize } from '../../request/page-parameters.ts'
import { pageShower } from '../../response/page.ts'
import { projectionFor, recordOutcome } from '../../response/projection.ts'
import { ok } from '../../routing/options.ts'
import { recordId } from '../../routing/path-parameters.ts'
import type { Call } from '../../routing/router.ts'

export const MOST_AT_ONCE = 100
export const SOME = 20
export const DEEPEST = 5

/** Words link any collection to any other. */
export const anything = ({ catalogue }: Engine): Keep => ({ of: catalogue.map(({ name }) => name) })

/** Which members its records show, and which filters it takes. */
const dependingOn = ({ resource }: Collection): Keep => ({ of: dependenciesOf({ resource }).resources })

export async function random(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const { query } = call
  const many = query.get('n')
  const projection = projectionFor(call, collection)
  const picked = await pickRandom(engine, collection, {
    narrowing: narrowingOf(collection, query.pairs),
    projection,
    seed: query.get('seed'),
    many: integerIn(query, 'n', { most: MOST_AT_ONCE }) ?? 1,
  })
  const isChance = query.get('seed') === undefined
  const answer = isChance ? { headers: { 'Cache-Control': 'no-store' } } : { keep: dependingOn(collection) }
  if (many !== undefined && many !== '') {
    const results = picked.records.map((record) => record.json).join(',')
    const plain = picked.records.map((record) => record.plain).join('\n%\n')
    return { status: 200, json: `{"count":${picked.count},"results":[${results}]}`, plain, ...answer }
  }
  const [record] = picked.records
  if (!record) throw problems.notFound()
  return { ...recordOutcome(record, projection), ...answer }
}

export async function daily(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const { query } = call
  const now = engine.now()
  const today = todayIn(now, query.get('tz') || 'UTC')
  const day = wantedDay(query.get('date')) ?? today.day
  const projection = projectionFor(call, collection)
  const narrowing = narrowingOf(collection, query.pairs)
  const record = await pickDaily(engine, collection, { narrowing, projection, day })
  // Another day's record may still change, so only today's is cached, until midnight.
  const age = day === today.day ? today.secondsLeft : 0
  return {
    ...recordOutcome(record, projection),
    headers: { 'Cache-Control': age > 0 ? `public, max-age=${age}` : 'no-cache' },
    // The remaining time shrinks every second.
    keep: {
      ...dependingOn(collection),
      during: secondOf(now),
      bodyDuring: query.get('date') ? 'always' : restOf(now, today),
    },
  }
}

function restOf(now: Date, { secondsLeft }: ReturnType<typeof dayIn>): Span {
  const [from] = secondOf(now)
  return [from, from + secondsLeft * 1000]
}

function secondOf(time: Date): Span {
  const from = time.getTime() - time.getMilliseconds()
  return [from, from + 1000]
}

function todayIn(now: Date, zone: string): ReturnType<typeof dayIn> {
  try {
    return dayIn(now, zone)
  } catch {
    throw problems.invalid({ tz: [`"${zone}" is not a valid choice.`] })
  }
}

function wantedDay(given: string | undefined): string | undefined {
  if (!given) return undefined
  const time = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(given) ? Date.parse(given) : Number.NaN
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== given) {
    const message = 'Date has wrong format. Use one of these formats instead: YYYY-MM-DD.'
    throw problems.invalid({ date: [message] })
  }
  return given
}

export async function facets(engine: Engine, collection: Collection, { query }: Call): Promise<Outcome> {
  // A member that is counted does not filter, even if a filter has that name.
  const narrowing = query.pairs.filter(([name]) => name !== 'by')
  const counts = await readFacets(engine, collection, listOf(query.pairs, 'by'), narrowingOf(collection, narrowing))
  return ok(counts, dependingOn(collection))
}

export async function related(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const limit = integerIn(call.query, 'limit', { most: MOST_AT_ONCE }) ?? SOME
  const projection = projectionFor(call, ...selected(engine.catalogue.filter(holdsSlots)))
  const found = await readRelated(engine, collection, recordId(call), { limit, projection })
  const results = found.map(relatedJson)
  return { status: 200, json: `{"count":${results.length},"results":[${results.join(',')}]}`, keep: anything(engine) }
}

export async function crossings(engine: Engine, pageSize: number, call: Call): Promise<Outcome> {
  const { query } = call
  const crossed = engine.catalogue.filter(holdsSlots)
  const page = await readCrossings(engine, crossedSet(crossed, query), {
    number: wantedPage(query.get('page')),
    size: wantedSize(query.get('page_size'), pageSize),
    defaultSize: pageSize,
    projection: projectionFor(call, ...selected(crossed)),
  })
  return pageShower(call)(page, { of: crossed.flatMap((resource) => dependenciesOf({ resource }).resources) })
}

/** `polynym=3`: one parameter, with the name of a collection. */
function crossedSet(crossed: readonly AnyResource[], query: Call['query']) {
  const given = crossed.flatMap((resource) => {
    const id = integerIn(query, resource.name, {})
    return id === undefined ? [] : [{ resource, id }]
  })
  const [set] = given
  if (set && given.length === 1) return set
  const names = crossed.map(({ name }) => name)
  throw problems.invalid({ [names[0] ?? 'set']: [`Give one set: ${names.map((name) => `${name}=3`).join(' or ')}.`] })
}

export async function nested(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const depth = integerIn(call.query, 'depth', { most: DEEPEST }) ?? 2
  const idMember = `${collection.resource.name}_id`
  const show = ({ id, name, nested: inner, repeated }: Nested): object => ({
    name,
    [idMember]: id,
    ...(repeated ? { repeated } : {}),
    ...(inner.length > 0
      ? { nested: inner.map(({ slot, term, records }) => ({ slot, term, records: records.map(show) })) }
      : {}),
  })
  return ok(show(await readNested(engine, collection, recordId(call), depth)), dependingOn(collection))
}

/** A page of all words. */
export async function vocabulary(engine: Engine, call: Call, pageSize: number): Promise<Outcome> {
  const { query } = call
  const withWords = engine.catalogue.filter(holdsSlots)
  const given = query.get('resource')
  const resource = withWords.find(({ name }) => name === given)
  if (!given) throw problems.invalid({ resource: ['This field is required.'] })
  if (!resource) throw problems.invalid({ resource: [`"${given}" is not a valid choice.`] })
  const wanted = { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
  const page = await readVocabulary(engine, { name: resource.name, resource }, wanted)
  return pageShower(call)(page, { of: withWords.map(({ name }) => name) })
}

export async function term(engine: Engine, call: Call): Promise<Outcome> {
  const { places, query } = call
  const word = places['term']!
  if (word.includes('\0')) throw problems.badRequest('The term contains a null character.')
  if (word.length > 500) throw problems.badRequest('The term is longer than 500 characters.')
  const limit = integerIn(query, 'limit', { least: 0, most: MOST_AT_ONCE }) ?? SOME
  const shown = engine.catalogue.filter((resource) => hasTerms(resource) || resource.textIn)
  const projection = projectionFor(call, ...selected(shown))
  const { sets, texts, didYouMean, neighbours, ...answer } = await readTerm(engine, word, { limit, projection })
  const members = [
    JSON.stringify(answer).slice(1, -1),
    `"sets":[${sets.map(({ resource, slot, record }) => `{"resource":${JSON.stringify(resource)},"slot":${JSON.stringify(slot)},"record":${record}}`).join(',')}]`,
    `"texts":{"count":${texts.count},"results":[${texts.results.map(({ resource, record }) => `{"resource":${JSON.stringify(resource)},"record":${record}}`).join(',')}]}`,
    `"neighbours":${JSON.stringify(neighbours)}`,
    `"did_you_mean":${JSON.stringify(didYouMean)}`,
  ]
  return { status: 200, json: `{${members.join(',')}}`, keep: anything(engine) }
}

export async function suggest(engine: Engine, { query }: Call): Promise<Outcome> {
  return ok(await readSuggestions(engine, query.get('q') ?? ''), anything(engine))
}

export async function compare(engine: Engine, { query }: Call): Promise<Outcome> {
  const addresses = readSetAddresses(engine, query.all('set'))
  const limit = integerIn(query, 'limit', { least: 0, most: MOST_AT_ONCE }) ?? SOME
  const offset = integerIn(query, 'offset', { least: 0 }) ?? 0
  return ok(await compareSets(engine, addresses, { limit, offset }), anything(engine))
}

const selected = (resources: readonly AnyResource[]) => resources.map((resource) => ({ resource }))
