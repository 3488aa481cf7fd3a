/** A comparison as a table: which set has which word. */
import { counted } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import { letterOf } from './compare-state.ts'
import type { Comparison } from './comparison.ts'
import { wordOrText } from './words.ts'

const MOST_ROWS = 300
/** More columns have letters alone. */
const MOST_NAMED = 4

export function tableView({ sets, terms }: Comparison): Content {
  const rows = terms.toSorted((a, b) => b.in.length - a.in.length)
  const more = rows.length - MOST_ROWS
  const isNamed = sets.length <= MOST_NAMED
  return html`<div class="wide" role="region" tabindex="0" aria-label="Which set has which word">
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">Word</th>
            ${sets.map(({ name }, i) => html`<th scope="col"><b>${letterOf(i)}</b> <span class=${isNamed ? undefined : 'unseen'}>${name}</span></th>`)}
            <th scope="col" class="number">Sets</th>
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MOST_ROWS).map(
            ({ term, in: places }) => html`<tr class=${places.length > 1 ? 'shared' : undefined}>
              <th scope="row">${wordOrText(term)}</th>
              ${sets.map((_, i) => html`<td>${places.includes(i) && html`<i class="dot"></i><span class="unseen">yes</span>`}</td>`)}
              <td class="number">${places.length}</td>
            </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more > 0 && html`<p class="soft">and ${counted(more, 'word')} more, which <a href="#data">the data</a> have.</p>`}`
}
