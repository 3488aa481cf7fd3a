/** Words in rows, the most frequent first and largest. */
import { type Content, html } from '../html.ts'
import { inPage, near, widthOf } from '../pictures/index.ts'
import { cut, labelled } from './fluid.ts'
import type { Line, ShownChart } from './shown-chart.ts'

const WIDTH = 360
const GAP = 10
const [SMALLEST, LARGEST] = [11.5, 34]
const LONGEST_WORD = 30
/** The table has the others. */
const MOST_WORDS = 80

interface Placed {
  readonly line: Line
  readonly text: string
  readonly size: number
  readonly width: number
}

export function drawCloud({ lines }: ShownChart, title: string): Content {
  const shown = lines.slice(0, MOST_WORDS)
  const [most = 1, least = 1] = [shown[0]?.count, shown.at(-1)?.count]
  const words = shown.map((line): Placed => {
    const text = cut(line.label, LONGEST_WORD)
    const share =
      most === least ? 0.3 : (Math.sqrt(line.count) - Math.sqrt(least)) / (Math.sqrt(most) - Math.sqrt(least))
    const size = near(SMALLEST + (LARGEST - SMALLEST) * share)
    const width = widthOf(text, size)
    return width > WIDTH
      ? { line, text, size: near((size * WIDTH) / width), width: WIDTH }
      : { line, text, size, width }
  })
  let height = 0
  const rows = inRows(words).map((row) => {
    const tall = Math.max(...row.map(({ size }) => size)) * 1.28
    height += tall
    return drawRow(row, height - tall * 0.26)
  })
  return inPage({
    width: WIDTH,
    height: near(height + 4),
    label: `${title}, as a cloud`,
    content: rows,
    hasLinks: true,
  })
}

function inRows(words: readonly Placed[]): Placed[][] {
  const rows: Placed[][] = []
  let used = WIDTH + 1
  for (const word of words) {
    used += word.width + GAP
    if (used > WIDTH + GAP) {
      rows.push([])
      used = word.width + GAP
    }
    rows.at(-1)?.push(word)
  }
  return rows
}

/** In the middle. */
function drawRow(row: readonly Placed[], y: number): Content {
  const wide = row.reduce((sum, { width }) => sum + width, (row.length - 1) * GAP)
  let x = (WIDTH - wide) / 2
  return row.map(({ line, text, size, width }) => {
    const at = x
    x += width + GAP
    return labelled(line, html`<text x=${near(at)} y=${near(y)} font-size=${size}>${text}</text>`)
  })
}
