import { html } from '../html.ts'
import { drawQuadranym } from '../pictures/index.ts'
import { shortened } from '../texts/marked.ts'
import { AREA, MAKER, REALM } from './facets.ts'
import type { KindFile } from './kind.ts'

export const quadranym: KindFile = {
  name: 'quadranym',
  does: 'A topic and its four poles: expansive against reductive, objective against subjective.',
  part: 'quadranym',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf: ({ e, r, o, s }) => `${shownTerm(e)} and ${shownTerm(r)}, ${shownTerm(o)} and ${shownTerm(s)}`,
  senseOf: ({ e, r }) => `${shownTerm(e)}, ${shownTerm(r)}`,
  insideOf: ({ e, r, o, s }) =>
    html`<div class="poles">
      <span class="e">${shownTerm(e)}</span><span class="s">${shownTerm(s)}</span><i></i><span class="o">${shownTerm(o)}</span
      ><span class="r">${shownTerm(r)}</span>
    </div>`,
  draw: drawQuadranym,
}

/** A term that is not known is empty, or underscores. */
function shownTerm(term: string): string {
  return /^_*$/.test(term) ? '–' : shortened(term, 48)
}
