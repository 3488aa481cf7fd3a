/** A polynym of parts: a ring, each part connected to its word. The words are in two columns, clockwise. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { type Fitted, fit, fitRound } from './measure.ts'
import { inWords, type Polynym } from './shape.ts'

const WIDTH = 360
const SMALLEST = 46
const LARGEST = 84
const BAND = 12
/** From the ring to the words. */
const REACH = 26
const GAP = 12
/** Between two parts, in degrees. */
const SLIT = 4

export function drawRing(record: Polynym, linkOf?: LinkOf): Drawing {
  const { name, terms } = record
  const room = (WIDTH - 2 * (SMALLEST + REACH)) / 2
  const texts = terms.map((term) => fit(term, { width: room, lines: 7, sizes: [17, 16, 15, 14, 13, 12, 11] }))
  const widest = Math.max(...texts.map((text) => text.width))
  const radius = Math.min(LARGEST, WIDTH / 2 - widest - REACH)
  const half = Math.ceil(terms.length / 2)
  const right = texts.slice(0, half)
  const left = texts.slice(half).reverse()
  const height = Math.max(2 * radius + 16, stacked(right), stacked(left))
  const middle = height / 2
  const part = 360 / terms.length
  // The left column goes upwards, because the order is clockwise.
  const sides = [
    ...placed(right, height).map((y, i) => ({ y, text: right[i]!, at: i, side: 1 })),
    ...placed(left, height).map((y, i) => ({ y, text: left[i]!, at: terms.length - 1 - i, side: -1 })),
  ]
  const inner = fitRound(name, radius - BAND - 3, [20, 18, 16, 14, 12, 11, 10])
  return {
    width: WIDTH,
    height: near(height),
    label: inWords(record, 'its parts are'),
    hasLinks: linkOf !== undefined,
    content: html`${sides.map(({ y, text, at, side }) => {
      const x = WIDTH / 2 + side * (radius + REACH)
      const word = block(text, { x, y, anchor: side > 0 ? 'start' : 'end' })
      return html`${tie({ radius, middle, from: at * part, to: (at + 1) * part }, { x, y, side })}
        ${linked(terms[at] ?? '', word, linkOf)}`
    })}
      <circle
        class="mark"
        cx=${WIDTH / 2}
        cy=${near(middle)}
        r=${near(radius - BAND / 2)}
        stroke-width=${BAND}
        pathLength="360"
        stroke-dasharray=${`${near(part - SLIT)} ${SLIT}`}
        stroke-dashoffset=${-SLIT / 2}
        transform=${`rotate(-90 ${WIDTH / 2} ${near(middle)})`}
      />
      ${linked(name, block(inner, { x: WIDTH / 2, y: middle, class: 'strong' }), linkOf)}`,
  }
}

function stacked(texts: readonly Fitted[]): number {
  return texts.reduce((sum, { height }) => sum + height + GAP, 0)
}

/** The middle of each text, when the remaining room is divided between them. */
function placed(texts: readonly Fitted[], height: number): number[] {
  const share = (height - stacked(texts)) / texts.length
  let y = 0
  return texts.map((text) => {
    const own = text.height + GAP + share
    y += own
    return y - own / 2
  })
}

interface End {
  readonly x: number
  readonly y: number
  readonly side: number
}

interface Part {
  readonly radius: number
  readonly middle: number
  /** Degrees, clockwise from the top. */
  readonly from: number
  readonly to: number
}

/** The thread from the nearest point of its part to the word. */
function tie({ radius, middle, from, to }: Part, { x, y, side }: End): Content {
  const rise = (Math.asin(Math.max(-1, Math.min(1, (y - middle) / radius))) * 180) / Math.PI
  const nearest = side > 0 ? 90 + rise : 270 - rise
  const inset = Math.min(9, (to - from) / 3)
  const turn = (Math.max(from + inset, Math.min(to - inset, nearest)) * Math.PI) / 180
  const at = (distance: number) =>
    `${near(WIDTH / 2 + distance * Math.sin(turn))} ${near(middle - distance * Math.cos(turn))}`
  return html`<path class="thread" d=${`M${at(radius)}C${at(radius + 12)} ${near(x - side * 16)} ${near(y)} ${near(x - side * 6)} ${near(y)}`} />`
}
