/** A drawing: SVG made from a record, to be put into a page or sent as a file. */
import { readFileSync } from 'node:fs'
import { type Content, html, render } from '../html.ts'
import { FONT_FAMILY } from './font.ts'
import { type Fitted, LEADING } from './measure.ts'

export interface Drawing {
  readonly width: number
  readonly height: number
  /** What it shows, in words. */
  readonly label: string
  readonly content: Content
  /** Some of its words are links, so it is more than an image. */
  readonly hasLinks?: boolean
}

/** The address of a word's page; undefined for texts that have none. Pictures in pages have links, files have not. */
export type LinkOf = (word: string) => string | undefined

/** The word as it is drawn, as a link if it has an address. */
export function linked(word: string, drawn: Content, linkOf: LinkOf | undefined): Content {
  const href = isBlank(word) ? undefined : linkOf?.(word)
  return href === undefined ? drawn : html`<a href=${href}>${drawn}</a>`
}

/** In a page, whose style sheet has the colours. */
export function inPage({ width, height, label, content, hasLinks = false }: Drawing): Content {
  return html`<svg class="drawing" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height} role=${hasLinks ? 'group' : 'img'} aria-label=${label}>
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
  return asXml(text)
}

/** A sheet of paper, in millimetres: light, on white, with the letters of the site in the file. */
export function printed(
  { width, height, label, content }: Drawing,
  paper: { readonly width: number; readonly height: number },
): string {
  const drawn = render(html`<g>${content}</g>`)
  const letters = MORE_LETTERS.test(drawn) ? FONT_FACES : FONT_FACES.slice(0, LATIN_FACES)
  return asXml(
    render(html`<svg xmlns="http://www.w3.org/2000/svg" class="drawing" width=${`${paper.width}mm`} height=${`${paper.height}mm`} viewBox=${`0 0 ${width} ${height}`} role="img">
      <title>${label}</title>
      <style>
        ${letters.join('')}${LIGHT_STYLE}
      </style>
      <rect width=${width} height=${height} fill="#fff" />
      ${content}
    </svg>`),
  )
}

/** For a program that knows no variables and no dark colours: light, without a margin, in the font of the site. */
export function plainSvg({ width, height, label, content }: Drawing): string {
  return asXml(
    render(html`<svg xmlns="http://www.w3.org/2000/svg" class="drawing" viewBox=${`0 0 ${width} ${height}`} width=${width} height=${height}>
      <title>${label}</title>
      <style>
        ${PLAIN_STYLE}
      </style>
      ${content}
    </svg>`),
  )
}

/** Removes what HTML allows and XML does not: some characters, and the end of a section that was never begun. */
function asXml(text: string): string {
  const safe = text.replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return `${safe.replaceAll(']]>', ']]&gt;')}\n`
}

const sheet = (file: string) => readFileSync(new URL(`../assets/${file}`, import.meta.url), 'utf8')
const font = (file: string) => readFileSync(new URL(`../assets/fonts/${file}`, import.meta.url), 'base64')

const RULES = sheet('pictures.css').replaceAll(/\/\*[\s\S]*?\*\//g, '')
const USED = new Set(Array.from(RULES.matchAll(/var\((--[a-z-]+)\)/g), ([, name = '']) => name))
const STYLE = style()
const LIGHT_STYLE = tight(`.drawing{${declared(0)}}${RULES}`)
/** Two weights of the Latin letters that most words have, then two of the others. */
const FONT_FACES = Array.from(sheet('fonts.css').matchAll(/@font-face \{[^}]*\}/g), ([face]) =>
  tight(face.replace(/url\("\/static\/([^"]+)"\)/, (_, file) => `url(data:font/woff2;base64,${font(file)})`)),
)
const LATIN_FACES = 2
const MORE_LETTERS = /[^\u0000-\u00ff\u2010-\u2044\u2212]/
const PLAIN_STYLE = plainStyle()

/** The variables that the rules use. Each colour is in the style sheet twice: first the light one, then the dark one. */
function variables(time: 0 | 1): ReadonlyMap<string, string> {
  const given = Map.groupBy(sheet('look.css').matchAll(/(--[a-z-]+):\s+([^;]+);/g), ([, name = '']) => name)
  return new Map(
    Array.from(USED).flatMap((name): [string, string][] => {
      const value = given.get(name)?.[time]?.[2]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

/** The colours of the pages, light and dark, and the rules for drawings. */
function style(): string {
  return tight(`.drawing{${declared(0)}}@media(prefers-color-scheme:dark){.drawing{${declared(1)}}}${RULES}`)
}

function declared(time: 0 | 1): string {
  return Array.from(variables(time), ([name, value]) => `${name}:${value};`).join('')
}

function plainStyle(): string {
  const values = new Map([...variables(0), ['--word', FONT_FAMILY], ['--talk', FONT_FAMILY]])
  const rules = RULES.replaceAll(/@[^{]*\{[^}]*\}/g, '')
  return tight(rules.replaceAll(/var\((--[a-z-]+)\)/g, (_, name) => values.get(name) ?? 'inherit'))
}

function tight(css: string): string {
  return css.replaceAll(/\s+/g, ' ').replaceAll(/ ?([{};]) ?/g, '$1')
}

export interface Standing {
  readonly x: number
  /** The middle of the block. */
  readonly y: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly class?: string | undefined
  /** For files, whose words have more colours than pages. */
  readonly colour?: string
}

/** Lines of text around a middle. */
export function block({ lines, size }: Fitted, { x, y, anchor = 'middle', class: name, colour }: Standing): Content {
  const first = y - ((lines.length - 1) * size * LEADING) / 2 + size * 0.33
  return html`<text class=${name} font-size=${size} text-anchor=${anchor} style=${colour && `fill:${colour}`}>
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
