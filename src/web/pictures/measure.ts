/**
 * How wide words are, and where to break them, so that all text fits. Widths are those of the font that the site ships;
 * browsers that use another one get it in a size that takes about as much room (pictures.css).
 */
import { letterWidth } from './font.ts'

/** Letters that the font lacks, as multiples of the font size. Combining marks take no room. */
const OTHER = 0.68
const WIDE = 1.02
const MARK = /\p{M}|\p{Cf}/u
const IDEOGRAPH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60]|[\u{1f000}-\u{3ffff}]/u

/** Semi-bold letters that the font lacks are wider by this factor. */
const BOLD = 1.1

/** The line height, as a multiple of the font size. */
export const LEADING = 1.24

export function widthOf(text: string, size: number, bold = false): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter.codePointAt(0) ?? 0, bold) ?? otherWidth(letter, bold)
  return width * size
}

function otherWidth(letter: string, bold: boolean): number {
  if (MARK.test(letter)) return 0
  return (IDEOGRAPH.test(letter) ? WIDE : OTHER) * (bold ? BOLD : 1)
}

export interface Room {
  readonly width: number
  /** How many lines at most. */
  readonly lines: number
  /** Font sizes to try, the best one first. */
  readonly sizes: readonly number[]
  readonly bold?: boolean
}

/** A text broken into lines that fit. */
export interface Fitted {
  readonly lines: readonly string[]
  readonly size: number
  readonly width: number
  readonly height: number
  /** No word is broken, and nothing is cut off. */
  readonly whole: boolean
}

/** The largest size in which no word is broken. In the smallest size, words are broken, and the rest is cut off. */
export function fit(given: string, room: Room): Fitted {
  const { sizes, bold = false } = room
  const words = wordsOf(given)
  for (const size of sizes) {
    const lines = wrap(words, room, size)
    if (lines) return fitted(lines, { size, bold, whole: true })
  }
  const size = sizes.at(-1)!
  return fitted(wrapHard(words, room, size), { size, bold, whole: false })
}

/** In the middle of a disc: the more lines, the shorter they are. */
export function fitRound(text: string, radius: number, sizes: readonly number[]): Fitted {
  const words = wordsOf(text)
  const room = (lines: number, size: number): Room => {
    const height = (lines * size * LEADING) / 2
    return { width: 2 * Math.sqrt(Math.max(0, radius ** 2 - height ** 2)), lines, sizes: [size], bold: true }
  }
  for (const size of sizes) {
    for (const lines of [1, 2, 3, 4]) {
      const found = wrap(words, room(lines, size), size)
      if (found) return fitted(found, { size, bold: true, whole: true })
    }
  }
  return fit(text, room(4, sizes.at(-1)!))
}

function fitted(lines: readonly string[], how: { size: number; bold: boolean; whole: boolean }): Fitted {
  const { size, bold, whole } = how
  const width = lines.reduce((widest, line) => Math.max(widest, widthOf(line, size, bold)), 0)
  return { lines, size, width, height: lines.length * size * LEADING, whole }
}

/** Longer texts never fit, so they need not be measured whole. */
const LONGEST = 600

/** Words, each with the space before it; a line may also break after a hyphen or a slash. */
function wordsOf(text: string): string[] {
  const tidy = text
    .slice(0, LONGEST)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return tidy.match(/ ?[^\s\-/]*[-/]+(?=[^\s\-/])| ?[^\s\-/]+(?:[-/]+(?= |$))?| /gu) ?? []
}

/** Undefined if a word is wider than a line, or there are too many lines. */
function wrap(words: readonly string[], room: Room, size: number): string[] | undefined {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of words) {
    const width = widthOf(word, size, room.bold)
    if (line !== '' && used + width <= room.width) {
      line += word
      used += width
      continue
    }
    if (line !== '') lines.push(line)
    line = word.trimStart()
    used = widthOf(line, size, room.bold)
    if (used > room.width || lines.length >= room.lines) return undefined
  }
  return [...lines, line]
}

/** Breaks words if necessary, and ends in an ellipsis if the text does not fit. */
function wrapHard(words: readonly string[], room: Room, size: number): string[] {
  const pieces = words.flatMap((word) =>
    widthOf(word, size, room.bold) > room.width ? broken(word, room, size) : word,
  )
  const lines: string[] = []
  let line = ''
  for (const piece of pieces) {
    if (line === '' || widthOf(line + piece, size, room.bold) <= room.width)
      line += line === '' ? piece.trimStart() : piece
    else {
      lines.push(line)
      line = piece.trimStart()
    }
    if (lines.length === room.lines) return [...lines.slice(0, -1), cut(lines.at(-1)!, room, size)]
  }
  return [...lines, line]
}

const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** The pieces of a word; pieces of a script that uses hyphens get one between them. */
function broken(word: string, room: Room, size: number): string[] {
  const pieces: string[] = ['']
  for (const { segment } of letters.segment(word)) {
    const piece = pieces.at(-1)!
    if (widthOf(`${piece}${segment}-`, size, room.bold) <= room.width) {
      pieces[pieces.length - 1] += segment
      continue
    }
    if (/[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}]$/u.test(piece) && /^\p{L}/u.test(segment)) {
      pieces[pieces.length - 1] += '-'
    }
    pieces.push(segment)
  }
  return pieces.filter((piece) => piece !== '')
}

function cut(line: string, room: Room, size: number): string {
  let kept = line
  while (kept !== '' && widthOf(`${kept}…`, size, room.bold) > room.width) kept = kept.slice(0, -1)
  return `${kept.toWellFormed().trimEnd()}…`
}
