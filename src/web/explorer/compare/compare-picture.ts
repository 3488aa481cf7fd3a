/** The picture of a comparison: a cross of two sets, a web of more. */
import { type Drawing, drawCross, drawWeb, type LinkOf } from '../../pictures/index.ts'
import { letterOf } from './compare-state.ts'
import { type Comparison, distinctNames, sharedByTwo } from './comparison.ts'

export function drawComparison(comparison: Comparison, linkOf?: LinkOf): Drawing {
  const sets = comparison.sets.map(({ name, only }, i) => ({ name, letter: letterOf(i), only, own: only.length }))
  const [first, second, ...more] = sets
  if (first && second && more.length === 0) return drawCross([first, second], comparison.shared, linkOf)
  return drawWeb(
    sets,
    sharedByTwo(comparison).map((each) => ({ word: each.term, in: each.in })),
    linkOf,
  )
}

const MOST_NAMED = 3

/** "Elements and Planets", "Elements, Planets and 3 more" */
export function titleOf({ sets }: Pick<Comparison, 'sets'>): string {
  const names = distinctNames(sets)
  if (names.length > MOST_NAMED) return `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
}

/** What they share, in a sentence. */
export function gistOf(comparison: Comparison): string {
  const { sets, shared, union } = comparison
  const all = sets.length === 2 ? 'both' : `all ${sets.length}`
  if (shared.length > 0) return `${shared.length} of ${union.length} words are in ${all}: ${shared.join(', ')}.`
  const some = sharedByTwo(comparison)
  if (some.length === 0) return `They share none of their ${union.length} words.`
  return `${some.length} of ${union.length} words are in more than one: ${some.map(({ term }) => term).join(', ')}.`
}
