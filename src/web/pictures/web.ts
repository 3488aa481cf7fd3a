/** Several sets as a web: the sets on both sides, the words that at least two of them share in the middle. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, type LinkOf, linked, near } from './drawing.ts'
import { type Fitted, fit } from './measure.ts'

export interface WebSet {
  readonly name: string
  /** A letter, by which a table next to the picture knows it. */
  readonly letter: string
  /** How many of its words no other set has. */
  readonly own: number
}

export interface SharedWord {
  readonly word: string
  /** The places of the sets that have it. */
  readonly in: readonly number[]
}

const SET = 118
const WORD = 112
const REACH = 36
const WIDTH = 2 * (SET + REACH) + WORD
const GAP = 14
const MOST_WORDS = 24

/** Words that more sets have come first. */
export function drawWeb(sets: readonly WebSet[], shared: readonly SharedWord[], linkOf?: LinkOf): Drawing {
  const nodes = sets.map(({ name }) =>
    fit(name, { width: SET - 34, lines: 3, sizes: [15, 14, 13, 12, 11], bold: true }),
  )
  const shown = shared.slice(0, MOST_WORDS)
  const words = shown.map(({ word }) => fit(word, { width: WORD, lines: 2, sizes: [16, 15, 14, 13, 12, 11] }))
  const more = shared.length - shown.length
  const half = Math.ceil(sets.length / 2)
  const columns = [nodes.slice(0, half), nodes.slice(half)].map((each) => each.map((text) => text.height + 26))
  const wordHeights = [...words.map(({ height }) => height), ...(more > 0 || words.length === 0 ? [16] : [])]
  const height = near(Math.max(...[...columns, wordHeights].map(heightOf)))
  const [left = [], right = []] = columns.map((each) => middles(each, height))
  const ys = [...left, ...right]
  const wordYs = middles(wordHeights, height)
  return {
    width: WIDTH,
    height,
    label: inWords(sets, shared),
    hasLinks: linkOf !== undefined,
    content: html`<path class="thread" d=${shown.map((each, i) => threads(each, { from: ys, half, to: wordYs[i] ?? 0, width: words[i]?.width ?? 0 })).join('')} />
      ${sets.map((set, i) => node(set, nodes[i], { x: i < half ? 0 : WIDTH - SET, y: ys[i] ?? 0 }))}
      ${words.map((text, i) => linked(shown[i]?.word ?? '', block(text, { x: WIDTH / 2, y: wordYs[i] ?? 0 }), linkOf))}
      ${
        (more > 0 || words.length === 0) &&
        html`<text class="quiet" x=${WIDTH / 2} y=${near((wordYs.at(-1) ?? 0) + 5)} font-size="13" text-anchor="middle">
          ${more > 0 ? `and ${more} more` : 'nothing shared'}
        </text>`
      }`,
  }
}

function inWords(sets: readonly WebSet[], shared: readonly SharedWord[]): string {
  const names = sets.map(({ name }) => name).join(', ')
  const words = shared.map(
    ({ word, in: places }) => `${word} in ${places.map((i) => sets[i]?.name ?? '').join(' and ')}`,
  )
  return words.length > 0 ? `${names} share ${words.join('; ')}` : `${names} share nothing`
}

function heightOf(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height + GAP, 0)
}

/** What a column does not need is divided between its lines. */
function middles(heights: readonly number[], height: number): number[] {
  const share = heights.length === 0 ? 0 : (height - heightOf(heights)) / heights.length
  let y = 0
  return heights.map((own) => {
    y += own + GAP + share
    return y - (own + GAP + share) / 2
  })
}

interface Ends {
  /** The middles of the sets: the first half is on the left. */
  readonly from: readonly number[]
  readonly half: number
  readonly to: number
  readonly width: number
}

function threads({ in: places }: SharedWord, { from, half, to, width }: Ends): string {
  return places
    .map((place) => {
      const side = place < half ? -1 : 1
      const [start, end] = [WIDTH / 2 + side * (WIDTH / 2 - SET), WIDTH / 2 + side * (width / 2 + 5)]
      const y = from[place] ?? 0
      const bend = near((start + end) / 2)
      return `M${near(start)} ${near(y)}C${bend} ${near(y)} ${bend} ${near(to)} ${near(end)} ${near(to)}`
    })
    .join('')
}

function node({ letter, own }: WebSet, text: Fitted | undefined, { x, y }: { x: number; y: number }): Content {
  if (!text) return undefined
  const height = text.height + 26
  const top = y - height / 2
  return html`<rect class="tint" x=${x} y=${near(top)} width=${SET} height=${near(height)} rx="12" />
    <text class="strong sign" x=${x + 10} y=${near(top + 19)} font-size="14">${letter}</text>
    ${block(text, { x: x + 27, y: top + 6 + text.height / 2, anchor: 'start', class: 'strong' })}
    <text class="caption" x=${x + 27} y=${near(top + height - 7)} font-size="11">${own > 0 ? `${own} of its own` : 'none of its own'}</text>`
}
