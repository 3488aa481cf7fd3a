/**
 * Examples from the catalogue being served: the first record of each list, and what the routes return for it. The
 * server answers other requests between two examples.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { type AnyResource, type Field, type Fields, fieldsOf, type Json } from '../../declare/index.ts'
import { type Collection, collectionsOf, type Engine, Problem, readPage } from '../../engine/index.ts'
import { Query } from '../exchange/query.ts'
import { NOBODY } from '../request/identify.ts'
import { COMPACT } from '../response/negotiate.ts'
import { type Call, isListed, type ListedMethod, type Route } from '../routing/router.ts'
import type { Asked, First, Operation } from './operation.ts'

export interface Tried {
  /** The request in one line. */
  readonly asked: string
  readonly body?: object | undefined
  readonly answer: object
}

export interface Examples {
  /** Records, and bodies that would create them. */
  readonly shared: Readonly<Record<string, unknown>>
  /** The responses of methods to the requests that they suggest. */
  readonly tried: ReadonlyMap<Operation, Tried>
}

/** Longer responses hide more than they show, and records are short enough without those that they embed. */
const LONGEST = 1500
const LONGEST_RECORD = 700

export async function readExamples(engine: Engine, routes: readonly Route[], base: string): Promise<Examples> {
  const first = new Map<string, { id: number; record: Record<string, any> }>()
  const shared: Record<string, unknown> = {}
  for (const collection of collectionsOf(engine.catalogue)) {
    await turn()
    const json = await firstOf(engine, collection)
    if (!json) continue
    const record = JSON.parse(json)
    const id = record[`${collection.resource.name}_id`]
    first.set(collection.name, { id, record })
    if (json.length <= LONGEST_RECORD) shared[collection.name] = record
    if (!collection.only) shared[`${collection.name}-body`] = bodyOf(collection, record)
  }
  return { shared, tried: await tryAll(routes, first, base) }
}

/** None if the list is empty or takes too long. */
async function firstOf(engine: Engine, collection: Collection): Promise<string | undefined> {
  try {
    return (await readPage(engine, collection, { number: 1, size: 1 })).parts[0]?.text
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** What a client would send to create this record: embedded records become ids. */
function bodyOf({ resource }: Collection, record: Readonly<Record<string, any>>): object {
  const given = fieldsOf(resource).flatMap(([key, field]) => {
    const named = resource.staffOnly && field.storage(key).in === 'owner'
    if (!field.writable && !named) return []
    const target = targetOf(field, key)
    return field
      .members(key)
      .filter((member) => record[member] !== undefined)
      .map((member) => [member, target ? idsIn(record[member], target) : record[member]])
  })
  return Object.fromEntries(given)
}

function targetOf(field: Field, key: string): AnyResource | undefined {
  const storage = field.storage(key)
  return storage.in === 'reference' || storage.in === 'links' ? storage.to : undefined
}

function idsIn(value: any, { name }: AnyResource): Json {
  return Array.isArray(value) ? value.map((each) => each[`${name}_id`]) : value[`${name}_id`]
}

async function tryAll(routes: readonly Route[], first: First, base: string): Promise<Map<Operation, Tried>> {
  const tried = new Map<Operation, Tried>()
  for (const route of routes) {
    for (const [method, said] of Object.entries(route.methods)) {
      if (!isListed(said)) continue
      for (const asked of said.example?.(first) ?? []) {
        await turn()
        const answered = await tryOne(route, method, said, asked, base)
        if (!answered) continue
        tried.set(said, answered)
        break
      }
    }
  }
  return tried
}

async function tryOne(
  route: Route,
  method: string,
  { handle }: ListedMethod,
  { places = {}, query = '', body }: Asked,
  base: string,
): Promise<Tried | undefined> {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(places[name]!))
  const call: Call = {
    id: '',
    method,
    path,
    query: new Query(query),
    headers: {},
    base,
    address: '',
    body: async () => Buffer.alloc(0),
    places,
    route,
    identity: NOBODY,
    rendering: COMPACT,
    readBody: async () => ({ json: (body ?? {}) as Json }),
  }
  try {
    const outcome = await handle(call)
    if (!('json' in outcome) || outcome.json.length > LONGEST) return undefined
    const asked = `${method} ${path}${query ? `?${query}` : ''}`
    return { asked, body, answer: JSON.parse(outcome.json) }
  } catch (error) {
    // A request that this catalogue cannot answer has no example.
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** The ids of the records of a resource that a record embeds. */
function embeddedIds(resource: AnyResource, record: Readonly<Record<string, any>>, target: AnyResource): number[] {
  return fieldsOf(resource)
    .filter(([key, field]) => targetOf(field, key) === target)
    .flatMap(([key, field]) => field.members(key).flatMap((member) => record[member] ?? []))
    .map((each) => each[`${target.name}_id`])
}

/** A request about the first record. */
export function askFirst({ name }: Collection, first: First, query: string): Asked[] {
  const found = first.get(name)
  return found ? [{ places: { id: String(found.id) }, query }] : []
}

/** A question about the first record, with the first record of each resource it takes, or otherwise without. */
export function askAbout({ name }: Collection, takes: Fields, first: First): Asked[] {
  const found = first.get(name)
  if (!found) return []
  const given = Object.entries(takes).flatMap(([key, field]) => {
    const other = first.get(targetOf(field, key)?.name ?? '')
    return other ? [`${key}=${other.id}`] : []
  })
  const places = { id: String(found.id) }
  return [{ places, query: given.join('&') }, { places }]
}

/** A body for a question about free text: a text of the catalogue, and the records it embeds. */
export function askOfText(catalogue: readonly AnyResource[], takes: Fields, first: First): Asked[] {
  const fields = Object.entries(takes)
  const needed = fields.filter(([key, field]) => field.schema(key)[key]?.required && !targetOf(field, key))
  const texts = catalogue.flatMap((resource) => {
    const record = first.get(resource.name)?.record
    if (!resource.textIn || !record) return []
    const has = needed.filter(([key]) => record[key]).length
    const embeds = fields.some(([key, field]) => {
      const target = targetOf(field, key)
      return target && embeddedIds(resource, record, target).length > 0
    })
    return [{ resource, record, fits: has * 2 + (embeds ? 1 : 0) }]
  })
  const best = texts.toSorted((a, b) => b.fits - a.fits)[0]
  const body: Record<string, unknown> = {}
  for (const [key, field] of fields) {
    const target = targetOf(field, key)
    const other = target && first.get(target.name)
    const own = target && best ? embeddedIds(best.resource, best.record, target) : []
    if (own.length > 0) body[key] = own
    else if (other && field.schema(key)[key]?.required) body[key] = [other.id]
    else if (needed.some(([each]) => each === key) && best) {
      body[key] = best.record[key] ?? best.record[best.resource.textIn!]
    }
  }
  return Object.keys(body).length > 0 ? [{ body }] : []
}
