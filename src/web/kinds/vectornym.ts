import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { html } from '../html.ts'
import { recordLink } from '../links.ts'
import { columnsOf, drawVectornym } from '../pictures/index.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import { gathered } from './gathered.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'

export const vectornym: KindFile = {
  name: 'vectornym',
  part: 'sets',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf,
  insideOf: (record) => gathered(gistOf(record), columnsOf(record)),
  draw: drawVectornym,
  body,
  form: {
    about: 'Two to nine polynyms side by side, as the columns of a table.',
    shelf: 'Sets of words',
    slots: { v: { label: 'Polynyms', each: 'Polynym' } },
  },
}

function gistOf({ length, depth }: Shown): string {
  return `${counted(length, 'column')}, ${counted(depth, 'row')}`
}

function body(_visit: ExplorerVisit, record: Shown): Body {
  const columns = columnsOf(record)
  const rows = Array.from({ length: record['depth'] }, (_, i) => columns.map((column) => column[`p${i + 1}`]))
  return {
    figure: false,
    below: html`<div class="wide table" role="region" aria-label=${`The table ${record['name']}`} tabindex="0">
      <table>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col">${recordLink('polynym', column)}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((cells) => html`<tr>${cells.map((term) => html`<td>${term && html`<a href=${wordAddress(term)}>${term}</a>`}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`,
  }
}
