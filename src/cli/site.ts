/** The web site on its database, as one process runs it: all of it, or its part. */
import { basesOf, catalogue, charts, formsOf, games, honours, searchLanguage, services } from '../catalogue/index.ts'
import { engineOn, keepBoardsAhead, keepLogDaily } from '../engine/index.ts'
import {
  type Following,
  openMetrics,
  openTracing,
  type RunningSite as ServedSite,
  type ServerRole,
  type StaffSources,
  serve,
} from '../http/index.ts'
import { messageOf, NEWEST_VERSION, openStore, refuseReadOnlyFile, type SlowQuery, type Store } from '../store/index.ts'
import { pagesFor } from '../web/index.ts'
import { refuseReplicas } from './address-settings.ts'
import { saidOf } from './compact.ts'
import { Mistake } from './desk.ts'
import { startFollowing } from './follow.ts'
import { Jobs } from './jobs.ts'
import { type Output, siteLog } from './log.ts'
import { refusingWrites, untilWritable } from './read-only.ts'
import { loadSample } from './sample.ts'
import { refuseBadKey, startBackups } from './server-backups.ts'
import type { Settings } from './settings.ts'
import { VERSION } from './version.ts'

export interface RunningSite {
  readonly server: ServedSite
  readonly store: Store
  /** Set if it is a copy of another server. */
  readonly following: Following | undefined
  /** Undefined if nobody wants any. */
  readonly metrics: Awaited<ReturnType<typeof openMetrics>> | undefined
  /** Call it when the server has stopped. */
  close(): Promise<void>
}

export interface SiteOptions {
  /** For staff. */
  readonly settingsInForce: StaffSources['settings']
  /** Undefined if this process is the whole server. */
  readonly part?: SiteRole
  /** The figures of the other processes. */
  readonly others?: StaffSources['others']
}

export interface SiteRole {
  readonly role: ServerRole
  /** What a worker knows about following, which the writer does. */
  readonly following?: Following | undefined
}

export async function openSite(
  settings: Settings,
  output: Output,
  { settingsInForce, part, others }: SiteOptions,
): Promise<RunningSite> {
  const { log } = output
  refuseReadOnlyFile(settings.databaseUrl)
  const { database, replicas } = settings
  refuseReplicas(replicas, database.url)
  if (part?.role.as !== 'worker') await refuseBadKey(settings)
  const warn = (line: string) => log.warn(line)
  const tracing = settings.traces && (await openTracing(settings.traces, warn))
  const { slowQueryMs } = settings
  const slow = (query: SlowQuery) => log.warn(query, 'slow query')
  const watch = tracing || slowQueryMs !== undefined ? { slowMs: slowQueryMs, slow } : undefined
  const given = { ...database, replicas, report: warn, watch }
  const jobs = new Jobs()
  const report = jobs.checking('Check of tables and stored values', warn)
  const opened = await openStore(given, catalogue, { report, language: searchLanguage })
  const store = settings.readOnly ? refusingWrites(opened) : opened
  const engine = engineOn(store, catalogue, {
    charts,
    games,
    honours,
    formsOf,
    basesOf,
    querySeconds: settings.querySeconds,
  })
  const isWorker = part?.role.as === 'worker'
  let follower: Awaited<ReturnType<typeof startFollowing>>
  let backups: ReturnType<typeof startBackups>
  let stopKeeping = async () => {}
  const stopping = new AbortController()
  const startKeeping = () => {
    if (stopping.signal.aborted) return
    // A copy has no games of its own.
    const stopBoards = follower
      ? async () => {}
      : keepBoardsAhead(engine, games.daily, (err) => log.error({ err }, 'bug'), jobs.watch('Boards of the day'))
    const stopLog = keepLogDaily(engine, settings.retention, {
      watch: jobs.watch('Compaction of the log of changes'),
      done: (kept) => log.info(saidOf(kept)),
      failed: (error) => log.warn(`the log of changes stays as it is until tomorrow: ${messageOf(error)}`),
    })
    stopKeeping = async () => {
      await Promise.all([stopBoards(), stopLog()])
    }
  }
  const close = async () => {
    stopping.abort()
    await backups?.stop()
    await follower?.stop()
    await stopKeeping()
    await store.close()
    await tracing?.close()
  }
  try {
    const waiting = isWorker ? undefined : await untilWritable(store, log, stopping.signal)
    if (waiting) {
      if (settings.follow) throw new Mistake('NYMDEX_FOLLOW needs a database that takes writes')
      void waiting.writable.then(startKeeping)
    } else if (!isWorker) {
      follower = await startFollowing(engine, settings.follow, log)
      if (settings.sample && !follower) {
        const loaded = await loadSample(engine)
        if (loaded > 0) log.info(`loaded the sample catalogue of ${loaded} records into the empty database`)
      }
      startKeeping()
    }
    const following = follower ?? part?.following
    // A request that was passed on is logged by the worker that answers it.
    const told = siteLog(output, settings.accessLog)
    const logs = part?.role.as === 'writer' ? { ...told, answered: undefined } : told
    const pages = pagesFor(catalogue, honours.levels)
    const writable = waiting?.writable
    const metrics = settings.metrics && (await openMetrics(VERSION))
    const staff: StaffSources = {
      version: VERSION,
      engine: settings.databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL',
      databaseVersion: NEWEST_VERSION,
      settings: settingsInForce,
      jobs: () => jobs.list(),
      others,
    }
    const parts = { engine, role: part?.role, following, writable, services, pages, metrics, tracing, staff, log: logs }
    const server = await serve(parts, settings)
    backups = isWorker ? undefined : startBackups(settings, log)
    if (backups) jobs.addBackups(backups)
    if (backups && metrics) metrics.watchBackups(backups)
    return { server, store, following, metrics, close }
  } catch (error) {
    await close()
    throw error
  }
}
