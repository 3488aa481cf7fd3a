/** A cell for each row and column; the more it counts, the darker it is. */
import { type Content, html, renderInTurns } from '../html.ts'
import { cut, fluid, labelled, largest, marked, percent } from './fluid.ts'
import type { Line, Mark, ShownChart } from './shown-chart.ts'

const ROW = 27
const HEAD = 24
/** The share of the width that the labels take. */
const LABELS = 0.32
const LONGEST_LABEL = 15
/** The darkest cell is as opaque as text on it allows. */
const DARKEST = 0.5
const PALEST = 0.06
/** 1,234 is 1.2K: cells are narrow. */
const SHORT = new Intl.NumberFormat('en', { notation: 'compact' })

/** How many rows, each with a dozen cells, are drawn in one turn of the event loop. */
const ROWS_AT_ONCE = 10

/** `heads` are short names of the columns. */
export async function drawGrid({ lines }: ShownChart, title: string, heads: readonly string[]): Promise<Content> {
  const most = largest(lines.flatMap(({ marks }) => marks.map(({ count }) => count)))
  const width = (1 - LABELS) / Math.max(1, heads.length)
  const drawn = (line: Line, i: number) =>
    html`<svg y=${HEAD + i * ROW} width="100%" height=${ROW}>${row(line, width, most)}</svg>`
  const rows = await renderInTurns(lines, drawn, ROWS_AT_ONCE)
  return fluid(
    HEAD + lines.length * ROW,
    `${title}, as a grid`,
    html`${heads.map((head, i) => html`<text class="head" x=${percent(LABELS + (i + 0.5) * width)} y="15" text-anchor="middle">${head}</text>`)}
      <g dangerouslySetInnerHTML=${rows}></g>`,
  )
}

function row(line: Line, width: number, most: number): Content {
  return html`${labelled(line, html`<text class="name" x="0" y="17">${cut(line.label, LONGEST_LABEL)}</text>`)}
    ${line.marks.map((mark, i) => cell(mark, LABELS + i * width, width, most))}`
}

function cell(mark: Mark, from: number, width: number, most: number): Content {
  const { count } = mark
  const opacity = count === 0 ? 0 : PALEST + (DARKEST - PALEST) * Math.sqrt(count / most)
  const place = { x: percent(from + width * 0.04), width: percent(width * 0.92), height: ROW - 3, rx: 4 }
  const drawn = html`<rect class=${count === 0 ? 'track' : 'heat'} ...${place} fill-opacity=${count === 0 ? undefined : opacity.toFixed(2)} />`
  if (count === 0) return drawn
  return html`${marked(mark, drawn)}
    <text class="number" x=${percent(from + width / 2)} y="17" text-anchor="middle" aria-hidden="true">${SHORT.format(count)}</text>`
}
