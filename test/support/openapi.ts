/** Holds answers to an OpenAPI document: status, headers and body, and nothing that the document does not say. */
import type { OutgoingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

export interface Exchange {
  readonly method: string
  /** As it stands in the request line. */
  readonly target: string
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

interface Verdict {
  /** `GET /api/polynym/{id}/`, when the document has it. */
  readonly operation?: string
  readonly faults: readonly string[]
}

type Tree = Readonly<Record<string, any>>

/** What says how a message is sent, and not what it says. */
const FRAMING = new Set(['content-type', 'content-length', 'connection', 'date', 'keep-alive', 'transfer-encoding'])
/** What Node refuses before anything of ours has seen the address; `default` in the document. */
const REFUSALS = [408, 417, 431]
/** What may be said before the method is looked at, or of a method that is not there. */
const BEFORE_METHODS = [400, 404, 405, 406, ...REFUSALS]

export class Validator {
  readonly #document: Tree
  readonly #ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  readonly #given: Tree
  readonly #isProjected: boolean
  readonly #validators = new Map<string, Validator>()
  readonly #compiled = new Map<unknown, ValidateFunction>()
  /** Of each path: its segments, undefined for a named place. */
  readonly #paths: readonly { readonly template: string; readonly segments: readonly (string | undefined)[] }[]

  constructor(document: object, isProjected = false) {
    this.#given = document
    this.#isProjected = isProjected
    // The schemas become one of their own, so that ajv looks at every keyword of them.
    this.#document = closed(
      JSON.parse(JSON.stringify(document).replaceAll('#/components/schemas/', 'document#/$defs/')),
    )
    this.#ajv.addFormat('uri', (text) => URL.canParse(text))
    this.#ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'http://base'))
    this.#ajv.addFormat('date', /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
    this.#ajv.addFormat('date-time', (text) => new Date(text).toISOString() === text)
    this.#ajv.addSchema({ $id: 'document', $defs: this.#document['components'].schemas })
    this.#paths = Object.keys(this.#document['paths'])
      .map((template) => ({
        template,
        segments: template.split('/').map((segment) => (segment.startsWith('{') ? undefined : segment)),
      }))
      // A fixed word wins over a named place.
      .sort((a, b) => places(a.segments) - places(b.segments))
  }

  get operations(): string[] {
    return Object.entries<Tree>(this.#document['paths']).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
  }

  check(exchange: Exchange): Verdict {
    const { method, target, status, headers } = exchange
    const projection = this.#isProjected ? undefined : projectionIn(target)
    if (projection && status < 400) return this.#projected(projection).check(exchange)
    const found = this.#find(target.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0]!)
    if (!found) return { faults: [] }
    const item: Tree = this.#document['paths'][found.template]
    if (found.slashless) return { faults: redirectFaults(exchange) }
    const faults = allowFaults(headers, Object.keys(item))
    const operation = Object.hasOwn(item, method.toLowerCase()) ? item[method.toLowerCase()] : undefined
    if (!operation || status === 405) {
      if (!BEFORE_METHODS.includes(status) && status !== 500) faults.push(`${status} for a method that is not listed`)
      return { faults }
    }
    const name = `${method} ${found.template}`
    const response =
      operation.responses[status] ?? (REFUSALS.includes(status) ? operation.responses.default : undefined)
    if (!response) return { faults: [...faults, `the status ${status} is not listed`] }
    const { headers: known = {}, content } = this.#resolve(response)
    faults.push(...this.#headerFaults(known, headers), ...this.#bodyFaults(content, exchange))
    return status < 400 ? { operation: name, faults } : { faults }
  }

  /** The document says in words what `fields`, `omit` and `embed` leave out; this is what it says, as schemas. */
  #projected(projection: Projection): Validator {
    const name = JSON.stringify(projection)
    const known = this.#validators.get(name)
    if (known) return known
    const made = new Validator(projectedDocument(this.#given, projection), true)
    this.#validators.set(name, made)
    return made
  }

  #find(path: string): { readonly template: string; readonly slashless: boolean } | undefined {
    const stem = /^(\/api\/|\/api\/.*[^/])\.[a-z0-9]+$/.exec(path)?.[1]
    const template = this.#match(path) ?? (stem && this.#match(stem.endsWith('/') ? stem : `${stem}/`))
    if (template) return { template, slashless: false }
    const slashed = path.endsWith('/') ? undefined : this.#match(`${path}/`)
    return slashed ? { template: slashed, slashless: true } : undefined
  }

  #match(path: string): string | undefined {
    let words: string[]
    try {
      words = path.split('/').map(decodeURIComponent)
    } catch {
      return undefined
    }
    const fits = (segments: readonly (string | undefined)[]) =>
      segments.length === words.length &&
      segments.every((segment, i) => (segment === undefined ? words[i] !== '' : segment === words[i]))
    return this.#paths.find(({ segments }) => fits(segments))?.template
  }

  #resolve(value: Tree): Tree {
    const path = typeof value['$ref'] === 'string' ? value['$ref'].split('/').slice(1) : undefined
    return path ? path.reduce((tree: Tree, key) => tree[key], this.#document) : value
  }

  #headerFaults(known: Tree, headers: OutgoingHttpHeaders): string[] {
    const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const faults = Object.entries(known).flatMap(([name, reference]) => {
      const { required, schema } = this.#resolve(reference)
      const value = sent.get(name.toLowerCase())
      if (value === undefined) return required ? [`the header ${name} is missing`] : []
      return [value].flat().flatMap((each) => {
        const read = schema.type === 'integer' ? Number(each) : String(each)
        return this.#schemaFaults(schema, read, `the header ${name}`)
      })
    })
    const listed = new Set(Object.keys(known).map((name) => name.toLowerCase()))
    const others = [...sent.keys()].filter((name) => !listed.has(name) && !FRAMING.has(name))
    return [...faults, ...others.map((name) => `the header ${name} is not listed`)]
  }

  #bodyFaults(content: Tree | undefined, { method, status, headers, body }: Exchange): string[] {
    if (method === 'HEAD' || status === 304) return body.length > 0 ? ['a body where there must be none'] : []
    if (!content) return body.length > 0 || headers['Content-Type'] ? ['a body that is not listed'] : []
    const type = String(headers['Content-Type'] ?? '').split(';', 1)[0]!
    if (!content[type]) return [`the type "${type}" is not listed`]
    const bytes = unpacked(body, headers['Content-Encoding'])
    const value = type === 'application/json' ? JSON.parse(bytes.toString('utf8')) : bytes.toString('utf8')
    return this.#schemaFaults(content[type].schema, value, 'the body')
  }

  #schemaFaults(schema: Tree, value: unknown, what: string): string[] {
    let validate = this.#compiled.get(schema)
    if (!validate) {
      validate = this.#ajv.compile(schema)
      this.#compiled.set(schema, validate)
    }
    if (validate(value)) return []
    const shown = JSON.stringify(value).slice(0, 400)
    return [`${what} does not fit: ${this.#ajv.errorsText(validate.errors?.slice(0, 8))} in ${shown}`]
  }
}

/**
 * The document leaves objects open, because later versions may add members. Answers of this version have no others: each
 * object that names its members is closed here, unless it says that it is open.
 */
function closed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(closed) as T
  if (typeof value !== 'object' || value === null) return value
  const tree: Tree = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, closed(each)]))
  const names = tree['type'] === 'object' && tree['properties'] && tree['additionalProperties'] === undefined
  return (names ? { ...tree, additionalProperties: false } : tree) as T
}

interface Projection {
  /** Some members are left out. */
  readonly isPart: boolean
  /** Ids stand in place of embedded records. */
  readonly embedsIds: boolean
}

function projectionIn(target: string): Projection | undefined {
  const query = new URLSearchParams(target.split('?', 2)[1] ?? '')
  const isPart = [...query.getAll('fields'), ...query.getAll('omit')].some((each) => each !== '')
  const embedsIds = Boolean(query.getAll('embed').at(-1))
  return isPart || embedsIds ? { isPart, embedsIds } : undefined
}

/** Records need no member but their id; what they embed may be ids. */
function projectedDocument(document: Tree, { isPart, embedsIds }: Projection): Tree {
  const { schemas } = document['components']
  const records = Object.entries<Tree>(schemas).filter(([name]) => `${name}-page` in schemas)
  const references = new Set(records.map(([name]) => `#/components/schemas/${name}`))
  const embedded = (schema: Tree): Tree => {
    if (schema['items']) return { ...schema, items: embedded(schema['items']) }
    return references.has(schema['$ref']) ? { anyOf: [schema, { type: 'integer', minimum: 1 }] } : schema
  }
  const projected = records.map(([name, { required, properties, ...schema }]) => {
    const members = Object.entries<Tree>(properties)
    const shown = Object.fromEntries(members.map(([member, each]) => [member, embedsIds ? embedded(each) : each]))
    return [name, { ...schema, required: isPart ? required.slice(-1) : required, properties: shown }]
  })
  const changed = { ...schemas, ...Object.fromEntries(projected) }
  return { ...document, components: { ...document['components'], schemas: changed } }
}

function places(segments: readonly (string | undefined)[]): number {
  return segments.filter((segment) => segment === undefined).length
}

function allowFaults(headers: OutgoingHttpHeaders, methods: readonly string[]): string[] {
  const allow = headers['Allow']
  if (allow === undefined) return []
  const sorted = (names: readonly string[]) => names.map((name) => name.trim().toUpperCase()).sort()
  const [said, listed] = [sorted(String(allow).split(',')), sorted(methods)]
  return said.join() === listed.join() ? [] : [`Allow says ${said.join()}, the document ${listed.join()}`]
}

function redirectFaults({ method, status, headers }: Exchange): string[] {
  if ([400, ...REFUSALS].includes(status)) return []
  const wanted = method === 'GET' || method === 'HEAD' ? 301 : 308
  return status === wanted && headers['Location'] ? [] : [`${status} in place of ${wanted} to the address with a slash`]
}

function unpacked(body: Buffer, encoding: unknown): Buffer {
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'gzip' ? gunzipSync(body) : body
}
