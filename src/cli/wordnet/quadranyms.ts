/**
 * Makes quadranyms from the adjectives. If an adjective is a value of an attribute (hot, of temperature) and has an
 * opposite, the attribute is the name and the two are e and r. A second pair of the same attribute makes o and s.
 */
import { ADJECTIVES, type Pointer, type Synset, synsetsOf, type Uses, wordOf } from './dictionary.ts'
import { type Background, fits, LONGEST_NAME, OWNER, type WordnetRecord } from './record.ts'

interface Adjective {
  readonly word: string
  readonly uses: number
  readonly definition: string
  /** Its derived words, in WordNet's order. */
  readonly derived: readonly Pointer[]
}

interface Pair {
  readonly line: number
  readonly expansive: Adjective
  readonly reductive: Adjective
}

interface Attribute {
  readonly offset: number
  readonly name: string
}

export function* quadranymsOf(folder: string, background: Background): Generator<WordnetRecord> {
  const made = new Set<string>()
  for (const [{ name }, pairs] of readPairs(folder, background)) {
    for (const [first, second] of inTwos([...pairs.values()])) {
      const [e, r] = wordsOf(first)
      const others = second ? adjectivesOf(second) : nounsOf(name, first, background)
      // Several meanings of a noun may have the same opposites.
      const key = JSON.stringify([name, e, r, others])
      if (made.has(key)) continue
      made.add(key)
      const tags = { pos: 'NN', epos: 'ADJ', rpos: 'ADJ' }
      const body = { name, user: OWNER, src: background.src, area: 'attribute', e, r, ...tags, ...others }
      yield { collection: 'quadranym', file: ADJECTIVES, line: first.line, body }
    }
  }
}

/** The pairs of each attribute by their words: both ends of a pair list it, and it counts once. */
function readPairs(folder: string, { uses, nouns }: Background): Iterable<[Attribute, Map<string, Pair>]> {
  const synsets = withOpposites(folder)
  const attributes = new Map<number, [Attribute, Map<string, Pair>]>()
  for (const synset of synsets.values()) {
    for (const { offset } of synset.pointers('=')) {
      const name = wordOf(nouns.words(offset), 1)
      if (!fits(name, LONGEST_NAME)) continue
      const [attribute, pairs] = attributes.get(offset) ?? [{ offset, name }, new Map<string, Pair>()]
      attributes.set(offset, [attribute, pairs])
      for (const opposite of synset.pointers('!')) {
        const one = readAdjective(synset, opposite.source, uses)
        const other = readAdjective(synsets.get(opposite.offset), opposite.target, uses)
        if (!one || !other || one.word === other.word) continue
        const key = JSON.stringify([one.word, other.word].sort())
        if (!pairs.has(key)) pairs.set(key, { line: synset.line, ...ends(attribute, one, other) })
      }
    }
  }
  return attributes.values()
}

function withOpposites(folder: string): Map<number, Synset> {
  const synsets = new Map<number, Synset>()
  for (const synset of synsetsOf(folder, ADJECTIVES)) {
    if (synset.pointers('!').length > 0) synsets.set(synset.offset, synset)
  }
  return synsets
}

function readAdjective(synset: Synset | undefined, number: number, uses: Uses): Adjective | undefined {
  const word = wordOf(synset?.words, number)
  if (!synset || !fits(word, LONGEST_NAME)) return undefined
  const derived = synset.pointers('+').filter(({ pos, source }) => pos === 'n' && source === Math.max(number, 1))
  return { word, uses: uses.ofAdjective(synset.offset, word), definition: synset.definition, derived }
}

/** Decides which of two opposites is expansive: the first test on which they differ decides. */
const QUESTIONS: readonly ((one: Adjective, other: Adjective, attribute: Attribute) => boolean | number)[] = [
  // The attribute is named after one of them: length after long, not after short.
  ({ derived }, _, attribute) => derived.some(({ offset }) => offset === attribute.offset),
  ({ word }, _, { name }) => sharesStem(word, name),
  // kind, unkind; typical, atypical
  ({ word }, other) => /^(?:un|in|im|il|ir|non-?|dis|ab?)$/.test(prefixOf(other.word, word)),
  ({ word }) => !word.endsWith('less'),
  // "above average in size" against "limited or below average"
  ({ definition }) => (definition.match(MUCH)?.length ?? 0) - (definition.match(LITTLE)?.length ?? 0),
  ({ word }) => !/^(?:un|in|im|non|dis)/.test(word),
  ({ uses }) => uses,
]

const MUCH =
  /\b(?:above|all|beyond|full|further|great|greater|heightened|high|higher|highest|large|long|more|much|outside)\b/g
const LITTLE =
  /\b(?:below|closer|deficient|few|lack|lacking|less|limited|little|low|lower|lowest|no|not|short|small|within|without)\b/g

const STEM = 4
const sharesStem = (word: string, name: string) => name.length >= STEM && startOf(word) === startOf(name)
const startOf = (word: string) => word.slice(0, STEM).toLowerCase()

/** The part of a word before another word that it ends with. */
const prefixOf = (word: string, end: string) => (word.endsWith(end) ? word.slice(0, -end.length) : '')

function ends(attribute: Attribute, one: Adjective, other: Adjective): Pick<Pair, 'expansive' | 'reductive'> {
  for (const question of QUESTIONS) {
    const difference = Number(question(one, other, attribute)) - Number(question(other, one, attribute))
    if (difference > 0) return { expansive: one, reductive: other }
    if (difference < 0) return { expansive: other, reductive: one }
  }
  return { expansive: one, reductive: other }
}

/** Joins two pairs without a word in common, the most used first; a pair without a partner stays alone. */
function* inTwos(pairs: readonly Pair[]): Generator<[Pair, Pair?]> {
  const left = pairs.toSorted((a, b) => usesOf(b) - usesOf(a))
  for (let first = left.shift(); first; first = left.shift()) {
    const words = new Set(wordsOf(first))
    const second = left.find((pair) => wordsOf(pair).every((word) => !words.has(word)))
    if (second) left.splice(left.indexOf(second), 1)
    yield second ? [first, second] : [first]
  }
}

const usesOf = ({ expansive, reductive }: Pair) => expansive.uses + reductive.uses
const wordsOf = ({ expansive, reductive }: Pair): [string, string] => [expansive.word, reductive.word]

function adjectivesOf({ expansive, reductive }: Pair) {
  return { o: expansive.word, s: reductive.word, opos: 'ADJ', spos: 'ADJ' }
}

/** The nouns derived from the pair, such as tallness and shortness; nothing if one of them has none. */
function nounsOf(name: string, { expansive, reductive }: Pair, { nouns }: Background) {
  const taken = new Set([name, expansive.word, reductive.word])
  const nounOf = ({ derived }: Adjective) => {
    const found = derived.map(({ offset, target }) => wordOf(nouns.words(offset), target))
    return found.find((word) => fits(word, LONGEST_NAME) && !taken.has(word))
  }
  const [o, s] = [nounOf(expansive), nounOf(reductive)]
  return o && s && o !== s ? { o, s, opos: 'NN', spos: 'NN' } : {}
}
