/** A poster: a sheet of A4 with a name, a picture that fills it, and where it comes from. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, near, printed } from './drawing.ts'
import { type Fitted, fit, widthOf } from './measure.ts'

export interface PosterHead {
  /** Empty if the picture says it already. */
  readonly title: string
  /** What it is, and where its words are from. */
  readonly note: string
  /** Where people find it. */
  readonly address: string
  /** The picture in words. */
  readonly label: string
}

/** What is on the sheet. It is told how much room there is. */
export interface PosterBody {
  /** Whether the sheet is wider than high. */
  readonly isLying: boolean
  draw(width: number, height: number): Content
}

/** Four units are a millimetre. */
const UNITS = 4
const SHEET = { short: 210, long: 297, margin: 13 }
const GAP = 26
const FOOT = 46

/** A file to print, 210 by 297 millimetres. */
export function drawPoster({ title, note, address, label }: PosterHead, { isLying, draw }: PosterBody): string {
  const paper = isLying ? { width: SHEET.long, height: SHEET.short } : { width: SHEET.short, height: SHEET.long }
  const edge = SHEET.margin * UNITS
  const [width, height] = [paper.width * UNITS - 2 * edge, paper.height * UNITS - 2 * edge]
  const name = title === '' ? undefined : fitTitle(title, width)
  const top = name ? near(name.height + GAP) : 0
  const brand = widthOf('nymdex', 22, true)
  const place = fit(address, { width: 0.42 * width, lines: 1, sizes: [17, 15, 13, 11] })
  const about = fit(note, { width: 0.56 * width - brand - 18, lines: 1, sizes: [17, 15, 13, 11] })
  return printed(
    {
      width: width + 2 * edge,
      height: height + 2 * edge,
      label,
      content: html`<g transform=${`translate(${edge} ${edge})`}>
        ${name && block(name, { x: 0, y: name.height / 2, anchor: 'start', class: 'strong' })}
        <g transform=${`translate(0 ${top})`}>${draw(width, near(height - top - FOOT))}</g>
        <text class="strong" x="0" y=${height} font-size="22">nym<tspan class="brand">dex</tspan></text>
        ${note !== '' && block(about, { x: brand + 18, y: height - 6, anchor: 'start', class: 'quiet' })}
        ${block(place, { x: width, y: height - 6, anchor: 'end', class: 'quiet' })}
      </g>`,
    },
    paper,
  )
}

/** One line, unless the letters would be small. */
function fitTitle(title: string, width: number): Fitted {
  const line = fit(title, { width, lines: 1, sizes: [84, 76, 68, 60, 54, 48], bold: true })
  return line.whole ? line : fit(title, { width, lines: 2, sizes: [60, 54, 48, 42, 36], bold: true })
}

/** A drawing as large as the sheet allows. */
export function scaled(drawing: Drawing): PosterBody {
  return {
    isLying: drawing.width > drawing.height,
    draw(width, height) {
      const sheet = { x: 0, y: 0, width, height }
      return placed(drawing, sheet, Math.min(scaleIn(drawing, sheet), LARGEST))
    },
  }
}

interface Place {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const scaleIn = (drawing: Pick<Drawing, 'width' | 'height'>, place: Pick<Place, 'width' | 'height'>) =>
  Math.min(place.width / drawing.width, place.height / drawing.height)

/** In the middle of its place. */
function placed({ width, height, content }: Drawing, place: Place, scale: number): Content {
  const x = place.x + (place.width - scale * width) / 2
  const y = place.y + (place.height - scale * height) / 2
  return html`<g transform=${`translate(${near(x)} ${near(y)}) scale(${scale.toFixed(4)})`}>${content}</g>`
}

/** Few words need not fill a sheet. */
const LARGEST = 3
const BETWEEN = 14
const PAD = 12
/** Cards with few words do not become towers. */
const MOST_STRETCH = 1.6

/** Many drawings, each on a card: in as many columns as let them be largest. All have the same scale. */
export function cards(drawings: readonly Drawing[]): PosterBody {
  const card = {
    width: Math.max(...drawings.map((each) => each.width)) + 2 * PAD,
    height: Math.max(...drawings.map((each) => each.height)) + 2 * PAD,
  }
  return {
    isLying: false,
    draw(width, height) {
      const cell = (columns: number) => {
        const rows = Math.ceil(drawings.length / columns)
        return { width: (width + BETWEEN) / columns - BETWEEN, height: (height + BETWEEN) / rows - BETWEEN }
      }
      const counts = drawings.map((_, i) => i + 1)
      const scaleOf = (columns: number) => scaleIn(card, cell(columns))
      const columns = counts.reduce((best, each) => (scaleOf(each) > scaleOf(best) ? each : best))
      const scale = scaleOf(columns)
      const { width: across, height: room } = cell(columns)
      const down = Math.min(room, MOST_STRETCH * card.height * scale)
      return drawings.map((drawing, i) => {
        const x = (i % columns) * (across + BETWEEN)
        const y = Math.floor(i / columns) * (down + BETWEEN)
        return html`<rect class="tint" x=${near(x)} y=${near(y)} width=${near(across)} height=${near(down)} rx=${near(10 * scale)} />
          ${placed(drawing, { x, y, width: across, height: down }, scale)}`
      })
    },
  }
}
