import { counted } from '../../language/index.ts'
import { wordAddress } from '../addresses.ts'
import { html } from '../html.ts'
import { recordLink } from '../links.ts'
import { columnsOf, drawVectornym, polynymOf } from '../pictures/index.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import { gathered } from './gathered.ts'
import type { Body, Companion, ExplorerVisit, KindFile, Shown } from './kind.ts'

export const vectornym: KindFile = {
  name: 'vectornym',
  part: 'sets',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf,
  companyOf,
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

/** The words in the same row. */
function companyOf(record: Shown, isIt: (word: string) => boolean): Companion[] {
  return rowsOf(record)
    .filter((cells) => cells.some((text) => text !== undefined && isIt(text)))
    .flatMap((cells) => cells.flatMap((text) => (text === undefined || isIt(text) ? [] : [{ text }])))
}

function rowsOf(record: Shown): (string | undefined)[][] {
  const columns = columnsOf(record).map((column) => polynymOf(column).terms)
  return Array.from({ length: record['depth'] }, (_, i) => columns.map((terms) => terms[i]))
}

function body(_visit: ExplorerVisit, record: Shown): Body {
  const columns = columnsOf(record)
  const rows = rowsOf(record)
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
