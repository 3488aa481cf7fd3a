/**
 * Makes src/language/verb-frames.ts: common verbs that need an object, and verbs that take none, from the sentence frames
 * of WordNet. Meanings count as often as WordNet's texts use them.
 *
 *   node scripts/verb-frames.ts
 */
import { writeFileSync } from 'node:fs'
import { SenseUses, synsetsOf } from '../src/cli/wordnet/dictionary.ts'
import { wordnetFolder } from '../src/cli/wordnet/index.ts'
import { partsOfSpeech } from '../src/language/index.ts'

const FILE = new URL('../src/language/verb-frames.ts', import.meta.url)
const WIDTH = 120
/** "Somebody ----s something", and the other frames with an object. */
const WITH_OBJECT: ReadonlySet<number> = new Set([8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 30, 31, 33])
/** "Something ----s", "Somebody ----s to somebody". */
const WITHOUT_OBJECT: ReadonlySet<number> = new Set([1, 2, 3, 4, 12, 13, 22, 23])
/** A verb that is used so less often than this is not used so. */
const LEAST_WITH = 0.4
const LEAST_WITHOUT = 0.35
/** WordNet has frames without an object for these, but sentences rarely have. */
const MORE_NEEDING = ['buy', 'water', 'keep']
/** And with one for these. */
const MORE_WITHOUT = ['wander']
/** For meanings that no text of WordNet uses. */
const SMALL = 0.3

interface Count {
  all: number
  withObject: number
  withoutObject: number
}

const folder = wordnetFolder(undefined)
const uses = new SenseUses(folder)
const counts = new Map<string, Count>()
for (const synset of synsetsOf(folder, 'data.verb')) {
  synset.words.forEach((word, i) => {
    if (!/^[a-z]+$/.test(word) || !partsOfSpeech(word).includes('VB')) return
    const weight = uses.of('2', synset.offset, word) + SMALL
    const frames = synset.frames(i + 1)
    const count = counts.get(word) ?? { all: 0, withObject: 0, withoutObject: 0 }
    count.all += weight
    if (frames.some((frame) => WITH_OBJECT.has(frame))) count.withObject += weight
    if (frames.some((frame) => WITHOUT_OBJECT.has(frame))) count.withoutObject += weight
    counts.set(word, count)
  })
}

const words = [...counts.keys()].sort()
const needing = words.filter((word) => shareOf(word, 'withoutObject') < LEAST_WITHOUT || MORE_NEEDING.includes(word))
const without = words.filter(
  (word) => (shareOf(word, 'withObject') < LEAST_WITH && !needing.includes(word)) || MORE_WITHOUT.includes(word),
)
writeFileSync(
  FILE,
  `/** Verbs by the objects that they take; scripts/verb-frames.ts makes the lists from WordNet. */

/** Somebody does it to something: "avoid the door", never "he avoids". */
export const NEED_OBJECT = \`
${lines(needing)}
\`

/** "Persist", never "persist the law". */
export const WITHOUT_OBJECT = \`
${lines(without)}
\`
`,
)
console.log(`${needing.length} verbs need an object, ${without.length} take none`)

function shareOf(word: string, what: 'withObject' | 'withoutObject'): number {
  const count = counts.get(word)
  return count ? count[what] / count.all : 0
}

function lines(list: readonly string[]): string {
  const written: string[] = []
  for (const word of list) {
    const last = written.at(-1)
    if (last === undefined || last.length + word.length > WIDTH) written.push(`  ${word}`)
    else written[written.length - 1] = `${last} ${word}`
  }
  return written.join('\n')
}
