/** A bar for each row, below its label. With columns, the bar is divided by them: the balance of slots. */
import { type Content, html } from '../html.ts'
import { cut, fluid, labelled, largest, marked, percent } from './fluid.ts'
import type { Line, ShownChart } from './shown-chart.ts'

const ROW = 38
const BAR = { top: 21, height: 9 }
const STACK = { top: 21, height: 15 }
const LONGEST_LABEL = 40

export function drawBars({ lines }: ShownChart, title: string): Content {
  const most = largest(lines.map(({ count }) => count))
  return fluid(
    lines.length * ROW,
    `${title}, as bars`,
    lines.map((line, i) => html`<svg y=${i * ROW} width="100%" height=${ROW}>${bar(line, most)}</svg>`),
  )
}

function bar(line: Line, most: number): Content {
  return html`${labelled(
    line,
    html`<rect class="press" width="100%" height=${ROW - 4} rx="6" />
      ${name(line)}
      <rect class="track" y=${BAR.top} width="100%" height=${BAR.height} rx="4.5" />
      <rect class="bar" y=${BAR.top} width=${percent(Math.max(line.count / most, 0.008))} height=${BAR.height} rx="4.5" />`,
  )}
  ${count(line)}`
}

function name({ label }: Line): Content {
  return html`<text class="name" x="0" y="15">${cut(label, LONGEST_LABEL)}</text>`
}

function count(line: Line): Content {
  return html`<text class="count" x="100%" y="15" text-anchor="end" aria-hidden="true">${line.count.toLocaleString('en')}</text>`
}

/** `classes` has the colour of each column. */
export function drawStacks({ lines }: ShownChart, title: string, classes: readonly string[]): Content {
  return fluid(
    lines.length * (ROW + 6),
    `${title}, as divided bars`,
    lines.map((line, i) => html`<svg y=${i * (ROW + 6)} width="100%" height=${ROW + 6}>${stack(line, classes)}</svg>`),
  )
}

function stack(line: Line, classes: readonly string[]): Content {
  const { marks } = line
  const total = marks.reduce((sum, mark) => sum + mark.count, 0)
  let before = 0
  const parts = marks.map((mark, i) => {
    const from = before
    before += mark.count
    return marked(
      mark,
      html`<rect
        class=${`part ${classes[i] ?? ''}`}
        x=${percent(from / Math.max(total, 1))}
        y=${STACK.top}
        width=${percent(mark.count / Math.max(total, 1))}
        height=${STACK.height}
      />`,
    )
  })
  return html`${labelled(line, name(line))} ${count(line)} <rect class="track" y=${STACK.top} width="100%" height=${STACK.height} /> ${parts}`
}
