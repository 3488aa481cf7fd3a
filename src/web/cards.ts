/** A record in a list: enough to recognise it, and a link to its page. */
import { counted } from '../language/index.ts'
import { personAddress } from './addresses.ts'
import { type Content, html } from './html.ts'
import type { Kind, Shown } from './kinds/kind.ts'
import { shortened } from './texts/marked.ts'

/** Everything on a page of a list. */
export function cardsOf(kind: Kind, records: readonly Shown[]): Content {
  const each = (show: (kind: Kind, record: Shown) => Content) =>
    records.map((record) => html`<li>${show(kind, record)}</li>`)
  if (kind.table) return kind.table(records)
  if (kind.shape === 'chips') return chipsOf(kind, records)
  if (kind.shape === 'rows') return html`<ul class="rows">${each(row)}</ul>`
  return html`<ul class="grid">${each(card)}</ul>`
}

/** Their names alone. */
export function chipsOf(kind: Kind, records: readonly Shown[]): Content {
  return html`<ul class="chips">${records.map((record) => html`<li>${chip(kind, record)}</li>`)}</ul>`
}

export function card(kind: Kind, record: Shown): Content {
  return html`<article class=${`card of-${kind.name}`}>
    <h3><a class="open" href=${kind.addressOf(record)}>${shortened(kind.nameOf(record), 90)}</a></h3>
    ${kind.insideOf ? kind.insideOf(record) : gist(kind, record)} ${byLine(kind, record)}
  </article>`
}

function gist(kind: Kind, record: Shown): Content {
  const said = kind.gistOf(record)
  return said && html`<p class="gist">${said}</p>`
}

function row(kind: Kind, record: Shown): Content {
  return html`<article class="row">
    ${kind.rowOf ? kind.rowOf(record) : plainRow(kind, record)}
    ${record[kind.owner ?? ''] !== undefined && byLine(kind, record)}
  </article>`
}

function plainRow(kind: Kind, record: Shown): Content {
  return html`<h3><a href=${kind.addressOf(record)}>${kind.nameOf(record)}</a></h3>
    ${gist(kind, record)}`
}

function chip(kind: Kind, record: Shown): Content {
  return html`<a class="btn" href=${kind.addressOf(record)}>${shortened(kind.nameOf(record), 60)}</a>`
}

/** Where it belongs, how many people like it, who made it. */
function byLine({ name, owner = '' }: Kind, record: Shown): Content {
  const { realm, area, likes, [owner]: maker } = record
  return html`<p class="meta">
    ${realm && html`<a href=${`/${name}/?realm=${encodeURIComponent(realm)}`}>${realm}</a>`}
    ${area && html`<a href=${`/${name}/?area=${encodeURIComponent(area)}`}>${area}</a>`}
    ${likes && html`<span>${counted(likes, 'like')}</span>`}
    ${maker && html`<span>by <a href=${personAddress(maker)}>${maker}</a></span>`}
  </p>`
}
