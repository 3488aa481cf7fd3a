/** Lists of words, as the views of a comparison show them. */
import { termAddress } from '../../addresses.ts'
import { type Content, html } from '../../html.ts'
import { shortened } from '../../texts/marked.ts'

const MOST_WORDS = 120

/** A link to the page of a word; a sentence has none. */
export function wordOrText(term: string): Content {
  const href = termAddress(term)
  return href ? html`<a href=${href}>${term}</a>` : shortened(term, 120)
}

export function wordList(terms: readonly string[], none = 'nothing'): Content {
  if (terms.length === 0) return html`<p class="soft">${none}</p>`
  const more = terms.length - MOST_WORDS
  return html`<p class="wordlist" dir="auto">
    ${terms.slice(0, MOST_WORDS).map((term, i) => [i > 0 && html`<i> · </i>`, wordOrText(term)])}
    ${more > 0 && html`<span class="soft"> and ${more.toLocaleString('en')} more</span>`}
  </p>`
}
