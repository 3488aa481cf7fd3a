/** Draws figures in 80 columns, without colours. */
import type { Figures } from './figures.ts'

const WIDTH = 80
const LABEL = 15
const BAR = 20
const MOST_ROUTES = 8

export function draw(figures: Figures, address: string, time: Date): string[] {
  const { now } = figures
  const [built] = now.all('nymdex_build_info')
  const version = built?.labels['version'] ?? ''
  const clock = time.toTimeString().slice(0, 8)
  const isUp = (now.sum('nymdex_database_up') ?? 0) > 0
  const total = now.sum('nymdex_http_requests_total') ?? 0
  const statuses = figures.requestsByStatus().map(({ status, rate }) => `${status} ${perSecond(rate)}`)
  const hits = figures.cacheHits()
  const times = [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${duration(figures.quantile(share))}`)
  return [
    between(`Nymdex ${version} at ${address}`, clock),
    '-'.repeat(WIDTH),
    row('requests', `${perSecond(figures.rate('nymdex_http_requests_total'))}   ${statuses.join('   ')}`),
    row('', `${count(total)} in all`),
    row('times', times.join('   ')),
    row('cache', hits === undefined ? 'nothing looked up' : `${bar(hits)} ${(hits * 100).toFixed(1)} % hits`),
    row('event loop', `p99 ${duration(now.sum('nodejs_eventloop_lag_p99_seconds'))}   ${processor(figures)}`),
    row('memory', megabytes(now.sum('process_resident_memory_bytes') ?? now.sum('nodejs_heap_size_used_bytes'))),
    row('database', `${isUp ? 'up' : 'DOWN'}   ${connections(figures)}`),
    row('writes', `${count(now.sum('nymdex_writes_waiting') ?? 0)} waiting   log at ${logPosition(figures)}`),
    row('streams', `${count(now.sum('nymdex_streams') ?? 0)} open`),
    row('hooks', hooks(figures)),
    '',
    ...routes(figures),
  ].map((line) => line.slice(0, WIDTH).trimEnd())
}

function routes(figures: Figures): string[] {
  const busiest = figures.busiestRoutes(MOST_ROUTES)
  const line = (route: string, rate: string, p99: string, total: string) =>
    `${route.slice(0, 42).padEnd(42)}${rate.padStart(12)}${p99.padStart(12)}${total.padStart(14)}`
  return [
    line('busiest routes', 'requests', 'p99', 'in all'),
    ...busiest.map(({ route, rate, total }) =>
      line(route, perSecond(rate), duration(figures.quantile(0.99, route)), count(total)),
    ),
  ]
}

function connections({ now }: Figures): string {
  const all = now.all('nymdex_connections')
  const of = (state: string) => all.reduce((sum, { labels, value }) => sum + (labels['state'] === state ? value : 0), 0)
  if (all.length === 0) return ''
  return `connections: ${of('used')} used, ${of('idle')} idle, ${of('waiting')} requests wait`
}

function hooks(figures: Figures): string {
  const { now } = figures
  const name = 'nymdex_hook_deliveries_total'
  const [active, running] = [now.sum('nymdex_hooks') ?? 0, now.sum('nymdex_hooks_running') ?? 0]
  const failed = now.sum(name, { result: 'failed' }) ?? 0
  return `${count(active)} active, ${count(running)} at work   ${perSecond(figures.rate(name))} sent   ${count(failed)} failed`
}

function logPosition({ now }: Figures): string {
  return count(Math.max(0, ...now.all('nymdex_log_position').map(({ value }) => value)))
}

function processor(figures: Figures): string {
  return `processor ${(figures.rate('process_cpu_seconds_total') * 100).toFixed(0)} %`
}

const row = (label: string, text: string) => label.padEnd(LABEL) + text

const between = (left: string, right: string) =>
  left.slice(0, WIDTH - right.length - 1).padEnd(WIDTH - right.length) + right

function bar(share: number): string {
  const full = Math.round(share * BAR)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`
}

const perSecond = (rate: number) => `${rate >= 100 ? count(Math.round(rate)) : rate.toFixed(1)}/s`

const count = (number: number) => number.toLocaleString('en-US', { maximumFractionDigits: 0 })

const megabytes = (bytes: number | undefined) => (bytes === undefined ? '-' : `${count(bytes / 1e6)} MB`)

function duration(seconds: number | undefined): string {
  if (seconds === undefined) return '-'
  const ms = seconds * 1000
  if (ms >= 1000) return `${seconds.toFixed(1)} s`
  return `${ms >= 10 ? ms.toFixed(0) : ms.toFixed(1)} ms`
}
