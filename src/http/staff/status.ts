/** What staff see of a running server: health, jobs, figures, and the settings in force. */
import type { Health, Store } from '../../store/index.ts'
import type { AnswerCache } from '../response/answer-cache.ts'
import { withoutDetails } from '../routes/health.ts'
import { type Figures, lastHour, type Minute, type ShownMinute } from './figures.ts'

export interface StaffSetting {
  readonly name: string
  readonly option: string
  readonly value: string
  readonly from: string
  readonly where: string
}

/** Something that the server does by itself. */
export interface StaffJob {
  readonly name: string
  readonly state: 'waiting' | 'running' | 'failed' | 'done'
  /** When it last ended, and when it begins again, if that is known. */
  readonly last?: string | undefined
  readonly next?: string | undefined
  /** What the last run did, or how far this one is. */
  readonly says?: string | undefined
}

/** What one process of a server knows. */
export interface ProcessFigures {
  readonly role: string
  readonly memory: number
  readonly streams: number
  readonly hits: number
  readonly misses: number
  readonly minutes: readonly Minute[]
}

/** What the program tells about itself. */
export interface StaffSources {
  readonly version: string
  /** `SQLite` or `PostgreSQL`. */
  readonly engine: string
  readonly databaseVersion: number
  readonly settings: readonly StaffSetting[]
  jobs(): Promise<readonly StaffJob[]>
  /** Of the other processes of the server; none by default. */
  readonly others?: (() => Promise<readonly ProcessFigures[]>) | undefined
}

/** Where nobody tells. */
export const UNKNOWN: StaffSources = { version: '', engine: '', databaseVersion: 0, settings: [], jobs: async () => [] }

export interface StatusParts {
  readonly sources: StaffSources
  readonly store: Pick<Store, 'generations' | 'load'>
  health(): Promise<Health>
  readonly figures: Figures
  readonly role: string
  readonly answers: Pick<AnswerCache, 'lookups'> | undefined
  readers(): number
  hooks(): { readonly active: number; readonly running: number } | undefined
  now(): Date
}

const STARTED = new Date(Date.now() - performance.now()).toISOString()

/** As /api/staff/ shows it. */
export interface StaffStatus {
  readonly version: string
  readonly started: string
  readonly health: {
    readonly engine: string
    readonly database_version: number
    readonly database: string
    readonly writes: string
    readonly hooks: { readonly active: number; readonly running: number }
    readonly writes_waiting: number
    readonly connections: readonly { use: string; idle: number; used: number; waiting: number }[]
    readonly replicas: readonly { name: string; used: boolean }[]
    readonly generations: Readonly<Record<string, number>>
  }
  readonly processes: readonly Omit<ProcessFigures, 'minutes'>[]
  readonly jobs: readonly StaffJob[]
  readonly settings: readonly StaffSetting[]
  readonly minutes: readonly ShownMinute[]
}

export async function statusOf(parts: StatusParts): Promise<StaffStatus> {
  const { sources, store, now, hooks } = parts
  const { waitingWrites, connections, replicas } = store.load()
  const [{ database, writes }, others, jobs] = await Promise.all([
    parts.health(),
    sources.others?.() ?? [],
    sources.jobs(),
  ])
  const all = [processFigures(parts), ...others]
  const generations = Array.from(store.generations.now, ([name, { number }]) => [name, number])
  return {
    version: sources.version,
    started: STARTED,
    health: {
      ...{ engine: sources.engine, database_version: sources.databaseVersion },
      ...{ database: withoutDetails(database), writes: withoutDetails(writes) },
      hooks: hooks() ?? { active: 0, running: 0 },
      writes_waiting: waitingWrites,
      connections,
      replicas: replicas.map(({ name, isUsed }) => ({ name, used: isUsed })),
      generations: Object.fromEntries(generations),
    },
    processes: all.map(({ minutes, ...rest }) => rest),
    jobs,
    settings: sources.settings,
    minutes: lastHour(
      all.map(({ minutes }) => minutes),
      now(),
    ),
  }
}

export function processFigures({ role, answers, figures, readers }: StatusParts): ProcessFigures {
  const { hits, misses } = answers?.lookups ?? { hits: 0, misses: 0 }
  return { role, memory: process.memoryUsage.rss(), streams: readers(), hits, misses, minutes: figures.read() }
}
