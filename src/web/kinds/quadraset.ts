import { counted } from '../../language/index.ts'
import { html } from '../html.ts'
import { label } from '../label.ts'
import { drawQuadraset } from '../pictures/index.ts'
import { AREA, MAKER } from './common-facets.ts'
import { gathered } from './gathered.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { tile } from './quadranym.ts'

export const quadraset: KindFile = {
  name: 'quadraset',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), record['quadranyms']),
  draw: drawQuadraset,
  body,
  form: {
    about: 'Quadranyms grouped under one name.',
    shelf: 'Sets',
    words: { quadranyms: { label: 'Quadranyms' } },
  },
}

function gistOf({ length }: Shown): string {
  return counted(length, 'quadranym')
}

function body(_visit: ExplorerVisit, { quadranyms, length }: Shown): Body {
  return {
    figure: false,
    below: html`<h2>${length} ${label('quadranym', length === 1 ? 'quadranym' : 'quadranyms')}</h2>
      <ul class="grid">${quadranyms.map((each: Shown) => html`<li>${tile(each)}</li>`)}</ul>`,
  }
}
