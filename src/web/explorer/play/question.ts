/** Questions of games, as people see them. A blank has a sign and a word, so no colour is needed to find it. */
import type { ShownQuestion } from '../../../declare/index.ts'
import { type Content, html } from '../../html.ts'
import { label } from '../../label.ts'

const SLOTS = [
  ['e', 'expansive'],
  ['r', 'reductive'],
  ['o', 'objective'],
  ['s', 'subjective'],
] as const

/** `found` takes the place of the blank when the round is over. */
export function drawnQuestion({ terms = [], crossing, topic, hint, text }: ShownQuestion, found?: string): Content {
  if (text !== undefined) return html`<blockquote class="asked text">${gaps(text)}</blockquote>`
  if (crossing) return isSmall(terms, crossing) ? cross(terms, crossing, found) : sideBySide(terms, crossing, found)
  if (topic !== undefined) return zones(terms, topic, found)
  if (terms.length === 0) return undefined
  return html`<ol class="asked terms">${terms.map((term) => html`<li>${termOrBlank(term, found)}</li>`)}</ol>
    ${hint && html`<p class="soft">From ${hint}.</p>`}`
}

function termOrBlank(term: string | null, found: string | undefined): Content {
  if (term !== null) return html`<span class="term">${term}</span>`
  return found === undefined
    ? html`<span class="term blank"><span aria-hidden="true">?</span><span class="unseen">missing</span></span>`
    : html`<mark class="term blank">${found}</mark>`
}

/** Screen readers say nothing for a row of underscores. */
function gaps(text: string): Content {
  return text
    .split(/(_{3,})/)
    .map((part) => (/^_{3,}$/.test(part) ? html`<span class="gap"><span class="unseen">blank</span></span>` : part))
}

/** As quadranyms are drawn: expansive and objective above, subjective and reductive below. */
function zones(terms: readonly (string | null)[], topic: string, found: string | undefined): Content {
  return html`<dl class="asked zones">
    <div class="n"><dt class="unseen">topic</dt><dd>${topic}</dd></div>
    ${SLOTS.map(([slot, means], i) => html`<div class=${slot}><dt>${label(means)}</dt><dd>${termOrBlank(terms[i] ?? null, found)}</dd></div>`)}
  </dl>`
}

/** A larger cross would not leave room for the answer on the screen of a phone. */
const MOST_IN_ARMS = 5

function isSmall(...sets: readonly (readonly (string | null)[])[]): boolean {
  return sets.every(({ length }) => length <= MOST_IN_ARMS)
}

/** Two long sets, each in its order; both have the same blank. */
function sideBySide(
  one: readonly (string | null)[],
  other: readonly (string | null)[],
  found: string | undefined,
): Content {
  const part = (says: string, terms: readonly (string | null)[]) =>
    html`<section aria-label=${says}><p class="soft">${says}</p><ol>${terms.map((term) => html`<li>${termOrBlank(term, found)}</li>`)}</ol></section>`
  return html`<div class="asked crossed">${part('One set', one)}${part('The other set', other)}</div>`
}

/** One set from left to right, the other from top to bottom; they meet in the blank. */
function cross(
  across: readonly (string | null)[],
  down: readonly (string | null)[],
  found: string | undefined,
): Content {
  const part = (area: string, says: string, terms: readonly (string | null)[]) =>
    html`<ul class=${area} aria-label=${says}>${terms.map((term) => html`<li>${termOrBlank(term, found)}</li>`)}</ul>`
  const [left, top] = [across.indexOf(null), down.indexOf(null)]
  return html`<div class="asked cross">
    ${part('above', 'One set, before the missing term', down.slice(0, top))}
    ${part('left', 'The other set, before the missing term', across.slice(0, left))}
    <p class="middle">${termOrBlank(null, found)}</p>
    ${part('right', 'The other set, after the missing term', across.slice(left + 1))}
    ${part('below', 'The first set, after the missing term', down.slice(top + 1))}
  </div>`
}
