/** Questions about a record, with query parameters, and about the contents of a body. Nothing is written. */
import type { AnyRecord, AnyResource, Fields, JsonObject, Parsed, Service } from '../declare/index.ts'
import { termOf, type Work } from '../store/index.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { resourceOfLines } from './lines.ts'
import { loadOne, loadRecords } from './load.ts'
import { readGiven } from './prepare.ts'
import { problems } from './problem.ts'
import { readPatiently } from './query-timeout.ts'

/** The answer to one of the resource's questions. */
export function answerQuestion(
  engine: Engine,
  collection: Collection,
  id: number,
  name: string,
  given: JsonObject,
): Promise<JsonObject> {
  return engine.store.readAt(() => answerAbout(engine, collection, id, name, given))
}

function* answerAbout(
  engine: Engine,
  collection: Collection,
  id: number,
  name: string,
  given: JsonObject,
): Work<JsonObject> {
  const { resource } = collection
  const question = resource.questions![name]!
  const { record } = yield* loadOne(engine.store, collection, id)
  const values = yield* readGiven(engine.store, question.takes ?? {}, given)
  const lines = yield* linesOf(engine, resource, id)
  return settled(question.answer(record, values, lines))
}

/** By rank. */
function* linesOf(
  engine: Engine,
  { lines }: AnyResource,
  id: number,
): Work<readonly { readonly [key: string]: any }[]> {
  if (!lines) return []
  const resource = resourceOfLines(engine, lines)
  const { records } = engine.store
  const rows = yield* records.byIds({ resource }, yield* records.holders(resource, lines.parent, id))
  const found = yield* loadRecords(engine.store, { resource }, rows)
  return found.sort((a, b) => a[lines.rank] - b[lines.rank])
}

export function answerService<F extends Fields>(
  engine: Engine,
  service: Service<F>,
  given: JsonObject,
): Promise<JsonObject> {
  return readPatiently(engine, () => answerTo(engine, service, given))
}

function* answerTo<F extends Fields>(
  engine: Engine,
  { takes, candidates, answer }: Service<F>,
  given: JsonObject,
): Work<JsonObject> {
  const values = (yield* readGiven(engine.store, takes, given)) as never
  const records = candidates ? yield* fitting(engine, candidates, candidates.terms(values)) : []
  return settled(answer(values, records))
}

/** The records with most of the terms, the most first. */
function* fitting(
  { store }: Engine,
  { of: resource, most }: NonNullable<Service['candidates']>,
  terms: readonly string[],
): Work<AnyRecord[]> {
  if (terms.length === 0) return []
  const sharing = yield* store.frequentTerms.sharing(resource, [...new Set(terms.map(termOf))], most)
  const ids = sharing.map(({ id }) => id)
  const rows = yield* store.records.byIds({ resource }, ids)
  const records = new Map((yield* loadRecords(store, { resource }, rows)).map((each) => [each.id, each]))
  return ids.map((id) => records.get(id)!)
}

function settled(answer: Parsed<JsonObject>): JsonObject {
  if ('errors' in answer) throw problems.invalid(answer.errors)
  return answer.value
}
