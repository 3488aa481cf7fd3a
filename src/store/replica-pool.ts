/** The connections to one replica. No answer of it is awaited for long. */
import pg from 'pg'
import { PIPELINED } from './postgres-pool.ts'

export interface ReplicaPoolSettings {
  readonly client: pg.ClientConfig
  readonly connections: number
}

/** After this time without an answer, a request waits no longer. */
const SILENT_MS = 300
const CONNECT_MS = 2000

/** There was no answer in time. */
export class Silent extends Error {
  constructor() {
    super('it does not answer in time')
  }
}

export class ReplicaPool {
  readonly #settings: ReplicaPoolSettings
  #pool: pg.Pool
  /** Those who wait for an answer. */
  readonly #waiting = new Set<(error: Error) => void>()

  constructor(settings: ReplicaPoolSettings) {
    this.#settings = settings
    this.#pool = this.#open()
  }

  /** Whether a connection is available at once. */
  get isFree(): boolean {
    const { waitingCount, idleCount, totalCount } = this.#pool
    return waitingCount === 0 && (idleCount > 0 || totalCount < this.#settings.connections)
  }

  async connect(): Promise<pg.PoolClient> {
    const connecting = this.#pool.connect()
    try {
      return await this.heard(connecting)
    } catch (error) {
      connecting.then(
        (late) => late.release(true),
        () => {},
      )
      throw error
    }
  }

  /** The answer, unless it takes too long, or all connections are given up meanwhile. */
  heard<T>(answer: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    // If this process was busy, the answer may have arrived: it is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(() => reject(new Silent())), SILENT_MS)
    this.#waiting.add(reject)
    answer.then(resolve, reject)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(reject)
    })
  }

  /** Gives up all connections, also those in use: those of a server that was away, or hung, are worth nothing. */
  renew(): void {
    this.end()
    this.#pool = this.#open()
  }

  end(): void {
    for (const giveUp of [...this.#waiting]) giveUp(new Silent())
    this.#pool.end().catch(() => {})
  }

  #open(): pg.Pool {
    const { client, connections } = this.#settings
    const pool = new pg.Pool({ ...client, ...PIPELINED, max: connections, connectionTimeoutMillis: CONNECT_MS })
    // Without these listeners, a connection that breaks would end the process.
    pool.on('error', () => {})
    pool.on('connect', (each) => each.on('error', () => {}))
    return pool
  }
}
