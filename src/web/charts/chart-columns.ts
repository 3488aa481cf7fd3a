/** Columns over time: a row of them for each line, each row with its own scale; a line shows how many there were by then. */
import { type Content, html } from '../html.ts'
import { fluid, labelled, largest, marked, percent } from './fluid.ts'
import type { Line, ShownChart } from './shown-chart.ts'

const HEAD = 22
const PLOT = 54
const ROW = HEAD + PLOT + 16
const FOOT = 20
/** Few times make wide columns, which look like bars. */
const WIDEST = 0.12

/** `grows`: what is counted stays, so that there is a total at each time. */
export function drawColumns({ lines, columns }: ShownChart, title: string, grows: boolean): Content {
  const [first = '', last = ''] = [columns[0], columns.length > 1 ? columns.at(-1) : '']
  const height = lines.length * ROW
  return fluid(
    height + FOOT,
    `${title}, as columns over time`,
    html`${lines.map((line, i) => html`<svg y=${i * ROW} width="100%" height=${ROW}>${plot(line, grows)}</svg>`)}
      <text class="head" x="0" y=${height + 14}>${first}</text>
      <text class="head" x="100%" y=${height + 14} text-anchor="end">${last}</text>`,
  )
}

function plot(line: Line, grows: boolean): Content {
  const { label, count, marks } = line
  const most = largest(marks.map((mark) => mark.count))
  // Records of which it is not known when they were created are older.
  let before = count - marks.reduce((sum, mark) => sum + mark.count, 0)
  const width = Math.min(1 / Math.max(1, marks.length), WIDEST)
  return html`${labelled(line, html`<text class="name" x="0" y="15">${label}</text>`)}
    <text class="count" x="100%" y="15" text-anchor="end" aria-hidden="true">${count.toLocaleString('en')}</text>
    <line class="axis" x1="0" x2="100%" y1=${HEAD + PLOT} y2=${HEAD + PLOT} />
    ${marks.map((mark, i) => {
      before += mark.count
      const total = grows ? Math.round((before / Math.max(count, 1)) * PLOT) : 0
      const tall = mark.count === 0 ? 0 : Math.max(2, Math.round((mark.count / most) * PLOT))
      const place = { x: percent(i * width + width * 0.1), width: percent(width * 0.8) }
      return marked(
        mark,
        html`<rect class="press" ...${place} y=${HEAD} height=${PLOT} />
          ${tall > 0 && html`<rect class="bar" ...${place} y=${HEAD + PLOT - tall} height=${tall} />`}
          ${grows && html`<rect class="total" x=${percent(i * width)} width=${percent(width)} y=${HEAD + PLOT - total - 1} height="2" />`}`,
      )
    })}`
}
