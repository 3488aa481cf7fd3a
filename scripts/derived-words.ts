/**
 * Makes src/language/model/derived-words.json: what kinds of words common English words are, and the words to use where a
 * sentence needs another kind (dark, darkness; strong, strengthen). From WordNet; the tagger says which words are common.
 *
 *   node scripts/derived-words.ts
 */
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import english from 'dictionary-en'
import { FILES, SenseUses, type Synset, synsetsOf } from '../src/cli/wordnet/dictionary.ts'
import { wordnetFolder } from '../src/cli/wordnet/index.ts'
import { MASS_NOUNS, OTHER_COUNT_NOUNS, THINGS } from '../src/language/agreement/noun-kinds.ts'
import { isFunctionWord } from '../src/language/closed-words.ts'
import { type Kind, type WordEntry, writeTable } from '../src/language/derived-words.ts'
import { inflect } from '../src/language/index.ts'
import { NAMES } from '../src/language/irregular.ts'
import { rankOf } from '../src/language/tagger.ts'
import { FAMILIES } from '../src/language/word-families.ts'

const FILE = new URL('../src/language/model/derived-words.json', import.meta.url)
const KINDS: readonly Kind[] = ['n', 'v', 'a', 'r']
/** The tagger knows 30,000 words: the first ones are common, so that a derived word is one. */
const COMMON = 28_000
const VERY_COMMON = 5000
/** A kind is rare if texts use the word less often as such. */
const RARE_SHARE = 0.03
const MANY_USES = 10
const MAIN_SHARE = 0.3
const LEAST_SHARE = 0.02
/** A word that is a verb less often than this has no participle as an adjective: "birded". */
const VERB_SHARE = 0.1
/** Derived words with less are not used. */
const LEAST_SCORE = -6

/** The lexicographers' files of nouns that an act, a state, a quality, a feeling and so on are in. */
const ABSTRACT: ReadonlySet<number> = new Set([4, 7, 9, 10, 11, 12, 16, 19, 21, 22, 26])
/** The files of nouns that mostly have no plural: attributes, knowledge, feelings, phenomena, states, substances. */
const UNCOUNTED: ReadonlySet<number> = new Set([7, 9, 12, 19, 22, 26, 27])
const wordsIn = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))
const MASS = wordsIn(MASS_NOUNS)
const COUNTED = wordsIn(`${THINGS} ${OTHER_COUNT_NOUNS}`)
/** Frames with an object ("Somebody ----s something") and without. */
const WITH_OBJECT: ReadonlySet<number> = new Set([8, 9, 10, 11])
const WITHOUT_OBJECT: ReadonlySet<number> = new Set([1, 2, 4, 22])
/** The files of verbs of change, contact, possession and society, which leave something changed: broken, bought. */
const CHANGES: ReadonlySet<number> = new Set([30, 35, 40, 41])
/** Adjectives that nothing can become. */
const NO_QUALITIES: ReadonlySet<string> = new Set(
  `many few several much more most other same such own only very first second third next last former latter one two three four
   five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million zero`.split(/\s+/),
)

/** Families that WordNet does not know, or in which it prefers another word. */
const MORE_FAMILIES = [
  ['succeed', 'success', 'successful'],
  ['advise', 'advice'],
]
/** Pairs that WordNet joins by a meaning that few know. */
const NOT_DERIVED: ReadonlySet<string> = new Set([
  'captivity captivate',
  'committee commit',
  'honor honorary',
  'lad laden',
  'putting putt',
  'species specific',
  'standard stand',
  'teach teacher',
  'temple temporal',
  'tenderness tend',
  'term terminal',
  'tone tonic',
])

/** A word in one of its meanings. */
interface Sense {
  readonly word: string
  readonly kind: string
  readonly synset: Synset
  /** Which word of the synset, counted from 1. */
  readonly number: number
  readonly uses: number
}

interface Link {
  readonly from: Sense
  readonly to: Sense
}

const isCommon = (word: string) => (rankOf(word) ?? COMMON) < COMMON
const isVeryCommon = (word: string) => (rankOf(word) ?? COMMON) < VERY_COMMON

/** nspell has no types. */
const nspell: (given: typeof english) => { correct(word: string): boolean } = createRequire(import.meta.url)('nspell')
const spelling = nspell(english)
const names = new Set<string>()
const sensesOf = new Map<string, Sense[]>()
const senseAt = new Map<string, Sense>()
readSenses()
const linksOf = new Map<string, Link[]>()
readLinks()
const familyOf = new Map([...FAMILIES, ...MORE_FAMILIES].flatMap((family) => family.map((word) => [word, family])))

const entries = new Map([...sensesOf.keys()].filter(isWanted).map((word) => [word, entryOf(word)]))
const lists = writeTable(entries)
writeFileSync(FILE, `${JSON.stringify(lists, undefined, 2)}\n`)
console.log(`${entries.size} words, ${JSON.stringify(lists).length} bytes`)

/** Common words, words that WordNet's texts use, and words of the family of a common one. */
function isWanted(word: string): boolean {
  if (word.length < 2 || (isFunctionWord(word) && usesOf(word) === 0)) return false
  return isCommon(word) || usesOf(word) > 0 || (linksOf.get(word) ?? []).some(({ to }) => isVeryCommon(to.word))
}

function readSenses(): void {
  const folder = wordnetFolder(undefined)
  const uses = new SenseUses(folder)
  for (const [file, types, kind] of FILES) {
    for (const synset of synsetsOf(folder, file)) {
      synset.words.forEach((word, i) => {
        if (/^[A-Z][a-z]+$/.test(word)) names.add(word.toLowerCase())
        if (!/^[a-z]+$/.test(word)) return
        const sense = { word, kind, synset, number: i + 1, uses: uses.of(types, synset.offset, word) }
        sensesOf.set(word, [...(sensesOf.get(word) ?? []), sense])
        senseAt.set(`${kind}${synset.offset} ${i + 1}`, sense)
      })
    }
  }
}

/** Both ways: WordNet notes some relations at one end only. */
function readLinks(): void {
  for (const from of senseAt.values()) {
    for (const { symbol, pos, offset, source, target } of from.synset.pointers('+', '\\', '=')) {
      // "=" joins whole meanings: the first word of each stands for it.
      const isOwn = symbol === '=' ? from.number === 1 : source === from.number
      const to = senseAt.get(`${pos === 's' ? 'a' : pos}${offset} ${symbol === '=' ? 1 : target}`)
      if (!isOwn || !to || to.word === from.word) continue
      if (symbol === '=' && alike(from.word, to.word) < Math.max(4, Math.min(from.word.length, to.word.length) - 1))
        continue
      linksOf.set(from.word, [...(linksOf.get(from.word) ?? []), { from, to }])
      linksOf.set(to.word, [...(linksOf.get(to.word) ?? []), { from: to, to: from }])
    }
  }
}

function entryOf(word: string): WordEntry {
  if (isFunctionWord(word)) return functionWord(word)
  const shares = sharesOf(word)
  const known = KINDS.filter((kind) => shares.has(kind))
  const rare = known.filter((kind) => usesOf(word) >= MANY_USES && (shares.get(kind) ?? 0) < RARE_SHARE)
  const derived = new Map<string, string>()
  for (const kind of KINDS) {
    const found = shares.has(kind) ? undefined : derivedFrom(word, kind)
    if (found !== undefined) derived.set(kind, found)
  }
  const participle = (shares.get('v') ?? 0) >= VERB_SHARE && !shares.has('a') ? participleOf(word) : undefined
  const adjective = derived.get('a')
  if (participle && adjective && isMuchRarer(adjective, inflect(word, participle))) derived.delete('a')
  if (isOnlyNoun(known) && isSpelledVerb(word)) rare.push('v')
  // What pertains to something else, such as "solar", is no quality.
  const isQuality =
    known.includes('a') && !sensesWith(word, 'a').every(({ synset }) => synset.pointers('\\').length > 0)
  return {
    kinds: known.filter((kind) => !rare.includes(kind)).join(''),
    rareKinds: rare.join(''),
    ...(participle ? { participle } : {}),
    isQuality: isQuality && !NO_QUALITIES.has(word),
    isName: names.has(word) || NAMES.has(word),
    isCountable: isOnlyNoun(known) && !rare.includes('v') && !derived.has('v') && isCountable(word),
    derived,
  }
}

/** Past, like, down: what texts use it as. Nothing is derived from it. */
function functionWord(word: string): WordEntry {
  const used = KINDS.filter((kind) => sensesWith(word, kind).some(({ uses }) => uses > 0))
  return {
    kinds: used.join(''),
    rareKinds: '',
    isQuality: false,
    isCountable: false,
    isName: false,
    derived: new Map(),
  }
}

function isOnlyNoun(kinds: readonly Kind[]): boolean {
  return kinds.length === 1 && kinds[0] === 'n'
}

/** WordNet lacks some verbs: the spelling dictionary knows "gusted". */
function isSpelledVerb(word: string): boolean {
  return spelling.correct(inflect(word, 'VBD')) && spelling.correct(inflect(word, 'VBG'))
}

/** By the lists of nouns, otherwise by the meaning that is used most. */
function isCountable(noun: string): boolean {
  if (MASS.has(noun)) return false
  const [first] = sensesWith(noun, 'n').toSorted((a, b) => b.uses - a.uses)
  return COUNTED.has(noun) || !UNCOUNTED.has(first?.synset.lexfile ?? 0)
}

function sensesWith(word: string, kind: Kind): Sense[] {
  return (sensesOf.get(word) ?? []).filter((sense) => sense.kind === kind)
}

function usesOf(word: string): number {
  return (sensesOf.get(word) ?? []).reduce((sum, { uses }) => sum + uses, 0)
}

/** How much of its uses each kind has; a meaning that no text uses counts a little. */
function sharesOf(word: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const { kind, uses } of sensesOf.get(word) ?? []) weights.set(kind, (weights.get(kind) ?? 0) + uses + 0.1)
  const all = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return new Map(Array.from(weights, ([kind, weight]) => [kind, weight / all]))
}

/** "Loved" is better than "lovable". */
function isMuchRarer(word: string, other: string): boolean {
  return (rankOf(word) ?? COMMON) > (word.endsWith('able') ? 6 : 4) * (rankOf(other) ?? COMMON)
}

/** By the meaning that is used most. */
function participleOf(verb: string): 'VBG' | 'VBN' {
  const [first] = sensesWith(verb, 'v').toSorted((a, b) => b.uses - a.uses)
  const frames = first?.synset.frames(first.number) ?? []
  if (!frames.some((frame) => WITH_OBJECT.has(frame))) return 'VBG'
  const isAlways = !frames.some((frame) => WITHOUT_OBJECT.has(frame))
  return isAlways || CHANGES.has(first?.synset.lexfile ?? 0) ? 'VBN' : 'VBG'
}

/** Directly, or through a word of a third kind: beauty, beautiful, beautifully. */
function derivedFrom(word: string, kind: Kind): string | undefined {
  const direct = bestOf(word, kind)
  if (direct !== undefined || (kind !== 'r' && kind !== 'v')) return direct
  for (const between of kind === 'r' ? ['a' as const] : ['n' as const, 'a' as const]) {
    const step = sharesOf(word).has(between) ? undefined : bestOf(word, between)
    const found = step === undefined ? undefined : bestOf(step, kind)
    if (found !== undefined && found !== word) return found
  }
  return undefined
}

function bestOf(word: string, kind: Kind): string | undefined {
  const scores = new Map<string, number>()
  const note = (other: string, score: number) => scores.set(other, Math.max(score, scores.get(other) ?? LEAST_SCORE))
  for (const { from, to } of linksOf.get(word) ?? []) {
    if (to.kind !== kind || !isUsable(word, to)) continue
    note(to.word, scoreOf(from, to.word))
  }
  for (const other of familyOf.get(word) ?? []) {
    if ((sharesOf(other).get(kind) ?? 0) >= MAIN_SHARE && other !== word && kind !== 'r') note(other, 0)
  }
  if (kind === 'v') {
    for (const other of [`${word}en`, `en${word}`]) {
      const isVerb = isCommon(other) && sensesWith(other, 'v').length > 0
      if (isVerb && !NOT_DERIVED.has(`${word} ${other}`)) note(other, -1)
    }
  }
  const [best] = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return best && best[1] > LEAST_SCORE ? best[0] : undefined
}

/** Whether it is a common word that looks alike and means nearly the same. */
function isUsable(word: string, { word: other, kind, synset }: Sense): boolean {
  if (!isCommon(other) || !isNear(word, other) || isOpposite(word, other) || isForm(word, other)) return false
  if (NOT_DERIVED.has(`${word} ${other}`) || (kind === 'r' && !other.endsWith('ly'))) return false
  if ((sharesOf(other).get(kind) ?? 0) < LEAST_SHARE) return false
  return kind !== 'n' || ABSTRACT.has(synset.lexfile)
}

/** Of a frequent meaning, to a frequent word that looks alike. */
function scoreOf(from: Sense, other: string): number {
  const all = (sensesOf.get(from.word) ?? []).reduce((sum, { uses }) => sum + uses + 0.5, 0)
  return (
    0.5 * Math.log((from.uses + 0.5) / all) -
    0.5 * Math.log((rankOf(other) ?? COMMON) + 200) +
    0.3 * alike(from.word, other)
  )
}

/** The participles and the gerund of a verb are made by rules. */
function isForm(verb: string, other: string): boolean {
  return sensesWith(verb, 'v').length > 0 && ['VBG', 'VBN'].some((tag) => inflect(verb, tag) === other)
}

function alike(one: string, other: string): number {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  return same
}

function isNear(word: string, other: string): boolean {
  const shorter = Math.min(word.length, other.length)
  return (
    (alike(word, other) >= Math.min(3, shorter - 1) && alike(word, other) >= 0.6 * shorter) ||
    (/^(?:en|em|be)/.test(other) && other.includes(word))
  )
}

/** Hope is not hopeless, and what is hopeless not hope. */
function isOpposite(word: string, other: string): boolean {
  const hasNone = (each: string) => /less(?:ly|ness)?$/.test(each)
  return hasNone(word) !== hasNone(other)
}
