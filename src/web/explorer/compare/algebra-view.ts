/** A comparison as algebra: intersection, union, differences, how each pair relates, and the product. */
import { counted } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import { type CompareState, compareAddress, letterOf } from './compare-state.ts'
import { type Comparison, distinctNames, type Pair, PRODUCT_PAGE } from './comparison.ts'
import { wordList } from './words.ts'

export function algebraView(comparison: Comparison, state: CompareState): Content {
  const { sets, shared, union, symmetric_difference: difference } = comparison
  const letters = sets.map((_, i) => letterOf(i))
  const names = distinctNames(sets)
  const isPair = sets.length === 2
  const between = (sign: string) =>
    letters.length > 4 ? `A ${sign} … ${sign} ${letters.at(-1)}` : letters.join(` ${sign} `)
  return html`<dl class="algebra">
      ${law(between('∩'), `In ${isPair ? 'both' : 'all'}`, shared)} ${law(between('∪'), 'In any of them', union)}
      ${sets.map(({ only }, i) => law(isPair ? `${letters[i]} − ${letters[1 - i]}` : `only ${letters[i]}`, `Only in ${names[i]}`, only))}
      ${law(between('△'), isPair ? 'In one of them, not in both' : 'In an odd number of them', difference)}
    </dl>
    ${isPair && comparison.pairs[0] ? relation(comparison, comparison.pairs[0]) : pairTable(comparison, state)}
    ${product(comparison, state, between('×'))}`
}

function law(formula: string, meaning: string, terms: readonly string[]): Content {
  return html`<div>
    <dt><b>${formula}</b> <span>${meaning}</span> <span class="soft">${terms.length.toLocaleString('en')}</span></dt>
    <dd>${wordList(terms)}</dd>
  </div>`
}

const RELATIONS: Readonly<Record<Pair['relation'], { readonly sign: string; readonly says: string }>> = {
  equal: { sign: '=', says: 'has the same words as' },
  subset: { sign: '⊂', says: 'is a subset of' },
  superset: { sign: '⊃', says: 'is a superset of' },
  overlap: { sign: '∩', says: 'overlaps with' },
  disjoint: { sign: '∅', says: 'shares no word with' },
}

const percent = (rate: number) => `${Math.round(rate * 100)}%`

function relation({ sets, union }: Comparison, pair: Pair): Content {
  const { sign, says } = RELATIONS[pair.relation]
  const [first, second] = distinctNames(sets)
  return html`<h2>How they relate</h2>
    <p class="relates">
      <b>A ${sign} B</b> ${`${first} ${says} ${second}. They share ${pair.shared.length} of ${counted(union.length, 'word')}: a similarity of ${percent(pair.jaccard)}.`}
    </p>`
}

/** Each cell leads to the comparison of the two alone. */
function pairTable({ sets, pairs }: Comparison, state: CompareState): Content {
  const names = distinctNames(sets)
  const found = new Map(pairs.map((pair) => [pair.sets.join(' '), pair]))
  return html`<h2>How each two relate</h2>
    <p class="soft">
      The number of words that two sets share. ${Object.values(RELATIONS).map(({ sign, says }, i) => [i > 0 && ', ', `${sign} ${says}`])}.
    </p>
    <div class="wide" role="region" tabindex="0" aria-label="How each two sets relate">
      <table class="compared pairs">
        <thead>
          <tr>
            <td></td>
            ${sets.slice(1).map(({ name }, i) => html`<th scope="col"><b>${letterOf(i + 1)}</b><span class="unseen"> ${name}</span></th>`)}
          </tr>
        </thead>
        <tbody>
          ${sets.slice(0, -1).map(
            ({ set, name }, row) => html`<tr>
              <th scope="row"><b>${letterOf(row)}</b> ${name}</th>
              ${sets.slice(1).map((other, i) => {
                const pair = i + 1 > row ? found.get(`${set} ${other.set}`) : undefined
                return html`<td>${pair && pairCell(pair, state, [names[row] ?? '', names[i + 1] ?? ''])}</td>`
              })}
            </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function pairCell(
  { sets, shared, relation: how }: Pair,
  { view }: CompareState,
  names: readonly [string, string],
): Content {
  const { sign, says } = RELATIONS[how]
  const label = `${names[0]} ${says} ${names[1]}: ${counted(shared.length, 'shared word')}`
  return html`<a href=${compareAddress({ sets, view })} aria-label=${label} title=${label}>${shared.length} ${sign}</a>`
}

function product({ sets, product: { count, results } }: Comparison, state: CompareState, formula: string): Content {
  const { offset } = state
  const first = results.length > 0 ? offset + 1 : 0
  const whole = BigInt(count)
  const link = (to: number, text: string, rel: string) =>
    html`<a class="btn small" rel=${rel} href=${`${compareAddress({ ...state, near: '', offset: to })}#product`}>${text}</a>`
  return html`<h2 id="product">Combined <span class="soft">${formula}</span></h2>
    <p class="soft">
      One word of each set: ${whole.toLocaleString('en')} ${whole === 1n ? 'combination' : 'combinations'}.${' '}
      ${results.length > 0 && whole > BigInt(results.length) && `These are ${first.toLocaleString('en')} to ${(first + results.length - 1).toLocaleString('en')}.`}
    </p>
    ${
      results.length > 0 &&
      html`<ol class=${sets.length > 4 ? 'combined long' : 'combined'} start=${first}>
        ${results.map((terms) => html`<li>${terms.map((term, i) => [i > 0 && html`<i> × </i>`, term])}</li>`)}
      </ol>`
    }
    <p class="chips">
      ${offset > 0 && link(Math.max(0, offset - PRODUCT_PAGE), 'Previous', 'prev')}
      ${whole > BigInt(offset + PRODUCT_PAGE) && link(offset + PRODUCT_PAGE, 'Next', 'next')}
    </p>`
}
