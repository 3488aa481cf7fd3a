/**
 * A quadranym whose words are opened in place: where a word is the topic of another quadranym, that one is drawn instead of
 * the word, and so on. Boxes are measured from the inside out.
 */
import { type Content, html } from '../html.ts'
import { block, type Drawing, isBlank, near } from './drawing.ts'
import { type Fitted, fit } from './measure.ts'

export const NEST_SLOTS = ['e', 's', 'o', 'r'] as const
export type NestSlot = (typeof NEST_SLOTS)[number]

export interface Nest {
  readonly name: string
  readonly words: Readonly<Record<NestSlot, NestWord>>
}

/** A word, or the quadranym of that name in its place. */
export interface NestWord {
  readonly term: string
  readonly inside?: Nest | undefined
  /** How many quadranyms have the word as their topic. */
  readonly count?: number
  /** The addresses of the picture with the word opened, and closed; files have none. */
  readonly opens?: string | undefined
  readonly closes?: string | undefined
  /** The picture with the next quadranym of that name. */
  readonly turns?: string | undefined
}

interface Box {
  readonly width: number
  readonly height: number
  draw(x: number, y: number): Content
}

const GAP = 12
const PAD = 14
const WORD = { width: 104, lines: 3, sizes: [16, 15, 14, 13, 12, 11] }
const NAME = { width: 104, lines: 3, sizes: [18, 17, 16, 15, 14, 13, 12, 11], bold: true }
const SIGN = 9
const FOOT = 22

/** A picture on a page has buttons that open and close words; a file has none. */
export function drawNest(given: Nest, isLive = false): Drawing {
  const nest = isLive ? given : withoutButtons(given)
  const box = inner(nest)
  return {
    width: near(box.width),
    height: near(box.height),
    label: inWords(nest),
    hasLinks: isLive,
    content: box.draw(0, 0),
  }
}

function withoutButtons({ name, words }: Nest): Nest {
  const plain = ({ term, inside }: NestWord): NestWord => ({ term, inside: inside && withoutButtons(inside) })
  return { name, words: { e: plain(words.e), s: plain(words.s), o: plain(words.o), r: plain(words.r) } }
}

function inWords({ name, words }: Nest): string {
  const said = NEST_SLOTS.flatMap((slot) => {
    const { term, inside } = words[slot]
    if (isBlank(term)) return []
    return inside ? `${term} (${inWords(inside)})` : term
  })
  return `${name}: ${said.join(', ')}`
}

/** The name in the middle, its words around it. */
function inner({ name, words }: Nest): Box {
  const [e, s, o, r] = NEST_SLOTS.map((slot) => cell(words[slot], slot))
  const middle = nameBox(name)
  if (!e || !s || !o || !r) return middle
  const row = s.width + middle.width + o.width + 2 * GAP
  const width = Math.max(e.width, row, r.width)
  const high = Math.max(s.height, middle.height, o.height)
  return {
    width,
    height: e.height + high + r.height + 2 * GAP,
    draw(x, y) {
      // The name is in the middle of the picture, unless one side needs much more room than the other.
      const left = Math.min(Math.max((width - middle.width) / 2, s.width + GAP), width - o.width - middle.width - GAP)
      const centre = x + left + middle.width / 2
      const line = y + e.height + GAP + high / 2
      const within = (box: Box) => Math.min(Math.max(centre - box.width / 2, x), x + width - box.width)
      return html`<path class="hair" d=${`M${near(centre)} ${near(y + e.height)}V${near(y + e.height + 2 * GAP + high)}M${near(x + left - GAP)} ${near(line)}H${near(x + left + middle.width + GAP)}`} />
        ${e.draw(within(e), y)} ${r.draw(within(r), y + e.height + high + 2 * GAP)}
        ${s.draw(x + left - GAP - s.width, line - s.height / 2)} ${o.draw(x + left + middle.width + GAP, line - o.height / 2)}
        ${middle.draw(x + left, line - middle.height / 2)}`
    },
  }
}

function nameBox(name: string): Box {
  const text = fit(name, NAME)
  const [width, height] = [Math.max(56, text.width + 2 * PAD), text.height + PAD]
  return {
    width,
    height,
    draw: (
      x,
      y,
    ) => html`<rect class="pill n" x=${near(x)} y=${near(y)} width=${near(width)} height=${near(height)} rx=${near(Math.min(height / 2, 18))} />
      ${block(text, { x: x + width / 2, y: y + height / 2, class: 'strong n' })}`,
  }
}

function cell(word: NestWord, slot: NestSlot): Box {
  return word.inside ? opened(word, word.inside, slot) : closed(word, slot)
}

function closed({ term, opens, count = 0 }: NestWord, slot: NestSlot): Box {
  const text = fit(isBlank(term) ? '–' : term, WORD)
  const sign = opens ? 2 * SIGN + 4 : 0
  const [width, height] = [Math.max(44, text.width + sign + 8), Math.max(text.height + 10, 2 * SIGN + 6)]
  return {
    width,
    height,
    draw(x, y) {
      const words = block(text, { x: x + (width - sign) / 2, y: y + height / 2, class: isBlank(term) ? 'quiet' : slot })
      if (!opens) return words
      const says = count > 1 ? `Open ${term}, the topic of ${count} quadranyms` : `Open ${term}`
      return html`<a href=${opens} aria-label=${says}>
        <rect class="ground" x=${near(x)} y=${near(y)} width=${near(width)} height=${near(height)} rx="10" />
        ${words} ${button('+', x + width - SIGN - 4, y + height / 2)}
      </a>`
    },
  }
}

function button(sign: string, x: number, y: number): Content {
  return html`<circle class="mark" cx=${near(x)} cy=${near(y)} r=${SIGN} stroke-width="1.5" />
    <text class="strong sign" x=${near(x)} y=${near(y + 5)} font-size="15" text-anchor="middle">${sign}</text>`
}

function opened({ term, closes, turns, count = 1 }: NestWord, nest: Nest, slot: NestSlot): Box {
  const box = inner(nest)
  const foot = closes ? FOOT : 0
  const [width, height] = [box.width + 2 * PAD, box.height + 2 * PAD + foot]
  return {
    width,
    height,
    draw: (
      x,
      y,
    ) => html`<rect class="plate" x=${near(x)} y=${near(y)} width=${near(width)} height=${near(height)} rx="18" />
      <rect class=${`arc ${slot}`} x=${near(x)} y=${near(y)} width=${near(width)} height=${near(height)} rx="18" />
      ${box.draw(x + PAD, y + PAD)}
      ${
        closes &&
        html`<a href=${closes} aria-label=${`Close ${term}`}>${button('−', x + width - SIGN - 8, y + height - SIGN - 8)}</a>
          ${turns && turning(turns, fit(`another of ${count}`, { width: box.width, lines: 1, sizes: [12] }), { x: x + PAD, y: y + height - 14, term })}`
      }`,
  }
}

function turning(href: string, text: Fitted, { x, y, term }: { x: number; y: number; term: string }): Content {
  return html`<a href=${href} aria-label=${`Another quadranym of ${term}`}>${block(text, { x, y, anchor: 'start', class: 'quiet' })}</a>`
}
