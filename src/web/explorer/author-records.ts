/** An author, and the records that name the author as their source. */
import { authorKey, counted, creditOf } from '../../language/index.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { sourceOf } from '../texts/author.ts'
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
const LONGEST_NAME = 200

export interface FoundAuthor {
  /** The name as most records write it. */
  readonly called: string
  /** Undefined if only sayings name the author. */
  readonly author: Author | undefined
  readonly records: readonly Sourced[]
}

/** By any spelling of the name; undefined if no record names the author. */
export async function readAuthor(visit: ExplorerVisit, name: string): Promise<FoundAuthor | undefined> {
  const authors = await readAuthors(visit)
  const author = name.length > LONGEST_NAME ? undefined : (findAuthor(authors, name) ?? (await rareAuthor(visit, name)))
  const [sourced, found] = await Promise.all([author ? recordsOf(visit, author) : [], sayingsOf(visit, name, authors)])
  const records = [...sourced, ...found]
  const called = author?.name ?? records[0]?.author
  return called === undefined ? undefined : { called, author, records }
}

/** A record, and who and what it names as its source. */
export interface Sourced {
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
export function beginningsOf(sources: readonly Source[]): string[] {
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

/** How many records of each kind: the API's own count where it has one. */
export function countsOf(author: Author | undefined, records: readonly Sourced[]): { kind: Kind; count: number }[] {
  const counts = new Map<Kind, number>()
  for (const { kind, count } of author?.sources ?? []) counts.set(kind, (counts.get(kind) ?? 0) + count)
  for (const { kind } of records) if (!kind.hasSource) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return Array.from(counts, ([kind, count]) => ({ kind, count }))
}

/** "4 quotes", "1 polynym" */
export function inNumbers({ author, records }: Pick<FoundAuthor, 'author' | 'records'>): string[] {
  return countsOf(author, records).map(({ kind, count }) =>
    counted(count, kind.one.toLowerCase(), kind.many.toLowerCase()),
  )
}
