/** A small picture of what each chart looks like, next to its title. */
import { type Content, html } from '../html.ts'

const BARS = 'M1 3h44v6H1zM1 13h30v6H1zM1 23h18v6H1z'
const GRID = 'M1 3h12v7H1zM17 3h12v7H17zM33 13h12v7H33zM17 13h12v7H17zM1 23h12v7H1zM33 23h12v7H33z'
const COLUMNS = 'M1 22h7v8H1zM11 17h7v13h-7zM21 19h7v11h-7zM31 9h7v21h-7zM41 3h7v27h-7z'
const STACKS = 'M1 5h14v9H1zM17 5h18v9H17zM37 5h10v9H37zM1 20h18v9H1zM21 20h10v9H21zM33 20h14v9H33z'
const LINES = 'M1 4h26v6H1zM31 5h16v4H31zM4 14h14v4H4zM22 14h20v4H22zM1 23h10v3H1zM15 23h14v3H15zM33 23h12v3H33z'
const GRAPH = 'M8 8L24 17L40 6M24 17L14 27M24 17L40 26'

const SHAPES: Readonly<Record<string, string>> = {
  'depth-by-area': GRID,
  'depth-by-mode': GRID,
  words: LINES,
  network: GRAPH,
  balance: STACKS,
  growth: COLUMNS,
  activity: COLUMNS,
}

export function glyphOf(name: string): Content {
  const shape = SHAPES[name] ?? BARS
  return html`<svg viewBox="0 0 50 32" aria-hidden="true">
    <path d=${shape} stroke-width=${shape === GRAPH ? 1.5 : 0} fill=${shape === GRAPH ? 'none' : undefined} />
    ${shape === GRAPH && [8, 24, 40, 14, 40].map((x, i) => html`<circle cx=${x} cy=${[8, 17, 6, 27, 26][i]} r=${i === 1 ? 5 : 3.5} />`)}
  </svg>`
}
