/** Everything by one author: texts by work, the topics they are told through, and sets that name the author. */
import { authorKey, counted, creditOf } from '../../language/index.ts'
import { hereOf, recordAddress } from '../addresses.ts'
import { WORD_STYLE } from '../assets.ts'
import { card } from '../cards.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { drawSmallQuadranym, inPage } from '../pictures/index.ts'
import { authorAddress, sourceOf } from '../texts/author.ts'
import { topicsOf } from '../texts/marked.ts'
import type { Topic } from '../texts/tokens.ts'
import {
  type Author,
  type Authors,
  findAuthor,
  joinAuthors,
  readAuthors,
  type Source,
  sourcesOf,
} from './author-index.ts'

/** Of one kind and one spelling of the name; the list of the kind has the others. */
const MOST = 60
const MOST_SPELLINGS = 6
const MOST_TOPICS = 8
const LONGEST_NAME = 200

export const authorPage: ExplorerPage = {
  path: '/author/:name/',
  title: 'Author',
  async GET(visit) {
    const name = visit.places['name']!.trim()
    const authors = await readAuthors(visit)
    const author =
      name.length > LONGEST_NAME ? undefined : (findAuthor(authors, name) ?? (await rareAuthor(visit, name)))
    const [sourced, found] = await Promise.all([
      author ? recordsOf(visit, author) : [],
      sayingsOf(visit, name, authors),
    ])
    const records = [...sourced, ...found]
    const called = author?.name ?? records[0]?.author
    if (called === undefined) {
      const json = { detail: 'No text and no set names this author.' }
      const page = renderError({ status: 404, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds)
      return { status: 404, page }
    }
    if (called !== name) return { location: authorAddress(called) }
    return { page: show(visit, called, author, records) }
  },
}

/** A record, and who and what it names as its source. */
interface Sourced {
  readonly kind: Kind
  readonly record: Shown
  readonly author: string
  readonly work: string
  readonly note: string
  readonly isAfter: boolean
}

/** An author who is not among the most frequent. */
async function rareAuthor(visit: ExplorerVisit, name: string): Promise<Author | undefined> {
  const kinds = visit.kinds.all.filter(({ hasSource }) => hasSource)
  const sources = await Promise.all(kinds.map((kind) => sourcesOf(visit, kind, name)))
  return joinAuthors(sources.flat()).get(authorKey(name))
}

async function recordsOf(visit: ExplorerVisit, { sources }: Author): Promise<Sourced[]> {
  const bySource = new Map(sources.map((source) => [`${source.kind.name} ${source.src}`, source]))
  const kinds = [...new Set(sources.map(({ kind }) => kind))]
  const lists = await Promise.all(
    kinds.flatMap((kind) =>
      beginningsOf(sources.filter((source) => source.kind === kind)).map(async (beginning) => {
        const query = new URLSearchParams({ src__startswith: beginning, page_size: String(MOST) })
        const { status, json } = await visit.ask(`/api/${kind.name}/?${query}`)
        const results: readonly Shown[] = status === 200 ? json.results : []
        return results.flatMap((record): Sourced[] => {
          const source = bySource.get(`${kind.name} ${record['src']}`)
          return source ? [{ kind, record, ...source.credit }] : []
        })
      }),
    ),
  )
  const all = lists.flat()
  return [...new Map(all.map((each) => [each.kind.addressOf(each.record), each])).values()]
}

/** The different beginnings of sources up to the end of the name, the most frequent first. */
function beginningsOf(sources: readonly Source[]): string[] {
  const sorted = [...sources].sort((a, b) => b.count - a.count)
  const beginnings = sorted.map(({ src, credit: { author } }) => {
    const at = src.indexOf(author)
    return at < 0 ? src : src.slice(0, at + author.length)
  })
  return [...new Set(beginnings)].slice(0, MOST_SPELLINGS)
}

/** Sayings that name their origin in the text itself. */
async function sayingsOf(visit: ExplorerVisit, name: string, authors: Authors): Promise<Sourced[]> {
  const key = authorKey(name)
  const wanted = authors.get(key)?.key ?? key
  const kinds = visit.kinds.all.filter(({ textOf, hasSource, isSearched }) => textOf && !hasSource && isSearched)
  const lists = await Promise.all(
    kinds.map(async (kind) => {
      const query = new URLSearchParams({ search: name.slice(0, LONGEST_NAME), page_size: String(MOST) })
      const { status, json } = await visit.ask(`/api/${kind.name}/?${query}`, { isOptional: true })
      const results: readonly Shown[] = status === 200 ? json.results : []
      return results.flatMap((record): Sourced[] => {
        const credit = creditOf(sourceOf(record))
        if (!credit) return []
        const own = authorKey(credit.author)
        return (authors.get(own)?.key ?? own) === wanted ? [{ kind, record, ...credit }] : []
      })
    }),
  )
  return lists.flat()
}

function show(visit: ExplorerVisit, name: string, author: Author | undefined, records: readonly Sourced[]): string {
  const texts = records.filter(({ kind }) => kind.textOf)
  const own = texts.filter(({ isAfter }) => !isAfter)
  const works = worksIn(own)
  const others = records.filter((each) => !own.includes(each))
  const counts = countsOf(author, records)
  const main = html`<p class="kind"><a href="/authors/">Authors and sources</a></p>
    <h1 class=${name.length > 40 ? 'long' : undefined}>${name}</h1>
    <p class="meta">${counts.map(({ kind, count }) => html`<span>${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</span>`)}</p>
    ${works.length > 2 && html`<ul class="chips" aria-label="Works">${works.map(({ title, id, records: { length } }) => html`<li><a class="btn small" href=${`#${id}`}>${title || 'Other texts'} <span class="soft">${length}</span></a></li>`)}</ul>`}
    <div class=${own.length > 0 ? 'authored' : undefined}>
      <div>
        ${works.map((work) => workSection(work, works.length > 1 || work.title !== ''))} ${moreTexts(author, texts)}
      </div>
      ${toldThrough(own)}
    </div>
    ${otherRecords(name, others)}`
  const described = counts.map(({ kind, count }) => counted(count, kind.one.toLowerCase(), kind.many.toLowerCase()))
  return layout({
    kinds: visit.kinds,
    csrf: visit.csrf,
    title: name,
    user: visit.visitor?.name,
    here: visit.query.raw ? hereOf(visit) : authorAddress(name),
    base: visit.base,
    part: 'texts',
    styles: [WORD_STYLE],
    description: `${name}: ${described.join(', ')}.`,
    main,
  })
}

/** How many records of each kind: the API's own count where it has one. */
function countsOf(author: Author | undefined, records: readonly Sourced[]): { kind: Kind; count: number }[] {
  const counts = new Map<Kind, number>()
  for (const { kind, count } of author?.sources ?? []) counts.set(kind, (counts.get(kind) ?? 0) + count)
  for (const { kind } of records) if (!kind.hasSource) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return Array.from(counts, ([kind, count]) => ({ kind, count }))
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
