/** Figures from two looks at the metrics of a server: what happened in between, and how things are now. */
import type { Samples } from './samples.ts'

const REQUESTS = 'nymdex_http_requests_total'
const SECONDS = 'nymdex_http_request_seconds'
const CACHE = 'nymdex_cache_lookups_total'

export class Figures {
  readonly now: Samples
  readonly #before: Samples
  readonly #seconds: number

  constructor(before: Samples, now: Samples) {
    this.#before = before
    this.now = now
    this.#seconds = Math.max(now.at - before.at, 0.001)
  }

  /** A second, in between. Counters begin again when a process is replaced. */
  rate(name: string, labels?: Readonly<Record<string, string>>): number {
    return this.#increase(name, labels) / this.#seconds
  }

  /** By the first digit of their status. */
  requestsByStatus(): readonly { readonly status: string; readonly rate: number }[] {
    return ['2', '3', '4', '5'].map((digit) => {
      const statuses = new Set(this.now.all(REQUESTS).flatMap(({ labels: { status = '' } }) => status))
      const mine = [...statuses].filter((status) => status.startsWith(digit))
      return { status: `${digit}xx`, rate: mine.reduce((sum, status) => sum + this.rate(REQUESTS, { status }), 0) }
    })
  }

  /** The routes with the most requests in between; if there were none, with the most of all. */
  busiestRoutes(most: number): readonly { readonly route: string; readonly rate: number; readonly total: number }[] {
    const routes = new Set(this.now.all(REQUESTS).flatMap(({ labels }) => labels['route'] ?? []))
    const counted = [...routes].map((route) => {
      return { route, rate: this.rate(REQUESTS, { route }), total: this.now.sum(REQUESTS, { route }) ?? 0 }
    })
    return counted.toSorted((a, b) => b.rate - a.rate || b.total - a.total).slice(0, most)
  }

  /** In seconds: how long this share of the requests took at most. Undefined if there were none. */
  quantile(share: number, route?: string): number | undefined {
    const wanted = route === undefined ? {} : { route }
    const bounds = [...new Set(this.now.all(`${SECONDS}_bucket`).map(({ labels }) => labels['le'] ?? ''))]
      .map((le) => ({ le, bound: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le) }))
      .toSorted((a, b) => a.bound - b.bound)
    const between = bounds.map(({ le, bound }) => {
      return { bound, count: this.#increase(`${SECONDS}_bucket`, { ...wanted, le }) }
    })
    const isQuiet = (between.at(-1)?.count ?? 0) === 0
    const counts = isQuiet
      ? bounds.map(({ le, bound }) => ({ bound, count: this.now.sum(`${SECONDS}_bucket`, { ...wanted, le }) ?? 0 }))
      : between
    return quantileOf(counts, share)
  }

  /** Between 0 and 1; undefined if nothing was looked up. */
  cacheHits(): number | undefined {
    const [hits, misses] = [this.#increase(CACHE, { result: 'hit' }), this.#increase(CACHE, { result: 'miss' })]
    if (hits + misses > 0) return hits / (hits + misses)
    const [all, missed] = [this.now.sum(CACHE, { result: 'hit' }) ?? 0, this.now.sum(CACHE, { result: 'miss' }) ?? 0]
    return all + missed > 0 ? all / (all + missed) : undefined
  }

  #increase(name: string, labels?: Readonly<Record<string, string>>): number {
    const [before = 0, now = 0] = [this.#before.sum(name, labels), this.now.sum(name, labels)]
    return now >= before ? now - before : now
  }
}

/** As Prometheus does it: inside a bucket, times are taken to be spread evenly. */
function quantileOf(buckets: readonly { bound: number; count: number }[], share: number): number | undefined {
  const total = buckets.at(-1)?.count ?? 0
  if (total === 0) return undefined
  const wanted = total * share
  const place = buckets.findIndex(({ count }) => count >= wanted)
  const { bound = 0, count = 0 } = buckets[place] ?? {}
  const { bound: from = 0, count: below = 0 } = buckets[place - 1] ?? {}
  if (bound === Number.POSITIVE_INFINITY) return from
  return from + ((bound - from) * (wanted - below)) / Math.max(count - below, 1)
}
