/** Request bodies: JSON, forms and multipart forms become the same thing, an object of members. */
import type { AnyResource, Fields, Json, JsonObject } from '../declare/index.ts'
import { typeName } from '../declare/index.ts'
import { problems } from '../engine/index.ts'
import { header, type Request } from './message.ts'

const DEEPEST = 64

/** What a form sent: every value of every name. */
export type Form = ReadonlyMap<string, readonly Json[]>

export type Body = { readonly json: Json } | { readonly form: Form }

export async function readBody(request: Request): Promise<Body> {
  const bytes = await request.body()
  // No body at all is an empty one, whatever its type is said to be.
  if (bytes.length === 0) return { json: {} }
  const type = header(request, 'content-type') ?? ''
  const encoding = header(request, 'content-encoding')?.trim() || 'identity'
  if (encoding.toLowerCase() !== 'identity') throw problems.unsupportedEncoding(encoding)
  switch (type.split(';', 1)[0]!.trim().toLowerCase()) {
    case 'application/json':
      return { json: parseJson(bytes) }
    case 'application/x-www-form-urlencoded':
      return { form: gather(new URLSearchParams(decode(bytes, 'Form parse error'))) }
    case 'multipart/form-data':
      return { form: await parseMultipart(bytes, type) }
    default:
      throw problems.unsupported(type)
  }
}

/** The members of a body for these fields: of a form, lists are the repeated values and the rest the last one. */
export function membersOf(body: Body, { fields }: Pick<AnyResource, 'fields'>): JsonObject {
  return 'json' in body ? asObject(body.json) : fromForm(body.form, listMembers(fields))
}

/** The same for what stands in a query. */
export function membersIn(pairs: readonly (readonly [string, string])[], fields: Fields): JsonObject {
  return fromForm(gather(pairs), listMembers(fields))
}

function listMembers(fields: Fields): Set<string> {
  return new Set(Object.entries(fields).flatMap(([key, field]) => (field.repeats ? field.members(key) : [])))
}

/** The members of a body that is not a resource's. */
export function plainMembers(body: Body): JsonObject {
  return 'json' in body ? asObject(body.json) : fromForm(body.form, new Set())
}

function fromForm(form: Form, lists: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    [...form]
      .filter(([name]) => name !== 'lines')
      // An input of a list that was left blank is none.
      .map(([name, values]) => [name, lists.has(name) ? values.filter((each) => each !== '') : values.at(-1)!]),
  )
}

function asObject(value: Json): JsonObject {
  if (value === null) throw problems.invalid({ non_field_errors: ['No data provided'] })
  if (typeof value !== 'object' || Array.isArray(value)) {
    throw problems.invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(value)}.`] })
  }
  return value as JsonObject
}

function parseJson(bytes: Buffer): Json {
  const text = decode(bytes, 'JSON parse error')
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw problems.badRequest(`JSON parse error - ${(error as Error).message}`)
  }
  if (isDeeper(value, DEEPEST)) throw problems.badRequest(`JSON parse error - nested deeper than ${DEEPEST} levels`)
  return value
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer, complaint: string): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw problems.badRequest(`${complaint} - the body is not valid UTF-8`)
  }
}

async function parseMultipart(bytes: Buffer, type: string): Promise<Form> {
  try {
    const parts = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    // A file is no text: an object in its place is refused by every field, with the field's own words.
    return gather(Array.from(parts, ([name, value]) => [name, typeof value === 'string' ? value : {}]))
  } catch {
    throw problems.badRequest('Multipart form parse error - the body does not match its boundary')
  }
}

function gather(pairs: Iterable<readonly [string, Json]>): Form {
  const form = new Map<string, Json[]>()
  for (const [name, value] of pairs) {
    const values = form.get(name)
    if (values) values.push(value)
    else form.set(name, [value])
  }
  return form
}
