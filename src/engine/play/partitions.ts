/**
 * Exact cover: all ways to divide the words of a board into groups. A group is a number whose bit n says whether it has
 * word n, so comparing groups costs one operation.
 */

/** Every group of `size` words among those of the mask. */
export function groupsWithin(mask: number, size: number): number[] {
  if (size === 0) return [0]
  const groups: number[] = []
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const word = rest & -rest
    for (const others of groupsWithin(rest & ~word, size - 1)) groups.push(word | others)
  }
  return groups
}

export function sizeOf(mask: number): number {
  let size = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) size++
  return size
}

/** Up to `most` different ways to cover all words with groups that share none. */
export function partitionsOf(all: number, groups: Iterable<number>, most: number): number[][] {
  const byFirstWord = Map.groupBy(new Set(groups), (group) => group & -group)
  const found: number[][] = []
  const search = (left: number, chosen: readonly number[]) => {
    if (left === 0) found.push([...chosen])
    // The first word that is left must be in some group, and it is the first word of that group.
    for (const group of byFirstWord.get(left & -left) ?? []) {
      if (found.length >= most) return
      if ((group & left) === group) search(left & ~group, [...chosen, group])
    }
  }
  search(all, [])
  return found
}
