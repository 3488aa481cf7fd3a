/** Facets: the values that a list can be filtered by, and how many records have each, given the current filters. */
import type { Visit } from '../../http/index.ts'
import { queryWith } from '../addresses.ts'
import type { Kind } from '../kinds/index.ts'

export interface Facet {
  readonly member: string
  readonly label: string
  /** The value that the list is filtered by. */
  readonly chosen: string | undefined
  readonly values: readonly { readonly value: string; readonly count: string }[]
}

const MOST_VALUES = 120
/** The owners of more records than this are not counted, unless it is the whole list, for which they are known. */
const MOST_COUNTED = 20_000

/** The page does not wait long for optional parts: counting the matches of a search among a million records takes long. */
export const BRIEFLY = { isOptional: true, share: 0.15 } as const

/** A member that is already filtered by still shows its other values: it is counted without its own filter. */
export async function readFacets(
  visit: Visit,
  { name, facets, owner }: Kind,
  count: Promise<number>,
): Promise<Facet[]> {
  const members = Object.keys(facets)
  const chosen = members.filter((member) => visit.query.get(member))
  const isSearched = Boolean(visit.query.get('search')?.trim())
  // Of a filtered list the owners take the longest to count, and then the others must not wait for them. A search finds
  // few records, and is run once for all members that are counted together.
  const alone = [...chosen, ...members.filter((each) => each === owner && !isSearched && !chosen.includes(each))]
  const together = members.filter((member) => !alone.includes(member))
  const isNarrowed = chosen.length > 0 || isSearched
  const asked = await Promise.all(
    [...(together.length > 0 ? [together] : []), ...alone.map((member) => [member])].map(async (by) => {
      if (isNarrowed && by.includes(owner ?? '') && (await count) > MOST_COUNTED) return {}
      const without = Object.fromEntries(by.map((member) => [member, undefined]))
      const query = queryWith(visit.query, { ...without, page: undefined, ordering: undefined, by: by.join(',') })
      const { status, json } = await visit.ask(`/api/${name}/facets/?${query}`, BRIEFLY)
      return status === 200 ? countsIn(json) : {}
    }),
  )
  const found: Record<string, Counted[]> = Object.assign({}, ...asked)
  return members.map((member) => ({
    member,
    label: facets[member]!,
    chosen: visit.query.get(member) || undefined,
    values: sorted(found[member] ?? []).slice(0, MOST_VALUES),
  }))
}

interface Counted {
  readonly value: string | number
  readonly count: string
}

interface Answered {
  readonly facets: Readonly<Record<string, readonly { readonly value: string | number; readonly count: number }[]>>
  readonly sample?: Readonly<Record<string, { readonly read: number; readonly of: number }>>
}

/** What was counted in a sample is an estimate for all records. */
function countsIn({ facets, sample }: Answered): Record<string, Counted[]> {
  const shown = (member: string, count: number) => {
    const { read, of } = sample?.[member] ?? {}
    return read && of ? `≈ ${Math.round((count * of) / read).toLocaleString('en')}` : count.toLocaleString('en')
  }
  return Object.fromEntries(
    Object.entries(facets).map(([member, values]) => [
      member,
      values.map(({ value, count }) => ({ value, count: shown(member, count) })),
    ]),
  )
}

/**
 * Numbers in ascending order; other values as they come, the most frequent first. Records without a value do not count.
 */
function sorted(values: readonly Counted[]): Facet['values'] {
  const numbers = values.every(({ value }) => typeof value === 'number')
  const ordered = numbers ? [...values].sort((a, b) => Number(a.value) - Number(b.value)) : values
  return ordered.filter(({ value }) => value !== '').map(({ value, count }) => ({ value: String(value), count }))
}
