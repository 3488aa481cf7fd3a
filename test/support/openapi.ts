/**
 * Checks responses against an OpenAPI document: status, headers and body, and nothing that the document does not list.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { DESCRIPTION } from '../../src/http/openapi/shapes.ts'

export interface Exchange {
  readonly method: string
  /** As in the request line. */
  readonly target: string
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

interface Verdict {
  /** `GET /api/polynym/{id}/`, if the document has it. */
  readonly operation?: string
  readonly faults: readonly string[]
}

type Tree = Readonly<Record<string, any>>

/** Headers about how a message is sent, not about its content. */
const FRAMING = new Set(['content-type', 'content-length', 'connection', 'date', 'keep-alive', 'transfer-encoding'])
/** What Node refuses before our code sees the address. */
const REFUSALS = [408, 417, 431]
/** What may be returned before the method is examined, or for an unknown method. */
const BEFORE_METHODS = [400, 404, 405, 406, ...REFUSALS]

/** On responses that may be cached; the document says so at the top. */
const ETAG = { schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]+"$' } }
const DESCRIBED = closed(DESCRIPTION)

export class Validator {
  readonly #document: Tree
  readonly #ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
  readonly #given: Tree
  readonly #isProjected: boolean
  readonly #validators = new Map<string, Validator>()
  readonly #compiled = new Map<unknown, ValidateFunction>()
  readonly #paths: readonly { readonly template: string; readonly segments: readonly Segment[] }[]

  constructor(document: object, isProjected = false) {
    this.#given = document
    this.#isProjected = isProjected
    // The schemas become one schema, so that ajv checks every keyword of them.
    this.#document = closed(
      JSON.parse(JSON.stringify(document).replaceAll('#/components/schemas/', 'document#/$defs/')),
    )
    this.#ajv.addFormat('uri', (text) => URL.canParse(text))
    this.#ajv.addFormat('uri-reference', (text) => URL.canParse(text, 'http://base'))
    this.#ajv.addFormat('date', /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/)
    this.#ajv.addFormat('date-time', (text) => new Date(text).toISOString() === text)
    this.#ajv.addSchema({ $id: 'document', $defs: this.#document['components'].schemas })
    this.#paths = Object.entries<Tree>(this.#document['paths'])
      .map(([template, item]) => ({ template, segments: this.#segments(template, item) }))
      // A fixed word wins over a parameter.
      .sort((a, b) => places(a.segments) - places(b.segments))
  }

  /** What is listed once for many collections is an operation of each. */
  get operations(): string[] {
    return Object.entries<Tree>(this.#document['paths']).flatMap(([path, item]) =>
      methodsOf(item).flatMap((method) =>
        addressesOf(this.#given, path).map((address) => `${method.toUpperCase()} ${address}`),
      ),
    )
  }

  #segments(template: string, item: Tree): Segment[] {
    const collections = collectionsIn(this.#document, item)
    return template.split('/').map((segment) => {
      if (segment === '{collection}') return collections
      return segment.startsWith('{') ? undefined : [segment]
    })
  }

  check(exchange: Exchange): Verdict {
    const { method, target, status } = exchange
    const projection = this.#isProjected ? undefined : projectionIn(target)
    if (projection && status < 400) return this.#projected(projection).check(exchange)
    const found = this.#find(target.replace(/^https?:\/\/[^/?#]*/i, '').split('?', 1)[0]!)
    if (!found) return { faults: [] }
    if (found.slashless) return { faults: redirectFaults(exchange) }
    const item: Tree = this.#document['paths'][found.template]
    const faults = allowFaults(exchange, methodsOf(item))
    // HEAD and OPTIONS work everywhere, so the document lists neither.
    const listed = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = Object.hasOwn(item, listed) ? item[listed] : undefined
    const response = method === 'OPTIONS' ? this.#described(found.template, status) : this.#answer(operation, status)
    if ((!operation && method !== 'OPTIONS') || status === 405) {
      if (!BEFORE_METHODS.includes(status) && status !== 500) faults.push(`${status} for a method that is not listed`)
      return { faults }
    }
    if (!response) return { faults: [...faults, `the status ${status} is not listed`] }
    const { headers: known = {}, content } = response
    faults.push(...this.#headerFaults(known, exchange, found.template), ...this.#bodyFaults(content, exchange))
    const address = found.template.replace('{collection}', found.collection)
    return status < 400 ? { operation: `${method} ${address}`, faults } : { faults }
  }

  /** What an operation says about a status; server errors are the same everywhere. */
  #answer(operation: Tree | undefined, status: number): Tree | undefined {
    // In words at the top of the document: it has the headers of the unchanged response.
    const listed: Tree | undefined = operation?.['responses'][status === 304 ? 200 : status]
    if (listed) return { ...this.#resolve(listed), ...(status === 304 ? { content: undefined } : {}) }
    return this.#problems.has(status) ? this.#problem : undefined
  }

  /** OPTIONS describes an address; for the index it returns the index. */
  #described(template: string, status: number): Tree | undefined {
    if (status >= 400) return this.#problem
    const index: Tree = this.#document['paths']['/api/'].get.responses[200]
    if (template === '/api/') return this.#resolve(index)
    return { content: { 'application/json': { schema: DESCRIBED } } }
  }

  get #problem(): Tree {
    return this.#document['components'].responses['4XX']
  }

  /** The statuses that the response `4XX` describes. */
  get #problems(): ReadonlySet<number> {
    const lines: IterableIterator<RegExpMatchArray> = this.#problem['description'].matchAll(/^- ([0-9, ]+):/gm)
    return new Set([...lines].flatMap(([, statuses]) => statuses!.split(',').map(Number)))
  }

  /** The document says in words what `fields`, `omit` and `embed` leave out; this is the same as schemas. */
  #projected(projection: Projection): Validator {
    const name = JSON.stringify(projection)
    const known = this.#validators.get(name)
    if (known) return known
    const made = new Validator(projectedDocument(this.#given, projection), true)
    this.#validators.set(name, made)
    return made
  }

  #find(
    path: string,
  ): { readonly template: string; readonly collection: string; readonly slashless: boolean } | undefined {
    const collection = path.split('/')[2] ?? ''
    const stem = /^(\/api\/|\/api\/.*[^/])\.[a-z0-9]+$/.exec(path)?.[1]
    const template = this.#match(path) ?? (stem && this.#match(stem.endsWith('/') ? stem : `${stem}/`))
    if (template) return { template, collection, slashless: false }
    const slashed = path.endsWith('/') ? undefined : this.#match(`${path}/`)
    return slashed ? { template: slashed, collection, slashless: true } : undefined
  }

  #match(path: string): string | undefined {
    let words: string[]
    try {
      words = path.split('/').map(decodeURIComponent)
    } catch {
      return undefined
    }
    const fits = (segments: readonly Segment[]) =>
      segments.length === words.length &&
      segments.every((segment, i) => (segment === undefined ? words[i] !== '' : segment.includes(words[i]!)))
    return this.#paths.find(({ segments }) => fits(segments))?.template
  }

  #resolve(value: Tree): Tree {
    const path = typeof value['$ref'] === 'string' ? value['$ref'].split('/').slice(1) : undefined
    return path ? path.reduce((tree: Tree, key) => tree[key], this.#document) : value
  }

  /** Headers that any response may have are listed with the problems. */
  #headerFaults(own: Tree, { status, headers, method }: Exchange, template: string): string[] {
    const common: Tree = this.#problem['headers']
    const known: Tree = { ...common, ...(status < 400 ? { ETag: ETAG } : {}), ...own }
    const sent = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    const faults = Object.entries(known).flatMap(([name, reference]) => {
      const { required, schema } = this.#resolve(reference)
      const value = sent.get(name.toLowerCase())
      const isOptional = name in own ? !required : !this.#isDue(name, status, method, template)
      if (value === undefined) return isOptional ? [] : [`the header ${name} is missing`]
      return [value].flat().flatMap((each) => {
        const read = schema.type === 'integer' ? Number(each) : String(each)
        return this.#schemaFaults(schema, read, `the header ${name}`)
      })
    })
    const listed = new Set(Object.keys(known).map((name) => name.toLowerCase()))
    const others = [...sent.keys()].filter((name) => !listed.has(name) && !FRAMING.has(name))
    return [...faults, ...others.map((name) => `the header ${name} is not listed`)]
  }

  #isDue(name: string, status: number, method: string, template: string): boolean {
    // The introduction says so.
    if (name === 'Location') return status === 201 && isPublic(this.#document['paths'][`${template}{id}/`]?.get)
    return isDue(name, status, method, template)
  }

  #bodyFaults(content: Tree | undefined, { method, status, headers, body }: Exchange): string[] {
    if (method === 'HEAD' || status === 304) return body.length > 0 ? ['a body where there must be none'] : []
    if (!content) return body.length > 0 || headers['Content-Type'] ? ['a body that is not listed'] : []
    const type = String(headers['Content-Type'] ?? '').split(';', 1)[0]!
    // Every address has a page for people, and errors have the requested type.
    if (type === 'text/html' || (type === 'text/plain' && status >= 400)) return []
    if (!content[type]) return [`the type "${type}" is not listed`]
    const bytes = unpacked(body, headers['Content-Encoding'])
    const value = /[/+]json$/.test(type) ? JSON.parse(bytes.toString('utf8')) : bytes.toString('utf8')
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
 * The document leaves objects open, because later versions may add members. Responses of this version have no others:
 * each object that names its members is closed here, except for parts of `allOf`, which are closed where they are used
 * alone, and for those that say they are open.
 */
function closed(document: Tree): Tree {
  const built = Array.from(JSON.stringify(document).matchAll(/"allOf":\[([^\]]*)\]/g), ([, parts]) => parts!)
  const bases = new Set(built.flatMap((parts) => Array.from(parts.matchAll(/"\$ref":"([^"]+)"/g), ([, to]) => to)))
  const close = (value: unknown, at: string): unknown => {
    if (Array.isArray(value)) return value.map((each) => (at.endsWith('/allOf') ? each : close(each, '')))
    if (typeof value !== 'object' || value === null) return value
    const tree = Object.fromEntries(Object.entries(value).map(([key, each]) => [key, close(each, `${at}/${key}`)]))
    if (bases.has(String(tree['$ref']))) return { allOf: [tree], unevaluatedProperties: false }
    const isOpen =
      tree['additionalProperties'] !== undefined || bases.has(at.replace('/components/schemas', 'document#/$defs'))
    const isObject = tree['allOf'] || (tree['type'] === 'object' && tree['properties'])
    return isObject && !isOpen ? { ...tree, unevaluatedProperties: false } : tree
  }
  return close(document, '') as Tree
}

interface Projection {
  /** Some members are omitted. */
  readonly isPart: boolean
  /** Ids instead of embedded records. */
  readonly embedsIds: boolean
}

function projectionIn(target: string): Projection | undefined {
  const query = new URLSearchParams(target.split('?', 2)[1] ?? '')
  const isPart = [...query.getAll('fields'), ...query.getAll('omit')].some((each) => each !== '')
  const embedsIds = Boolean(query.getAll('embed').at(-1))
  return isPart || embedsIds ? { isPart, embedsIds } : undefined
}

/** Records, and the groups of members they consist of, require only the id; what they embed may be ids. */
function projectedDocument(document: Tree, { isPart, embedsIds }: Projection): Tree {
  const { schemas } = document['components']
  const records = Object.entries<Tree>(schemas).filter(([name]) => `${name}-page` in schemas)
  const references = new Set(records.map(([name]) => `#/components/schemas/${name}`))
  const groups = new Set(
    records.flatMap(([, { allOf = [] }]) => allOf.map(({ $ref }: Tree) => $ref?.split('/').at(-1))),
  )
  const built = Object.entries<Tree>(schemas).filter(([name]) => groups.has(name))
  const embedded = (schema: Tree): Tree => {
    if (schema['items']) return { ...schema, items: embedded(schema['items']) }
    return references.has(schema['$ref']) ? { anyOf: [schema, { type: 'integer', minimum: 1 }] } : schema
  }
  const projected = [...records, ...built].map(([name, { required = [], properties, ...schema }]) => {
    const members = Object.entries<Tree>(properties)
    const shown = Object.fromEntries(members.map(([member, each]) => [member, embedsIds ? embedded(each) : each]))
    const ids = required.filter((member: string) => member.endsWith('_id'))
    return [name, { ...schema, required: isPart ? ids : required, properties: shown }]
  })
  const changed = { ...schemas, ...Object.fromEntries(projected) }
  return { ...document, components: { ...document['components'], schemas: changed } }
}

/** The words that may be there; undefined for any. */
type Segment = readonly string[] | undefined

/** A fixed word comes before one of several. */
function places(segments: readonly Segment[]): number {
  return segments.filter((segment) => segment?.length !== 1).length
}

/** The collections that a path with `{collection}` stands for. */
function collectionsIn(document: Tree, item: Tree): string[] {
  const operations: Tree[] = methodsOf(item).map((method) => item[method])
  const given: Tree[] = [item, ...operations].flatMap(({ parameters = [] }) => parameters)
  const resolved = given.map((each) => document['components'].parameters?.[each['$ref']?.split('/').at(-1)] ?? each)
  return resolved.find(({ name }) => name === 'collection')?.schema.enum ?? []
}

/** A path of the document, or one for each collection that it stands for. */
export function addressesOf(document: Tree, path: string): string[] {
  if (!path.includes('{collection}')) return [path]
  return collectionsIn(document, document['paths'][path]).map((name) => path.replace('{collection}', name))
}

/** Whether anyone may read it. */
function isPublic(operation: Tree | undefined): boolean {
  return operation?.['security']?.length === 0
}

/** Whether an answer must have one of the headers that any answer may have. */
function isDue(name: string, status: number, method: string, template: string): boolean {
  if (name === 'X-Request-Id' || name === 'X-Content-Type-Options') return true
  if (name === 'Vary') return /^\/(api|accounts)/.test(template)
  if (status >= 400 || !template.startsWith('/api/')) return false
  if (/^Access-Control-(Allow-(Methods|Headers)|Max-Age)$/.test(name)) return method === 'OPTIONS'
  return /^(Allow|Access-Control-.*)$/.test(name)
}

function allowFaults({ headers }: Exchange, methods: readonly string[]): string[] {
  const allow = headers['Allow']
  if (allow === undefined) return []
  const sorted = (names: readonly string[]) => names.map((name) => name.trim().toUpperCase()).sort()
  const head = methods.includes('get') ? ['HEAD'] : []
  const [said, listed] = [sorted(String(allow).split(',')), sorted([...methods, ...head])]
  return said.filter((each) => each !== 'OPTIONS').join() === listed.join()
    ? []
    : [`Allow says ${said.join()}, the document ${listed.join()}`]
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

/** The methods of an address; `parameters` belong to all of them. */
export function methodsOf(item: object): string[] {
  return Object.keys(item).filter((key) => key !== 'parameters')
}
