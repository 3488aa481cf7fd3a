/** The frame of a preview: the picture that other sites show with a link. Its size is the one that they ask for. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, near } from '../pictures/drawing.ts'
import { fit, widthOf } from '../pictures/measure.ts'

export const PREVIEW_WIDTH = 1200
export const PREVIEW_HEIGHT = 630
export const EDGE = 72
/** The line at the bottom with the name of the site. */
export const FOOT = PREVIEW_HEIGHT - 52

export interface CardHead {
  /** What it is: "Quadranym". */
  readonly kind: string
  readonly title: string
  /** A few words about it. */
  readonly gist: string
  /** Who made it. */
  readonly by: string | undefined
}

/** The whole preview, with its background and the name of the site. */
export function preview(label: string, content: Content): Drawing {
  return {
    width: PREVIEW_WIDTH,
    height: PREVIEW_HEIGHT,
    label,
    content: html`<rect class="paper" width=${PREVIEW_WIDTH} height=${PREVIEW_HEIGHT} />${content}`,
  }
}

/** The name of the site; it ends at this place. */
export function brand(x: number): Content {
  const size = 34
  const end = widthOf('dex', size, true)
  return html`<text class="strong" x=${near(x - end)} y=${FOOT} font-size=${size} text-anchor="end">nym</text>
    <text class="strong brand" x=${near(x - end)} y=${FOOT} font-size=${size}>dex</text>`
}

export function kindLabel(kind: string): Content {
  return html`<text class="quiet" x=${EDGE} y="84" font-size="26">${kind}</text>`
}

/** In one line at the bottom, as far as there is room. */
export function footLine(text: string | undefined): Content {
  if (!text) return undefined
  const line = fit(text, { width: PREVIEW_WIDTH - 2 * EDGE - 180, lines: 1, sizes: [30, 28, 26, 24] })
  return block(line, { x: EDGE, y: FOOT - 0.33 * line.size, anchor: 'start', class: 'quiet' })
}

const SIDE = { x: 600, y: 40, width: 560, height: 550 }
const WIDE = { x: EDGE, y: 170, width: PREVIEW_WIDTH - 2 * EDGE, height: 350 }
const INSET = 20
/** A picture next to the text is easier to read than one below it, unless it is much smaller there. */
const WORTH = 1.4

/** A drawing, and in words what it is. */
export function drawingCard(head: CardHead, drawing: Drawing): Drawing {
  const scaleIn = (room: typeof SIDE) =>
    Math.min((room.width - 2 * INSET) / drawing.width, (room.height - 2 * INSET) / drawing.height)
  const isWide = scaleIn(WIDE) > WORTH * scaleIn(SIDE)
  const room = isWide ? WIDE : SIDE
  const scale = scaleIn(room)
  const x = room.x + (room.width - scale * drawing.width) / 2
  const y = room.y + (room.height - scale * drawing.height) / 2
  return preview(
    drawing.label,
    html`${kindLabel(head.kind)} ${isWide ? wideHead(head) : sideHead(head)}
      <rect class="ground" x=${room.x} y=${room.y} width=${room.width} height=${room.height} rx="28" />
      <g transform=${`translate(${near(x)} ${near(y)}) scale(${scale.toFixed(4)})`}>${drawing.content}</g>`,
  )
}

function sideHead({ title, gist, by }: CardHead): Content {
  const width = SIDE.x - EDGE - 36
  const name = fit(title, { width, lines: 3, sizes: [76, 68, 60, 54, 48, 42, 36], bold: true })
  const words = fit(gist, { width, lines: 4, sizes: [32, 30, 28, 26] })
  const top = 130
  const maker = by ? fit(by, { width: width - 150, lines: 1, sizes: [26, 24, 22] }) : undefined
  return html`${block(name, { x: EDGE, y: top + name.height / 2, anchor: 'start', class: 'strong' })}
    ${gist !== '' && block(words, { x: EDGE, y: top + name.height + 24 + words.height / 2, anchor: 'start', class: 'quiet' })}
    ${maker && block(maker, { x: EDGE, y: FOOT - 0.33 * maker.size, anchor: 'start', class: 'quiet' })}
    ${brand(SIDE.x - 36)}`
}

function wideHead({ title, by }: CardHead): Content {
  const name = fit(title, { width: WIDE.width, lines: 1, sizes: [54, 48, 42, 36, 32], bold: true })
  return html`${block(name, { x: EDGE, y: 126, anchor: 'start', class: 'strong' })} ${footLine(by)}
    ${brand(PREVIEW_WIDTH - EDGE)}`
}
