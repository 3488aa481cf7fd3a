/** A polynym of steps: stairs. Short words go up from the bottom; sentences go down, in reading order. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { type Fitted, fit } from './measure.ts'
import { inWords, type Polynym } from './shape.ts'

const WIDTH = 360
/** Room for the number of a step, and from the edge of the step to it. */
const NUMBER = 24
const EDGE = 12
const WIDEST_STEP = 46

export function drawStairs(record: Polynym, linkOf?: LinkOf): Drawing {
  const { steps, outline, height } = climbing(record) ?? descending(record)
  return {
    width: WIDTH,
    height: near(height + 4),
    label: inWords(record, 'its steps are'),
    hasLinks: linkOf !== undefined,
    content: html`<g transform="translate(0 2)">${steps.map((step) => layer(step, linkOf))}<path class="mark" stroke-width="2.5" d=${outline} /></g>`,
  }
}

interface Stairs {
  readonly steps: readonly Step[]
  readonly outline: string
  readonly height: number
}

interface Step {
  readonly word: string
  readonly text: Fitted
  /** The layer of the step, which reaches to the bottom of the stairs. */
  readonly from: number
  readonly to: number
  readonly top: number
  readonly height: number
  readonly number: number
}

/** Each layer begins further right; undefined if the words leave no room for that. */
function climbing({ terms }: Polynym): Stairs | undefined {
  const texts = terms.map((term) => fit(term, { width: WIDTH - NUMBER - 2 * EDGE, lines: 1, sizes: [17] }))
  if (texts.some(({ whole }) => !whole)) return undefined
  const tread = Math.min(
    WIDEST_STEP,
    ...texts.slice(1).map((text, i) => (WIDTH - NUMBER - 2 * EDGE - text.width) / (i + 1)),
  )
  if (tread < 8) return undefined
  const layer = Math.max(32, Math.min(44, 200 / terms.length))
  const height = layer * terms.length
  const steps = texts.map((text, i): Step => {
    return {
      word: terms[i] ?? '',
      text,
      from: i * tread,
      to: WIDTH,
      top: height - (i + 1) * layer,
      height: layer,
      number: i + 1,
    }
  })
  const edge = steps.map(({ from, top }) => `V${near(top)}H${near(from + tread)}`).join('')
  const outline = `M0 ${near(height)}${edge.slice(0, edge.lastIndexOf('H'))}H${WIDTH}`
  return { steps, outline, height }
}

/** Each layer reaches further right, and is as high as its text. */
function descending({ terms }: Polynym): Stairs {
  const tread = Math.min(WIDEST_STEP, 110 / Math.max(1, terms.length - 1))
  let height = 0
  const steps = terms.map((term, i): Step => {
    const to = WIDTH - (terms.length - 1 - i) * tread
    const text = fit(term, { width: to - NUMBER - 2 * EDGE, lines: 8, sizes: [17, 16, 15, 14] })
    const top = height
    height += text.height + 16
    return { word: term, text, from: 0, to, top, height: text.height + 16, number: i + 1 }
  })
  const outline = `M0 ${near(steps[0]!.top)}${steps.map(({ to, top, height }) => `H${near(to)}V${near(top + height)}`).join('')}`
  return { steps, outline, height }
}

function layer({ word, text, from, to, top, height, number }: Step, linkOf: LinkOf | undefined): Content {
  const y = top + height / 2
  return html`<rect class="tint" x=${near(from)} y=${near(top)} width=${near(to - from)} height=${near(height)} />
    <path class="hair" d=${`M${near(from)} ${near(top)}H${near(to)}`} />
    <text class="caption" x=${near(from + EDGE)} y=${near(y + 4.5)} font-size="13">${number}</text>
    ${linked(word, block(text, { x: from + EDGE + NUMBER, y, anchor: 'start' }), linkOf)}`
}
