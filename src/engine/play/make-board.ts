/**
 * Makes boards with exactly one solution. A board is drawn at random, with words that fit into two of its groups where
 * there are some; then an exact-cover search over every group that the catalogue can make of the sixteen words proves
 * that no other division exists. Otherwise another board is drawn.
 */
import { type Board, type BoardGroup, GROUP_SIZE, GROUPS } from './board.ts'
import { type BoardIndex, fitsInGroup, type PlaySet, type PlayTerm } from './board-index.ts'
import { Draw } from './draw.ts'
import { partitionsOf } from './partitions.ts'
import { PlayedGroups } from './played-groups.ts'

/** How many boards are drawn before the best one is taken, and before the search for any board ends. */
const TRIES = 40
const MOST_TRIES = 120
/** A board with this many near words is taken at once. */
const ENOUGH_NEAR_WORDS = 3
/** More would be unfair: with several of its terms in doubt, nobody can begin with a group. */
const MOST_NEAR_IN_GROUP = 2
/** Sets that have more in common are not on one board: nobody could tell which terms the board gives to which set. */
const MOST_SHARED = 2
/** How many of the sets with a word are looked at. */
const MOST_NEIGHBOURS = 100
const RARITY_WEIGHT = 2
const NEAR_WEIGHT = 3

interface DrawnGroup {
  readonly set: PlaySet
  readonly terms: readonly PlayTerm[]
}

/** Undefined if the sets that were not played are too few or too alike. */
export function makeBoard(index: BoardIndex, seed: string, played = new PlayedGroups(index)): Board | undefined {
  const draw = new Draw(seed)
  const open = index.playable.filter((set) => !played.has(set))
  if (open.length < GROUPS) return undefined
  let best: Board | undefined
  for (let tries = 0; tries < (best ? TRIES : MOST_TRIES); tries++) {
    const groups = drawGroups(index, draw, open, played)
    if (!groups) continue
    const board = boardOf(index, draw, groups)
    if (board.nearWords <= (best?.nearWords ?? -1) || !hasOneSolution(index, board.words)) continue
    best = board
    if (board.nearWords >= ENOUGH_NEAR_WORDS) break
  }
  return best
}

/** Up to `count` boards without a repeated group. The same sets and seed give the same boards. */
export function makeCalendar(index: BoardIndex, seed: string, count: number): Board[] {
  const played = new PlayedGroups(index)
  const boards: Board[] = []
  while (boards.length < count) {
    const board = makeBoard(index, `${seed} ${boards.length + 1}`, played)
    if (!board) break
    played.add(board)
    boards.push(board)
  }
  return boards
}

/** Whether the sets of the index can divide these sixteen words into four groups in exactly one way. */
export function hasOneSolution(index: BoardIndex, words: readonly string[]): boolean {
  if (words.length !== GROUPS * GROUP_SIZE || new Set(words.map(index.language.keyOf)).size !== words.length)
    return false
  return partitionsOf((1 << words.length) - 1, index.groupsAmong(words), 2).length === 1
}

function drawGroups(
  index: BoardIndex,
  draw: Draw,
  open: readonly PlaySet[],
  played: PlayedGroups,
): DrawnGroup[] | undefined {
  const sets: PlaySet[] = []
  for (let tries = 0; sets.length < GROUPS && tries < TRIES; tries++) {
    // The last set is any other: a board of nothing but neighbours rarely has one solution.
    const near = sets.length > 0 && sets.length < GROUPS - 1 ? neighbourOf(index, draw, sets, played) : undefined
    const set = near ?? draw.one(open)
    if (set && sets.every((other) => other !== set && sharedTerms(other, set) <= MOST_SHARED)) sets.push(set)
  }
  if (sets.length < GROUPS) return undefined
  const groups: DrawnGroup[] = []
  const taken = new Set<string>()
  for (const set of draw.shuffled(sets)) {
    const terms = drawTerms(draw, set, sets, taken)
    if (terms.length < GROUP_SIZE || played.repeats(terms.map(({ key }) => key))) return undefined
    for (const { key } of terms) taken.add(key)
    groups.push({ set, terms })
  }
  return groups
}

/** A set that shares a term with the last of these. */
function neighbourOf(
  index: BoardIndex,
  draw: Draw,
  sets: readonly PlaySet[],
  played: PlayedGroups,
): PlaySet | undefined {
  const last = sets.at(-1)
  for (const { key } of draw.shuffled(last?.words ?? [])) {
    const near: PlaySet[] = []
    for (const set of index.playableWith(key)) {
      if (!sets.includes(set) && !played.has(set)) near.push(set)
      if (near.length >= MOST_NEIGHBOURS) break
    }
    if (near.length > 0) return draw.one(near)
  }
  return undefined
}

/** Four terms of a set, first some that another set of the board has as well. */
function drawTerms(draw: Draw, set: PlaySet, sets: readonly PlaySet[], taken: ReadonlySet<string>): PlayTerm[] {
  const free = draw.shuffled(set.words.filter(({ key }) => !taken.has(key)))
  const [near, own] = [true, false].map((wanted) =>
    free.filter((term) => sets.some((other) => other !== set && hasTerm(other, term)) === wanted),
  )
  const chosen: PlayTerm[] = []
  const take = (terms: readonly PlayTerm[] = [], most: number) => {
    for (const term of terms) if (chosen.length < most && fitsInGroup(term, chosen)) chosen.push(term)
  }
  take(near, MOST_NEAR_IN_GROUP)
  take(own, GROUP_SIZE)
  return chosen
}

function boardOf(index: BoardIndex, draw: Draw, drawn: readonly DrawnGroup[]): Board {
  const groups = drawn.map((group): BoardGroup & { readonly near: number } => {
    const others = drawn.filter((other) => other !== group)
    const near = group.terms.filter((term) => others.some(({ set }) => hasTerm(set, term))).length
    const foreign = others.flatMap(({ terms }) => terms).filter((term) => hasTerm(group.set, term)).length
    const { id, name, mode } = group.set
    const terms = group.terms.map(({ text }) => text)
    const { familiarityOf, mostFamiliar } = index.language
    const rarity = terms.reduce((sum, term) => sum + mostFamiliar - familiarityOf(term), 0)
    return { id, name, mode, terms, difficulty: RARITY_WEIGHT * rarity + NEAR_WEIGHT * (near + foreign), near }
  })
  return {
    words: draw.shuffled(groups.flatMap(({ terms }) => terms)),
    groups: groups.map(({ near: _, ...group }) => group).sort((a, b) => a.difficulty - b.difficulty || a.id - b.id),
    nearWords: groups.reduce((sum, { near }) => sum + near, 0),
  }
}

function sharedTerms(set: PlaySet, other: PlaySet): number {
  return other.words.filter((term) => hasTerm(set, term)).length
}

function hasTerm({ words }: PlaySet, { key }: PlayTerm): boolean {
  return words.some((word) => word.key === key)
}
