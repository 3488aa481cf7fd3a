/** Request bodies: JSON, forms and multipart forms become the same thing, an object of members. */
import { type AnyResource, type Fields, isObject, type Json, type JsonObject, typeName } from '../../declare/index.ts'
import { type Problem, problems } from '../../engine/index.ts'
import { header, type Request } from '../exchange/message.ts'
import { holdsMore, LIMITS } from '../exchange/wire-limits.ts'

/** What a form sent: every value of every name. */
export type Form = ReadonlyMap<string, readonly Json[]>

export type Body = { readonly json: Json } | { readonly form: Form }

export async function readBody(request: Request): Promise<Body> {
  const bytes = await request.body()
  // A missing body counts as an empty one, whatever its type.
  if (bytes.length === 0) return { json: {} }
  const type = header(request, 'content-type') ?? ''
  const encoding = header(request, 'content-encoding')?.trim() || 'identity'
  if (encoding.toLowerCase() !== 'identity') throw problems.unsupportedEncoding(encoding)
  switch (type.split(';', 1)[0]!.trim().toLowerCase()) {
    case 'application/json':
      return { json: parseJson(bytes) }
    case 'application/x-www-form-urlencoded':
      return { form: parseForm(decode(bytes, 'Form parse error')) }
    case 'multipart/form-data':
      return { form: await parseMultipart(bytes, type) }
    default:
      throw problems.unsupported(type)
  }
}

/**
 * The members of a body for these fields: in a form, lists are the repeated values and other members the last value.
 */
export function membersOf(body: Body, { fields }: Pick<AnyResource, 'fields'>): JsonObject {
  return 'json' in body ? asObject(body.json) : fromForm(body.form, listMembers(fields))
}

/** The same for a query. */
export function membersIn(pairs: readonly (readonly [string, string])[], fields: Fields): JsonObject {
  return fromForm(gather(pairs), listMembers(fields))
}

function listMembers(fields: Fields): Set<string> {
  return new Set(Object.entries(fields).flatMap(([key, field]) => (field.repeats ? field.members(key) : [])))
}

/** The members of a body that does not belong to a resource. */
export function plainMembers(body: Body): JsonObject {
  return 'json' in body ? asObject(body.json) : fromForm(body.form, new Set())
}

function fromForm(form: Form, lists: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    [...form]
      .filter(([name]) => name !== 'lines')
      // A list input that was left blank counts as missing.
      .map(([name, values]) => [name, lists.has(name) ? values.filter((each) => each !== '') : values.at(-1)!]),
  )
}

function asObject(value: Json): JsonObject {
  if (value === null) throw problems.invalid({ non_field_errors: ['No data provided'] })
  if (!isObject(value)) {
    throw problems.invalid({ non_field_errors: [`Invalid data. Expected a dictionary, but got ${typeName(value)}.`] })
  }
  return value
}

function parseJson(bytes: Buffer): Json {
  const text = decode(bytes, 'JSON parse error')
  if (isDeeper(text, LIMITS.jsonDepth)) {
    throw problems.badRequest(`JSON parse error - nested deeper than ${LIMITS.jsonDepth} levels`)
  }
  try {
    return JSON.parse(text)
  } catch (error) {
    throw problems.badRequest(`JSON parse error - ${(error as Error).message}`)
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** Scans the text, which is cheaper than walking the parsed value. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) {
      for (i++; i < text.length && text.charCodeAt(i) !== QUOTE; i++) if (text.charCodeAt(i) === BACKSLASH) i++
    } else if (OPENING.has(code)) {
      if (++depth > levels) return true
    } else if (CLOSING.has(code)) depth--
  }
  return false
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function decode(bytes: Buffer, complaint: string): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw notUtf8(complaint)
  }
}

function parseForm(text: string): Form {
  if (holdsMore(text, '&', LIMITS.members - 1)) throw tooManyMembers()
  // URLSearchParams would replace bytes that are not UTF-8.
  for (const [bytes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) checkEscaped(bytes)
  return gather(new URLSearchParams(text))
}

function checkEscaped(bytes: string): void {
  try {
    decodeURIComponent(bytes)
  } catch {
    throw notUtf8('Form parse error')
  }
}

function notUtf8(complaint: string): Problem {
  return problems.badRequest(`${complaint} - the body is not valid UTF-8`)
}

function tooManyMembers(): Problem {
  return problems.badRequest(`The form has more than ${LIMITS.members} members.`)
}

async function parseMultipart(bytes: Buffer, type: string): Promise<Form> {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? []
  // Each part begins with the boundary, and so does the end.
  if (holdsMore(bytes, `--${quoted ?? plain}`, LIMITS.members + 1)) throw tooManyMembers()
  try {
    const parts = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    // A file is not a text: an object in its place makes every field refuse it with its own message.
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
