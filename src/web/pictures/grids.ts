/**
 * Sets as grids of small pictures, and a vectornym as a table, for other people's pages. Our own pages have them as
 * HTML.
 */
import { html } from '../html.ts'
import { block, type Drawing, near } from './drawing.ts'
import { fit } from './measure.ts'
import { drawSmallPolynym } from './polynym-picture.ts'
import { drawSmallQuadranym, type FourTerms } from './quadranym-picture.ts'
import { polynymOf } from './shape.ts'

type Shown = Readonly<Record<string, any>>

const MOST = 24
const CELL = 244
const GAP = 10

export function drawQuadraset(record: Shown): Drawing {
  return grid(
    record['name'],
    record['quadranyms'].map((each: FourTerms) => drawSmallQuadranym(each)),
  )
}

export function drawPolyset(record: Shown): Drawing {
  return grid(
    record['name'],
    record['polynyms'].map((each: Shown) => drawNamedPolynym(each)),
  )
}

function grid(name: string, all: readonly Drawing[]): Drawing {
  const shown = all.slice(0, MOST)
  const columns = shown.length < 2 ? 1 : shown.length < 9 ? 2 : 3
  const width = columns * (CELL + GAP) - GAP
  const head = fit(name, { width, lines: 2, sizes: [24, 21, 18], bold: true })
  const top = head.height + 14
  const high = Math.max(...shown.map((each) => each.height)) + 16
  const rows = Math.ceil(shown.length / columns)
  const more = all.length - shown.length
  return {
    width,
    height: near(top + rows * (high + GAP) - GAP + (more > 0 ? 26 : 0)),
    label: `${name}: ${all.map((each) => each.label).join('. ')}`,
    content: html`${block(head, { x: 0, y: head.height / 2, anchor: 'start', class: 'strong' })}
      ${shown.map(({ width, height, content }, i) => {
        const [x, y] = [(i % columns) * (CELL + GAP), top + Math.floor(i / columns) * (high + GAP)]
        return html`<rect class="tint" x=${x} y=${near(y)} width=${CELL} height=${near(high)} rx="10" />
          <g transform=${`translate(${near(x + (CELL - width) / 2)} ${near(y + (high - height) / 2)})`}>${content}</g>`
      })}
      ${more > 0 && html`<text class="caption" x="0" y=${near(top + rows * (high + GAP) + 12)} font-size="14">and ${more} more</text>`}`,
  }
}

/** Its sign, its name, and its words in at most this many lines. */
export function drawNamedPolynym(record: Shown, lines = 3): Drawing {
  const { name, terms } = polynymOf(record)
  const head = fit(name, { width: 168, lines: 1, sizes: [17, 16, 15, 14], bold: true })
  const text = fit(terms.join(', '), { width: 168, lines, sizes: [13] })
  const height = Math.max(44, head.height + text.height + 4)
  return {
    width: 228,
    height,
    label: `${name}: ${terms.join('; ')}`,
    content: html`<g transform=${`translate(0 ${near(height / 2 - 22)})`}>${drawSmallPolynym(record).content}</g>
      ${block(head, { x: 56, y: head.height / 2, anchor: 'start', class: 'strong' })}
      ${block(text, { x: 56, y: head.height + 4 + text.height / 2, anchor: 'start', class: 'quiet' })}`,
  }
}

/** v1 to v9, as far as there are any. */
export function columnsOf(record: Shown): Shown[] {
  const columns: Shown[] = []
  for (let i = 1; record[`v${i}`]; i++) columns.push(record[`v${i}`])
  return columns
}

const COLUMN = 132
const INSET = 10

export function drawVectornym(record: Shown): Drawing {
  const columns = columnsOf(record).map(polynymOf)
  const width = columns.length * COLUMN
  const title = fit(record['name'], { width, lines: 2, sizes: [24, 21, 18], bold: true })
  const room = { width: COLUMN - INSET - 4, lines: 4 }
  const heads = columns.map(({ name }) => fit(name, { ...room, sizes: [15, 14, 13], bold: true }))
  const rows = Array.from({ length: Math.max(...columns.map(({ terms }) => terms.length)) }, (_, row) =>
    columns.map(({ terms }) => fit(terms[row] ?? '', { ...room, sizes: [15, 14, 13] })),
  )
  let bottom = title.height + 14
  const lines = [heads, ...rows].map((cells, i) => {
    const height = Math.max(...cells.map((cell) => cell.height)) + 14
    const top = bottom
    bottom += height
    return html`<path class=${i === 0 ? 'thread' : 'hair'} d=${`M0 ${near(bottom)}H${width}`} />
      ${cells.map((cell, column) => block(cell, { x: column * COLUMN + INSET / 2, y: top + height / 2, anchor: 'start', class: i === 0 ? 'strong' : undefined }))}`
  })
  return {
    width,
    height: near(bottom + 2),
    label: `${record['name']}: ${columns.map(({ name, terms }) => `${name}: ${terms.join(', ')}`).join('; ')}`,
    content: html`${block(title, { x: 0, y: title.height / 2, anchor: 'start', class: 'strong' })} ${lines}`,
  }
}
