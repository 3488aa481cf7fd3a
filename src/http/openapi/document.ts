/** The OpenAPI document: every route that is not only for pages, from the route's own description. */
import type { AnyResource, Schema } from '../../declare/index.ts'
import { type Collection, collectionsOf } from '../../engine/index.ts'
import { isListed, type ListedMethod, type Route } from '../routing/router.ts'
import { bodyOf, listsIn } from './bodies.ts'
import { type Components, mapped, NamedSchemas, type PathItem, reachable, share } from './components.ts'
import type { Examples, Tried } from './examples.ts'
import { HeaderComponents } from './headers.ts'
import { type Answered, means, type Operation, type Parameter } from './operation.ts'
import { parametersOf } from './parameters.ts'
import { Problems } from './problems.ts'
import { schemasOf } from './shapes.ts'
import { shareMembers } from './shared-members.ts'
import { ABOUT, SECURITY_SCHEMES, TAGS } from './texts.ts'

export interface DocumentParts {
  readonly catalogue: readonly AnyResource[]
  readonly routes: readonly Route[]
  readonly pageSize: number
  readonly version: string
  readonly base: string
}

/** The parts of the document that our own code reads. */
export interface OpenApi {
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
  readonly [member: string]: unknown
}

const SESSION = { session: [], csrf: [] }
/** The default of the document. Operations that need no credentials say so. */
const SIGNED_IN = [{ basic: [] }, { token: [] }, { bearer: [] }, SESSION]

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export function makeDocument(parts: DocumentParts, examples: Examples): OpenApi {
  const maker = new Maker(parts, examples)
  const paths = maker.paths()
  const components = { ...maker.components(), ...share(paths) }
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
    security: SIGNED_IN,
    tags: tagsOf(parts.catalogue, parts.routes),
    paths,
    components: { ...reachable(paths, components), securitySchemes: SECURITY_SCHEMES },
  }
}

function tagsOf(catalogue: readonly AnyResource[], routes: readonly Route[]): OpenApi['tags'] {
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
  readonly #problems = new Problems(this.#headers)
  readonly #schemas = new NamedSchemas()
  readonly #parameters: Readonly<Record<string, Parameter>>

  constructor(parts: DocumentParts, examples: Examples) {
    this.#parts = parts
    this.#examples = examples
    this.#parameters = parametersOf(parts.catalogue, parts.pageSize)
  }

  components(): Components {
    const { catalogue, routes } = this.#parts
    const own: Record<string, Schema> = Object.assign({}, ...routes.map(({ schemas }) => schemas ?? {}))
    const schemas = {
      ...mapped(schemasOf(catalogue), (each) => this.#schemas.use(each)),
      ...mapped(own, (each) => this.#schemas.use(each)),
      ...this.#schemas.components,
    }
    return {
      schemas: shareMembers(schemas),
      headers: this.#headers.components,
      examples: mapped(this.#examples.shared, (value) => ({ value })),
    }
  }

  paths(): OpenApi['paths'] {
    const listed = this.#parts.routes.filter((route) => Object.values(route.methods).some(isListed))
    return Object.fromEntries(listed.map((route) => [templateOf(route.path), this.#pathItem(route)]))
  }

  /** What several methods of the address have in their path is listed once. */
  #pathItem(route: Route): PathItem {
    const listed = METHODS.flatMap((method) => {
      const said = route.methods[method]
      return said && isListed(said) ? [{ method, said }] : []
    })
    const [first, ...others] = listed
    const shared = others.length > 0 ? (first?.said.parameters ?? []).filter((each) => this.#isInPath(each)) : []
    const operations = listed.map(({ method, said }) => {
      const own = (said.parameters ?? []).filter((each) => shared.length === 0 || !this.#isInPath(each))
      return [method.toLowerCase(), this.#operation(route, method, said, own)]
    })
    return {
      ...(shared.length > 0 ? { parameters: shared.map((each) => this.#parameter(each)) } : {}),
      ...Object.fromEntries(operations),
    }
  }

  #isInPath(given: string | Parameter): boolean {
    const found = typeof given === 'string' ? this.#parameters[given] : given
    return found?.in === 'path'
  }

  #operation(route: Route, method: string, said: ListedMethod, own: readonly (string | Parameter)[]) {
    const tried = this.#examples.tried.get(said)
    const hasText = method === 'GET' && route.hasText
    const parameters = [...own, ...(hasText ? ['format-or-text'] : [])]
    const operationId = operationIdOf(route, method)
    return {
      operationId,
      ...(route.tag ? { tags: [route.tag] } : {}),
      summary: said.summary.replace(/\.$/, ''),
      description: said.description,
      // Some clients misread `{}` in a list of ways to authenticate, so there is no list here.
      ...(said.signedIn ? {} : { security: [] }),
      ...(parameters.length > 0 ? { parameters: parameters.map((each) => this.#parameter(each)) } : {}),
      ...(said.body ? { requestBody: this.#body(operationId, said, tried?.body) } : {}),
      responses: this.#responses(route, method, said, tried),
    }
  }

  /** Client generators repeat the description of a parameter at every use, but not that of its schema. */
  #parameter(given: string | Parameter): object {
    const found = typeof given === 'string' ? this.#parameters[given] : given
    if (!found) throw new Error(`there is no parameter ${given}`)
    const { commas, description, schema, ...parameter } = found
    return { ...parameter, schema: means(schema, description), ...(commas ? { explode: false } : {}) }
  }

  #body(operationId: string, { body }: Operation, tried: object | undefined): object {
    const { schema, example, lists = listsIn(schema) } = body!
    const named = schema['$ref'] ? schema : this.#schemas.use({ title: `${operationId}-body`, ...schema })
    return bodyOf(named, this.#example(example, tried), lists)
  }

  /** A tried response is a better example than a named one. */
  #example(given: string | object | undefined, tried?: object, asked?: string): object {
    if (tried) return { examples: { sample: { ...(asked ? { summary: asked } : {}), value: tried } } }
    // Client generators copy `example` into their code, line by line, but not `examples`.
    if (typeof given === 'object') return { examples: { sample: { value: given } } }
    if (!given || !(given in this.#examples.shared)) return {}
    return { examples: { sample: { $ref: `#/components/examples/${given}` } } }
  }

  #responses(route: Route, method: string, said: Operation, tried: Tried | undefined): object {
    const answers = Object.entries(said.answers).map(([status, answered]) => {
      const shown = status === '200' ? tried : undefined
      const example = this.#example(answered.example, shown?.answer, shown?.asked)
      return [status, this.#answer(route, method, answered, example)]
    })
    return {
      ...Object.fromEntries(answers),
      ...this.#problems.of(said.problems ?? []),
    }
  }

  #answer(route: Route, method: string, { says, schema, headers = [], types = [] }: Answered, example: object): object {
    const all = [...types, ...(route.hasText && method === 'GET' ? ['text/plain'] : [])]
    // A component has a name in generated clients.
    const named = schema?.['properties'] ? { title: `${operationIdOf(route, method)}-answer`, ...schema } : schema
    const json = named && this.#schemas.use(named)
    const others = all.map((type) => [type, { schema: /[/+]json$/.test(type) ? json : { type: 'string' } }])
    return {
      description: says,
      ...(headers.length > 0 ? { headers: this.#headers.use(headers) } : {}),
      ...(json ? { content: { 'application/json': { schema: json, ...example }, ...Object.fromEntries(others) } } : {}),
    }
  }
}

function operationIdOf({ title }: Route, method: string): string {
  return `${method.toLowerCase()}${title.replace(/[^A-Za-z0-9]/g, '')}`
}

export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}
