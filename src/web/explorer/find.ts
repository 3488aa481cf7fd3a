/** Searches everything: as a page, and as a few suggestions while the user types. */
import { counted } from '../../language/index.ts'
import { findAddress, hereOf, wordAddress } from '../addresses.ts'
import { inOurWords } from '../form-errors.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds, Shown } from '../kinds/index.ts'
import { whatIs } from '../label.ts'
import { layout } from '../layout.ts'
import { shortened } from '../texts/marked.ts'
import { countFound, mayBeMore } from './count-found.ts'
import { type Offer, showOffers } from './find-offers.ts'
import { countPlaces, type Found, find, type Group, isTermIn } from './finding.ts'
import { excerpt, hasWord, highlighted, tellingWords } from './looked-for.ts'

const SOME = 5
const FEW = 3
const MOST_SUGGESTED = 12
const MOST_WORDS = 5

export const findPage: ExplorerPage = {
  path: '/find/',
  title: 'Find',
  async GET(visit) {
    const wanted = (visit.query.get('q') ?? '').trim()
    const [found, places] = await Promise.all([
      find(visit, wanted, SOME),
      wanted === '' ? 0 : countPlaces(visit, wanted),
    ])
    const total = found.groups.reduce((sum, { count }) => sum + count, 0)
    const isMore = found.groups.some(({ count }) => mayBeMore(count))
    const main = html`<p class="kind">${total > 0 ? countFound(total, isMore, 'result') : 'Find'}</p>
      <h1>${wanted === '' ? 'What are you looking for?' : wanted}</h1>
      ${found.wrong && html`<p class="note bad" role="alert">${inOurWords(found.wrong)}</p>`}
      ${wanted === '' ? waysIn() : results(wanted, found, places)}
      ${wanted !== '' && total === 0 && found.wrong === undefined && nothing(wanted, found, visit.kinds)}`
    const title = wanted === '' ? 'Find' : `Find ${shortened(wanted, 60)}`
    return {
      status: found.wrong === undefined ? 200 : 400,
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title,
        user: visit.visitor?.name,
        here: hereOf(visit),
        base: visit.base,
        search: wanted,
        main,
      }),
    }
  },
}

function waysIn(): Content {
  return html`<form class="find big" action="/find/" role="search">
      <input type="search" name="q" aria-label="Find a word, a set or a saying" placeholder="A word, a set, a saying" autocomplete="off" />
    </form>
    <p class="soft">This searches names, words, areas, sayings, authors and people. Or look at <a href="/random/">a random page</a>.</p>`
}

function results(wanted: string, { groups, offers, didYouMean, also }: Found, places: number): Content {
  return html`${also && html`<p class="does">This also looks for <a href=${findAddress(also)}>${also}</a>.</p>`} ${groups.length > 0 && otherSpellings(didYouMean)} ${showOffers(offers, wanted)} ${theWord(wanted, places)}
    ${groups.map((group) => section(group, wanted))}`
}

function otherSpellings(words: readonly string[]): Content {
  if (words.length === 0) return undefined
  return html`<p class="chips">Did you mean ${words.map((word) => html`<a class="btn" href=${findAddress(word)}>${word}</a>`)}</p>`
}

function theWord(wanted: string, places: number): Content {
  if (places === 0) return undefined
  return html`<p class="does">
    As a word it occurs in ${counted(places, 'place')}: <a href=${wordAddress(wanted)}>see where</a>.
  </p>`
}

function section({ kind, count, records }: Group, wanted: string): Content {
  const all = `/${kind.name}/?search=${encodeURIComponent(wanted)}`
  const isMore = mayBeMore(count)
  const [one, many] = [kind.one.toLowerCase(), kind.many.toLowerCase()]
  return html`<section class="found">
    <h2><a href=${all}>${kind.many}</a> <span class="soft">${count.toLocaleString('en')}${isMore && ' or more'}</span> ${whatIs(kind.name)}</h2>
    <ul class="hits">
      ${records.map((record) => html`<li>${hit(kind, record, wanted)}</li>`)}
    </ul>
    ${count > records.length && html`<p class="more"><a href=${all}>${isMore ? `More ${many}` : `All ${counted(count, one, many)}`}</a></p>`}
  </section>`
}

function hit(kind: Kind, record: Shown, wanted: string): Content {
  const [name, detail] = [kind.nameOf(record), (kind.detailOf ?? kind.gistOf)(record)]
  const reason = hasWord(`${name} ${detail}`, wanted) ? undefined : reasonOf(record, wanted)
  return html`<a href=${kind.addressOf(record)}>${highlighted(excerpt(name, wanted), wanted)}</a>
    ${detail && html` <span class="soft">${highlighted(detail, wanted)}</span>`} ${reason}`
}

/** Why it was found, if neither its name nor its detail shows it. */
function reasonOf(record: Shown, wanted: string): Content {
  for (const [member, label] of Object.entries({ area: 'area', realm: 'realm', src: 'source', user: 'by' })) {
    const value: unknown = record[member]
    if (typeof value === 'string' && hasWord(value, wanted)) {
      return html`<span class="soft">${label} ${highlighted(value, wanted)}</span>`
    }
  }
  return undefined
}

function nothing(wanted: string, { didYouMean }: Found, kinds: Kinds): Content {
  const words = tellingWords(wanted).slice(0, MOST_WORDS)
  return html`<div class="empty">
    <h2>Nothing matches all of these words</h2>
    ${otherSpellings(didYouMean)} ${words.length > 1 && html`<p class="chips">Or look for ${words.map((word) => html`<a class="btn" href=${findAddress(word)}>${word}</a>`)}</p>`}
    <p class="soft">Fewer words find more. Is something missing? <a href=${kinds.find('quadranym') ? `/make/quadranym/?name=${encodeURIComponent(wanted)}` : '/make/'}>Make it</a>.</p>
  </div>`
}

/** The best few of each kind at once, for the list under the search box. */
export const suggestPage: ExplorerPage = {
  path: '/find/suggest/',
  title: 'Suggestions',
  async GET(visit) {
    const wanted = (visit.query.get('q') ?? '').trim()
    const { groups, offers, didYouMean } = await find(visit, wanted, FEW)
    const [best, ...others] = groups.flatMap(suggestions)
    const results = [
      ...(isTermIn(groups, wanted)
        ? [{ kind: 'Word', text: wanted, note: 'where it occurs', href: wordAddress(wanted) }]
        : []),
      ...(best ? [best] : []),
      ...offers.map(offered),
      ...others,
      ...didYouMean.map((word) => ({ kind: 'Did you mean', text: word, note: '', href: findAddress(word) })),
    ]
    const bytes = JSON.stringify({ q: wanted, results: results.slice(0, MOST_SUGGESTED) })
    return { bytes, type: 'application/json', headers: { 'Cache-Control': 'private, no-cache' } }
  },
}

interface Suggested {
  readonly kind: string
  readonly text: string
  readonly note: string
  readonly href: string
}

function suggestions({ kind, records }: Group): Suggested[] {
  return records.map((record) => ({
    kind: kind.one,
    text: shortened(kind.nameOf(record), 70),
    note: shortened(kind.gistOf(record), 60),
    href: kind.addressOf(record),
  }))
}

function offered({ label, text, count, href }: Offer): Suggested {
  return { kind: label, text: shortened(text, 70), note: counted(count, 'record'), href }
}

/** A random record: of any kind, or of one kind with the filters of its list. */
export const randomPage: ExplorerPage = {
  path: '/random/',
  title: 'Random page',
  async GET(visit) {
    const wanted = visit.query.get('kind')
    const chances = visit.kinds.all.filter(({ isByChance }) => isByChance)
    const named = chances.find(({ name }) => name === wanted)
    for (const kind of wanted ? [named] : shuffled(chances)) {
      const location = kind && (await anyOf(visit, kind))
      if (location) return { location }
    }
    return { location: named ? `/${named.name}/` : '/' }
  },
}

async function anyOf(visit: ExplorerVisit, kind: Kind): Promise<string | undefined> {
  const { status, json } = await visit.ask(`/api/${kind.name}/random/?${visit.query.raw}`)
  return status === 200 && json[`${kind.name}_id`] ? kind.addressOf(json) : undefined
}

function shuffled(kinds: readonly Kind[]): Kind[] {
  return kinds
    .map((kind) => ({ kind, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind)
}
