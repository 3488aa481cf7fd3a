/** A polynym draws itself by its mode: a ring of parts, a tree of types, a stair of steps. */
import { html } from '../html.ts'
import type { Drawing } from './drawing.ts'
import { drawRing } from './ring.ts'
import { drawStairs } from './stairs.ts'
import { drawTree } from './tree.ts'

/** A name and its terms, in order. */
export interface Listed {
  readonly name: string
  readonly mode: string
  readonly terms: readonly string[]
}

/** p1 to p12, as far as there are any. */
export function listed(record: Readonly<Record<string, any>>): Listed {
  const terms: string[] = []
  for (let i = 1; typeof record[`p${i}`] === 'string'; i++) terms.push(record[`p${i}`])
  return { name: record['name'], mode: record['mode'], terms }
}

export function inWords({ name, terms }: Listed, are: string): string {
  return `${name}: ${are} ${terms.join('; ')}`
}

export function drawPolynym(record: Readonly<Record<string, any>>): Drawing {
  const list = listed(record)
  if (list.mode === 'step') return drawStairs(list)
  if (list.mode === 'type') return drawTree(list)
  return drawRing(list)
}

const SMALL = 44

/** Only the shape and how many, for a list in which the words stand beside it. */
export function drawSmallPolynym(record: Readonly<Record<string, any>>): Drawing {
  const { name, mode, terms } = listed(record)
  const count = terms.length
  return { width: SMALL, height: SMALL, label: `${name}: ${count} ${mode}s`, content: sign(mode, count) }
}

function sign(mode: string, count: number) {
  if (mode === 'step') {
    const [wide, high] = [36 / count, 32 / count]
    const treads = Array.from({ length: count }, () => `v-${high.toFixed(2)}h${wide.toFixed(2)}`).join('')
    return html`<path class="mark" stroke-width="2" d=${`M4 38${treads}`} />`
  }
  if (mode === 'type') {
    const ends = Array.from({ length: count }, (_, i) => 4 + (36 * (i + 0.5)) / count)
    return html`<path class="mark" stroke-width="1.5" d=${ends.map((y) => `M8 22C22 22 20 ${y.toFixed(1)} 38 ${y.toFixed(1)}`).join('')} />
      <circle class="dot" cx="8" cy="22" r="3.5" />`
  }
  return html`<circle class="mark" cx="22" cy="22" r="15" stroke-width="6" pathLength=${count * 20} stroke-dasharray="17 3" transform="rotate(-90 22 22)" />`
}
