/** The little Markdown that descriptions are written in: paragraphs, lists and `code`. */
import { type Html, html } from '../html.ts'

export function prose(text: string): Html[] {
  return text.split(/\n{2,}/).map((block) => {
    if (!block.startsWith('- ')) return html`<p>${inline(block)}</p>`
    const items = block.slice(2).split(/\n- /)
    return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
  })
}

/** Every other piece between backticks is code. */
export function inline(text: string): Html[] {
  return text.split('`').map((piece, i) => (i % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))
}
