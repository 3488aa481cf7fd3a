/** A quadranym: its name in the middle, expansive above reductive, subjective left of objective. */
import { type Content, html } from '../html.ts'
import { block, type Drawing, isBlank, type LinkOf, linked, near, said } from './drawing.ts'
import { fit, fitRound } from './measure.ts'

export interface FourTerms {
  readonly name: string
  readonly e: string
  readonly r: string
  readonly o: string
  readonly s: string
}

type Pole = 'e' | 'r' | 'o' | 's'

export const POLES: Readonly<Record<Pole, string>> = {
  e: 'expansive',
  r: 'reductive',
  o: 'objective',
  s: 'subjective',
}

const SIDE = 360
const MIDDLE = SIDE / 2
const RING = 118

const PLACES: Readonly<Record<Pole, { x: number; y: number; width: number; lines: number }>> = {
  e: { x: MIDDLE, y: MIDDLE - RING, width: 200, lines: 3 },
  r: { x: MIDDLE, y: MIDDLE + RING, width: 200, lines: 3 },
  s: { x: MIDDLE - RING, y: MIDDLE, width: 104, lines: 4 },
  o: { x: MIDDLE + RING, y: MIDDLE, width: 104, lines: 4 },
}

export function drawQuadranym(record: FourTerms, linkOf?: LinkOf): Drawing {
  return drawCaptioned(record, POLES, linkOf)
}

/** With other words for what the four places mean. */
export function drawCaptioned(record: FourTerms, captions: Readonly<Record<Pole, string>>, linkOf?: LinkOf): Drawing {
  const pole = (slot: Pole) => poleOf(record, slot, captions[slot], linkOf)
  const [top, bottom] = [pole('e'), pole('r')]
  // Room above and below the ring only for the part of a pole that sticks out.
  const above = MIDDLE - RING - top.height / 2 - 2
  return {
    width: SIDE,
    height: near(2 * RING + (top.height + bottom.height) / 2 + 4),
    label: inWords(record),
    hasLinks: linkOf !== undefined,
    content: html`<g transform=${`translate(0 ${near(-above)})`}>
      <circle class="tint" cx=${MIDDLE} cy=${MIDDLE} r=${RING} />
      ${arc('e', -45)} ${arc('o', 45)} ${arc('r', 135)} ${arc('s', 225)}
      <path class="thread" stroke-dasharray="1 5" stroke-linecap="round" d=${`M${MIDDLE} ${MIDDLE - RING}v${2 * RING}M${MIDDLE - RING} ${MIDDLE}h${2 * RING}`} />
      ${linked(record.name, centre(record.name), linkOf)} ${top.content} ${bottom.content} ${pole('s').content} ${pole('o').content}
    </g>`,
  }
}

function inWords({ name, e, r, o, s }: FourTerms): string {
  return `${said(name)}: ${said(e)} (expansive) against ${said(r)} (reductive), ${said(o)} (objective) against ${said(s)} (subjective)`
}

/** A quarter of the ring, starting this many degrees after the top. */
function arc(slot: Pole, from: number): Content {
  const [start, end] = [pointOn(from + 3), pointOn(from + 87)]
  return html`<path class=${`arc ${slot}`} d=${`M${start}A${RING} ${RING} 0 0 1 ${end}`} />`
}

function pointOn(degrees: number): string {
  const turn = (degrees * Math.PI) / 180
  return `${near(MIDDLE + RING * Math.sin(turn))} ${near(MIDDLE - RING * Math.cos(turn))}`
}

function centre(name: string): Content {
  const text = fitRound(name, 45, [24, 21, 18, 16, 14, 13, 12, 11])
  return html`<circle class="plate" cx=${MIDDLE} cy=${MIDDLE} r="54" />
    <circle class="pill n" cx=${MIDDLE} cy=${MIDDLE} r="49" stroke-width="1.5" />
    ${block(text, { x: MIDDLE, y: MIDDLE, class: 'strong n' })}`
}

const LABEL = 15

/** A term on the ring, in the colour of its slot. */
function poleOf(
  record: FourTerms,
  slot: Pole,
  caption: string,
  linkOf: LinkOf | undefined,
): { readonly height: number; readonly content: Content } {
  const { x, y, width, lines } = PLACES[slot]
  const blank = isBlank(record[slot])
  const text = fit(blank ? '' : record[slot], { width, lines, sizes: [21, 19, 17, 15, 14, 13, 12, 11] })
  const wide = Math.min(width + 18, Math.max(84, text.width + 26))
  const height = text.height + LABEL + 13
  const top = y - height / 2
  const pill = html`<rect
      class=${blank ? 'pill blank' : `pill ${slot}`}
      x=${near(x - wide / 2)}
      y=${near(top)}
      width=${near(wide)}
      height=${near(height)}
      rx="14"
    />
    ${blank ? html`<path class="thread" d=${`M${x - 20} ${near(y + LABEL)}h40`} />` : block(text, { x, y: y + LABEL / 2, class: slot })}`
  // The caption is not part of the link, because it is not the word.
  const content = html`${linked(record[slot], pill, linkOf)}
    <text class=${blank ? 'caption' : `caption ${slot}`} x=${x} y=${near(top + LABEL + 2)} font-size="11.5" text-anchor="middle">
      ${caption}
    </text>`
  return { height, content }
}

/** For a card in a grid: only the words, in their places. */
export function drawSmallQuadranym(record: FourTerms): Drawing {
  const name = fit(record.name, { width: 104, lines: 2, sizes: [18, 16, 14, 12, 11], bold: true })
  const reach = name.width / 2 + 8
  const side = 120 - reach - 8
  const term = (slot: Pole) => (isBlank(record[slot]) ? '–' : record[slot])
  const beside = (slot: Pole) => fit(term(slot), { width: side, lines: 3, sizes: [15, 14, 13, 12, 11, 10] })
  const away = (slot: Pole) => fit(term(slot), { width: 220, lines: 1, sizes: [15, 14, 13, 12] })
  return {
    width: 240,
    height: 128,
    label: inWords(record),
    content: html`<path class="hair" d="M120 29v15M120 84v15" />
      ${block(name, { x: 120, y: 64, class: 'strong n' })} ${block(away('e'), { x: 120, y: 16, class: 'e' })}
      ${block(away('r'), { x: 120, y: 112, class: 'r' })}
      ${block(beside('s'), { x: 120 - reach - side / 2, y: 64, class: 's' })}
      ${block(beside('o'), { x: 120 + reach + side / 2, y: 64, class: 'o' })}`,
  }
}
