/**
 * The sample catalogue: sample/*.ndjson, one record a line. A reference is a name, or an object with members that
 * single one record out where several share a name. It is put into an empty database in one transaction.
 */
import { existsSync, readFileSync } from 'node:fs'
import { type AnyResource, fieldsOf, type Json, type JsonObject } from '../declare/index.ts'
import { accountNamed, type Engine, insertRecord, Problem, resourceOfLines } from '../engine/index.ts'
import { inDependencyOrder, Unusable, type Work } from '../store/index.ts'

const FOLDER = new URL('../../sample/', import.meta.url)

interface Loaded {
  readonly members: JsonObject
  readonly id: number
}
type Sample = Map<string, Loaded[]>

/** How many records were put in: none if the database holds any. */
export function loadSample(engine: Engine, folder: URL = FOLDER): Promise<number> {
  const { store, catalogue } = engine
  return store.write(function* () {
    for (const resource of catalogue) if ((yield* store.records.count({ resource })) > 0) return 0
    const sample: Sample = new Map()
    for (const resource of inDependencyOrder(catalogue)) yield* loadFile(engine, resource, sample, folder)
    return [...sample.values()].reduce((sum, records) => sum + records.length, 0)
  })
}

function* loadFile(engine: Engine, resource: AnyResource, sample: Sample, folder: URL): Work<void> {
  const records: Loaded[] = []
  sample.set(resource.name, records)
  const file = new URL(`${resource.name}.ndjson`, folder)
  // Lines of stories and tales stand with them, not in a file of their own.
  if (!existsSync(file)) return
  for (const [i, line] of readFileSync(file, 'utf8').trimEnd().split('\n').entries()) {
    try {
      const members: JsonObject = JSON.parse(line)
      const id = yield* loadRecord(engine, resource, members, sample)
      records.push({ members, id })
    } catch (error) {
      const reason = error instanceof Problem ? JSON.stringify(error.body) : (error as Error).message
      throw new Unusable(`sample/${resource.name}.ndjson, line ${i + 1}: ${reason}`)
    }
  }
}

function* loadRecord(engine: Engine, resource: AnyResource, members: JsonObject, sample: Sample): Work<number> {
  const { store } = engine
  const owner = yield* accountNamed(engine, String(members['user']))
  const body: Record<string, Json> = withIds(resource, members, sample)
  const { lines } = resource
  if (lines) {
    const lineResource = resourceOfLines(engine, lines)
    body['lines'] = ((members['lines'] ?? []) as Json[]).map((line) =>
      withIds(lineResource, lines.shorthand ? { [lines.shorthand]: line } : (line as JsonObject), sample),
    )
  }
  const id = yield* insertRecord(engine, resource, body, owner)
  const voters: number[] = []
  for (const voter of (members['voters'] ?? []) as string[]) voters.push((yield* accountNamed(engine, voter)).id)
  yield* store.records.insertVotes(resource, id, voters.reverse())
  return id
}

/** The members with an id wherever they refer to another record. */
function withIds(resource: AnyResource, members: JsonObject, sample: Sample): Record<string, Json> {
  const body: Record<string, Json> = { ...members }
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    for (const member of field.members(key)) {
      const given = members[member]
      if (Array.isArray(given)) body[member] = given.map((each) => resolve(storage.to, each, sample))
      else if (given !== undefined) body[member] = resolve(storage.to, given, sample)
    }
  }
  return body
}

function resolve(target: AnyResource, reference: Json, sample: Sample): number {
  const wanted = Object.entries(typeof reference === 'object' ? reference! : { name: reference })
  const found = sample.get(target.name)!.filter(({ members }) => wanted.every(([key, value]) => members[key] === value))
  if (found.length === 1) return found[0]!.id
  throw new Error(`${found.length === 0 ? 'no' : 'more than one'} ${target.name} is ${JSON.stringify(reference)}`)
}
