/** /staff/figures/: the last hour, drawn on the server; a reload draws it again. */
import type { ShownMinute, StaffStatus } from '../../http/index.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage } from '../kinds/index.ts'
import { staffPage, withStatus } from './staff-page.ts'

export const figuresPage: ExplorerPage = {
  path: '/staff/figures/',
  title: 'Figures',
  GET: (visit) => withStatus(visit, (status) => staffPage(visit, 'Figures', show(status))),
}

const HEIGHT = 60
const STEP = 10
const BAR = 8

/** One of the parts that the bars of a chart are made of, from the bottom to the top. */
interface Part {
  readonly name: string
  readonly className: string
  of(minute: ShownMinute): number
}

const RESPONSES: readonly Part[] = [
  { name: 'answered', className: 'ok', of: ({ ok, redirected }) => ok + redirected },
  { name: 'refused', className: 'refused', of: ({ refused }) => refused },
  { name: 'failed', className: 'failed', of: ({ failed }) => failed },
]
const HALF: Part = { name: 'half of them', className: 'ok', of: ({ p50 }) => p50 ?? 0 }
const MOST: Part = {
  name: '99 of 100',
  className: 'refused',
  of: ({ p50, p99 }) => Math.max(0, (p99 ?? 0) - (p50 ?? 0)),
}
const BUSY: Part = { name: 'busy', className: 'ok', of: ({ load }) => load * 100 }

function show({ minutes, processes, health }: StaffStatus): Content {
  const total = (of: (minute: ShownMinute) => number) => minutes.reduce((sum, minute) => sum + of(minute), 0)
  const highest = (of: (minute: ShownMinute) => number) => Math.max(0, ...minutes.map(of))
  const [hits, misses] = [sumOf(processes.map(({ hits }) => hits)), sumOf(processes.map(({ misses }) => misses))]
  const counts = RESPONSES.map((part) => `${total(part.of).toLocaleString('en')} ${part.name}`).join(', ')
  const used = sumOf(health.connections.map(({ used }) => used))
  const all = sumOf(health.connections.map(({ idle, used }) => idle + used))
  return html`<p class="does">The last 60 minutes, all processes together. Reload the page for newer figures.</p>
    <div class="figures">
      ${figure('Responses a minute', counts, minutes, RESPONSES)}
      ${figure(
        'Time to respond',
        `within ${highest(({ p50 }) => p50 ?? 0)} ms for half of them, ${highest(({ p99 }) => p99 ?? 0)} ms for 99 of 100, in the slowest minute`,
        minutes,
        [HALF, MOST],
        { unit: ' ms' },
      )}
      ${figure('Event loop', `busy ${Math.round(highest(BUSY.of))} % of the busiest minute`, minutes, [BUSY], { least: 100, unit: ' %' })}
      ${meter('Cache of responses', hits, hits + misses, `${hits.toLocaleString('en')} of ${(hits + misses).toLocaleString('en')} lookups found something, since the start`)}
      ${all > 0 && meter('Connections to the database', used, all, `${used} of ${all} in use at the moment`)}
      ${meter('Queue of writers', health.writes_waiting, Math.max(20, health.writes_waiting), `${health.writes_waiting} wait at the moment`)}
    </div>`
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

interface Scale {
  /** What the highest bar stands for at least. */
  readonly least?: number
  readonly unit?: string
}

function figure(
  title: string,
  says: string,
  minutes: readonly ShownMinute[],
  parts: readonly Part[],
  { least = 1, unit = '' }: Scale = {},
): Content {
  const most = Math.max(least, ...minutes.map((minute) => sumOf(parts.map(({ of }) => of(minute)))))
  const bars = minutes.map((minute, i) => bar(minute, { x: i * STEP, parts, most }))
  return html`<figure>
    <figcaption><b>${title}</b> <span class="soft">up to ${Math.round(most).toLocaleString('en')}${unit}</span></figcaption>
    <svg viewBox=${`0 0 ${minutes.length * STEP} ${HEIGHT}`} role="img" aria-label=${`${title}: ${says}.`} preserveAspectRatio="none">${bars}</svg>
    <p class="soft">${says}</p>
    ${parts.length > 1 && html`<p class="legend">${parts.map(({ name, className }) => html`<span><i class=${className}></i>${name}</span>`)}</p>`}
  </figure>`
}

interface Bar {
  readonly x: number
  readonly parts: readonly Part[]
  readonly most: number
}

function bar(minute: ShownMinute, { x, parts, most }: Bar): Content {
  let top = HEIGHT
  return parts.map(({ of, className }) => {
    const height = Math.round((of(minute) / most) * HEIGHT * 10) / 10
    if (height === 0) return undefined
    top -= height
    return html`<rect class=${className} x=${x} y=${Math.round(top * 10) / 10} width=${BAR} height=${height} />`
  })
}

function meter(title: string, value: number, most: number, says: string): Content {
  const width = most === 0 ? 0 : Math.round((value / most) * 1000) / 10
  return html`<figure>
    <figcaption><b>${title}</b></figcaption>
    <svg class="meter" viewBox="0 0 100 6" role="img" aria-label=${`${title}: ${says}.`} preserveAspectRatio="none">
      <rect class="rest" width="100" height="6" /><rect class="ok" width=${width} height="6" />
    </svg>
    <p class="soft">${says}</p>
  </figure>`
}
