/**
 * Two sets as a cross: the words of the first from top to bottom, those of the second from left to right, and what they
 * share in the middle.
 */
import { type Content, html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { type Fitted, fit } from './measure.ts'

export interface CrossedSet {
  readonly name: string
  /** By which a page knows it. */
  readonly letter: string
  /** The words that the other set does not have. */
  readonly only: readonly string[]
}

const SIDE = 126
const MIDDLE = 156
export const CROSS_WIDTH = 2 * SIDE + MIDDLE
const PAD = 14
const GAP = 7
/** Of one arm, and of the middle. */
const MOST = 8
const SIZES = [16, 15, 14, 13, 12, 11]

/** A line of a column: a word, or the name of a set. */
interface Line {
  readonly text: Fitted
  /** What it links to; a name and a remark link to nothing. */
  readonly word?: string
  readonly class?: string
}

export function drawCross(
  sets: readonly [CrossedSet, CrossedSet],
  shared: readonly string[],
  linkOf?: LinkOf,
): Drawing {
  const [first, second] = sets
  const [top, bottom] = halves(first.only, MIDDLE)
  const [left, right] = halves(second.only, SIDE)
  const above = [...headOf(first, MIDDLE), ...top]
  const beside = [...headOf(second, SIDE), ...left]
  const common = shared.length > 0 ? some(shared, MIDDLE) : [remark('nothing shared', MIDDLE)]
  const middle = Math.max(...[beside, right, common].map(heightOf), 84) + 2 * PAD
  const head = heightOf(above) + 2 * PAD
  const foot = bottom.length > 0 ? heightOf(bottom) + 2 * PAD : PAD
  const height = near(head + middle + foot)
  const [x, y] = [SIDE + MIDDLE / 2, head + middle / 2]
  const at = (lines: readonly Line[], x: number, y: number) => stack(lines, x, y, linkOf)
  return {
    width: CROSS_WIDTH,
    height,
    label: inWords(sets, shared),
    hasLinks: linkOf !== undefined,
    content: html`<rect class="tint" x=${SIDE} y="0" width=${MIDDLE} height=${height} rx="22" />
      <rect class="tint" x="0" y=${near(head)} width=${CROSS_WIDTH} height=${near(middle)} rx="22" />
      <rect class="plate" x=${SIDE} y=${near(head)} width=${MIDDLE} height=${near(middle)} rx="22" />
      <rect class="mark" x=${SIDE} y=${near(head)} width=${MIDDLE} height=${near(middle)} rx="22" stroke-width="1.5" />
      ${at(above, x, head / 2)} ${at(common, x, y)} ${at(bottom, x, head + middle + foot / 2)} ${at(beside, SIDE / 2, y)}
      ${at(right, SIDE + MIDDLE + SIDE / 2, y)}`,
  }
}

function inWords([first, second]: readonly [CrossedSet, CrossedSet], shared: readonly string[]): string {
  const both = shared.length > 0 ? `share ${shared.join(', ')}` : 'share nothing'
  const alone = [first, second].filter(({ only }) => only.length > 0)
  const others = alone.map(({ name, only }) => `only ${name}: ${only.join(', ')}`)
  return [`${first.name} and ${second.name} ${both}`, ...others].join('; ')
}

/** The first arm has the name of the set, too. */
function halves(words: readonly string[], width: number): [Line[], Line[]] {
  const half = Math.floor(words.length / 2)
  return [some(words.slice(0, half), width), some(words.slice(half), width)]
}

/** The first words of an arm, and how many more there are. */
function some(words: readonly string[], width: number): Line[] {
  const shown = words.slice(0, words.length > MOST ? MOST - 1 : MOST)
  const lines = shown.map((word) => ({ word, text: fit(word, { width: width - PAD, lines: 3, sizes: SIZES }) }))
  const more = words.length - shown.length
  return more > 0 ? [...lines, remark(`and ${more} more`, width)] : lines
}

function headOf({ letter, name }: CrossedSet, width: number): Line[] {
  const text = fit(name, { width: width - PAD, lines: 3, sizes: [18, ...SIZES], bold: true })
  return [
    { text: fit(letter, { width, lines: 1, sizes: [14] }), class: 'strong sign' },
    { text, class: 'strong' },
  ]
}

function remark(text: string, width: number): Line {
  return { text: fit(text, { width: width - PAD, lines: 2, sizes: [13, 12, 11] }), class: 'quiet' }
}

function heightOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text }) => sum + text.height + GAP, -GAP)
}

function stack(lines: readonly Line[], x: number, y: number, linkOf: LinkOf | undefined): Content {
  let top = y - heightOf(lines) / 2
  return lines.map(({ text, word, class: name }) => {
    const drawn = block(text, { x, y: top + text.height / 2, class: name })
    top += text.height + GAP
    return word === undefined ? drawn : linked(word, drawn, linkOf)
  })
}
