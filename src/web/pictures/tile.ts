/** A polytile: the words of a set as a pattern that fills a sheet. Each row begins one word further than the row above. */
import { html } from '../html.ts'
import { block, near } from './drawing.ts'
import { type Fitted, fit, LEADING } from './measure.ts'
import type { PosterBody } from './poster.ts'

const GAP = 6
const INSET = 8
const SMALLEST = 8
const SIZES = [40, 36, 32, 28, 26, 24, 22, 20, 18, 16, 15, 14, 13, 12, 11, 10, 9, SMALLEST]

/** The colours repeat with the words, so that they run across the pattern. */
export function drawTile(words: readonly string[], columns: number, rows: number): PosterBody {
  return {
    isLying: columns > rows,
    draw(width, height) {
      const [wide, high] = [(width + GAP) / columns - GAP, (height + GAP) / rows - GAP]
      const texts = fitAll(words, wide - INSET, high - INSET)
      const colours = words.map((_, i) => coloursAt(i / words.length))
      return Array.from({ length: rows * columns }, (_, i) => {
        const [row, column] = [Math.floor(i / columns), i % columns]
        const place = (row + column) % words.length
        const [x, y] = [column * (wide + GAP), row * (high + GAP)]
        const { paper, ink } = colours[place] ?? coloursAt(0)
        const text = texts[place]
        return html`<rect x=${near(x)} y=${near(y)} width=${near(wide)} height=${near(high)} rx=${near(Math.min(wide, high) / 5)} fill=${paper} />
          ${text && block(text, { x: x + wide / 2, y: y + high / 2, colour: ink })}`
      })
    },
  }
}

/** As large as fits into a box, in as many lines as it is high. */
function fitIn(word: string, width: number, height: number, sizes = SIZES): Fitted {
  const lines = (size: number) => Math.max(1, Math.floor(height / (size * LEADING)))
  const found = sizes.map((size) => fit(word, { width, lines: lines(size), sizes: [size] }))
  const last = sizes.at(-1) ?? SMALLEST
  return found.find(({ whole }) => whole) ?? fit(word, { width, lines: lines(last), sizes: [last] })
}

/** All words in one size, unless a long one would make the others small. */
function fitAll(words: readonly string[], width: number, height: number): Fitted[] {
  const own = words.map((word) => fitIn(word, width, height).size)
  const most = Math.max(Math.min(...own), Math.max(...own) / 2)
  const sizes = SIZES.filter((size) => size <= most)
  return words.map((word) => fitIn(word, width, height, sizes))
}

/** Around the circle: the five colours of the site, for paper and for ink. */
const PAPERS = ['fbe7d6', 'e6f0d8', 'd9f0f0', 'e1e8fb', 'fbe0ea']
const INKS = ['9c4208', '3c6616', '0a666f', '2f55b0', 'a61e57']

function coloursAt(turn: number): { readonly paper: string; readonly ink: string } {
  return { paper: between(PAPERS, turn), ink: between(INKS, turn) }
}

function between(colours: readonly string[], turn: number): string {
  const place = turn * colours.length
  const [from = '', to = ''] = [colours[Math.floor(place)], colours[Math.ceil(place) % colours.length]]
  const share = place - Math.floor(place)
  const parts = [0, 2, 4].map((i) => {
    const [a, b] = [from, to].map((colour) => Number.parseInt(colour.slice(i, i + 2), 16))
    const mixed = Math.round((a ?? 0) * (1 - share) + (b ?? 0) * share)
    return mixed.toString(16).padStart(2, '0')
  })
  return `#${parts.join('')}`
}
