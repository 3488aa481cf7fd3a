/** The OpenAPI document: every route that is not for the pages alone, as the routes themselves say. */
import type { AnyResource, Schema } from '../../declare/index.ts'
import { type Collection, collectionsOf } from '../../engine/index.ts'
import { isListed, type ListedMethod, type Route } from '../router.ts'
import type { Examples, Tried } from './examples.ts'
import { CROSS_ORIGIN, EVERYWHERE, HeaderComponents, PREFLIGHT } from './headers.ts'
import type { Answered, Operation, Parameter, ProblemStatus } from './operation.ts'
import { parametersOf } from './parameters.ts'
import { contentOf, headersAt, type Place, ProblemComponents } from './problems.ts'
import { schemasOf } from './shapes.ts'
import { ABOUT, SECURITY_SCHEMES, TAGS } from './words.ts'

export interface DocumentParts {
  readonly catalogue: readonly AnyResource[]
  readonly routes: readonly Route[]
  readonly pageSize: number
  readonly mostOfPage: number
  readonly version: string
  readonly base: string
}

const SCHEMES = [{ basic: [] }, { token: [] }, { bearer: [] }]
const READING = [{}, ...SCHEMES, { session: [] }]
const WRITING = [...SCHEMES, { session: [], csrf: [] }]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']

export function makeDocument(parts: DocumentParts, examples: Examples): object {
  const maker = new Maker(parts, examples)
  const paths = maker.paths()
  const { components } = maker
  return {
    openapi: '3.1.1',
    info: {
      title: 'Nymdex',
      summary: 'A catalogue server for word sets and the texts they colour.',
      description: ABOUT,
      version: parts.version,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: parts.base }],
    security: READING,
    tags: tagsOf(parts.catalogue, parts.routes),
    paths,
    components: { ...reachable(paths, components), securitySchemes: SECURITY_SCHEMES },
  }
}

function tagsOf(catalogue: readonly AnyResource[], routes: readonly Route[]): object[] {
  const collections = new Map(collectionsOf(catalogue).map((each) => [each.name, describeTag(each)]))
  const used = new Set(routes.flatMap(({ tag }) => tag ?? []))
  return [...used].map((name) => ({ name, description: collections.get(name) ?? TAGS[name] ?? name }))
}

function describeTag({ resource, only }: Collection): string {
  return only ? `${resource.does} Only ${only.join(', ')} and the id.` : resource.does
}

class Maker {
  readonly #parts: DocumentParts
  readonly #examples: Examples
  readonly #headers = new HeaderComponents()
  readonly #problems = new ProblemComponents(this.#headers)
  readonly #parameters: Record<string, Parameter>
  readonly #shared: Record<string, object> = {}

  constructor(parts: DocumentParts, examples: Examples) {
    this.#parts = parts
    this.#examples = examples
    this.#parameters = parametersOf(parts.catalogue, parts)
  }

  get components(): Components {
    return {
      schemas: { ...schemasOf(this.#parts.catalogue), ...this.#ownSchemas() },
      parameters: mapped(this.#parameters, (parameter, name) => this.#parameter(parameter, name)),
      headers: this.#headers.components,
      responses: { ...this.#problems.components, ...this.#shared },
      examples: mapped(this.#examples.shared, (value) => ({ value })),
    }
  }

  #ownSchemas(): Record<string, Schema> {
    return Object.assign({}, ...this.#parts.routes.map(({ schemas }) => schemas ?? {}))
  }

  paths(): Record<string, object> {
    const listed = this.#parts.routes.filter((route) => Object.values(route.methods).some(isListed))
    return Object.fromEntries(listed.map((route) => [templateOf(route.path), this.#pathItem(route)]))
  }

  #pathItem(route: Route): object {
    return Object.fromEntries(
      METHODS.flatMap((method) => {
        const said = route.methods[method === 'HEAD' ? 'GET' : method]
        return said && isListed(said) ? [[method.toLowerCase(), this.#operation(route, method, said)]] : []
      }),
    )
  }

  #operation(route: Route, method: string, said: ListedMethod): object {
    const isRead = method === 'GET' || method === 'HEAD'
    const tried = this.#examples.tried.get(said)
    const place = { api: route.path.startsWith('/api/'), hasText: isRead && (route.hasText ?? false) }
    const parameters = [
      ...(said.parameters ?? []),
      ...(route.plain ? [] : [place.hasText ? 'format-or-text' : 'format']),
      ...(isRead && said.answers[200]?.headers?.includes('ETag?') ? ['If-None-Match'] : []),
    ]
    return {
      operationId: `${method.toLowerCase()}${route.title.replace(/[^A-Za-z0-9]/g, '')}`,
      ...(route.tag ? { tags: [route.tag] } : {}),
      summary: method === 'HEAD' ? `${said.summary} (headers only)` : said.summary,
      ...(said.description ? { description: said.description } : {}),
      ...(WRITES.includes(method) ? { security: said.signedIn ? WRITING : [{}, ...WRITING] } : {}),
      ...(parameters.length > 0 ? { parameters: parameters.map((each) => this.#parameterOf(each)) } : {}),
      ...(said.body ? { requestBody: this.#body(said, tried?.body) } : {}),
      responses: this.#responses(route, method, said, place, tried),
    }
  }

  #parameterOf(given: string | Parameter): object {
    if (typeof given !== 'string') return this.#parameter(given)
    if (!this.#parameters[given]) throw new Error(`there is no parameter ${given}`)
    return { $ref: `#/components/parameters/${given}` }
  }

  #parameter({ commas, ...parameter }: Parameter, name?: string): object {
    const example = name === undefined ? undefined : this.#examples.parameters[name]
    return {
      ...parameter,
      ...(commas ? { style: 'form', explode: false } : {}),
      ...(example === undefined ? {} : { example }),
    }
  }

  #body({ body }: Operation, tried: object | undefined): object {
    const { schema, example } = body!
    const json = { schema, ...this.#example(example, tried) }
    return {
      required: true,
      content: {
        'application/json': json,
        'application/x-www-form-urlencoded': { schema },
        'multipart/form-data': { schema },
      },
    }
  }

  /** What was tried counts more than what is named. */
  #example(given: string | object | undefined, tried?: object, asked?: string): object {
    if (tried) return { examples: { sample: { ...(asked ? { summary: asked } : {}), value: tried } } }
    if (typeof given === 'object') return { example: given }
    if (!given || !(given in this.#examples.shared)) return {}
    return { examples: { sample: { $ref: `#/components/examples/${given}` } } }
  }

  #responses(route: Route, method: string, said: Operation, place: Place, tried: Tried | undefined): object {
    const answers = Object.entries(said.answers).map(([status, answered]) => {
      const shown = status === '200' ? tried : undefined
      const example = this.#example(answered.example, shown?.answer, shown?.asked)
      return [status, this.#answer(route, method, status, place, answered, example)]
    })
    const problems = problemsOf(route, method, said).map((status) => [status, this.#problems.use(status, place)])
    return {
      ...Object.fromEntries(answers),
      ...this.#notModified(method, said, place),
      ...Object.fromEntries(problems),
      ...(route.plain ? { 400: this.#problems.useRefused() } : {}),
      default: this.#problems.useRefused(),
    }
  }

  #answer(
    route: Route,
    method: string,
    status: string,
    place: Place,
    { says, schema, headers = [] }: Answered,
    example: object,
  ): object {
    const usual = route.plain
      ? [...EVERYWHERE, 'Allow', 'Vary?', 'Content-Encoding?', ...(place.api ? CROSS_ORIGIN : [])]
      : [...headersAt(place), ...(method === 'OPTIONS' && place.api ? PREFLIGHT : [])]
    const body = method === 'HEAD' ? undefined : schema
    const content = body && (route.plain ? { 'application/json': { schema: body } } : contentOf(body, place, example))
    const response = {
      description: says,
      headers: this.#headers.use([...usual, ...headers]),
      ...(content ? { content } : {}),
    }
    return !body || method === 'OPTIONS' ? this.#share(`${method.toLowerCase()}-${status}`, response) : response
  }

  #notModified(method: string, said: Operation, place: Place): object {
    const { headers = [] } = said.answers[200] ?? {}
    if ((method !== 'GET' && method !== 'HEAD') || !headers.includes('ETag?')) return {}
    const all = [...headersAt(place), ...headers.filter((name) => name !== 'ETag?'), 'ETag']
    const response = { description: 'The client has it already.', headers: this.#headers.use(all) }
    return { 304: this.#share('not-modified', response) }
  }

  /** Many answers are the same; the document says each once. */
  #share(kind: string, response: object): { $ref: string } {
    const text = JSON.stringify(response)
    const known = Object.entries(this.#shared).filter(([name]) => name.startsWith(kind))
    const name = known.find(([, each]) => JSON.stringify(each) === text)?.[0] ?? `${kind}.${known.length + 1}`
    this.#shared[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

/** What every method of its sort may be answered with, and what this one says itself. */
function problemsOf(route: Route, method: string, { problems = [] }: Operation): ProblemStatus[] {
  if (route.plain) return [...problems]
  const writing: ProblemStatus[] = WRITES.includes(method) ? [403, 413, 415] : []
  const all: ProblemStatus[] = [400, 401, 404, 406, 429, 500, 503, ...writing, ...problems]
  return [...new Set(all)].sort((a, b) => a - b)
}

export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

type Components = Readonly<Record<string, Readonly<Record<string, object>>>>

function mapped<T>(
  values: Readonly<Record<string, T>>,
  change: (value: T, name: string) => object,
): Record<string, object> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]))
}

/** Only what something refers to. */
function reachable(paths: object, components: Components): Record<string, Record<string, object>> {
  const wanted = new Set<string>()
  const follow = (value: unknown): void => {
    for (const [, kind, name] of JSON.stringify(value).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      if (wanted.has(`${kind}/${name}`)) continue
      wanted.add(`${kind}/${name}`)
      const found = components[kind!]?.[name!]
      if (!found) throw new Error(`nothing is called ${name} among the ${kind} of the document`)
      follow(found)
    }
  }
  follow(paths)
  const kept = Object.entries(components).map(([kind, named]) => [
    kind,
    Object.fromEntries(Object.entries(named).filter(([name]) => wanted.has(`${kind}/${name}`))),
  ])
  return Object.fromEntries(kept.filter(([, named]) => Object.keys(named as object).length > 0))
}
