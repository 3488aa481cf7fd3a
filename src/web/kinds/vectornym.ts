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
    shelf: 'Sets',
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

/** Only words that would make a column too wide are broken. */
function classOf(text: string | undefined): 'long' | undefined {
  return text !== undefined && /\S{23}/.test(text) ? 'long' : undefined
}

/** How many columns a phone and a tablet show at once. */
const FIT_A_PHONE = 2
const FIT_A_TABLET = 4

function body(_visit: ExplorerVisit, record: Shown): Body {
  const columns = columnsOf(record)
  const rows = rowsOf(record)
  return {
    figure: false,
    below: html`${columns.length > FIT_A_PHONE && html`<p class=${columns.length > FIT_A_TABLET ? 'scrolls' : 'scrolls few'}>${columns.length} columns. Scroll sideways to see all of them.</p>`}
      <div class="wide table" role="region" aria-label=${`The table ${record['name']}`} tabindex="0">
      <table>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col" class=${classOf(column['name'])}>${recordLink('polynym', column)}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((cells) => html`<tr>${cells.map((term) => html`<td class=${classOf(term)}>${term && html`<a href=${wordAddress(term)}>${term}</a>`}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`,
  }
}
