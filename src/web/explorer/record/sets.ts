/** Pages of sets: what they hold, as grids, as a table, as two sides facing each other. */
import type { Visit } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { recordAddress, wordAddress } from '../../addresses.ts'
import { type Content, html } from '../../html.ts'
import type { Shown } from '../../kinds/index.ts'
import {
  columnsOf,
  drawSmallPolynym,
  ornament,
  polynymOf,
  type Relation,
  relationInWords,
  relationsOf,
} from '../../pictures/index.ts'
import { link } from './head.ts'
import type { Body } from './index.ts'
import { tile } from './words.ts'

export function quadrasetBody(_visit: Visit, { quadranyms, length }: Shown): Body {
  return {
    figure: false,
    below: html`<h2>${counted(length, 'quadranym')}</h2>
      <ul class="grid">${quadranyms.map((each: Shown) => html`<li>${tile(each)}</li>`)}</ul>`,
  }
}

export function polysetBody(_visit: Visit, { polynyms, length, width }: Shown): Body {
  return {
    figure: false,
    below: html`<h2>${counted(length, 'polynym')}, ${counted(width, 'term')}</h2>
      <ul class="grid">${polynyms.map((each: Shown) => html`<li>${polynymTile(each)}</li>`)}</ul>`,
  }
}

function polynymTile(record: Shown): Content {
  return html`<a class="card tile signed" href=${recordAddress('polynym', record)}>
    ${ornament(drawSmallPolynym(record))}
    <span><b>${record['name']}</b> ${polynymOf(record).terms.join(', ')}</span>
  </a>`
}

export function vectornymBody(_visit: Visit, record: Shown): Body {
  const columns = columnsOf(record)
  const rows = Array.from({ length: record['depth'] }, (_, i) => columns.map((column) => column[`p${i + 1}`]))
  return {
    figure: false,
    below: html`<div class="wide table" role="region" aria-label=${`The table ${record['name']}`} tabindex="0">
      <table>
        <thead>
          <tr>${columns.map((column) => html`<th scope="col">${link('polynym', column)}</th>`)}</tr>
        </thead>
        <tbody>
          ${rows.map((cells) => html`<tr>${cells.map((term) => html`<td>${term && html`<a href=${wordAddress(term)}>${term}</a>`}</td>`)}</tr>`)}
        </tbody>
      </table>
    </div>`,
  }
}

export function polymapBody(_visit: Visit, record: Shown): Body {
  const relations = relationsOf(record)
  const rows = relations.filter((each): each is Relation => 'from' in each)
  const lost = relations.flatMap((each) => ('row' in each ? [each.row] : []))
  return {
    beside: html`<p class="does">From ${link('polynym', record['pa'])} to ${link('polynym', record['pb'])}.</p>
      ${
        rows.length > 0 &&
        html`<h2>${counted(rows.length, 'relation')}</h2>
        <ul class="relations">
          ${rows.map(
            ({ from, name, to }) =>
              html`<li><a href=${wordAddress(from)}>${from}</a> <i>${relationInWords(name)}</i> <a href=${wordAddress(to)}>${to}</a></li>`,
          )}
        </ul>`
      }
      ${
        lost.length > 0 &&
        html`<h2>Fits no more</h2>
        <p class="soft">Written before the polynyms changed:</p>
        <ul>${lost.map((row) => html`<li>${row}</li>`)}</ul>`
      }`,
  }
}
