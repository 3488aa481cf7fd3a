/** Rows of texts: sayings with the words of their quadranyms marked, and texts with open words. */
import { recordAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import { credited, sourceOf } from '../texts/author.ts'
import { markedBody, openText, topicsOf } from '../texts/marked.ts'
import type { Shown } from './kind.ts'

export const sayingRow =
  (kind: string) =>
  (record: Shown): Content => {
    const topics = topicsOf(record)
    const src = sourceOf(record)
    return html`<p class="text">${markedBody(record)}</p>
      <p class="meta">
        ${src && html`<span>${credited(src)}</span>`}
        ${topics.length > 0 && html`<span>${topics.map((topic, i) => [i > 0 && ', ', html`<a href=${recordAddress('quadranym', topic)}>${topic.name}</a>`])}</span>`}
        <a href=${recordAddress(kind, record)}>${topics.length > 0 ? 'Open and turn it' : 'Open it'}</a>
      </p>`
  }

export const openRow =
  (kind: string) =>
  (record: Shown): Content =>
    html`<h3><a href=${recordAddress(kind, record)}>${record['name']}</a></h3>
      <p class="text">${openText(record['qode'])}</p>`

/** A line of a story or a tale, with the quadranym it is told with. */
export function lineRow(href: string, name: string, { phrase, quadranym }: Shown): Content {
  return html`<p><a href=${href}>${name}</a></p>
    ${phrase && html`<p class="text">${openText(phrase.qode)}</p>`}
    <p class="meta"><span>told with <a href=${recordAddress('quadranym', quadranym)}>${quadranym.name}</a></span></p>`
}
