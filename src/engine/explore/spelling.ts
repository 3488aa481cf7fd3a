/** Spelling suggestions: words that are one or two slips away. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const MOST_LETTERS = 32

/** All words that one slip makes: a letter missing, added, changed, or two swapped. */
export function oneSlipAway(word: string): string[] {
  const letters = [...word].slice(0, MOST_LETTERS)
  const slips = new Set<string>()
  for (let i = 0; i <= letters.length; i++) {
    const [before, after] = [letters.slice(0, i).join(''), letters.slice(i)]
    const rest = after.slice(1).join('')
    if (after.length > 0) slips.add(before + rest)
    if (after.length > 1) slips.add(before + after[1] + after[0] + after.slice(2).join(''))
    for (const letter of LETTERS) {
      if (after.length > 0) slips.add(before + letter + rest)
      slips.add(before + letter + after.join(''))
    }
  }
  slips.delete(word)
  slips.delete('')
  return [...slips]
}

/** The number of slips between two words, up to `most`. It is called for thousands of words, and most are far away. */
export function slipsBetween(a: string, b: string, most: number): number {
  // A letter has at most two code units.
  if (Math.abs(a.length - b.length) > 2 * most) return most + 1
  const [from, to] = [[...a], [...b]]
  if (Math.abs(from.length - to.length) > most) return most + 1
  let older: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  let fewestBefore = 0
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    let fewest = i
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      let best = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        best = Math.min(best, older[j - 2]! + 1)
      }
      next.push(best)
      fewest = Math.min(fewest, best)
    }
    // All that follows is made from these two rows.
    if (fewest > most && fewestBefore > most) return most + 1
    ;[older, row, fewestBefore] = [row, next, fewest]
  }
  return Math.min(row[to.length]!, most + 1)
}
