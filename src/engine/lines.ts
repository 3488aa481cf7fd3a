/** Lines: the records that make up a story or a tale, given all at once with it, and gone with it. */
import { type AnyResource, type Json, type JsonObject, type Lines, typeName } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Engine } from './engine.ts'
import { refuse } from './prepare.ts'
import { Problem } from './problem.ts'
import { insertRecord, type Owner } from './write.ts'

const MOST_LINES = 1000

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
  if (!Array.isArray(given)) refuse({ lines: [`Expected a list of items but got type "${typeName(given)}".`] })
  const list = given as readonly Json[]
  if (list.length > MOST_LINES) refuse({ lines: [`Ensure this field has no more than ${MOST_LINES} elements.`] })
  const resource = resourceOfLines(engine, lines)
  const faults: string[] = []
  for (const [rank, line] of list.entries()) {
    try {
      const body = { ...lineBody(line, lines), [lines.rank]: rank, [lines.parent]: parent }
      yield* insertRecord(engine, resource, body, owner)
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error
      faults.push(...faultsOfLine(rank, error.body))
    }
  }
  // Named after the member the client sent, each with the rank of its line.
  if (faults.length > 0) refuse({ lines: faults })
}

export function* deleteLines(engine: Engine, lines: Lines, parent: number): Work<void> {
  const resource = resourceOfLines(engine, lines)
  const ids = yield* engine.store.records.holders(resource, lines.parent, parent)
  for (const id of ids) yield* engine.store.records.delete(resource, id)
}

/** A line as it is given becomes the body of its record, without parent and rank. */
export function lineBody(line: Json, { shorthand }: Lines): JsonObject {
  const isObject = typeof line === 'object' && line !== null && !Array.isArray(line)
  if (shorthand && !(isObject && shorthand in line)) return { [shorthand]: line }
  if (!isObject) refuse({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(line)}.`] })
  return line as JsonObject
}

function faultsOfLine(rank: number, errors: JsonObject): string[] {
  return Object.entries(errors).flatMap(([member, messages]) => {
    const place = member === 'non_field_errors' ? `Line ${rank}` : `Line ${rank}, ${member}`
    return (messages as string[]).map((message) => `${place}: ${message}`)
  })
}
