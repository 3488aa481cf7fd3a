/** Where sentences end. The tagger does not look beyond a sentence. */
import { itemAt } from './at.ts'

/** Where the sentence that begins here ends: after a full stop and closing marks, unless a lower-case letter follows. */
export function sentenceEnd(words: readonly string[], from: number, most = Number.POSITIVE_INFINITY): number {
  let end = from
  let quoted = false
  const last = Math.min(words.length, from + most)
  while (end < last) {
    const word = itemAt(words, end++)
    if (word === '"') quoted = !quoted
    if (!STOPS.has(word)) continue
    let next = words[end]
    while (next !== undefined && end < last && (STOPS.has(next) || CLOSINGS.has(next) || (quoted && next === '"'))) {
      if (next === '"') quoted = false
      next = words[++end]
    }
    if (next !== undefined && !/^\p{Ll}/u.test(next)) break
  }
  return end
}

const STOPS = new Set(['.', '?', '!', '...', '?!', '!!', '??', '!!!', '???', '…'])
const CLOSINGS = new Set(["'", '”', '’', ')', ']', "''", '-RRB-'])
