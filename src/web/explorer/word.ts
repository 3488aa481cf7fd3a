/** The page of a word: a map of the words around it, the sets and texts that have it, and the word it is a form of. */
import { counted } from '../../language/index.ts'
import { findAddress, hereOf, wordAddress } from '../addresses.ts'
import { SHARE, WORD, WORD_STYLE } from '../assets.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, Kind, Kinds, Shown } from '../kinds/index.ts'
import { label } from '../label.ts'
import { layout } from '../layout.ts'
import { wordLink } from '../links.ts'
import { sharePanel } from '../share/panel.ts'
import { sharedWord } from '../share/record-shared.ts'
import { credited, sourceOf } from '../texts/author.ts'
import { compareAddress, MOST_SETS } from './compare/compare-state.ts'
import { type Group, groupsAround, MOST_WORDS, wordMap } from './word-map.ts'
import {
  folded,
  type Gathered,
  gatheredFrom,
  keyOf,
  lemmaOf,
  type Place,
  placesOf,
  SLOT_ORDER,
  spellingsIn,
} from './word-places.ts'

const MOST = 60
const MOST_TEXTS = 12

export const wordPage: ExplorerPage = {
  path: '/word/:term/',
  title: 'Word',
  async GET(visit) {
    const given = visit.places['term']!
    const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(given)}/?limit=${MOST}`)
    const user = visit.visitor?.name
    if (status !== 200) return { status, page: renderError({ status, json, here: hereOf(visit), user }, visit.kinds) }
    const { term, forms, count, sets, texts, neighbours, did_you_mean: didYouMean } = json
    const lemma = await lemmaOf(visit, given, count)
    if (lemma !== undefined && count === 0) return { location: wordAddress(lemma) }
    const places = placesOf(sets, visit.kinds)
    const gathered = await gatheredFrom(visit, places)
    const [word = given.trim(), ...otherSpellings] = spellingsIn(places)
    const written = new Set([word, ...otherSpellings])
    const groups = groupsAround(places, gathered, (text) => written.has(text) || folded(text) === term)
    const shared = sharedWord(visit, json, word)
    const head = html`<p class="kind">Word</p>
      <h1 class=${sizeOf(word)} tabindex="-1" data-word>${word}</h1>
      ${otherSpellings.length > 0 && html`<p class="soft">also written ${listed(otherSpellings)}</p>`}
      ${forms.length > 1 && html`<p class="soft">in texts also ${listed(forms.slice(1))}</p>`}
      ${lemma !== undefined && html`<p class="soft">a form of <a href=${wordAddress(lemma)}>${lemma}</a></p>`}
      <p class="soft">
        ${counted(count, 'place')} in sets, ${counted(texts.count, 'text')}. <a href=${findAddress(word)}>Find it everywhere</a>
      </p>
      ${comparing(places)}`
    const main = html`<nav class="walked" aria-label="Words you came from" hidden><ol></ol></nav>
      ${groups.length > 0 ? wordMap(head, groups) : html`<div class="wordhead">${head}</div>`}
      ${count + texts.count === 0 && nowhere(word, didYouMean, visit.kinds)}
      ${count + texts.count > 0 && sharePanel({ base: visit.base, shared })}
      <div class="stands">${otherPlaces(places, groups)} ${containers(gathered, groups)}</div>
      ${count > places.length && html`<p class="more">${withIt(term, visit.kinds)}</p>`}
      ${texts.count > 0 && textsWith(word, texts, visit.kinds)}
      ${company(neighbours, groups)}`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: word,
        part: 'words',
        user,
        here: visit.query.raw ? hereOf(visit) : wordAddress(word),
        base: visit.base,
        shared,
        search: word,
        description: description(word, count, texts.count, neighbours),
        styles: [WORD_STYLE],
        scripts: [WORD, SHARE],
        main,
      }),
    }
  },
}

/** The sets that have it, next to each other. */
function comparing(places: readonly Place[]): Content {
  const compared = places.filter(({ kind }) => kind.isCompared)
  const sets = [...new Set(compared.map(({ kind, record }) => `${kind.name}:${record[`${kind.name}_id`]}`))]
  if (sets.length < 2) return undefined
  return html`<p class="soft"><a href=${compareAddress({ sets: sets.slice(0, MOST_SETS) })}>Compare these sets</a></p>`
}

function description(word: string, sets: number, texts: number, neighbours: readonly Neighbour[]): string | undefined {
  if (sets + texts === 0) return undefined
  const others = neighbours.slice(0, 8).map(({ text }) => text)
  const next = others.length > 0 ? `, next to ${others.join(', ')}` : ''
  return `The word ${word} in ${counted(sets, 'set')} and ${counted(texts, 'text')}${next}.`
}

/** The longer the word, the smaller it is, so that it is not broken unless it must be. */
function sizeOf(word: string): string | undefined {
  const longest = Math.max(...word.split(/[\s-]+/).map((part) => [...part].length))
  if (longest > 20) return 'longest'
  return longest > 11 || word.length > 24 ? 'long' : undefined
}

function listed(words: readonly string[]): Content {
  return words.slice(0, 6).map((word, i) => [i > 0 && ', ', html`<b>${word}</b>`])
}

const TITLES: Readonly<Record<string, Content>> = {
  n: 'Also the name of',
  e: html`Also as the ${label('expansive')} word`,
  r: html`Also as the ${label('reductive')} word`,
  o: html`Also as the ${label('objective')} word`,
  s: html`Also as the ${label('subjective')} word`,
  p: 'Also in',
}

/** The places that the map does not show. */
function otherPlaces(places: readonly Place[], groups: readonly Group[]): Content {
  const inMap = keysOf(groups)
  const others = places.filter(({ kind, record }) => !inMap.has(keyOf(kind, record)))
  return SLOT_ORDER.map((slot) => {
    const all = others.filter((place) => place.slot === slot)
    const here = [...new Map(all.map((place) => [keyOf(place.kind, place.record), place])).values()]
    return (
      here.length > 0 &&
      html`<section class="found">
        <h2 class=${slot}>${TITLES[slot]}</h2>
        <ul class="hits">${here.map(({ kind, record }) => hit(kind, record, [kind.one.toLowerCase(), kind.gistOf(record)].filter(Boolean).join(': ')))}</ul>
      </section>`
    )
  })
}

function keysOf(groups: readonly Group[]): ReadonlySet<string> {
  return new Set(groups.map(({ kind, record }) => keyOf(kind, record)))
}

function hit(kind: Kind, record: Shown, note: string): Content {
  return html`<li><a href=${kind.addressOf(record)}>${kind.nameOf(record)}</a> <span class="soft">${note}</span></li>`
}

/** The sets, stories and tales that contain sets with the word, if the map does not show them. */
function containers(gathered: readonly Gathered[], groups: readonly Group[]): Content {
  const inMap = keysOf(groups)
  return gathered.map(({ kind, count, records }) => {
    const others = records.filter((record) => !inMap.has(keyOf(kind, record)))
    return (
      others.length > 0 &&
      html`<section class="found">
        <h2>In ${label(kind.name, kind.many.toLowerCase())}</h2>
        <ul class="hits">${others.map((record) => hit(kind, record, kind.gistOf(record)))}</ul>
        ${count > records.length && html`<p class="soft">and ${count - records.length} more</p>`}
      </section>`
    )
  })
}

function textsWith(
  word: string,
  { count, results }: { count: number; results: readonly Shown[] },
  kinds: Kinds,
): Content {
  return html`<h2>In sayings and stories</h2>
    <ul class="rows">
      ${results.slice(0, MOST_TEXTS).map(({ resource, record }) => html`<li>${textRow(kinds.get(resource), record)}</li>`)}
    </ul>
    ${count > MOST_TEXTS && html`<p class="more"><a href=${findAddress(word)}>All ${counted(count, 'text')}</a></p>`}`
}

function textRow(kind: Kind, record: Shown): Content {
  const src = sourceOf(record)
  return html`<article class="row">
    <p class="text">${kind.textOf ? kind.textOf(record) : kind.nameOf(record)}</p>
    <p class="meta">
      <a href=${kind.addressOf(record)}>${kind.one}${record['name'] && ` ${record['name']}`}</a>
      ${src && html`<span>${credited(src)}</span>`}
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

interface Neighbour {
  readonly text: string
  readonly count: number
}

/** The most frequent words next to it that the map does not show. */
function company(neighbours: readonly Neighbour[], groups: readonly Group[]): Content {
  const inMap = new Set(groups.flatMap(({ words }) => words.slice(0, MOST_WORDS).map(({ text }) => text)))
  const others = neighbours.filter(({ text }) => !inMap.has(text))
  if (others.length === 0) return undefined
  return html`<h2>Also next to it</h2>
    <p class="chips">
      ${others.map(({ text, count }) => wordLink(text, count > 1 && html` <span class="soft">${count}</span>`))}
    </p>`
}

function nowhere(word: string, didYouMean: readonly string[], kinds: Kinds): Content {
  return html`<div class="empty">
    <h2>It does not occur yet</h2>
    ${didYouMean.length > 0 && html`<p class="chips">Did you mean ${didYouMean.map((each) => html`<a class="btn" href=${wordAddress(each)}>${each}</a>`)}</p>`}
    ${kinds.find('quadranym') && html`<p class="chips"><a class="btn go" href=${`/make/quadranym/?name=${encodeURIComponent(word)}`}>Make a quadranym of it</a></p>`}
  </div>`
}
