/** Lines: the records that make up a story or a tale, given all at once with it, and gone with it. */

import {
  type AnyResource,
  type Field,
  fieldsOf,
  isList,
  isObject,
  type Json,
  type JsonObject,
  type Lines,
  type Row,
  typeName,
} from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Owner } from './access.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { LIMITS } from './limits.ts'
import { prepareMany, refuse, type Values } from './prepare.ts'
import { Problem, problems } from './problem.ts'

export function resourceOfLines({ catalogue }: Pick<Engine, 'catalogue'>, lines: Lines): AnyResource {
  return catalogue.find(({ name }) => name === lines.resource)!
}

/** Ranks count from 0, in the order given. */
export function* createLines(
  engine: Engine,
  lines: Lines,
  given: Json | undefined,
  parent: number,
  owner: Owner,
): Work<void> {
  if (given === undefined) return
  if (given === null) refuse({ lines: ['This field may not be null.'] })
  if (!isList(given)) {
    throw problems.invalid({ lines: [`Expected a list of items but got type "${typeName(given)}".`] })
  }
  if (given.length > LIMITS.lines) refuse({ lines: [`Ensure this field has no more than ${LIMITS.lines} elements.`] })
  const { store } = engine
  const resource = resourceOfLines(engine, lines)
  const bodies = given.map((line, rank) => bodyOrProblem(line, rank, lines, parent))
  const prepared = yield* prepareMany(
    store,
    resource,
    bodies.filter((body): body is JsonObject => !(body instanceof Problem)),
  )
  let next = 0
  const all = bodies.map((body) => (body instanceof Problem ? body : prepared[next++]!))
  // Keyed by the member that the client sent, each with the rank of its line.
  const faults = all.flatMap((each, rank) => (each instanceof Problem ? faultsOfLine(rank, each.body) : []))
  if (faults.length > 0) refuse({ lines: faults })
  yield* store.records.insertMany(
    resource,
    (all as Values[]).map((values) => ({ values, owner: owner.id })),
  )
}

function bodyOrProblem(line: Json, rank: number, lines: Lines, parent: number): JsonObject | Problem {
  try {
    return { ...lineBody(line, lines), [lines.rank]: rank, [lines.parent]: parent }
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The JSON of a record, with its lines by rank: their members, with ids in place of records. */
export function* withLines(engine: Engine, { resource }: Collection, id: number, json: string): Work<string> {
  const { lines } = resource
  return lines ? `${json.slice(0, -1)},"lines":[${(yield* shownLines(engine, lines, id)).join(',')}]}` : json
}

function* shownLines(engine: Engine, { parent, rank, ...lines }: Lines, id: number): Work<string[]> {
  const resource = resourceOfLines(engine, { parent, rank, ...lines })
  const { records } = engine.store
  const fields = fieldsOf(resource).filter(([key, { writable }]) => key !== parent && writable)
  const only = fields.map(([key]) => key)
  const rows = yield* records.byIds({ resource, only }, yield* records.holders(resource, parent, id))
  return rows
    .toSorted((a, b) => Number(a[rank]) - Number(b[rank]))
    .map((row) => `{${fields.map(([key, field]) => showGiven(field, key, row)).join(',')}}`)
}

/** A member as a body gives it. */
function showGiven(field: Field, key: string, row: Row): string {
  const { in: place } = field.storage(key)
  if (place === 'reference' || place === 'links') return field.showIds(field.embeds(row, key), key)
  return field.show(
    field.unpack(row, key, () => undefined),
    key,
  )
}

export function* deleteLines(engine: Engine, lines: Lines, parent: number): Work<void> {
  const resource = resourceOfLines(engine, lines)
  const ids = yield* engine.store.records.holders(resource, lines.parent, parent)
  yield* engine.store.records.deleteMany(resource, ids)
}

/** Turns a given line into the body of its record, without parent and rank. */
export function lineBody(line: Json, { shorthand }: Lines): JsonObject {
  if (shorthand && !(isObject(line) && shorthand in line)) return { [shorthand]: line }
  if (isObject(line)) return line
  throw problems.invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(line)}.`] })
}

function faultsOfLine(rank: number, errors: JsonObject): string[] {
  return Object.entries(errors).flatMap(([member, messages]) => {
    const place = member === 'non_field_errors' ? `Line ${rank}` : `Line ${rank}, ${member}`
    return (messages as string[]).map((message) => `${place}: ${message}`)
  })
}
