/** The results of a search: the best of each kind. */
import type { Visit } from '../../http/index.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'

export interface Group {
  readonly kind: Kind
  readonly count: number
  readonly records: readonly Shown[]
}

export interface Found {
  readonly groups: readonly Group[]
  readonly didYouMean: readonly string[]
  /** Why the search could not run. */
  readonly wrong: string | undefined
}

const NOTHING: Found = { groups: [], didYouMean: [], wrong: undefined }
const LONGEST_TERM = 500
const MOST_WORDS = 4

/** The best few of each kind. Spelling suggestions are looked up only if nothing was found. */
export async function find(visit: ExplorerVisit, wanted: string, most: number): Promise<Found> {
  const text = wanted.trim()
  if (text === '') return NOTHING
  const query = new URLSearchParams({ search: text, page_size: String(most) })
  const searched = visit.kinds.all.filter(({ isFound }) => isFound)
  const lists = await Promise.all(searched.map(({ name }) => visit.ask(`/api/${name}/?${query}`)))
  const refused = lists.find(({ status }) => status !== 200)
  if (refused) return { ...NOTHING, wrong: Object.values(refused.json as Record<string, string[]>).flat()[0] }
  const groups = searched
    .map((kind, i) => ({ kind, count: lists[i]!.json.count, records: lists[i]!.json.results }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => distance(a, text) - distance(b, text))
  return { groups, didYouMean: groups.length > 0 ? [] : await meant(visit, text), wrong: undefined }
}

/** How many sets and texts contain a word. */
export async function countPlaces(visit: Visit, word: string): Promise<number> {
  const term = await readTerm(visit, word)
  return term ? term['count'] + term['texts'].count : 0
}

/** Whether the whole search text is a name or a term of what was found. */
export function isTermIn(groups: readonly Group[], wanted: string): boolean {
  const word = folded(wanted)
  return groups.some(({ kind, records }) => {
    if (!kind.hasTerms) return false
    return records.some((record) =>
      Object.values(record).some((each) => typeof each === 'string' && folded(each) === word),
    )
  })
}

async function readTerm(visit: Visit, term: string): Promise<Shown | undefined> {
  if (term.length > LONGEST_TERM) return undefined
  const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(term)}/?limit=1`)
  return status === 200 ? json : undefined
}

/**
 * Kinds are ordered by how well their best record matches: the same name, a name that begins with it, anywhere else.
 */
function distance({ kind, records }: Group, wanted: string): number {
  const name = folded(kind.nameOf(records[0]!))
  if (name === folded(wanted)) return 0
  return name.startsWith(folded(wanted)) ? 1 : 2
}

/** The search text as another word, or with each unknown word corrected. */
async function meant(visit: Visit, wanted: string): Promise<string[]> {
  const whole: string[] = (await readTerm(visit, wanted))?.['did_you_mean'] ?? []
  const words = wanted.split(/\s+/)
  if (whole.length > 0 || words.length === 1 || words.length > MOST_WORDS) return whole
  const each = await Promise.all(words.map((word) => readTerm(visit, word)))
  const better = words.map((word, i) => each[i]?.['did_you_mean'][0] ?? word).join(' ')
  return better === wanted ? [] : [better]
}

/** The text with the search words marked. */
export function highlighted(text: string, wanted: string): Content {
  const looked = wordsOf(wanted).map(folded)
  const parts: Content[] = []
  let done = 0
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!looked.some((each) => folded(word).startsWith(each))) continue
    parts.push(text.slice(done, index), html`<mark>${word}</mark>`)
    done = index + word.length
  }
  return [...parts, text.slice(done)]
}

/** The part of a long text that contains the words. */
export function excerpt(text: string, wanted: string, most = 180): string {
  if (text.length <= most) return text
  const looked = wordsOf(wanted).map(folded)
  const first = Array.from(text.matchAll(/[\p{L}\p{N}]+/gu)).find(({ 0: word }) =>
    looked.some((each) => folded(word).startsWith(each)),
  )
  const from = Math.max(0, (first?.index ?? 0) - most / 3)
  const cut = text.slice(from, from + most).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '')
  const begun = from > 0 ? `… ${cut.replace(/^\S*\s/, '')}` : cut
  return from + most < text.length ? `${begun.replace(/\s\S*$/, '')} …` : begun
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? []
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
