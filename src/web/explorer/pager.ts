/** Links from page to page of a list. */
import { type Content, html } from '../html.ts'

/** `page` of `pages`; nothing if there is only one. */
export function pager(page: number, pages: number, addressOf: (page: number) => string): Content {
  if (pages <= 1) return undefined
  const step = (to: number, rel: string, label: string) =>
    to >= 1 && to <= pages ? html`<a rel=${rel} href=${addressOf(to)}>${label}</a>` : html`<span>${label}</span>`
  return html`<nav class="pager" aria-label="Pages">
    ${step(page - 1, 'prev', 'Previous')}
    ${shownPages(page, pages).map((number) => {
      if (number === undefined) return html`<span aria-hidden="true">…</span>`
      if (number === page)
        return html`<a href=${addressOf(number)} aria-current="page" aria-label=${`Page ${number}`}>${number}</a>`
      return html`<a href=${addressOf(number)} aria-label=${`Page ${number}`}>${number}</a>`
    })}
    ${step(page + 1, 'next', 'Next')}
  </nav>`
}

/** The first, the last, and those around the page; undefined is a gap. */
export function shownPages(page: number, pages: number): (number | undefined)[] {
  const numbers = [...new Set([1, page - 1, page, page + 1, pages])].filter((each) => each >= 1 && each <= pages)
  return numbers.flatMap((number, i) => {
    const before = numbers[i - 1] ?? 0
    if (number - before === 2) return [number - 1, number]
    return number - before > 2 ? [undefined, number] : [number]
  })
}
