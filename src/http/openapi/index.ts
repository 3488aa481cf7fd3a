/** /api/schema/ and /api/docs/: what the server says of itself, to machines and to people. */
import { readFileSync } from 'node:fs'
import type { Schema } from '../../declare/index.ts'
import type { Engine } from '../../engine/index.ts'
import { described, ok } from '../describing.ts'
import type { JsonOutcome } from '../message.ts'
import type { Call, Route } from '../router.ts'
import { makeDocument } from './document.ts'
import { readExamples } from './examples.ts'
import { BASE, means } from './operation.ts'

interface DocumentRouteParts {
  readonly engine: Engine
  readonly pageSize: number
  readonly mostOfPage: number
  /** All other routes, answering by an engine. */
  routesOn(engine: Engine): readonly Route[]
}

/** Examples are read anew after so long. */
const KEPT_MS = 60_000
/** What takes longer has no example. */
const PATIENCE_SECONDS = 0.5

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

export function documentRoutes(parts: DocumentRouteParts): Route[] {
  const { engine } = parts
  let kept: { readonly until: number; readonly text: Promise<string> } | undefined
  const documentAt = async ({ base }: Call): Promise<string> => {
    const now = engine.now().getTime()
    if (!kept || kept.until <= now || kept.until > now + KEPT_MS) {
      kept = { until: now + KEPT_MS, text: write({ ...parts, routes }) }
    }
    const mine = kept
    try {
      return (await mine.text).replaceAll(BASE, base)
    } catch (error) {
      if (kept === mine) kept = undefined
      throw error
    }
  }
  const routes: Route[] = [
    {
      path: '/api/schema/',
      title: 'Schema',
      tag: 'server',
      description: 'This interface as an OpenAPI document.',
      methods: {
        GET: {
          summary: 'The OpenAPI document',
          description: 'TODO',
          answers: { 200: { says: 'OpenAPI 3.1.', schema: DOCUMENT, headers: ['ETag?'] } },
          handle: async (call): Promise<JsonOutcome> => ({ status: 200, json: await documentAt(call) }),
        },
        OPTIONS: described(() => ok({ name: 'Schema', description: 'This interface as an OpenAPI document.' })),
      },
    },
    {
      path: '/api/docs/',
      title: 'Docs',
      tag: 'server',
      description: 'This interface, explained.',
      methods: {
        GET: {
          summary: 'The OpenAPI document, as a page for people',
          description: 'TODO',
          answers: { 200: { says: 'OpenAPI 3.1.', schema: DOCUMENT, headers: ['ETag?'] } },
          handle: async (call): Promise<JsonOutcome> => ({ status: 200, json: await documentAt(call), docs: true }),
        },
        OPTIONS: described(() => ok({ name: 'Docs', description: 'This interface, explained.' })),
      },
    },
  ]
  return routes
}

const DOCUMENT: Schema = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: means({ type: 'string', pattern: '^3\\.1\\.' }, 'The version of OpenAPI.'),
    info: means({ type: 'object' }, 'What the interface is.'),
    paths: means({ type: 'object' }, 'The operations, by address and method.'),
  },
  additionalProperties: true,
}

async function write({
  engine,
  routesOn,
  routes,
  ...sizes
}: DocumentRouteParts & { readonly routes: readonly Route[] }) {
  const impatient = { ...engine, querySeconds: PATIENCE_SECONDS }
  const all = [...routesOn(impatient), ...routes]
  const examples = await readExamples(impatient, all, BASE)
  return JSON.stringify(
    makeDocument({ ...sizes, catalogue: engine.catalogue, routes: all, version, base: BASE }, examples),
  )
}
