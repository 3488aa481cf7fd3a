/** /api/schema/ and /api/docs/: the description of the interface, for programs and for people. */
import { readFileSync } from 'node:fs'
import type { Schema } from '../../declare/index.ts'
import { type Engine, problems } from '../../engine/index.ts'
import type { Keep, Outcome, Span } from '../exchange/message.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, ListedMethod, Route } from '../routing/router.ts'
import { type CachedBody, DocumentCache } from './cache.ts'
import { makeDocument, type OpenApi } from './document.ts'
import { readExamples } from './examples.ts'
import { BASE, means, type Parameter } from './operation.ts'
import { partOf } from './part.ts'
import { toYaml } from './yaml.ts'

/** A page about the document: what it is, an overview, or some of its groups in full. */
export interface DocsView {
  /** The same object for the same version. */
  readonly document: OpenApi
  /** The part of the document that these groups need. */
  readonly part: OpenApi
  readonly page: 'schema' | 'docs'
  /** The requested groups; undefined for all. */
  readonly groups: readonly string[] | undefined
  readonly user: string | undefined
}

interface DocumentRouteParts {
  readonly engine: Engine
  readonly pageSize: number
  /** All other routes, answering by an engine. */
  routesOn(engine: Engine): readonly Route[]
  renderDocs(view: DocsView): string
}

/** After this time, the next request makes a new version. */
const KEPT_MS = 60_000
/** A slower response becomes no example. */
const PATIENCE_SECONDS = 0.5

const YAML = 'application/yaml'
const OPENAPI_JSON = 'application/vnd.oai.openapi+json'
const MARKDOWN = 'text/markdown'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

interface Version {
  /** Until the next one is made. */
  readonly during: Span
  readonly document: OpenApi
  readonly cache: DocumentCache
}

export function documentRoutes(parts: DocumentRouteParts): Route[] {
  const { engine } = parts
  let kept: { readonly until: number; readonly version: Promise<Version> } | undefined
  const newest = async (): Promise<Version> => {
    const now = engine.now().getTime()
    if (!kept || kept.until <= now || kept.until > now + KEPT_MS) {
      kept = { until: now + KEPT_MS, version: make(parts, routes, [now, now + KEPT_MS]) }
    }
    const mine = kept
    try {
      return await mine.version
    } catch (error) {
      if (kept === mine) kept = undefined
      throw error
    }
  }
  const handle = (page: DocsView['page']) => async (call: Call) => answer(call, page, await newest(), parts.renderDocs)
  const routes: Route[] = [
    {
      path: '/api/schema/',
      title: 'Schema',
      tag: 'server',
      description: 'This interface as an OpenAPI document.',
      otherTypes: [{ type: YAML, format: 'yaml' }, { type: OPENAPI_JSON }],
      methods: {
        GET: reading({
          summary: 'The OpenAPI document',
          description:
            'The document that you are reading, as JSON or YAML: all of it, or the part for some collections.',
          format: { name: 'yaml', says: '`yaml`: YAML. `json`: JSON, whatever Accept says.' },
          types: [OPENAPI_JSON, YAML],
          handle: handle('schema'),
        }),
        OPTIONS: described(() => ok({ name: 'Schema', description: 'This interface as an OpenAPI document.' })),
      },
    },
    {
      path: '/api/docs/',
      title: 'Docs',
      tag: 'server',
      description: 'This interface, explained.',
      otherTypes: [{ type: MARKDOWN, format: 'md' }],
      methods: {
        GET: reading({
          summary: 'The interface, explained',
          description: 'In a browser a page, with `format=md` a text in Markdown, and otherwise the OpenAPI document.',
          format: { name: 'md', says: '`md`: the manual in Markdown. `json`: the OpenAPI document.' },
          types: [MARKDOWN],
          handle: handle('docs'),
        }),
        OPTIONS: described(() => ok({ name: 'Docs', description: 'This interface, explained.' })),
      },
    },
  ]
  return routes
}

interface Reading extends Pick<ListedMethod, 'summary' | 'description' | 'handle'> {
  /** A format that only this address has. */
  readonly format: { readonly name: string; readonly says: string }
  readonly types: readonly string[]
}

function reading({ format: { name, says }, types, ...said }: Reading): ListedMethod {
  const format: Parameter = {
    name: 'format',
    in: 'query',
    description: says,
    schema: { type: 'string', enum: ['json', 'api', name] },
  }
  return {
    ...said,
    parameters: [COLLECTION, format],
    answers: { 200: { says: 'OpenAPI 3.1.', schema: DOCUMENT, types } },
  }
}

const COLLECTION: Parameter = {
  name: 'collection',
  in: 'query',
  description: 'Only the part for this collection, or another group of the document; repeat it for several.',
  schema: { type: 'array', items: { type: 'string' } },
}

const DOCUMENT: Schema = {
  title: 'openapi',
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: means({ type: 'string', pattern: '^3\\.1\\.' }, 'The version of OpenAPI.'),
    info: means({ type: 'object' }, 'What the interface is.'),
    paths: means({ type: 'object' }, 'The operations, by address and method.'),
  },
  additionalProperties: true,
}

async function make(parts: DocumentRouteParts, own: readonly Route[], during: Span): Promise<Version> {
  const { engine, pageSize, routesOn } = parts
  const impatient = { ...engine, querySeconds: PATIENCE_SECONDS }
  const routes = [...routesOn(impatient), ...own]
  const examples = await readExamples(impatient, routes, BASE)
  const { catalogue } = engine
  const document = makeDocument({ pageSize, catalogue, routes, version, base: BASE }, examples)
  return { during, document, cache: new DocumentCache() }
}

/** The document in the type that the client prefers. */
function answer(
  call: Call,
  page: DocsView['page'],
  { during, document, cache }: Version,
  render: (view: DocsView) => string,
): Outcome {
  const { base, rendering, query, identity } = call
  const groups = groupsAsked(document, query.all('collection'))
  const part = () => (groups ? partOf(document, new Set(groups)) : document)
  const get = (what: string, write: () => string) => cache.get(`${what} ${groups?.join() ?? ''}`, base, write)
  const keep: Keep = { of: [], during }
  const json = () => get('json', () => JSON.stringify(part()))
  switch (rendering.as) {
    case 'html': {
      const user = identity.actor?.name
      const write = () => render({ document, part: part(), page, groups, user })
      const { bytes, compressed } = get(`${page} ${user ?? ''}`, write)
      return { status: 200, json: '', page: String(bytes), compressed, keep }
    }
    case 'other':
      if (rendering.type === YAML)
        return bytesOf(
          get('yaml', () => toYaml(part())),
          YAML,
          '-y',
          keep,
        )
      if (rendering.type === MARKDOWN)
        return bytesOf(cache.get('md', '', manual), `${MARKDOWN}; charset=utf-8`, '-m', keep)
      return bytesOf(json(), rendering.type, '-o', keep)
    default: {
      const indent = rendering.as === 'json' ? rendering.indent : 0
      if (indent === 0) return bytesOf(json(), 'application/json', '', keep)
      const indented = get(`json${indent}`, () => JSON.stringify(part(), null, indent))
      return bytesOf(indented, 'application/json', `-i${indent}`, keep)
    }
  }
}

function bytesOf({ bytes, hash, compressed }: CachedBody, type: string, suffix: string, keep: Keep): Outcome {
  return { status: 200, bytes, type, hash: `${hash}${suffix}`, compressed, keep, headers: { Vary: 'Accept' } }
}

/** The requested groups, in the order of the document; undefined for all of them. */
function groupsAsked({ tags }: OpenApi, asked: readonly string[]): string[] | undefined {
  const wanted = asked.filter((each) => each !== '')
  if (wanted.length === 0) return undefined
  const known = tags.map(({ name }) => name)
  const unknown = [...new Set(wanted)].filter((each) => !known.includes(each))
  if (unknown.length > 0)
    throw problems.invalid({ collection: unknown.map((each) => `"${each}" is not a valid choice.`) })
  return known.filter((name) => wanted.includes(name))
}

/** docs/api.md; 404 if the server was installed without it. */
function manual(): string {
  try {
    return readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
  } catch {
    throw problems.notFound()
  }
}
