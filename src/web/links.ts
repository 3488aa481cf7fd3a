/** Links to records and words. */
import { recordAddress, wordAddress } from './addresses.ts'
import { type Content, html } from './html.ts'
import type { Shown } from './kinds/kind.ts'

/** A link to a record that is shown by its name. */
export function recordLink(kind: string, record: Shown): Content {
  return html`<a href=${recordAddress(kind, record)}>${record['name']}</a>`
}

export function wordLink(word: string, note?: Content): Content {
  return html`<a class="btn small" href=${wordAddress(word)}>${word}${note}</a>`
}

/**
 * A web address as a link; undefined for any other text. Only http and https become links, because anybody may have
 * written the text.
 */
export function webLink(text: string): Content | undefined {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null
  if (!url) return undefined
  const shown = `${url.hostname.replace(/^www\./, '')}${url.pathname}`
  return html`<a href=${url.href} rel="noopener nofollow external">${readable(shown)}</a>`
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('_', ' ')
  } catch {
    return path
  }
}
