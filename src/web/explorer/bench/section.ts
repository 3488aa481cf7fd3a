/** The fit bench: its pages, and how they show numbers. */
import { type Content, html } from '../../html.ts'
import type { Section } from '../tell/frame.ts'

export const RESULTS = '/bench/results/'

export const BENCH: Section = {
  name: 'Fit bench',
  ways: 'Parts of the bench',
  part: 'texts',
  pages: [
    { path: '/bench/', title: 'Judge' },
    { path: RESULTS, title: 'By phrase' },
    { path: `${RESULTS}?by=quadranym`, title: 'By quadranym' },
    { path: `${RESULTS}?by=realm`, title: 'By realm' },
    { path: `${RESULTS}?by=me`, title: 'Yours' },
  ],
}

export interface Counts {
  readonly yes: number
  readonly no: number
}

/** How many people say yes, and how many no, as a bar and in words. */
export function countsBar({ yes, no }: Counts): Content {
  const share = yes + no === 0 ? 0 : Math.round((100 * yes) / (yes + no))
  return html`<svg class="fit-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><path d="M0 0h100v10H0z" /><path d=${`M0 0h${share}v10H0z`} /></svg>
    <span class="number">${yes} yes, ${no} no</span>`
}

export function percent(share: number | null | undefined): string {
  return share === null || share === undefined ? '–' : `${Math.round(100 * share)} %`
}
