/**
 * Figures of a running server for Prometheus: counters and times of requests, and gauges that are read when somebody
 * asks. The library is loaded only if the operator wants metrics, so this file is imported dynamically.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AnsweredRequest } from '../exchange/message.ts'
import type { MeasuredBackups, MeasuredParts, SiteMetrics } from './measured-parts.ts'
import type { MetricsOfProcess } from './open.ts'
import { METHODS, type RouteNames } from './route-names.ts'

/** In seconds: a cached response takes 0.1 ms, and a wait for the database ends after 5 s by default. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** A gauge has the figures of all processes together, except where the first one speaks for all. */
type Together = 'sum' | 'max' | 'first'

export class PrometheusMetrics implements SiteMetrics {
  readonly #registry = new Registry()
  readonly #requests: Counter
  readonly #seconds: Histogram
  readonly #bytes: Counter
  #routes: RouteNames | undefined

  constructor(version: string) {
    const registers = [this.#registry]
    collectDefaultMetrics({ register: this.#registry })
    this.#requests = new Counter({
      name: 'nymdex_http_requests_total',
      help: 'Requests that were answered, by method, route and status.',
      labelNames: ['method', 'route', 'status'],
      registers,
    })
    this.#seconds = new Histogram({
      name: 'nymdex_http_request_seconds',
      help: 'Time from the arrival of a request to the end of its response, by route.',
      labelNames: ['route'],
      buckets: BUCKETS,
      registers,
    })
    this.#bytes = new Counter({
      name: 'nymdex_http_response_bytes_total',
      help: 'Bytes of the bodies of responses.',
      registers,
    })
    const built = this.#gauge('nymdex_build_info', 'The version of Nymdex and of Node; the value is 1.', 'first', [
      'version',
      'node',
    ])
    built.set({ version, node: process.versions.node }, 1)
  }

  answered({ method, url, status, bytes, ms }: AnsweredRequest): void {
    const route = this.#routes?.of(url) ?? 'none'
    this.#requests.inc({ method: METHODS.has(method) ? method : 'other', route, status })
    this.#seconds.observe({ route }, ms / 1000)
    this.#bytes.inc(bytes)
  }

  watch({ routes, store, answers, readers, hooks }: MeasuredParts): void {
    this.#routes = routes
    this.#read('nymdex_streams', 'Live streams of changes that are open.', 'sum', readers)
    this.#read(
      'nymdex_log_position',
      'The number of the newest entry of the log of changes that is known.',
      'max',
      () => (store.generations.since === Number.MAX_SAFE_INTEGER ? 0 : store.generations.since),
    )
    this.#read(
      'nymdex_writes_waiting',
      'Writes that wait for their transaction.',
      'sum',
      () => store.load().waitingWrites,
    )
    this.#read('nymdex_database_up', '1 while the database can be read.', 'first', async () => {
      return (await store.health()).database === 'ok' ? 1 : 0
    })
    this.#read('nymdex_hooks', 'Hooks that are active.', 'sum', () => hooks()?.active ?? 0)
    this.#read(
      'nymdex_hooks_running',
      'Hooks to which the server delivers at the moment.',
      'sum',
      () => hooks()?.running ?? 0,
    )
    this.#watchGenerations(store)
    this.#watchPools(store)
    this.#count('nymdex_hook_deliveries_total', 'Messages to hooks, by result.', () => {
      const { delivered = 0, failed = 0 } = hooks() ?? {}
      return { delivered, failed }
    })
    if (!answers) return
    this.#count('nymdex_cache_lookups_total', 'Lookups in the cache of responses, by result.', () => {
      const { hits: hit, misses: miss } = answers.lookups
      return { hit, miss }
    })
    const { madeAhead } = answers
    this.#count(
      'nymdex_cache_made_ahead_total',
      'Responses that were made again directly after a write, by whether a client has got them before the next write.',
      () => ({ ...madeAhead }),
    )
  }

  /** Only the process that makes backups has these. */
  watchBackups(backups: MeasuredBackups): void {
    type Measured = Awaited<ReturnType<MeasuredBackups['measure']>>
    // All gauges are read at the same time, so they share what is in the folder.
    let asked: Promise<Measured> | undefined
    const measure = () => {
      asked ??= backups.measure().finally(() => {
        asked = undefined
      })
      return asked
    }
    const watch = (name: string, help: string, value: (measured: Measured) => number) =>
      this.#read(name, help, 'max', async () => value(await measure()))
    watch(
      'nymdex_backup_last_good_timestamp_seconds',
      'When the last good backup was made, in seconds since 1970; 0 if there is none.',
      ({ lastGood }) => (lastGood ? Date.parse(lastGood.at) / 1000 : 0),
    )
    watch('nymdex_backup_last_good_bytes', 'The size of the last good backup.', ({ lastGood }) => lastGood?.bytes ?? 0)
    watch(
      'nymdex_backup_last_good_seconds',
      'How long it took to make and to verify the last good backup.',
      ({ lastGood }) => lastGood?.seconds ?? 0,
    )
    watch('nymdex_backups', 'Good backups.', ({ good }) => good)
    watch('nymdex_backups_damaged', 'Backups whose files have changed since they were made.', ({ damaged }) => damaged)
    new Counter({
      name: 'nymdex_backup_failures_total',
      help: 'Backups that failed, and checks that found damage.',
      registers: [this.#registry],
      collect() {
        this.reset()
        this.inc(backups.failures())
      },
    })
  }

  async asText(): Promise<string> {
    return await this.#registry.metrics()
  }

  async asJson(): Promise<MetricsOfProcess> {
    return await this.#registry.getMetricsAsJSON()
  }

  #gauge(name: string, help: string, aggregator: Together, labelNames: string[] = [], collect?: () => unknown): Gauge {
    return new Gauge({
      name,
      help,
      aggregator,
      labelNames,
      registers: [this.#registry],
      ...(collect && { collect: async () => void (await collect()) }),
    })
  }

  #read(name: string, help: string, aggregator: Together, read: () => number | Promise<number>): void {
    const gauge: Gauge = this.#gauge(name, help, aggregator, [], async () => gauge.set(await read()))
  }

  #watchGenerations({ generations }: MeasuredParts['store']): void {
    const help = 'How often each resource has changed since the database was made.'
    const gauge: Gauge = this.#gauge('nymdex_generation', help, 'max', ['resource'], () => {
      for (const [resource, { number }] of generations.now) gauge.set({ resource }, number)
    })
  }

  #watchPools(store: MeasuredParts['store']): void {
    const help = 'Connections to PostgreSQL, by use and state; waiting are requests that want one.'
    const gauge: Gauge = this.#gauge('nymdex_connections', help, 'sum', ['use', 'state'], () => {
      for (const { use, ...states } of store.load().connections) {
        for (const [state, count] of Object.entries(states)) gauge.set({ use, state }, count)
      }
    })
  }

  /** By result. */
  #count(name: string, help: string, read: () => Readonly<Record<string, number>>): void {
    new Counter({
      name,
      help,
      labelNames: ['result'],
      registers: [this.#registry],
      collect() {
        this.reset()
        for (const [result, count] of Object.entries(read())) this.inc({ result }, count)
      },
    })
  }
}
