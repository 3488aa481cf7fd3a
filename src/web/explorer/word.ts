/** Where a word occurs: as a picture and as a list. */
import { counted } from '../../language/index.ts'
import { findAddress, hereOf, wordAddress } from '../addresses.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, Kind, Kinds, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { wordLink } from '../links.ts'
import { drawPlaces, type Place } from './places.ts'

const MOST = 60

export const wordPage: ExplorerPage = {
  path: '/word/:term/',
  title: 'Word',
  async GET(visit) {
    const given = visit.places['term']!
    const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(given)}/?limit=${MOST}`)
    const [here, user] = [hereOf(visit), visit.visitor?.name]
    if (status !== 200) return { status, page: renderError({ status, json, here, user }, visit.kinds) }
    const { term, count, sets, texts, neighbours, did_you_mean: didYouMean } = json
    const found = count + texts.count > 0
    const places = placesOf(sets, visit.kinds)
    const main = html`<p class="kind">Word</p>
      <h1>${term}</h1>
      <p class="meta">
        <span>${counted(count, 'place')} in sets</span><span>${counted(texts.count, 'text')}</span>
        <a href=${findAddress(term)}>Find it everywhere</a>
      </p>
      ${!found && nowhere(term, didYouMean, visit.kinds)}
      ${places.length > 0 && html`<div class="two stands"><div>${bySlot(places)}</div><figure class="card">${drawPlaces(term, places)}</figure></div>`}
      ${count > places.length && html`<p class="more">${withIt(term, visit.kinds)}</p>`}
      ${texts.count > 0 && textsWith(term, texts, visit.kinds)}
      ${neighbours.length > 0 && company(neighbours)}`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: term,
        user,
        here,
        base: visit.base,
        search: term,
        main,
      }),
    }
  },
}

/** The slots of quadranyms are named one by one; all terms of polynyms are just terms. */
const SLOTS: Readonly<Record<string, string>> = {
  n: 'As the name',
  e: 'As the expansive term',
  r: 'As the reductive term',
  o: 'As the objective term',
  s: 'As the subjective term',
  p: 'As a term',
}

function placesOf(sets: readonly Shown[], kinds: Kinds): Place[] {
  const places = sets.map(({ resource, slot, record }) => {
    const kind = kinds.get(resource)
    const name = kind.nameOf(record)
    return {
      slot: slot === 'name' ? 'n' : /^[eros]$/.test(slot) ? slot : 'p',
      kind,
      name,
      label: slot === 'name' && kind.senseOf ? kind.senseOf(record) : name,
      note: kind.gistOf(record),
      href: kind.addressOf(record),
    }
  })
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
            html`<li><a href=${href}>${name}</a> <span class="soft">${kind.one.toLowerCase()}${note && `: ${note}`}</span></li>`,
        )}
      </ul>
    </section>`
  })
}

function textsWith(
  term: string,
  { count, results }: { count: number; results: readonly Shown[] },
  kinds: Kinds,
): Content {
  return html`<h2>In texts</h2>
    <ul class="rows">
      ${results.slice(0, 12).map(({ resource, record }) => html`<li>${textRow(kinds.get(resource), record)}</li>`)}
    </ul>
    ${count > 12 && html`<p class="more"><a href=${findAddress(term)}>All ${counted(count, 'text')}</a></p>`}`
}

function textRow(kind: Kind, record: Shown): Content {
  return html`<article class="row">
    <p class="text">${kind.textOf ? kind.textOf(record) : kind.nameOf(record)}</p>
    <p class="meta">
      <a href=${kind.addressOf(record)}>${kind.one}${record['name'] && ` ${record['name']}`}</a>
      ${record['src'] && html`<span>${record['src']}</span>`}
    </p>
  </article>`
}

/** Links to the lists of records that contain the word. */
function withIt(term: string, { all }: Kinds): Content {
  return all
    .filter(({ hasTerms }) => hasTerms)
    .map(({ name, many }, i) => [
      i > 0 && ' · ',
      html`<a href=${`/${name}/?term=${encodeURIComponent(term)}`}>${many} with it</a>`,
    ])
}

function company(neighbours: readonly { term: string; count: number }[]): Content {
  return html`<h2>In company with</h2>
    <p class="chips">
      ${neighbours.map(({ term, count }) => wordLink(term, count > 1 && html` <span class="soft">${count}</span>`))}
    </p>`
}

function nowhere(term: string, didYouMean: readonly string[], kinds: Kinds): Content {
  return html`<div class="empty">
    <h2>It does not occur yet</h2>
    ${didYouMean.length > 0 && html`<p class="chips">Did you mean ${didYouMean.map((word) => html`<a class="btn" href=${wordAddress(word)}>${word}</a>`)}</p>`}
    ${kinds.find('quadranym') && html`<p class="chips"><a class="btn go" href=${`/make/quadranym/?name=${encodeURIComponent(term)}`}>Make a quadranym of it</a></p>`}
  </div>`
}
