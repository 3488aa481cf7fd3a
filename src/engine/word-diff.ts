/** Differences between two texts, word by word. */
import { diff } from 'node:util'

/** Both texts have the text after `=`, only the old one that after `-`, and only the new one that after `+`. */
export type Difference = readonly ['=' | '-' | '+', string]

/** A word, a run of spaces, or any other character. Scripts without spaces are compared by character. */
const WORDS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[[\p{L}\p{M}\p{N}_'’\-]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]]+|\s+|./gsv
/** The time that a comparison takes follows the square of the number of words that differ. */
const MOST_WORDS = 500
const MOST_COST = 4 * MOST_WORDS ** 2

const SIGNS = { '0': '=', '-1': '-', '1': '+' } as const

/** Compares texts until its time is spent; then, and for very different texts, all is old or new. */
export class WordDiff {
  #left = MOST_COST

  compare(was: string, became: string): Difference[] {
    const [before, after] = [wordsOf(was), wordsOf(became)]
    const most = Math.min(before.length, after.length)
    let start = 0
    while (start < most && before[start] === after[start]) start++
    let end = 0
    while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++
    const [old, now] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
    return joined([
      ['=', before.slice(0, start).join('')],
      ...this.#between(old, now),
      ['=', before.slice(before.length - end).join('')],
    ])
  }

  #between(old: readonly string[], now: readonly string[]): Difference[] {
    const words = old.length + now.length
    const cost = words ** 2
    const isPlain = old.length === 0 || now.length === 0 || words > MOST_WORDS || cost > this.#left
    if (isPlain) {
      return [
        ['-', old.join('')],
        ['+', now.join('')],
      ]
    }
    this.#left -= cost
    return diff(now, old).map(([sign, word]) => [SIGNS[`${sign}`], word])
  }
}

function wordsOf(text: string): string[] {
  return text.match(WORDS) ?? []
}

/** Neighbours of the same kind become one; where words were replaced, the old ones come first. */
function joined(differences: readonly Difference[]): Difference[] {
  const whole: Difference[] = []
  let [old, now] = ['', '']
  const flush = () => {
    if (old !== '') whole.push(['-', old])
    if (now !== '') whole.push(['+', now])
    old = ''
    now = ''
  }
  for (const [sign, text] of differences) {
    if (text === '') continue
    if (sign === '-') old += text
    else if (sign === '+') now += text
    else {
      flush()
      const last = whole.at(-1)
      if (last?.[0] === '=') whole.splice(-1, 1, ['=', last[1] + text])
      else whole.push(['=', text])
    }
  }
  flush()
  return whole
}
