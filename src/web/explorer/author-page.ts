/** Everything by one author: texts by work, the topics they are told through, and sets that name the author. */
import { authorKey, counted } from '../../language/index.ts'
import { hereOf, recordAddress } from '../addresses.ts'
import { SHARE, WORD_STYLE } from '../assets.ts'
import { card } from '../cards.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { drawSmallQuadranym, inPage } from '../pictures/index.ts'
import { sharePanel } from '../share/panel.ts'
import { sharedAuthor } from '../share/record-shared.ts'
import { authorAddress } from '../texts/author.ts'
import { topicsOf } from '../texts/marked.ts'
import type { Topic } from '../texts/tokens.ts'
import type { Author } from './author-index.ts'
import { beginningsOf, countsOf, type FoundAuthor, inNumbers, readAuthor, type Sourced } from './author-records.ts'

const MOST_TOPICS = 8

export const authorPage: ExplorerPage = {
  path: '/author/:name/',
  title: 'Author',
  async GET(visit) {
    const name = visit.places['name']!.trim()
    const found = await readAuthor(visit, name)
    if (!found) {
      const json = { detail: 'No text and no set names this author.' }
      const page = renderError({ status: 404, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds)
      return { status: 404, page }
    }
    return found.called === name ? { page: show(visit, found) } : { location: authorAddress(found.called) }
  },
}

function show(visit: ExplorerVisit, { called: name, author, records }: FoundAuthor): string {
  const texts = records.filter(({ kind }) => kind.textOf)
  const own = texts.filter(({ isAfter }) => !isAfter)
  const works = worksIn(own)
  const others = records.filter((each) => !own.includes(each))
  const shared = sharedAuthor({ called: name, author, records })
  const main = html`<p class="kind"><a href="/authors/">Authors and sources</a></p>
    <h1 class=${name.length > 40 ? 'long' : undefined}>${name}</h1>
    <p class="meta">${inNumbers({ author, records }).map((each) => html`<span>${each}</span>`)}</p>
    ${sharePanel({ base: visit.base, shared })}
    ${works.length > 2 && html`<ul class="chips" aria-label="Works">${works.map(({ title, id, records: { length } }) => html`<li><a class="btn small" href=${`#${id}`}>${title || 'Other texts'} <span class="soft">${length}</span></a></li>`)}</ul>`}
    <div class=${own.length > 0 ? 'authored' : undefined}>
      <div>
        ${works.map((work) => workSection(work, works.length > 1 || work.title !== ''))} ${moreTexts(author, texts)}
      </div>
      ${toldThrough(own)}
    </div>
    ${otherRecords(name, others)}`
  return layout({
    kinds: visit.kinds,
    csrf: visit.csrf,
    title: name,
    user: visit.visitor?.name,
    here: visit.query.raw ? hereOf(visit) : authorAddress(name),
    base: visit.base,
    part: 'texts',
    styles: [WORD_STYLE],
    description: `${shared.text}.`,
    shared,
    scripts: [SHARE],
    main,
  })
}

interface Work {
  readonly title: string
  readonly id: string
  readonly records: readonly Sourced[]
}

/** The works with the most texts first; texts without a work last. */
function worksIn(texts: readonly Sourced[]): Work[] {
  const works = new Map<string, Sourced[]>()
  for (const text of texts) {
    const key = authorKey(text.work)
    works.set(key, [...(works.get(key) ?? []), text])
  }
  return Array.from(works, ([key, records]) => ({
    title: records[0]?.work ?? '',
    id: key === '' ? 'other-texts' : `work-${key.replaceAll(' ', '-')}`,
    records,
  })).sort((a, b) => Number(a.title === '') - Number(b.title === '') || b.records.length - a.records.length)
}

function workSection({ title, id, records }: Work, isTitled: boolean): Content {
  return html`<section id=${id}>
    ${isTitled && html`<h2>${title || 'Other texts'}</h2>`}
    <ul class="rows">${records.map((each) => html`<li>${textRow(each)}</li>`)}</ul>
  </section>`
}

function textRow({ kind, record, note }: Sourced): Content {
  const topics = topicsOf(record)
  return html`<article class="row">
    <p class="text">${kind.textOf?.(record)}</p>
    <p class="meta">
      <a href=${kind.addressOf(record)}>${kind.one}</a>
      ${topics.length > 0 && html`<span>told through ${topics.map((topic, i) => [i > 0 && ', ', html`<a href=${recordAddress('quadranym', topic)}>${topic.name}</a>`])}</span>`}
      ${note && html`<span>${note}</span>`}
    </p>
  </article>`
}

/** Links to the lists of kinds that have more texts than the page shows. */
function moreTexts(author: Author | undefined, texts: readonly Sourced[]): Content {
  if (!author) return undefined
  return countsOf(author, [])
    .filter(({ kind, count }) => kind.textOf && count > texts.filter((text) => text.kind === kind).length)
    .map(({ kind, count }) => {
      const [beginning = author.name] = beginningsOf(author.sources.filter((source) => source.kind === kind))
      const href = `/${kind.name}/?src__startswith=${encodeURIComponent(beginning)}`
      return html`<p class="more"><a href=${href}>All ${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a></p>`
    })
}

/** The topics of the texts, the most frequent first. */
function toldThrough(texts: readonly Sourced[]): Content {
  const topics = new Map<number, { topic: Topic; count: number }>()
  for (const topic of texts.flatMap(({ record }) => topicsOf(record))) {
    topics.set(topic.quadranym_id, { topic, count: (topics.get(topic.quadranym_id)?.count ?? 0) + 1 })
  }
  if (topics.size === 0) return undefined
  const sorted = [...topics.values()].sort((a, b) => b.count - a.count)
  return html`<aside aria-label="Topics">
    <h2>Told through</h2>
    <ul class="grid">
      ${sorted
        .slice(0, MOST_TOPICS)
        .map(
          ({ topic, count }) =>
            html`<li><a class="card tile" href=${recordAddress('quadranym', topic)}>${inPage(drawSmallQuadranym(topic))}${count > 1 && html`<p class="gist">${counted(count, 'text')}</p>`}</a></li>`,
        )}
    </ul>
    ${sorted.length > MOST_TOPICS && html`<p class="chips">${sorted.slice(MOST_TOPICS).map(({ topic }) => html`<a class="btn small" href=${recordAddress('quadranym', topic)}>${topic.name}</a>`)}</p>`}
  </aside>`
}

/** Sets that the author made, and what others made after the author. */
function otherRecords(name: string, records: readonly Sourced[]): Content {
  const parts = [
    { title: `Sets from ${name}`, here: records.filter(({ isAfter }) => !isAfter) },
    { title: `After ${name}`, here: records.filter(({ isAfter }) => isAfter) },
  ]
  return parts.map(
    ({ title, here }) =>
      here.length > 0 &&
      html`<h2>${title}</h2>
        <ul class="grid">${here.map(({ kind, record }) => html`<li>${card(kind, record)}</li>`)}</ul>`,
  )
}
