/**
 * The features of a word for the tagger: its letters, its neighbours, its lexicon entry, and the tags before it, each
 * as an integer key. Tagger and trainer share this file: any change here requires a newly trained model.
 */
import { itemAt, numberAt } from './at.ts'

/** The lexicon; entry 0 is for words that are not in it. */
export interface Lexicon {
  find(lowerHash: number): number
  /** By entry: the tags it was seen with (a number for each such mix), its parts of speech in WordNet, two clusters. */
  readonly kinds: ArrayLike<number>
  readonly forms: ArrayLike<number>
  readonly clusters: ArrayLike<number>
  readonly classes: ArrayLike<number>
  /** By kind: how often such words are finite verbs, 0 (never) to 3 (always). */
  readonly finite: ArrayLike<number>
}

export function mix(a: number, b: number): number {
  let h = (Math.imul(a, 0x9e3779b1) + b) | 0
  h ^= h >>> 15
  h = Math.imul(h, 0x85ebca77)
  return h ^ (h >>> 13)
}

/** All digits count as the same. */
function hashPart(word: string, from: number, to: number): number {
  let h = to - from
  for (let i = from; i < to; i++) {
    const code = word.charCodeAt(i)
    h = Math.imul(h ^ (code > 47 && code < 58 ? 48 : code), 0x01000193)
    h ^= h >>> 17
  }
  return mix(h, 7)
}

export const hash = (word: string) => hashPart(word, 0, word.length)

/** A word as numbers. */
interface WordNumbers {
  readonly lower: number
  readonly exact: number
  /** The last two letters, three, four. */
  readonly suffix2: number
  readonly suffix3: number
  readonly suffix4: number
  readonly prefix: number
  readonly shape: number
  readonly kind: number
  readonly form: number
  readonly cluster: number
  readonly wordClass: number
  readonly auxiliary: number
  readonly entry: number
  /** Whether a verb still follows in this clause. If so, this word is less likely to be the verb. */
  ahead: number
}
/** Two imaginary words on each side, so that neighbours need no bounds checks. */
const MARGIN = 2
const BEFORE_SENTENCE = imaginaryWord(0x51ed27)
const AFTER_SENTENCE = imaginaryWord(0x51ed28)

function imaginaryWord(number: number): WordNumbers {
  return {
    lower: number,
    exact: number,
    suffix2: number,
    suffix3: number,
    suffix4: number,
    prefix: number,
    shape: number,
    kind: number,
    form: number,
    cluster: number,
    wordClass: number,
    auxiliary: number,
    entry: number,
    ahead: number,
  }
}

const AUXILIARIES = new Map<number, number>(
  [
    "be is are was were am been being 's 're 'm ai",
    "have has had having 've",
    'do does did',
    "will would can could may might must shall should ca wo 'll 'd",
  ].flatMap((family, index) => family.split(' ').map((word) => [hash(word), index + 2] as const)),
)
const CLAUSE_ENDS = new Set(
  ', ; : . ? ! -- - ( ) and but or who that which what when where if because while'.split(' ').map(hash),
)

/** How much extra room a sentence takes for its margins. */
export const SENTENCE_MARGINS = 2 * MARGIN

/**
 * The words of a sentence as numbers. One object reads many sentences, either over each other or each at its own place:
 * the first word of a sentence that is read at `start` is at `start`.
 */
export class Sentence {
  /** The word of a place is at `place + MARGIN`. */
  readonly #words: WordNumbers[]

  /** With room for this many words; a longer sentence grows it. */
  constructor(words = 64) {
    this.#words = new Array<WordNumbers>(words + SENTENCE_MARGINS).fill(BEFORE_SENTENCE)
  }

  read(words: readonly string[], from: number, to: number, lexicon: Lexicon, start = 0): void {
    const style = styleOf(words, from, to)
    let at = start
    for (; at < start + MARGIN; at++) this.#words[at] = BEFORE_SENTENCE
    let initial = true
    for (let i = from; i < to; i++) {
      const word = itemAt(words, i)
      const lower = word.toLowerCase()
      const shape = shapeOf(word, lower)
      this.#words[at++] = numbersOf(
        word,
        lower,
        (initial && shape > 0 && shape < 4 ? 8 + shape : shape) + style,
        lexicon,
      )
      // Quotes and brackets leave the next word at the start; a colon makes a start.
      if (shape < 7) initial = false
      else if (shape === 8) initial = true
    }
    const end = at
    for (; at < end + MARGIN; at++) this.#words[at] = AFTER_SENTENCE
    let ahead = 0
    for (let i = end - 1; i >= start + MARGIN; i--) {
      const word = wordAt(this.#words, i)
      word.ahead = ahead
      ahead = CLAUSE_ENDS.has(word.lower) ? 0 : Math.max(ahead, numberAt(lexicon.finite, word.kind))
    }
  }

  entry(place: number): number {
    return wordAt(this.#words, place + MARGIN).entry
  }

  /** Writes the keys that do not depend on tags: CONTEXT_KEYS of them. */
  contextKeys(place: number, keys: Int32Array, start = 0): void {
    const at = place + MARGIN
    const secondBefore = wordAt(this.#words, at - 2)
    const before = wordAt(this.#words, at - 1)
    const here = wordAt(this.#words, at)
    const after = wordAt(this.#words, at + 1)
    const second = wordAt(this.#words, at + 2)
    const { lower: word, kind, form, shape } = here
    const { lower: wordAfter, kind: kindAfter } = after
    const wordBefore = before.lower
    const secondKind = second.kind
    let k = start
    keys[k++] = mix(2, word)
    keys[k++] = mix(3, mix(here.exact, shape))
    keys[k++] = mix(5, here.suffix2)
    keys[k++] = mix(6, here.suffix3)
    keys[k++] = mix(7, here.suffix4)
    keys[k++] = mix(9, here.prefix)
    keys[k++] = mix(10, shape)
    keys[k++] = mix(11, mix(shape, here.suffix3))
    keys[k++] = mix(12, wordBefore)
    keys[k++] = mix(13, wordAfter)
    keys[k++] = mix(14, secondBefore.lower)
    keys[k++] = mix(15, second.lower)
    keys[k++] = mix(16, mix(wordBefore, word))
    keys[k++] = mix(17, mix(word, wordAfter))
    keys[k++] = mix(18, mix(wordBefore, wordAfter))
    keys[k++] = mix(19, mix(kind, form))
    keys[k++] = mix(20, kindAfter)
    keys[k++] = mix(21, mix(kind, kindAfter))
    keys[k++] = mix(22, mix(kindAfter, secondKind))
    keys[k++] = mix(23, mix(before.kind, mix(kind, kindAfter)))
    keys[k++] = mix(24, after.suffix3)
    keys[k++] = mix(27, mix(form, shape))
    keys[k++] = mix(28, mix(after.form, form))
    keys[k++] = mix(29, here.cluster)
    keys[k++] = mix(30, after.cluster)
    keys[k++] = mix(31, before.cluster)
    keys[k++] = mix(32, mix(here.wordClass, after.wordClass))
    keys[k++] = mix(33, mix(before.wordClass, here.wordClass))
    keys[k++] = mix(34, mix(shape, kind))
    keys[k++] = mix(35, mix(kind, here.ahead))
    keys[k++] = mix(37, mix(word, second.lower))
    keys[k++] = mix(38, mix(after.suffix2, here.suffix2))
    keys[k++] = mix(39, mix(word, kindAfter))
    keys[k++] = mix(40, mix(mix(word, kindAfter), secondKind))
  }

  /** Writes the keys that depend on the two tags before and the last verb of the clause: HISTORY_KEYS of them. */
  historyKeys(place: number, tag: number, tagBefore: number, verb: number, keys: Int32Array): void {
    const at = place + MARGIN
    const here = wordAt(this.#words, at)
    const after = wordAt(this.#words, at + 1)
    const { lower: word, ahead } = here
    const kind = mix(here.kind, here.form)
    const kindAfter = after.kind
    const tags = (tag << 6) | tagBefore
    const verbAndKind = mix(verb, kind)
    keys[0] = mix(101, tag)
    keys[1] = mix(102, tags)
    keys[2] = mix(103, mix(tag, word))
    keys[3] = mix(104, mix(tag, kind))
    keys[4] = mix(105, mix(tags, kind))
    keys[5] = mix(106, mix(mix(tag, kind), kindAfter))
    keys[6] = mix(107, mix(tag, after.lower))
    keys[7] = mix(108, verbAndKind)
    keys[8] = mix(109, mix(verbAndKind, tag))
    keys[9] = mix(110, mix(verbAndKind, ahead))
    keys[10] = mix(111, mix(tag, here.suffix2))
    keys[11] = mix(112, mix(tags, kindAfter))
    keys[12] = mix(113, mix(mix(tag, wordAt(this.#words, at - 1).lower), kind))
    keys[13] = mix(114, mix(tags, word))
    keys[14] = mix(115, mix(mix(verbAndKind, ahead), tag))
  }

  /** The last verb of the clause, once the word here has got its tag. */
  verbAfter(place: number, verb: number, role: number): number {
    if (role === NO_ROLE) return verb
    if (role === STOP) return 0
    if (role === QUESTION) return 1
    // "has sold the field and kept": the verb before "and" still counts.
    if (role === AND) return 32 | (verb & 15)
    const { auxiliary } = wordAt(this.#words, place + MARGIN)
    if (role === FINITE || role === MODAL) return auxiliary > 0 ? auxiliary : 6
    return auxiliary === 2 || auxiliary === 3 ? auxiliary + 8 : 6 + role
  }
}

function numbersOf(word: string, lower: string, shape: number, lexicon: Lexicon): WordNumbers {
  const letters = lower.length
  const lowerHash = hash(lower)
  const entry = lexicon.find(lowerHash)
  return {
    lower: lowerHash,
    exact: word === lower ? lowerHash : hash(word),
    suffix2: hashPart(lower, Math.max(0, letters - 2), letters),
    suffix3: hashPart(lower, Math.max(0, letters - 3), letters),
    suffix4: hashPart(lower, Math.max(0, letters - 4), letters),
    prefix: hashPart(lower, 0, Math.min(3, letters)),
    shape,
    kind: numberAt(lexicon.kinds, entry),
    form: numberAt(lexicon.forms, entry),
    cluster: numberAt(lexicon.clusters, entry),
    wordClass: numberAt(lexicon.classes, entry),
    auxiliary: AUXILIARIES.get(lowerHash) ?? 0,
    entry,
    ahead: 0,
  }
}

/** A function of its own, so that it always sees the same kind of list: the inner loops of the tagger need its speed. */
function wordAt(words: readonly WordNumbers[], place: number): WordNumbers {
  const found = words[place]
  if (found === undefined) throw new RangeError(`no word has been read at ${place}`)
  return found
}

export const CONTEXT_KEYS = 34
export const HISTORY_KEYS = 15

const NO_ROLE = 0
const MODAL = 1
const FINITE = 3
const STOP = 7
const AND = 8
const QUESTION = 9
const ROLES: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{
      MD: MODAL,
      VB: 2,
      VBZ: FINITE,
      VBD: FINITE,
      VBP: FINITE,
      VBN: 4,
      VBG: 5,
      TO: 6,
      ',': STOP,
      ':': STOP,
      '.': STOP,
    },
    ...{ CC: AND, WDT: QUESTION, WP: QUESTION, WRB: QUESTION, WP$: QUESTION },
  }),
)
/** What a tag means for the clause, see `verbAfter`. */
export const roleOf = (tag: string) => ROLES.get(tag) ?? NO_ROLE

/** In a line of all capitals, or of none, capitals say nothing. */
function styleOf(words: readonly string[], from: number, to: number): number {
  let capitals = 0
  let letters = 0
  for (let i = from; i < to; i++) {
    const code = itemAt(words, i).charCodeAt(0)
    if (code > 64 && code < 91) capitals++
    if ((code > 64 && code < 91) || (code > 96 && code < 123)) letters++
  }
  if (capitals === 0) return 32
  return letters > 3 && capitals * 10 > letters * 7 ? 16 : 0
}

/** 0 lower, 1 Capital, 2 CAPITALS, 3 capital inside, 4 lower with hyphen, 5 letters and digits, 6 number, 7 sign, 8 colon. */
function shapeOf(word: string, lower: string): number {
  let digit = false
  let letter = false
  let hyphen = false
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i)
    if (code > 47 && code < 58) digit = true
    else if ((code > 64 && code < 91) || (code > 96 && code < 123) || code > 191) letter = true
    else if (code === 45) hyphen = true
  }
  if (digit) return letter ? 5 : 6
  if (!letter) return word === ':' ? 8 : 7
  if (word === lower) return hyphen ? 4 : 0
  if (word.length > 1 && word === word.toUpperCase()) return 2
  return word.charCodeAt(0) === lower.charCodeAt(0) ? 3 : 1
}

/**
 * Where the sentence that begins here ends: after a full stop and closing marks, unless a lower-case letter follows.
 */
export function sentenceEnd(words: readonly string[], from: number): number {
  let end = from
  let quoted = false
  while (end < words.length) {
    const word = itemAt(words, end++)
    if (word === '"') quoted = !quoted
    if (!STOPS.has(word)) continue
    let next = words[end]
    while (next !== undefined && (STOPS.has(next) || CLOSINGS.has(next) || (quoted && next === '"'))) {
      if (next === '"') quoted = false
      next = words[++end]
    }
    if (next !== undefined && !/^\p{Ll}/u.test(next)) break
  }
  return end
}
const STOPS = new Set(['.', '?', '!', '...', '?!', '!!', '??', '!!!', '???'])
const CLOSINGS = new Set(["'", '”', '’', ')', ']', "''", '-RRB-'])
