/** /healthz and /readyz: what works, for monitoring, and whether the server wants requests, for load balancers. */
import { type Health, OK } from '../../store/index.ts'
import { localTarget, type Outcome } from '../exchange/message.ts'
import { exactly, TEXT } from '../openapi/operation.ts'
import type { Following } from '../response/send-on.ts'
import type { Route } from '../routing/router.ts'

const PATHS: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** They respond however busy the server is. */
export function isHealthCheck(target: string): boolean {
  return PATHS.has(localTarget(target).split('?', 1)[0]!)
}

/** Whether the server is about to stop. It still accepts requests then, but asks balancers for none. */
export interface Readiness {
  isStopping: boolean
}

const HEALTH = {
  title: 'health',
  ...exactly({
    status: { type: 'string', enum: ['ok', 'failing'], description: '`ok` while records can be read.' },
    database: { ...TEXT, description: '`ok`, or why records cannot be read.' },
    writes: { ...TEXT, description: '`ok`, or why records cannot be written.' },
    'following?': {
      ...exactly({
        complete: { type: 'boolean', description: 'Whether everything has been copied once.' },
        behind: { type: ['integer', 'null'], description: 'Changes not copied yet; null if that is unknown.' },
      }),
      description: 'Of a copy of another server.',
    },
  }),
}

const READY = {
  title: 'ready',
  ...exactly({
    status: {
      type: 'string',
      enum: ['ready', 'stopping', 'copying', 'no database'],
      description: '`ready`, or why it wants no requests.',
    },
  }),
}

export function healthRoutes(askHealth: () => Promise<Health>, readiness: Readiness, following?: Following): Route[] {
  return [
    {
      path: '/healthz',
      title: 'Health',
      tag: 'server',
      plain: true,
      methods: {
        GET: {
          summary: 'What works',
          description: 'For monitoring. It responds within a second, even when the database hangs.',
          answers: {
            200: { says: 'Records can be read.', schema: HEALTH, headers: ['Cache-Control'] },
            503: { says: 'They cannot.', schema: HEALTH, headers: ['Cache-Control', 'Retry-After'] },
          },
          async handle() {
            const { database, writes }: Health = await askHealth()
            const isWell = database === OK
            const status = isWell ? 'ok' : 'failing'
            const health = { status, database: withoutDetails(database), writes: withoutDetails(writes) }
            return answer(isWell, following ? { ...health, following: followed(following) } : health)
          },
        },
      },
    },
    {
      path: '/readyz',
      title: 'Readiness',
      tag: 'server',
      plain: true,
      methods: {
        GET: {
          summary: 'Whether the server wants requests',
          description:
            'For load balancers: 503 while the server is about to stop, copies another one for the first time, or has no database.',
          answers: {
            200: { says: 'It does.', schema: READY, headers: ['Cache-Control'] },
            503: {
              says: 'It does not.',
              schema: READY,
              headers: ['Cache-Control', 'Retry-After'],
            },
          },
          async handle() {
            if (readiness.isStopping) return answer(false, { status: 'stopping' })
            if (following && !following.status.isWhole) return answer(false, { status: 'copying' })
            const { database } = await askHealth()
            return database === OK ? answer(true, { status: 'ready' }) : answer(false, { status: 'no database' })
          },
        },
      },
    },
  ]
}

function followed({ status: { isWhole, behind } }: Following): object {
  return { complete: isWhole, behind: behind ?? null }
}

/** Anyone may ask. Hosts, files and users, which follow the colon, are only for the log. */
export function withoutDetails(reason: string): string {
  return reason.split(': ', 1)[0]!
}

function answer(isGood: boolean, json: object): Outcome {
  const headers = { 'Cache-Control': 'no-store', ...(isGood ? {} : { 'Retry-After': '1' }) }
  return { status: isGood ? 200 : 503, bytes: JSON.stringify(json), type: 'application/json', headers }
}
