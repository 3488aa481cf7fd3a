/** A text as a preview: large, its marked words in the colours of their slots, and who said it below. */
import { type Content, html } from '../html.ts'
import { type Drawing, near } from '../pictures/drawing.ts'
import { fit, LEADING, widthOf } from '../pictures/measure.ts'
import type { Span } from '../texts/tokens.ts'
import { brand, EDGE, footLine, kindLabel, PREVIEW_HEIGHT, PREVIEW_WIDTH, preview } from './card.ts'

export interface TextHead {
  readonly kind: string
  /** "Oscar Wilde", or "after Oscar Wilde" */
  readonly attribution: string | undefined
}

/** A piece of the text: a word with the space before it, maybe marked. */
interface Piece {
  readonly text: string
  readonly slot: string | undefined
}

interface Placed extends Piece {
  readonly x: number
}

const TOP = 120
const BOTTOM = PREVIEW_HEIGHT - 110
const WIDTH = PREVIEW_WIDTH - 2 * EDGE
/** The room of a marked word on each side. */
const PAD = 0.14
const LINE = 1.42
const SIZES = [72, 66, 60, 54, 48, 44, 40, 36, 32, 28]
/** More does not fit in the smallest size. */
const LONGEST = 1200

export function textCard({ kind, attribution }: TextHead, text: string, spans: readonly Span[]): Drawing {
  const pieces = piecesOf(text, spans)
  const { lines, size } = fitted(pieces)
  const height = lines.length * size * LINE
  const first = (TOP + BOTTOM - height) / 2 + size * (LINE / 2 + 0.33)
  const label = attribution ? `${text} – ${attribution}` : text
  return preview(
    label,
    html`${kindLabel(kind)} ${lines.map((line, i) => drawLine(line, near(first + i * size * LINE), size))}
      ${footLine(attribution)} ${brand(PREVIEW_WIDTH - EDGE)}`,
  )
}

/** Lines break before spaces. A marked word keeps what stands directly before and after it in other pieces. */
function piecesOf(text: string, spans: readonly Span[]): Piece[] {
  const letters = [...text.toWellFormed()].slice(0, LONGEST)
  const pieces: Piece[] = []
  const add = (part: string, slot?: string) => {
    const flat = part.replaceAll(/[\s\p{Cc}]+/gu, ' ')
    for (const [word] of flat.matchAll(/ ?[^ ]+| $/g)) pieces.push({ text: word, slot })
  }
  let done = 0
  for (const { offset, length, slot } of spans) {
    if (offset < done || offset >= letters.length) continue
    add(letters.slice(done, offset).join(''))
    const word = letters.slice(offset, offset + length).join('')
    if (word !== '') pieces.push({ text: word, slot })
    done = offset + length
  }
  add(letters.slice(done).join(''))
  return pieces
}

/** The largest size in which everything fits, if necessary with broken words; in the smallest, the end is cut off. */
function fitted(pieces: readonly Piece[]): { readonly lines: readonly (readonly Placed[])[]; readonly size: number } {
  const room = (size: number) => Math.floor((BOTTOM - TOP) / (size * LINE))
  for (const groups of [groupsOf, shortGroupsOf]) {
    for (const size of SIZES) {
      const lines = wrap(groups(pieces, size), size)
      if (lines && lines.length <= room(size)) return { lines, size }
    }
  }
  const size = SIZES.at(-1) ?? 0
  const all = wrap(shortGroupsOf(pieces, size), size) ?? []
  const lines = all.slice(0, room(size))
  const last = lines.at(-1) ?? []
  const end = last.at(-1)
  if (all.length === lines.length || !end) return { lines, size }
  return { lines: [...lines.slice(0, -1), [...last.slice(0, -1), { ...end, text: `${end.text} …` }]], size }
}

/** The parts of a word that is wider than a line, such as a long address or a sentence in Chinese. */
function broken(piece: Piece, size: number): readonly Piece[] {
  if (widthIn(piece, size) <= WIDTH) return [piece]
  const { lines } = fit(piece.text, { width: WIDTH - 2 * PAD * size, lines: 20, sizes: [size] })
  const space = piece.text.startsWith(' ') ? ' ' : ''
  return lines.map((text, i) => ({ ...piece, text: i === 0 ? space + text : text }))
}

function widthIn({ text, slot }: Piece, size: number): number {
  return widthOf(text, size) + (slot ? 2 * PAD * size : 0)
}

function widthOfGroup(group: readonly Piece[], size: number): number {
  return group.reduce((sum, piece) => sum + widthIn(piece, size), 0)
}

/** Undefined if a group is wider than a line. */
function wrap(groups: readonly (readonly Piece[])[], size: number): Placed[][] | undefined {
  const lines: Placed[][] = [[]]
  let x = 0
  for (const group of groups) {
    const width = widthOfGroup(group, size)
    let line = lines.at(-1) ?? []
    let parts = group
    if (line.length > 0 && x + width > WIDTH) {
      line = []
      lines.push(line)
      x = 0
    }
    if (line.length === 0)
      parts = group.map((piece, i) => (i === 0 ? { ...piece, text: piece.text.trimStart() } : piece))
    for (const piece of parts) {
      const before = line.at(-1)
      if (before && !before.slot && !piece.slot) line.splice(-1, 1, { ...before, text: before.text + piece.text })
      else line.push({ ...piece, x })
      x += widthIn(piece, size)
    }
    if (x > WIDTH + 1) return undefined
  }
  return lines
}

/** Pieces between which no line may break: a new group begins with a space. */
function groupsOf(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = []
  for (const piece of pieces) {
    const group = groups.at(-1)
    if (group && !piece.text.startsWith(' ')) group.push(piece)
    else groups.push([piece])
  }
  return groups
}

/** Groups of which none is wider than a line: lines may also break between the parts of a long word. */
function shortGroupsOf(pieces: readonly Piece[], size: number): Piece[][] {
  return groupsOf(pieces).flatMap((group) =>
    widthOfGroup(group, size) <= WIDTH ? [group] : group.flatMap((piece) => broken(piece, size)).map((part) => [part]),
  )
}

function drawLine(pieces: readonly Placed[], y: number, size: number): Content {
  return pieces.map(({ text, slot, x }) => {
    const left = EDGE + x
    if (text.trim() === '') return undefined
    if (!slot)
      return html`<text x=${near(left + widthOf(text, size) - widthOf(text.trimStart(), size))} y=${y} font-size=${size}>${text.trim()}</text>`
    const width = widthOf(text, size) + 2 * PAD * size
    return html`<rect class=${`pill ${slot}`} x=${near(left)} y=${near(y - 0.92 * size)} width=${near(width)} height=${near(size * LEADING)} rx=${near(size / 6)} />
      <text class=${slot} x=${near(left + PAD * size)} y=${y} font-size=${size}>${text}</text>`
  })
}
