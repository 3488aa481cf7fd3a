/** The author of a text on pages: who it is by, as a link to everything by the same author. */
import { creditOf, originIn } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/kind.ts'

export { authorKey, type Credit, creditOf } from '../../language/index.ts'

export function authorAddress(author: string): string {
  return `/author/${encodeURIComponent(author)}/`
}

/** The source of a record: its own member, or what a saying names after a dash. Empty if it has none. */
export function sourceOf({ src, body }: Shown): string {
  if (typeof src === 'string' && src !== '') return src
  return typeof body === 'string' ? (originIn(body)?.source ?? '') : ''
}

/** A source as it is written, with its author as a link. */
export function credited(src: string): Content {
  const credit = creditOf(src)
  const at = credit ? src.indexOf(credit.author) : -1
  if (!credit || at < 0) return src
  const { author } = credit
  return [src.slice(0, at), html`<a href=${authorAddress(author)}>${author}</a>`, src.slice(at + author.length)]
}
