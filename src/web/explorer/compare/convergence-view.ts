/** How much sets repeat each other: words with how often they occur, areas, sources and realms. */
import { counted } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import { label } from '../../label.ts'
import { letterOf } from './compare-state.ts'
import { type Comparison, sharedByTwo } from './comparison.ts'
import { wordOrText } from './words.ts'

const NAMES: Readonly<Record<string, string>> = { terms: 'Words', area: 'Areas', src: 'Sources', realm: 'Realms' }
const MOST_REPEATED = 60
const MOST_SIZES = 5
/** A bar is full if everything occurs twice. */
const FULL = 1

export function convergenceView(comparison: Comparison): Content {
  const { sets, convergence } = comparison
  const members = convergence.map(({ of }) => of).filter((of) => of !== 'terms')
  const repeated = sharedByTwo(comparison)
  return html`<p class="does">
      How much the sets repeat each other: 0% if nothing occurs twice, 100% if everything does.
    </p>
    <dl class="rates">
      ${convergence.map(({ of, all, distinct, rate }) => {
        return html`<div>
          <dt>${NAMES[of] ?? of}</dt>
          <dd>
            <b>${Math.round(rate * 100)}%</b> <meter min="0" max=${FULL} value=${Math.min(rate, FULL)} aria-hidden="true"></meter>
            <span class="soft">${counted(all, 'value')}, ${distinct} different</span>
          </dd>
        </div>`
      })}
    </dl>
    ${
      repeated.length > 0 &&
      html`<h2>What occurs more than once</h2>
        <p class="wordlist sized" dir="auto">
          ${repeated.slice(0, MOST_REPEATED).map(({ term, in: places }) => html`<span class=${`times${Math.min(places.length, MOST_SIZES)}`}>${wordOrText(term)}<sub>${places.length}</sub></span> `)}
        </p>`
    }
    <h2>The sets</h2>
    <div class="wide" role="region" tabindex="0" aria-label="The sets, with their labels">
      <table class="compared">
        <thead>
          <tr>
            <th scope="col">Set</th>
            <th scope="col" class="number">Words</th>
            <th scope="col" class="number">Its own</th>
            ${members.map((member) => html`<th scope="col">${label(member, NAMES[member]?.replace(/s$/, '') ?? member)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${sets.map(
            ({ name, terms, only, labels }, i) => html`<tr>
              <th scope="row"><b>${letterOf(i)}</b> ${name}</th>
              <td class="number">${terms.length}</td>
              <td class="number">${only.length}</td>
              ${members.map((member) => html`<td>${labels[member]}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}
