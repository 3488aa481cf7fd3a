/** A polynym is drawn by its mode: a ring of parts, a tree of types, stairs of steps. */
import { html } from '../html.ts'
import type { Drawing, LinkOf } from './drawing.ts'
import { drawRing } from './ring.ts'
import { polynymOf } from './shape.ts'
import { drawStairs } from './stairs.ts'
import { drawTree } from './tree.ts'

export function drawPolynym(record: Readonly<Record<string, any>>, linkOf?: LinkOf): Drawing {
  const polynym = polynymOf(record)
  if (polynym.mode === 'step') return drawStairs(polynym, linkOf)
  if (polynym.mode === 'type') return drawTree(polynym, linkOf)
  return drawRing(polynym, linkOf)
}

const SMALL = 44

/** Only the shape and the number of terms, for a list that shows the words next to it. */
export function drawSmallPolynym(record: Readonly<Record<string, any>>): Drawing {
  const { name, mode, terms } = polynymOf(record)
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
