/** A drawing: SVG made from a record, to be put into a page or sent as a file. */
import { readFileSync } from 'node:fs'
import { type Content, html, render } from '../html.ts'
import { type Fitted, LEADING } from './measure.ts'

export interface Drawing {
  readonly width: number
  readonly height: number
  /** What it shows, in words. */
  readonly label: string
  readonly content: Content
}

/** In a page, whose style sheet has the colours. */
export function inPage({ width, height, label, content }: Drawing): Content {
  return html`<svg class="drawing" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role="img" aria-label=${label}>
    ${content}
  </svg>`
}

/** Next to words that say the same, so screen readers skip it. */
export function ornament({ width, height, content }: Drawing): Content {
  return html`<svg class="drawing" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} aria-hidden="true">
    ${content}
  </svg>`
}

const MARGIN = 12

/** A file: it has its own colours and background, so it can be put into any page. */
export function alone(drawing: Drawing): string {
  const [width, height] = [drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN]
  const text = render(html`<svg
    xmlns="http://www.w3.org/2000/svg"
    class="drawing"
    viewBox=${`${-MARGIN} ${-MARGIN} ${width} ${height}`}
    width=${width}
    height=${height}
    role="img"
  >
    <title>${drawing.label}</title>
    <style>
      ${STYLE}
    </style>
    <rect class="ground" x=${-MARGIN} y=${-MARGIN} width=${width} height=${height} rx="14" />
    ${drawing.content}
  </svg>`)
  // Removes what HTML allows and XML does not: some characters, and the end of a section that was never begun.
  const safe = text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return `${safe.replaceAll(']]>', ']]&gt;')}\n`
}

const sheet = (file: string) => readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')

const STYLE = style()

/** The colours of the pages, light and dark, and the rules for drawings. */
function style(): string {
  const given = Array.from(
    sheet('look.css').matchAll(/(--[a-z-]+):\s+([^;]+);/g),
    ([, name, value]) => [name!, value!] as const,
  )
  const rules = sheet('pictures.css').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const used = new Set(Array.from(rules.matchAll(/var\((--[a-z-]+)\)/g), ([, name]) => name!))
  // Each colour is in the style sheet twice: first the light one, then the dark one.
  const times = (time: number) =>
    Array.from(used, (name) => [name, given.filter((each) => each[0] === name)[time]?.[1]] as const)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}:${value};`)
      .join('')
  return `.drawing{${times(0)}}@media(prefers-color-scheme:dark){.drawing{${times(1)}}}${rules}`
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};]) ?/g, '$1')
}

export interface Standing {
  readonly x: number
  /** The middle of the block. */
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly class?: string | undefined
}

/** Lines of text around a middle. */
export function block({ lines, size }: Fitted, { x, y, anchor = 'middle', class: name }: Standing): Content {
  const first = y - ((lines.length - 1) * size * LEADING) / 2 + size * 0.33
  return html`<text class=${name} font-size=${size} text-anchor=${anchor}>
    ${lines.map((line, i) => html`<tspan x=${near(x)} y=${near(first + i * size * LEADING)}>${line}</tspan>`)}
  </text>`
}

/** Eyes cannot see less than a tenth of a point. */
export function near(value: number): number {
  return Math.round(value * 10) / 10
}

/** Empty, or underscores for somebody to fill in. */
export function isBlank(term: unknown): boolean {
  return /^[\s_]*$/.test(String(term ?? ''))
}

export function said(term: unknown): string {
  return isBlank(term) ? 'blank' : String(term)
}
