/**
 * The connections of a process to PostgreSQL: many that read, one that writes, so that neither waits for the other.
 * While the server is away, requests fail at once, and a probe finds out when it is back.
 */
import pg from 'pg'
import { type Load, MOST_SNAPSHOTS, MOST_WAITING_FOR_SNAPSHOTS, Overloaded, Unavailable } from './database.ts'
import { inTime } from './in-time.ts'
import { connectReason, isLost, isOutOfConnections, translated } from './postgres-errors.ts'
import { millisecondsLeft } from './request.ts'

export interface PoolSettings {
  readonly client: pg.ClientConfig
  /** The maximum number of connections, not counting the one that writes. */
  readonly readers: number
  /** How long to wait for a connection, in milliseconds. */
  readonly waitMs: number
  /** Called with one line when the server goes away and when it is back. */
  readonly report: (line: string) => void
}

type Use = 'reading' | 'writing' | 'streaming'

/** More waiting requests would run out of time. */
const MOST_WAITING = 1000
const PROBE_EVERY_MS = 250
const PROBE_MS = 2000
/** Between two tries when the server has no connection left. */
const TRY_AGAIN_MS = 50
const CLOSE_MS = 2000
/** Statements are sent without waiting for the results of earlier ones. The driver's types lack this setting. */
export const PIPELINED: pg.PoolConfig & { pipeline: boolean } = { pipeline: true }

export class PostgresPool {
  readonly #settings: PoolSettings
  readonly #pools: Readonly<Record<Use, pg.Pool>>
  #away: Unavailable | undefined
  #probe: NodeJS.Timeout | undefined
  #closed = false

  constructor(settings: PoolSettings) {
    this.#settings = settings
    const pool = (max: number) => {
      const made = new pg.Pool({ ...settings.client, ...PIPELINED, connectionTimeoutMillis: settings.waitMs, max })
      // A connection that breaks while idle is replaced; one in use fails its statement. Without these listeners either
      // would end the process.
      made.on('error', () => {})
      made.on('connect', (client) => client.on('error', () => {}))
      return made
    }
    this.#pools = { reading: pool(settings.readers), writing: pool(1), streaming: pool(MOST_SNAPSHOTS) }
  }

  /** Why the server cannot be used; undefined while it works, as far as we know. */
  get away(): Unavailable | undefined {
    return this.#away
  }

  get connections(): Load['connections'] {
    return Object.entries(this.#pools).map(([use, { idleCount, totalCount, waitingCount }]) => {
      return { use, idle: idleCount, used: totalCount - idleCount, waiting: waitingCount }
    })
  }

  async acquire(use: Use): Promise<pg.PoolClient> {
    const pool = this.#pools[use]
    const until = performance.now() + Math.min(millisecondsLeft() ?? Number.POSITIVE_INFINITY, this.#settings.waitMs)
    const mostWaiting = use === 'streaming' ? MOST_WAITING_FOR_SNAPSHOTS : MOST_WAITING
    if (pool.waitingCount >= mostWaiting) throw new Overloaded('too many requests wait for a connection')
    for (;;) {
      if (this.#away) throw this.#away
      try {
        return await pool.connect()
      } catch (error) {
        // One of our own may become free, or one of another process.
        if (!isOutOfConnections(error) || performance.now() > until) throw this.failed(error)
        await new Promise((again) => setTimeout(again, TRY_AGAIN_MS))
      }
    }
  }

  /** Handles a failed connection. An unreachable server is not tried again until the probe has reached it. */
  failed(error: unknown): unknown {
    if (error instanceof Unavailable) return error
    if (isLost(error) && !this.#away && !this.#closed) {
      this.#away = new Unavailable(`PostgreSQL cannot be reached: ${connectReason(error)}`, { cause: error })
      this.#settings.report(this.#away.message)
      this.#probeLater()
    }
    return translated(error)
  }

  #probeLater(): void {
    this.#probe = setTimeout(() => void this.#tryAgain(), PROBE_EVERY_MS).unref()
  }

  async #tryAgain(): Promise<void> {
    const client = new pg.Client({
      ...this.#settings.client,
      connectionTimeoutMillis: PROBE_MS,
      query_timeout: PROBE_MS,
    })
    client.on('error', () => {})
    try {
      await client.connect()
      await client.query('SELECT 1')
      this.#away = undefined
      this.#settings.report('PostgreSQL can be reached again')
    } catch {
      if (!this.#closed) this.#probeLater()
    } finally {
      client.end().catch(() => {})
    }
  }

  /** Connections that hang are not awaited. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#probe)
    await inTime(Promise.all(Object.values(this.#pools).map((pool) => pool.end().catch(() => {}))), CLOSE_MS)
  }
}
