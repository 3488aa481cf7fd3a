import { counted } from '../../language/index.ts'
/** A record in a list: enough of it to know it by, and a link to its page. */
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/index.ts'
import { addressOf, personAddress, wordAddress } from './addresses.ts'
import type { Listed } from './listed.ts'
import { markedBody, openText, shortened, topicsOf } from './marked.ts'

const MOST_NAMES = 5

/** Of any record, as one line. */
export function nameOf(kind: string, record: Shown): string {
  if (kind === 'storyline') return `${record['story'].name}, line ${record['rank'] + 1}`
  if (kind === 'taleline') return `${record['tale'].name}, topic ${record['rank'] + 1}`
  if (kind === 'winner') return `${record['by'] || record['user']}, ${record['app']}`
  return record['name'] ?? record['body']
}

/** A few words on what a record is, for lists of several kinds. */
export function noteOf(kind: string, record: Shown): string {
  return GISTS[kind]?.(record) ?? record['src'] ?? ''
}

/** Everything of a page of a list. */
export function cardsOf({ kind, shape }: Listed, records: readonly Shown[]): Content {
  const each = (show: (kind: string, record: Shown) => Content) =>
    records.map((record) => html`<li>${show(kind, record)}</li>`)
  if (kind === 'winner') return scores(records)
  if (shape === 'chips') return html`<ul class="chips">${each(chip)}</ul>`
  if (shape === 'rows') return html`<ul class="rows">${each(row)}</ul>`
  return html`<ul class="grid">${each(card)}</ul>`
}

export function card(kind: string, record: Shown): Content {
  return html`<article class=${`card of-${kind}`}>
    <h3><a class="open" href=${addressOf(kind, record)}>${shortened(record['name'], 90)}</a></h3>
    ${(INSIDES[kind] ?? plainInside)(record)} ${byLine(kind, record)}
  </article>`
}

function row(kind: string, record: Shown): Content {
  const href = addressOf(kind, record)
  if (kind === 'storyline' || kind === 'taleline') {
    return html`<article class="row">
      <p><a href=${href}>${nameOf(kind, record)}</a></p>
      ${record['phrase'] && html`<p class="text">${openText(record['phrase'].qode)}</p>`}
      <p class="meta"><span>told with <a href=${addressOf('quadranym', record['quadranym'])}>${record['quadranym'].name}</a></span></p>
    </article>`
  }
  if (record['body'] === undefined) {
    return html`<article class="row">
      <h3><a href=${href}>${record['name']}</a></h3>
      <p class="text">${openText(record['qode'])}</p>
      ${byLine(kind, record)}
    </article>`
  }
  const topics = topicsOf(record)
  return html`<article class="row">
    <p class="text">${markedBody(record)}</p>
    <p class="meta">
      ${record['src'] && html`<span>${record['src']}</span>`}
      ${topics.length > 0 && html`<span>${topics.map((topic, i) => [i > 0 && ', ', html`<a href=${addressOf('quadranym', topic)}>${topic.name}</a>`])}</span>`}
      <a href=${href}>${topics.length > 0 ? 'Open and flip it' : 'Open it'}</a>
    </p>
  </article>`
}

function chip(kind: string, record: Shown): Content {
  return html`<a class="btn" href=${addressOf(kind, record)}>${shortened(nameOf(kind, record), 60)}</a>`
}

function scores(records: readonly Shown[]): Content {
  return html`<div class="wide">
    <table class="scores">
      <thead>
        <tr><th scope="col">Game</th><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr>
      </thead>
      <tbody>
        ${records.map(
          ({ app, by, user, score, round }) =>
            html`<tr>
              <td>${app}</td><td><a href=${personAddress(user)}>${by || user}</a></td>
              <td class="number">${score.toLocaleString('en')}</td><td class="number">${round}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** Where it belongs, who likes it, who made it. */
function byLine(kind: string, { realm, area, likes, user }: Shown): Content {
  return html`<p class="meta">
    ${realm && html`<a href=${`/${kind}/?realm=${encodeURIComponent(realm)}`}>${realm}</a>`}
    ${area && html`<a href=${`/${kind}/?area=${encodeURIComponent(area)}`}>${area}</a>`}
    ${likes && html`<span>${counted(likes, 'like')}</span>`}
    ${user && html`<span>by <a href=${personAddress(user)}>${user}</a></span>`}
  </p>`
}

const INSIDES: Readonly<Record<string, (record: Shown) => Content>> = {
  quadranym: ({ e, r, o, s }) =>
    html`<div class="poles">
      <span class="e">${shownTerm(e)}</span><span class="s">${shownTerm(s)}</span><i></i><span class="o">${shownTerm(o)}</span
      ><span class="r">${shownTerm(r)}</span>
    </div>`,
  polynym: (record) =>
    html`<p class="gist">${glyph(record['mode'])} ${GISTS['polynym']!(record)}</p>
      <ol class=${`terms ${record['mode']}`}>${termsOf(record).map((term) => html`<li>${shortened(term, 60)}</li>`)}</ol>`,
  polyset: (record) => gathered('polyset', record, record['polynyms']),
  quadraset: (record) => gathered('quadraset', record, record['quadranyms']),
  vectornym: (record) => gathered('vectornym', record, columnsOf(record)),
  polymap: (record) =>
    html`<p class="gist">${GISTS['polymap']!(record)}</p>
      <p class="members">${record['pa'].name} <b aria-label="to">⇄</b> ${record['pb'].name}</p>`,
}

function plainInside(record: Shown): Content {
  const lines = record['length'] as number | undefined
  if (lines === undefined) return undefined
  return html`<p class="gist">${record['fable'] ? counted(lines, 'topic') : counted(lines, 'line')}</p>
    ${record['fable'] && html`<p class="members">after ${record['fable'].name}</p>`}`
}

/** How many there are, and the names of the first. */
function gathered(kind: string, record: Shown, members: readonly Shown[]): Content {
  const more = members.length - MOST_NAMES
  return html`<p class="gist">${GISTS[kind]!(record)}</p>
    <p class="members">${members
      .slice(0, MOST_NAMES)
      .map(({ name }) => shortened(name, 40))
      .join(', ')}${more > 0 && ` and ${more} more`}</p>`
}

const GISTS: Readonly<Record<string, (record: Shown) => string>> = {
  quadranym: ({ e, r, o, s }) => `${shownTerm(e)} and ${shownTerm(r)}, ${shownTerm(o)} and ${shownTerm(s)}`,
  polynym: ({ mode, depth }) => counted(depth, mode),
  polyset: ({ length }) => counted(length, 'polynym'),
  quadraset: ({ length }) => counted(length, 'quadranym'),
  vectornym: ({ length, depth }) => `${counted(length, 'column')}, ${counted(depth, 'row')}`,
  polymap: (record) => counted(Object.keys(record).filter((member) => /^r[0-9]+$/.test(member)).length, 'link'),
  phrase: () => 'one topic left open',
  fable: ({ length }) => `${counted(length, 'topic')} left open`,
  story: ({ length }) => counted(length, 'line'),
  tale: ({ fable }) => `after ${fable.name}`,
  queue: () => 'wanted',
}

/** p1, p2 ... of a polynym. */
export function termsOf(record: Shown): string[] {
  return Array.from({ length: record['depth'] }, (_, i) => record[`p${i + 1}`] as string)
}

function columnsOf(record: Shown): Shown[] {
  return Array.from({ length: record['length'] }, (_, i) => record[`v${i + 1}`] as Shown)
}

/** A term that is not known is empty, or underscores. */
export function shownTerm(term: string): string {
  return /^_*$/.test(term) ? '–' : shortened(term, 48)
}

/** A small sign for the mode of a polynym: a ring of parts, a tree of types, stairs of steps. */
export function glyph(mode: string): Content {
  const drawn: Readonly<Record<string, Content>> = {
    part: html`<path d="M8 2a6 6 0 0 1 6 6M14 8.9a6 6 0 0 1-5.2 5M7 13.9a6 6 0 0 1-5-6M2.1 7A6 6 0 0 1 7 2.1" />`,
    type: html`<path d="M3 8c4 0 3-5 9-5M3 8h9M3 8c4 0 3 5 9 5" />`,
    step: html`<path d="M1.5 13.5h4V9.8h4V6h4V2.5" />`,
  }
  return html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true">${drawn[mode]}</svg>`
}

export function wordLink(word: string, note?: Content): Content {
  return html`<a class="btn small" href=${wordAddress(word)}>${word}${note}</a>`
}
