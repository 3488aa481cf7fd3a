/** /charts/: pictures of the whole catalogue in numbers, each next to a table. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { hereOf } from '../addresses.ts'
import { CHARTS, CHARTS_STYLE } from '../assets.ts'
import { drawBars, drawStacks } from '../charts/chart-bars.ts'
import { drawCloud } from '../charts/chart-cloud.ts'
import { drawColumns } from '../charts/chart-columns.ts'
import { glyphOf } from '../charts/chart-glyph.ts'
import { drawGraph } from '../charts/chart-graph.ts'
import { drawGrid } from '../charts/chart-grid.ts'
import { chartTable, nodeTable, rangeTable, timeTable } from '../charts/chart-table.ts'
import { type ChartJson, shownChart } from '../charts/shown-chart.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { layout } from '../layout.ts'

const DOES =
  'The catalogue in numbers: what it is about, which words it has, how its sets hang together, and how it grows.'

interface Listed {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly resources: readonly string[]
}

export const chartPages: readonly ExplorerPage[] = [
  { path: '/charts/', title: 'Charts', GET: showAll },
  { path: '/charts/:name/', title: 'Chart', GET: showOne },
]

async function showAll(visit: ExplorerVisit): Promise<PageAnswer> {
  const charts = await listed(visit)
  if (charts.length === 0) return missing(visit, 404, { detail: 'Not found.' })
  const main = html`<h1>Charts</h1>
    <p class="does">${DOES}</p>
    <ul class="grid charts">
      ${charts.map(({ name, title, description }) => html`<li><div class="card">${glyphOf(name)}<h2><a class="open" href=${`/charts/${name}/`}>${title}</a></h2><p>${description}</p></div></li>`)}
    </ul>`
  return { page: framed(visit, { title: 'Charts', description: DOES, main }) }
}

async function listed(visit: ExplorerVisit): Promise<readonly Listed[]> {
  const { json } = await visit.ask('/api/chart/')
  return json?.results ?? []
}

async function showOne(visit: ExplorerVisit): Promise<PageAnswer> {
  const name = visit.places['name'] ?? ''
  const wanted = visit.query.get('resource')
  const asked = `/api/chart/${encodeURIComponent(name)}/${wanted ? `?resource=${encodeURIComponent(wanted)}` : ''}`
  const [{ status, json }, charts] = await Promise.all([visit.ask(asked), listed(visit)])
  if (status !== 200) return missing(visit, status, json)
  const chart: ChartJson = json
  const { title, description, count } = chart
  const main = html`<p class="kind"><a href="/charts/">Charts</a></p>
    <h1>${title}</h1>
    <p class="does">${description} ${notes(visit, chart)}</p>
    ${choices(visit, chart, charts)}
    ${count === 0 ? html`<p class="soft">There is nothing to count yet.</p>` : await parts(visit, chart)}
    <p class="more soft">The same numbers for programs: <a href=${asked}>${asked}</a></p>
    ${others(charts, name)}`
  const scripts = chart.nodes ? [CHARTS] : []
  return { page: framed(visit, { title, description, main, scripts }) }
}

function missing(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds) }
}

interface Framed {
  readonly title: string
  readonly description: string
  readonly main: Content
  readonly scripts?: readonly string[]
}

function framed(visit: ExplorerVisit, { title, description, main, scripts = [] }: Framed): string {
  return layout({
    kinds: visit.kinds,
    csrf: visit.csrf,
    title,
    user: visit.visitor?.name,
    here: hereOf(visit),
    base: visit.base,
    styles: [CHARTS_STYLE],
    description,
    main,
    scripts,
  })
}

/** What the numbers are of, and which of them are left out. */
function notes({ kinds }: ExplorerVisit, chart: ChartJson): Content {
  const { resource, sample, rows, columns, count, name, nodes } = chart
  const kind = resource === null ? undefined : kinds.find(resource)
  const one = kind?.one.toLowerCase() ?? (name === 'activity' ? 'change' : 'record')
  if (sample) {
    const read = name === 'activity' ? 'the newest' : 'an even sample of'
    return `Counted in ${read} ${counted(sample.read, one)}, of ${sample.of.toLocaleString('en')}.`
  }
  const shown = rows.reduce((sum, row) => sum + row.count, 0)
  const isWhole = nodes || name === 'words' || name === 'growth' || name === 'activity' || columns.length === 4
  if (isWhole || shown === count) return `${counted(count, one)}.`
  return `${counted(count, one)}; ${(count - shown).toLocaleString('en')} of them have rarer values.`
}

/** The collections that the chart can show. */
function choices({ kinds }: ExplorerVisit, { name, resource }: ChartJson, charts: readonly Listed[]): Content {
  const { resources = [] } = charts.find((each) => each.name === name) ?? {}
  if (resources.length < 2) return undefined
  return html`<ul class="chips" aria-label="What to count">
    ${resources.map((each, i) => html`<li><a class="btn small" href=${`/charts/${name}/${i === 0 ? '' : `?resource=${each}`}`} aria-current=${each === resource ? 'true' : undefined}>${kinds.find(each)?.many ?? each}</a></li>`)}
  </ul>`
}

const SLOTS = ['e', 'r', 'o', 's']

async function parts(visit: ExplorerVisit, chart: ChartJson): Promise<Content> {
  const { title, name, unit, nodes, resource } = chart
  const shown = shownChart(chart, visit.kinds)
  if (nodes) {
    return arranged(
      html`<div class="pan" tabindex="0" role="region" aria-label="The network, which can be moved">${await drawGraph(chart, resource ?? '')}</div>`,
      nodeTable(chart, resource ?? ''),
      'over',
    )
  }
  if (unit) {
    const grows = name === 'growth'
    const how = html`<p class="soft">Columns: added at that time. Line: how many there were by then.</p>`
    return arranged(html`${grows && how} ${drawColumns(shown, title, grows)}`, timeTable(shown, title))
  }
  if (name === 'words') return arranged(drawCloud(shown, title), chartTable(shown, title, 'Word'))
  if (name === 'balance') {
    return arranged(
      html`${legend(shown.columns)} ${drawStacks(shown, title, SLOTS)}`,
      chartTable(shown, title, 'Realm'),
    )
  }
  const first = title.replace(/^.* by /, '').replace(/s$/, '')
  if (chart.columns.length === 0) return arranged(drawBars(shown, title), chartTable(shown, title, capital(first)))
  const heads = chart.columns.map(({ value }) => String(value))
  return arranged(
    html`<p class="soft">From left to right: the number of words.</p> ${await drawGrid(shown, title, heads)}`,
    rangeTable(shown, title, capital(first), heads.map(Number)),
  )
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function arranged(picture: Content, table: Content, way = ''): Content {
  return html`<div class=${`chart ${way}`}>
    <figure><a class="skip-picture" href="#table">Skip to the table</a>${picture}</figure>
    ${table}
  </div>`
}

function legend(columns: readonly string[]): Content {
  return html`<ul class="legend">${columns.map((column, i) => html`<li><i class=${SLOTS[i]}></i>${column}</li>`)}</ul>`
}

function others(charts: readonly Listed[], name: string): Content {
  return html`<nav class="chips other-charts" aria-label="Other charts">
    ${charts.filter((each) => each.name !== name).map((each) => html`<a class="btn small" href=${`/charts/${each.name}/`}>${each.title}</a>`)}
  </nav>`
}
