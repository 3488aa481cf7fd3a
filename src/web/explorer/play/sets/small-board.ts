/** A board without words, as an ornament: four sets of four, mixed. */
import { type Content, html } from '../../../html.ts'

/** The set of each of the sixteen tiles. */
const MIXED = [1, 3, 2, 4, 2, 1, 4, 3, 3, 4, 1, 2, 4, 2, 3, 1]

export function smallBoard(): Content {
  return html`<svg class="small-board" viewBox="0 0 128 92" width="128" height="92" aria-hidden="true">
    ${MIXED.map((rank, i) => html`<rect class=${`rank${rank}`} x=${(i % 4) * 33 + 0.5} y=${Math.floor(i / 4) * 24 + 0.5} width="28" height="19" rx="4" />`)}
  </svg>`
}
