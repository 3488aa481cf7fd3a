import { counted } from '../../language/index.ts'
import { html } from '../html.ts'
import { label } from '../label.ts'
import { drawPolyset } from '../pictures/index.ts'
import { AREA, MAKER } from './common-facets.ts'
import { gathered } from './gathered.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { polynymTile } from './polynym.ts'

export const polyset: KindFile = {
  name: 'polyset',
  part: 'sets',
  facets: { ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), record['polynyms']),
  draw: drawPolyset,
  body,
  form: {
    about: 'Polynyms grouped under one name.',
    shelf: 'Sets',
    words: { polynyms: { label: 'Polynyms' } },
  },
}

function gistOf({ length }: Shown): string {
  return counted(length, 'polynym')
}

function body(_visit: ExplorerVisit, { polynyms, length, width }: Shown): Body {
  return {
    figure: false,
    below: html`<h2>${length} ${label('polynym', length === 1 ? 'polynym' : 'polynyms')}, ${counted(width, 'word')}</h2>
      <ul class="grid">${polynyms.map((each: Shown) => html`<li>${polynymTile(each)}</li>`)}</ul>`,
  }
}
