/** A comparison as the API tells it, with what the address has wrong. */
import type { Visit } from '../../../http/index.ts'
import { inOurWords } from '../../form-errors.ts'
import { type CompareState, letterOf, setsQuery } from './compare-state.ts'

export interface ComparedSet {
  readonly set: string
  readonly name: string
  readonly terms: readonly string[]
  readonly only: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

export interface Pair {
  readonly sets: readonly [string, string]
  readonly shared: readonly string[]
  readonly relation: 'equal' | 'subset' | 'superset' | 'overlap' | 'disjoint'
  readonly jaccard: number
}

export interface Comparison {
  readonly sets: readonly ComparedSet[]
  readonly shared: readonly string[]
  readonly union: readonly string[]
  readonly symmetric_difference: readonly string[]
  readonly jaccard: number
  readonly terms: readonly { readonly term: string; readonly in: readonly number[] }[]
  readonly convergence: readonly {
    readonly of: string
    readonly all: number
    readonly distinct: number
    readonly rate: number
  }[]
  readonly product: { readonly count: string; readonly results: readonly (readonly string[])[] }
  readonly pairs: readonly Pair[]
}

/** How many combinations of the product a page shows. */
export const PRODUCT_PAGE = 24

interface Read {
  /** The sets that can be compared. */
  readonly sets: readonly string[]
  readonly comparison: Comparison | undefined
  readonly faults: readonly string[]
}

/** Sets that do not exist are named as faults, and the others are compared. */
export async function readComparison(visit: Pick<Visit, 'ask'>, { sets, offset }: CompareState): Promise<Read> {
  if (sets.length < 2) return { sets, comparison: undefined, faults: [] }
  const asked = `/api/compare/?${setsQuery(sets)}&limit=${PRODUCT_PAGE}&offset=${offset}`
  const { status, json } = await visit.ask(asked)
  if (status === 200) return { sets, comparison: json, faults: [] }
  const messages: readonly string[] = Object.values<string[]>(json).flat()
  const wrong = new Set(messages.map((message) => /"([^"]*)"/.exec(message)?.[1]))
  const others = sets.filter((set) => !wrong.has(set) && !wrong.has(set.split(':')[0]))
  const faults = messages.map(inOurWords)
  if (others.length === sets.length) return { sets, comparison: undefined, faults }
  const { sets: left, comparison, faults: more } = await readComparison(visit, { ...NO_STATE, sets: others, offset })
  return { sets: left, comparison, faults: [...faults, ...more] }
}

const NO_STATE: CompareState = { sets: [], view: 'cross', near: '', offset: 0 }

/** The names, with the letter of the set if another one has the same name. */
export function distinctNames(sets: readonly Pick<ComparedSet, 'name'>[]): readonly string[] {
  return sets.map(({ name }, i) =>
    sets.some((other, j) => j !== i && other.name === name) ? `${name} (${letterOf(i)})` : name,
  )
}

/** The terms that at least two sets have, those of the most sets first. */
export function sharedByTwo({ terms }: Comparison): Comparison['terms'] {
  return terms.filter((each) => each.in.length > 1).toSorted((a, b) => b.in.length - a.in.length)
}
