/** Where a word stands: as a picture and as a list. */
import type { PageRoute } from '../../http/index.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { addressOf, findAddress, hereOf, wordAddress } from './addresses.ts'
import { nameOf, noteOf, shownTerm, wordLink } from './cards.ts'
import { counted, listedAs } from './listed.ts'
import { markedBody, openText } from './marked.ts'
import { drawPlaces, type Place } from './places.ts'

const MOST = 60

export const wordPage: PageRoute = {
  path: '/word/:term/',
  title: 'Word',
  async GET(visit) {
    const given = visit.places['term']!
    const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(given)}/?limit=${MOST}`)
    const [here, user] = [hereOf(visit), visit.visitor?.name]
    if (status !== 200) return { status, page: renderError({ status, json, here, user }) }
    const { term, count, sets, texts, neighbours, did_you_mean: didYouMean } = json
    const found = count + texts.count > 0
    const places = placesOf(sets)
    const main = html`<p class="kind">Word</p>
      <h1>${term}</h1>
      <p class="meta">
        <span>${counted(count, 'place')} in sets</span><span>${counted(texts.count, 'text')}</span>
        <a href=${findAddress(term)}>Find it everywhere</a>
      </p>
      ${!found && nowhere(term, didYouMean)}
      ${places.length > 0 && html`<div class="two stands"><div>${bySlot(places)}</div><figure class="card">${drawPlaces(term, places)}</figure></div>`}
      ${count > places.length && html`<p class="more"><a href=${`/quadranym/?term=${encodeURIComponent(term)}`}>Quadranyms with it</a> · <a href=${`/polynym/?term=${encodeURIComponent(term)}`}>Polynyms with it</a></p>`}
      ${texts.count > 0 && textsWith(term, texts)}
      ${neighbours.length > 0 && company(neighbours)}`
    return { page: layout({ title: term, user, here, base: visit.base, search: term, main }) }
  },
}

/** The slots of quadranyms have colours of their own; a term of a polynym is a term. */
const SLOTS: Readonly<Record<string, string>> = {
  n: 'As the name',
  e: 'As the expansive term',
  r: 'As the reductive term',
  o: 'As the objective term',
  s: 'As the subjective term',
  p: 'As a term',
}

function placesOf(sets: readonly Shown[]): Place[] {
  const places = sets.map(({ resource, slot, record }) => ({
    slot: slot === 'name' ? 'n' : /^[eros]$/.test(slot) ? slot : 'p',
    kind: resource as string,
    name: nameOf(resource, record),
    label:
      slot === 'name' && resource === 'quadranym'
        ? `${shownTerm(record.e)}, ${shownTerm(record.r)}`
        : nameOf(resource, record),
    note: noteOf(resource, record),
    href: addressOf(resource, record),
  }))
  return Object.keys(SLOTS).flatMap((slot) => places.filter((place) => place.slot === slot))
}

function bySlot(places: readonly Place[]): Content {
  return Object.entries(SLOTS).map(([slot, title]) => {
    const here = places.filter((place) => place.slot === slot)
    if (here.length === 0) return undefined
    return html`<section class="found">
      <h2 class=${slot}>${title}</h2>
      <ul class="hits">
        ${here.map(
          ({ kind, name, note, href }) =>
            html`<li><a href=${href}>${name}</a> <span class="soft">${listedAs(kind).one.toLowerCase()}${note && `: ${note}`}</span></li>`,
        )}
      </ul>
    </section>`
  })
}

function textsWith(term: string, { count, results }: { count: number; results: readonly Shown[] }): Content {
  return html`<h2>In texts</h2>
    <ul class="rows">
      ${results.slice(0, 12).map(
        ({ resource, record }) =>
          html`<li>
            <article class="row">
              <p class="text">${record.body === undefined ? openText(record.qode) : markedBody(record)}</p>
              <p class="meta">
                <a href=${addressOf(resource, record)}>${listedAs(resource).one}${record.name && ` ${record.name}`}</a>
                ${record.src && html`<span>${record.src}</span>`}
              </p>
            </article>
          </li>`,
      )}
    </ul>
    ${count > 12 && html`<p class="more"><a href=${findAddress(term)}>All ${counted(count, 'text')}</a></p>`}`
}

function company(neighbours: readonly { term: string; count: number }[]): Content {
  return html`<h2>In company with</h2>
    <p class="chips">
      ${neighbours.map(({ term, count }) => wordLink(term, count > 1 && html` <span class="soft">${count}</span>`))}
    </p>`
}

function nowhere(term: string, didYouMean: readonly string[]): Content {
  return html`<div class="empty">
    <h2>It does not occur yet</h2>
    ${didYouMean.length > 0 && html`<p class="chips">Did you mean ${didYouMean.map((word) => html`<a class="btn" href=${wordAddress(word)}>${word}</a>`)}</p>`}
    <p class="chips"><a class="btn go" href=${`/make/quadranym/?name=${encodeURIComponent(term)}`}>Make a quadranym of it</a></p>
  </div>`
}
