/** The results of a search: the best of each kind. */
import type { Visit } from '../../http/index.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { type Offer, offersOf } from './find-offers.ts'
import { folded, hasWholeWords } from './looked-for.ts'

export interface Group {
  readonly kind: Kind
  readonly count: number
  readonly records: readonly Shown[]
}

export interface Found {
  readonly groups: readonly Group[]
  /** Areas, authors and people of that name. */
  readonly offers: readonly Offer[]
  readonly didYouMean: readonly string[]
  /** Another spelling that the search has looked for, too. */
  readonly also: string | undefined
  /** Why the search could not run. */
  readonly wrong: string | undefined
}

const NOTHING: Found = { groups: [], offers: [], didYouMean: [], also: undefined, wrong: undefined }
const LONGEST_TERM = 500
/** With fewer records, other spellings are offered. */
const FEW = 5

interface Suggested {
  readonly values?: Parameters<typeof offersOf>[0]
  readonly did_you_mean?: readonly string[]
}

/** The best few of each kind. Other spellings are offered only if little was found. */
export async function find(visit: ExplorerVisit, wanted: string, most: number): Promise<Found> {
  const text = wanted.trim()
  if (text === '') return NOTHING
  const query = new URLSearchParams({ search: text, page_size: String(most) })
  const searched = visit.kinds.all.filter(({ isFound }) => isFound)
  const [suggested, ...lists] = await Promise.all([
    visit.ask(`/api/suggest/?q=${encodeURIComponent(text)}`),
    ...searched.map(({ name }) => visit.ask(`/api/${name}/?${query}`)),
  ])
  const refused = lists.find(({ status }) => status !== 200)
  if (refused) return { ...NOTHING, wrong: Object.values(refused.json as Record<string, string[]>).flat()[0] }
  const groups = searched
    .map((kind, i) => ({ kind, count: lists[i]!.json.count, records: lists[i]!.json.results }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => distance(a, text) - distance(b, text))
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const { values = [], did_you_mean: spellings = [] }: Suggested = suggested.status === 200 ? suggested.json : {}
  const also = total > 0 ? spellings.find((each) => hasWholeWords(each, text)) : undefined
  const didYouMean = total < FEW ? spellings.filter((each) => each !== also) : []
  const offers = offersOf(values, text, visit.kinds)
  return { groups, offers, didYouMean, also, wrong: undefined }
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
  const { status, json } = await visit.ask(`/api/term/${encodeURIComponent(term)}/?limit=0`)
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
