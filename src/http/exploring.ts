/** Ways to look around: chance, the day's record, counts by value, words, and sets side by side. */
import {
  type Collection,
  canCompare,
  collectionsOf,
  compareSets,
  dayIn,
  type Engine,
  facetable,
  hasText,
  holdsSlots,
  type Nested,
  narrowingOf,
  nests,
  pickDaily,
  pickRandom,
  problems,
  readFacets,
  readNested,
  readRelated,
  readSetAddresses,
  readTerm,
  titleOf,
} from '../engine/index.ts'
import type { Outcome } from './message.ts'
import { recordId } from './places.ts'
import type { Query } from './query.ts'
import type { Call, Handler, Route } from './router.ts'

const MOST_AT_ONCE = 100
const SOME = 20
const DEEPEST = 5

export function exploringRoutes(engine: Engine): Route[] {
  return [
    ...collectionsOf(engine.catalogue).flatMap((collection) => collectionRoutes(engine, collection)),
    getRoute('/api/term/:term/', 'Term', 'Where a word stands: in names, in slots of sets, in texts.', (call) =>
      term(engine, call),
    ),
    ...(engine.catalogue.some(canCompare)
      ? [
          getRoute('/api/compare/', 'Compare', 'Two to ten sets side by side: set=polynym:3&set=quadranym:9.', (call) =>
            compare(engine, call),
          ),
        ]
      : []),
  ]
}

function collectionRoutes(engine: Engine, collection: Collection): Route[] {
  const { name, resource, only } = collection
  const title = titleOf(collection)
  const at = (rest: string) => `/api/${name}/${rest}/`
  return [
    {
      ...getRoute(at('random'), `${title} Random`, 'A record by chance; seed repeats it, n gives several.', (call) =>
        random(engine, collection, call),
      ),
      hasText: hasText(collection),
    },
    {
      ...getRoute(at('daily'), `${title} Daily`, 'The same record for everybody on a day.', (call) =>
        daily(engine, collection, call),
      ),
      hasText: hasText(collection),
    },
    ...(facetable(collection).length > 0
      ? [
          getRoute(at('facets'), `${title} Facets`, 'How many records have each value of a member.', (call) =>
            facets(engine, collection, call),
          ),
        ]
      : []),
    ...(!only && holdsSlots(resource)
      ? [
          getRoute(at(':id/related'), `${title} Related`, 'Sets that share terms with this one.', (call) =>
            related(engine, collection, call),
          ),
        ]
      : []),
    ...(!only && nests(resource)
      ? [
          getRoute(at(':id/nested'), `${title} Nested`, 'Sets whose names are the terms of this one.', (call) =>
            nested(engine, collection, call),
          ),
        ]
      : []),
  ]
}

function getRoute(path: string, title: string, description: string, handler: Handler): Route {
  return { path, title, description, methods: { GET: handler, OPTIONS: () => json({ name: title, description }) } }
}

const json = (value: unknown): Outcome => ({ status: 200, json: JSON.stringify(value) })

async function random(engine: Engine, collection: Collection, { query }: Call): Promise<Outcome> {
  const many = query.get('n')
  const picked = await pickRandom(engine, collection, {
    narrowing: narrowingOf(collection, query.pairs),
    seed: query.get('seed'),
    many: readNumber(query, 'n', { byDefault: 1, most: MOST_AT_ONCE }),
  })
  const headers = query.get('seed') === undefined ? { 'Cache-Control': 'no-store' } : {}
  if (many !== undefined && many !== '') {
    const results = picked.records.map((record) => record.json).join(',')
    const plain = picked.records.map((record) => record.plain).join('\n%\n')
    return { status: 200, json: `{"count":${picked.count},"results":[${results}]}`, plain, headers }
  }
  const [record] = picked.records
  if (!record) throw problems.notFound()
  return { status: 200, ...record, headers }
}

async function daily(engine: Engine, collection: Collection, { query }: Call): Promise<Outcome> {
  const today = todayIn(engine.now(), query.get('tz') || 'UTC')
  const day = wantedDay(query.get('date')) ?? today.day
  const record = await pickDaily(engine, collection, { narrowing: narrowingOf(collection, query.pairs), day })
  // Another day's record may change when its own day comes, like this one's at midnight.
  const age = day === today.day ? today.secondsLeft : 0
  return { status: 200, ...record, headers: { 'Cache-Control': age > 0 ? `public, max-age=${age}` : 'no-cache' } }
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

async function facets(engine: Engine, collection: Collection, { query }: Call): Promise<Outcome> {
  return json(await readFacets(engine, collection, query.get('by'), narrowingOf(collection, query.pairs)))
}

async function related(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const limit = readNumber(call.query, 'limit', { byDefault: SOME, most: MOST_AT_ONCE })
  const found = await readRelated(engine, collection, recordId(call), limit)
  const results = found.map(({ resource, shared, jaccard, json: record }) => {
    return `{"resource":${JSON.stringify(resource)},"shared":${JSON.stringify(shared)},"jaccard":${jaccard},"record":${record}}`
  })
  return { status: 200, json: `{"count":${results.length},"results":[${results.join(',')}]}` }
}

async function nested(engine: Engine, collection: Collection, call: Call): Promise<Outcome> {
  const depth = readNumber(call.query, 'depth', { byDefault: 2, most: DEEPEST })
  const idMember = `${collection.resource.name}_id`
  const show = ({ id, name, nested: inner, repeated }: Nested): object => ({
    name,
    [idMember]: id,
    ...(repeated ? { repeated } : {}),
    ...(inner.length > 0
      ? { nested: inner.map(({ slot, term, records }) => ({ slot, term, records: records.map(show) })) }
      : {}),
  })
  return json(show(await readNested(engine, collection, recordId(call), depth)))
}

async function term(engine: Engine, { places, query }: Call): Promise<Outcome> {
  const word = places['term']!
  if (word.includes('\0')) throw problems.badRequest('The term holds a null character.')
  if (word.length > 500) throw problems.badRequest('The term is longer than 500 characters.')
  const limit = readNumber(query, 'limit', { byDefault: SOME, most: MOST_AT_ONCE })
  const { sets, texts, didYouMean, neighbours, ...answer } = await readTerm(engine, word, limit)
  const members = [
    JSON.stringify(answer).slice(1, -1),
    `"sets":[${sets.map(({ resource, slot, record }) => `{"resource":${JSON.stringify(resource)},"slot":${JSON.stringify(slot)},"record":${record}}`).join(',')}]`,
    `"texts":{"count":${texts.count},"results":[${texts.results.map(({ resource, record }) => `{"resource":${JSON.stringify(resource)},"record":${record}}`).join(',')}]}`,
    `"neighbours":${JSON.stringify(neighbours)}`,
    `"did_you_mean":${JSON.stringify(didYouMean)}`,
  ]
  return { status: 200, json: `{${members.join(',')}}` }
}

async function compare(engine: Engine, { query }: Call): Promise<Outcome> {
  return json(await compareSets(engine, readSetAddresses(engine, query.all('set'))))
}

function readNumber(query: Query, name: string, { byDefault, most }: { byDefault: number; most: number }): number {
  const given = query.get(name)?.trim()
  if (given === undefined || given === '') return byDefault
  const wrong = (message: string) => problems.invalid({ [name]: [message] })
  if (!/^[+-]?[0-9]{1,15}$/.test(given)) throw wrong('A valid integer is required.')
  if (Number(given) < 1) throw wrong('Ensure this value is greater than or equal to 1.')
  if (Number(given) > most) throw wrong(`Ensure this value is less than or equal to ${most}.`)
  return Number(given)
}
