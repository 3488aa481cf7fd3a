import { counted } from '../../language/index.ts'
import { html } from '../html.ts'
import { drawPolymap } from '../pictures/index.ts'
import { AREA, MAKER } from './facets.ts'
import type { KindFile, Shown } from './kind.ts'

export const polymap: KindFile = {
  name: 'polymap',
  does: 'Two polynyms, and how the terms of one belong to the terms of the other.',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) =>
    html`<p class="gist">${gistOf(record)}</p>
      <p class="members">${record['pa'].name} <b aria-label="to">⇄</b> ${record['pb'].name}</p>`,
  draw: drawPolymap,
}

function gistOf(record: Shown): string {
  return counted(Object.keys(record).filter((member) => /^r[0-9]+$/.test(member)).length, 'link')
}
