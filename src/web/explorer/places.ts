/**
 * The picture of a word: the word in the middle, the sets that contain it around it, each line in the colour of its
 * slot.
 */
import { type Content, html } from '../html.ts'
import type { Kind } from '../kinds/index.ts'
import { shortened } from '../texts/marked.ts'

export interface Place {
  /** n, e, r, o, s, or p for a term of a polynym. */
  readonly slot: string
  readonly kind: Kind
  readonly name: string
  /** How the picture names it. */
  readonly label: string
  readonly note: string
  readonly href: string
}

const WIDTH = 400
const STEP = 38
const MOST = 14
const MIDDLE = WIDTH / 2
const SIDE = 132

export function drawPlaces(word: string, places: readonly Place[]): Content {
  const shown = places.slice(0, MOST)
  const left = shown.filter((_, i) => i % 2 === 1)
  const right = shown.filter((_, i) => i % 2 === 0)
  const height = Math.max(right.length, 3) * STEP + 24
  const centre = height / 2
  const label = `${word}, and the sets that contain it: ${shown.map(({ name }) => name).join(', ')}`
  return html`<svg class="places" viewBox=${`0 0 ${WIDTH} ${height}`} role="group" aria-label=${label}>
    ${branches(right, centre, 1)} ${branches(left, centre, -1)} ${middle(word, centre)}
  </svg>`
}

function branches(places: readonly Place[], centre: number, way: 1 | -1): Content {
  const from = MIDDLE + way * 38
  return places.map(({ slot, label, href }, i) => {
    const out = i - (places.length - 1) / 2
    const y = centre + out * STEP
    // Those above and below are a little further in, as on a ring.
    const to = MIDDLE + way * (MIDDLE - SIDE - 3 * out * out)
    const bend = (from + to) / 2
    return html`<path class=${`branch ${slot}`} d=${`M${from} ${centre}C${bend} ${centre} ${bend} ${y} ${to} ${y}`} fill="none" />
      <circle class=${`leaf ${slot}`} cx=${to} cy=${y} r="4.5" />
      <a href=${href}>
        <text x=${to + way * 10} y=${y + 5} text-anchor=${way === 1 ? 'start' : 'end'}>${shortened(label, 19)}</text>
      </a>`
  })
}

/** A long word is smaller. */
function middle(word: string, centre: number): Content {
  const shown = shortened(word, 22)
  const size = Math.min(24, 160 / Math.max(shown.length, 1) + 4)
  return html`<ellipse class="hub" cx=${MIDDLE} cy=${centre} rx="46" ry="32" />
    <text class="name" x=${MIDDLE} y=${centre + size / 3} font-size=${size.toFixed(1)} text-anchor="middle">${shown}</text>`
}
