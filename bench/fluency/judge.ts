/**
 * Says what is wrong with the English of a text: grammar and idiom, not sense. It looks at the text alone and does not
 * know which words were put in. It is measured against readings (judgements.ts).
 */
import { articleFor, baseForms, inflect } from '../../src/language/index.ts'
import type { Lexicon } from './lexicon.ts'
import { isBare, Nouns } from './nouns.ts'
import { Sequences, type TaggedText, tagged } from './sequences.ts'

export type Class = 'pos' | 'countability' | 'agreement' | 'article' | 'frame' | 'name' | 'other'

/** A word that was put in, and the tag of its token, if it has one. */
export interface PutIn {
  readonly word: string
  readonly tag: string
}

export interface Finding {
  readonly class: Class
  readonly words: string
}

/** A part of speech that a lemma has less often than this is a wrong one. */
const RARE = 0.03
/** Tags in an order that is less likely than this are those of no sentence. */
const UNLIKELY = -8.5
/** The same where the word cannot be what its token asks for. */
const UNLIKELY_OTHER = -5
/** And one that it has as often as this is a usual one. */
const USUAL = 0.1
/** How many examples of WordNet one of the other texts is worth. */
const WEIGHT = 5

const NOUN = /^NNS?$/
const NAME = /^NNPS?$/
export class Judge {
  readonly #lexicon: Lexicon
  readonly #sequences: Sequences
  readonly #nouns: Nouns
  /** What it would find fault with, although it is good English. */
  readonly #good: ReadonlySet<string> = new Set()

  /** Learns from WordNet's examples, and from other texts that are good English. */
  constructor(lexicon: Lexicon, good: readonly string[]) {
    const texts = [...lexicon.examples, ...good].map(tagged)
    this.#lexicon = lexicon
    this.#sequences = new Sequences([...texts, ...Array<TaggedText[]>(WEIGHT).fill(texts.slice(-good.length)).flat()])
    this.#nouns = new Nouns(texts)
    this.#good = new Set(good.flatMap((text) => this.findings(text).map((finding) => finding.words.toLowerCase())))
  }

  /** `put` are the words that were put in, in their order; without them, any word may be one. */
  findings(text: string, put?: readonly PutIn[]): Finding[] {
    // Who said it is no sentence.
    const body = text.replace(/\s+--\s*\S[^\n]*(?:\n\s.*)*$/u, '')
    if (/_{2,}|[\p{L},;] {2,}\p{L}|\p{L} ,/u.test(body)) return [{ class: 'other', words: '____' }]
    const { words, tags } = tagged(body)
    const lower = words.map((word) => word.toLowerCase())
    const sentence: Sentence = { words, lower, tags, asked: askedTags(words, put) }
    return words.flatMap((_, place) => {
      const found = this.#at(sentence, place)
      const around = words.slice(Math.max(0, place - 1), place + 2).join(' ')
      return found && !this.#good.has(around.toLowerCase()) ? [{ class: found, words: around }] : []
    })
  }

  #at(sentence: Sentence, place: number): Class | undefined {
    if (isWrongArticle(sentence, place)) return 'article'
    if (isWrongNumber(sentence, place) || isWrongForm(sentence, place)) return 'agreement'
    if (isWithoutCapital(sentence, place)) return 'name'
    if (this.#isCountedMass(sentence, place)) return 'countability'
    if (this.#isWrongKind(sentence, place)) return 'pos'
    if (this.#isWrongName(sentence, place)) return 'name'
    if (this.#needsArticle(sentence, place)) return 'countability'
    if (this.#isWrongFrame(sentence, place)) return 'frame'
    return undefined
  }

  #isWrongKind({ lower, tags, asked }: Sentence, place: number): boolean {
    const [word = '', tag = '', wanted] = [lower[place], tags[place], asked[place]]
    const isNear = [place - 1, place, place + 1].some((each) => asked[each] !== '')
    if (!isNear) return false
    if (isWrongPlace(lower, tags, place)) return true
    const isContent = KINDS.some(([start]) => start.test(tag))
    if (wanted !== '' && isContent && this.#shareUnder(word, tag) < RARE) return true
    if (!isContent && !wanted) return false
    const isAsked = !wanted || wanted === 'any' || this.#shareUnder(word, wanted) >= RARE
    // Nothing but a verb can stand for a verb, and nothing but a noun for a noun; other places are more tolerant.
    if (!isAsked && /^(?:VB|NNS?$)/.test(wanted)) return true
    if (wanted?.startsWith('VB') && this.#isOnlyName(word)) return true
    const least = isAsked ? UNLIKELY : UNLIKELY_OTHER
    if (this.#likelihood(tags, place) >= least) return false
    // The tagger may be wrong: another tag of the word may give an order that is usual.
    return !OTHER_TAGS.some(([each, other]) => {
      if (each !== tag || this.#shareUnder(word, other) < USUAL) return false
      const changed = tags.with(place, other)
      return Math.min(this.#likelihood(changed, place), this.#likelihood(changed, place + 1)) >= least
    })
  }

  #isOnlyName(word: string): boolean {
    return baseForms(word).every((lemma) =>
      ['n', 'v', 'a', 'r'].every((kind) => this.#lexicon.share(lemma, kind) === undefined),
    )
  }

  #shareUnder(word: string, tag: string): number {
    const kinds = KINDS.find(([start]) => start.test(tag))?.[1]
    if (kinds === undefined) return tag.startsWith('NNP') ? 1 : 0
    return SMALL.has(word) || !/^[a-z]{2,}$/.test(word) ? 1 : (this.#shareOf(word, tag, kinds) ?? 1)
  }

  /** How usual the kind is for the lemma of which the word is this form; undefined for words that WordNet lacks. */
  #shareOf(word: string, tag: string, kinds: readonly string[]): number | undefined {
    const shares = baseForms(word).flatMap((lemma) =>
      kinds.map((kind) => (isForm(lemma, tag, word, kind) ? this.#lexicon.share(lemma, kind) : undefined)),
    )
    const known = shares.filter((share) => share !== undefined)
    if (known.length > 0) return Math.max(...known)
    return baseForms(word).some((lemma) => this.#lexicon.share(lemma, 'v') !== undefined) ? 0 : undefined
  }

  /** The worse of a tag and the one after it. */
  #likelihood(tags: readonly string[], place: number): number {
    const next = place + 1 < tags.length ? this.#sequences.likelihood(tags, place + 1) : 0
    return Math.min(this.#sequences.likelihood(tags, place), next)
  }

  #needsArticle({ words, lower, tags }: Sentence, place: number): boolean {
    const noun = lower[place] ?? ''
    const isNoun = tags[place] === 'NN' || (NAME.test(tags[place] ?? '') && isSentenceStart(words, place))
    if (!isNoun || BARE.has(noun) || !isBare({ tags }, place)) return false
    if (!this.#nouns.needsArticle(noun, { isUnit: this.#lexicon.isUnit(noun) })) return false
    if (/^VB/.test(tags[place - 1] ?? '') && (this.#lexicon.share(noun, 'a') ?? 0) > 0.1) return false
    if (NO_ARTICLE.test(lower[place - 1] ?? '') || IDIOMS.has(`${lower[place - 1]} ${noun}`)) return false
    // "Wolf and lamb", "day after day": pairs need no article.
    return (this.#lexicon.share(noun, 'n') ?? 0) > 0.5 && !isPaired(lower, tags, place)
  }

  #isCountedMass({ lower, tags }: Sentence, place: number): boolean {
    if (tags[place] !== 'NN' || /^NN/.test(tags[place + 1] ?? '')) return false
    return /^an?$/.test(lower[place - 1] ?? '') && this.#nouns.isMass(lower[place] ?? '')
  }

  #isWrongName({ words, lower, tags }: Sentence, place: number): boolean {
    const word = words[place] ?? ''
    if (!/^\p{Lu}\p{Ll}+$/u.test(word) || place === 0) return false
    if (word === 'God') return lower[place - 1] === 'the'
    const noun = lower[place] ?? ''
    if (!NAME.test(tags[place] ?? '') || isSentenceStart(words, place) || !isBare({ tags }, place)) return false
    return !NAME.test(tags[place - 1] ?? '') && this.#lexicon.isUnit(noun) && !BARE.has(noun)
  }

  /** "He smiled her": the verb takes no object, and one follows. */
  #isWrongFrame({ lower, tags }: Sentence, place: number): boolean {
    const tag = tags[place] ?? ''
    if (!tag.startsWith('VB')) return false
    const lemmas = baseForms(lower[place] ?? '').filter((lemma) => (this.#lexicon.share(lemma, 'v') ?? 0) >= RARE)
    if (lemmas.length === 0 || lemmas.some((lemma) => this.#lexicon.takesObject(lemma))) return false
    const [before = '', next = ''] = [lower[place - 1], lower[place + 1]]
    // "Well glowed is half done", "not worth reigning": both mean an object.
    if (tag === 'VBN') return /^(?:well|is|are|was|were|be|been|being)$/.test(before)
    if (tag === 'VBG') return before === 'worth'
    return /^(?:me|him|them|us|myself|himself|itself|thyself|his|her|their|one)$/.test(next)
  }
}

interface Sentence {
  readonly words: readonly string[]
  readonly lower: readonly string[]
  readonly tags: readonly string[]
  /** The tag of the token that each word was put in for; empty for words that were there. Undefined: nobody knows. */
  readonly asked: readonly (string | undefined)[]
}

/** Place -> tag of the token. */
function askedTags(words: readonly string[], put: readonly PutIn[] | undefined): (string | undefined)[] {
  if (!put) return words.map(() => undefined)
  const asked = words.map(() => '')
  let from = 0
  for (const { word, tag } of put) {
    // Of several words, the last is the one that the tag is about, except in verbs; and no word is a token twice.
    const last = word.split(/[\s-]+/).at(tag.startsWith('VB') ? 0 : -1) ?? word
    const place = words.findIndex((each, i) => i >= from && (each === last || each === word))
    if (place < 0) continue
    asked[place] = tag === '' ? 'any' : tag
    from = place + 1
  }
  return asked
}

/** Tag -> WordNet's kinds that it can be. Participles are adjectives as well, and adjectives adverbs. */
const KINDS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^NNS?$/, ['n']],
  [/^VB/, ['v']],
  [/^JJ/, ['a', 'v']],
  [/^RB[RS]?$/, ['r', 'a']],
]

/** Tags between which the tagger has to choose for the same form. */
const OTHER_TAGS: readonly (readonly [string, string])[] = [
  ...([
    ['NN', 'VB'],
    ['NN', 'VBP'],
    ['NN', 'JJ'],
    ['NNS', 'VBZ'],
    ['VB', 'VBP'],
    ['VBD', 'VBN'],
    ['JJ', 'RB'],
    ['JJ', 'VB'],
  ] as const),
].flatMap(([one, other]) => [[one, other] as const, [other, one] as const])

/** As an adjective, a verb must be a participle. */
function isForm(lemma: string, tag: string, word: string, kind: string): boolean {
  if (tag.startsWith('JJ')) {
    if (kind === 'v') return inflect(lemma, 'VBN') === word || inflect(lemma, 'VBG') === word
    return [lemma, inflect(lemma, tag)].includes(word)
  }
  if (tag === 'VBG' || tag === 'VBN' || tag === 'NNS' || tag === 'VBZ' || tag === 'VBD') return true
  return lemma === word || inflect(lemma, tag) === word
}

/** Words whose grammar WordNet does not tell. */
const SMALL: ReadonlySet<string> = new Set(
  `be am is are was were been being have has had having do does did done doing will would shall should can could may might must
   ought let one ones none nothing something anything everything anyone someone everyone nobody somebody everybody others other such
   more most less least much many few own same no not never ever so too very n't ca wo thou thee doth hath dost hast
   ye prayeth loveth here there then now thus else yet as`.split(/\s+/),
)

/** Known bad orders: "they wise", "let it sweet", "to busy.", "a never pillow", "to without,". */
function isWrongPlace(lower: readonly string[], tags: readonly string[], place: number): boolean {
  const [word = '', tag = '', before = ''] = [lower[place], tags[place], lower[place - 1]]
  const [next = '', beforeTag = ''] = [tags[place + 1], tags[place - 1]]
  const isEnd = /^[.,:]$/.test(next) || place === tags.length - 1
  if (/^(?:he|she|they|we|i)$/.test(before) && /^(?:JJ|NN|NNS)$/.test(tag)) return true
  if (tag === 'JJ' && beforeTag === 'PRP' && lower[place - 2] === 'let') return true
  if (before === 'to' && (tag === 'JJ' || tag === 'IN' || tag === 'RB') && (isEnd || next === 'IN'))
    return word !== 'no'
  return tag === 'RB' && beforeTag === 'DT' && next === 'NN' && /^an?$/.test(before)
}

/** Nouns that stand for what is the only one of its kind, or for all of a kind. */
const BARE: ReadonlySet<string> = new Set(
  'man woman god heaven hell home earth mankind mother father god nature'.split(' '),
)
const NO_ARTICLE = /^(?:what|which|no|each|every|any|some|my|your|his|her|its|our|their|this|that|whose|such|many|'s)$/
const IDIOMS: ReadonlySet<string> = new Set(
  `at home|in bed|at night|to church|at sea|by hand|by heart|in hand|at work|to work|in need|to bed|at school|to school|at table|
   by day|by night|at dawn|in town|to town|at war|on foot|in doubt|by side|by evening|for want|in disguise|in return|to earth`.split(
    /\|\s*/,
  ),
)

function isPaired(lower: readonly string[], tags: readonly string[], place: number): boolean {
  const [before, after] = [tags[place - 1] ?? '', tags[place + 1] ?? '']
  const isNoun = (each: number) => NOUN.test(tags[each] ?? '')
  if (before === 'CC' && isNoun(place - 2)) return true
  if (after === 'CC' && isNoun(place + 2)) return true
  return lower[place + 2] === lower[place] || lower[place - 2] === lower[place]
}

function isWrongArticle({ words, lower }: Sentence, place: number): boolean {
  const [article = '', next = ''] = [lower[place], words[place + 1]]
  return (article === 'a' || article === 'an') && /^[\p{L}\d]/u.test(next) && articleFor(next) !== article
}

function isWrongNumber({ lower, tags }: Sentence, place: number): boolean {
  const [word = '', tag = '', next = ''] = [lower[place], tags[place], tags[place + 1]]
  const nextWord = lower[place + 1] ?? ''
  if (/^(?:a|an|this|each|every|another)$/.test(word) && tag === 'DT') return next === 'NNS' && nextWord.endsWith('s')
  if (/^(?:these|those|many|few|several)$/.test(word))
    return next === 'NN' && tags[place + 2] !== 'NNS' && nextWord !== 'a'
  if (/^(?:he|she|it)$/.test(word)) return next === 'VBP'
  return /^(?:we|they|you|i)$/.test(word) && next === 'VBZ'
}

function isSentenceStart(words: readonly string[], place: number): boolean {
  return place === 0 || /^[.!?]$/.test(words[place - 1] ?? '')
}

/** A sentence that begins with a small letter, although the words that were there have capitals. */
function isWithoutCapital({ words, asked }: Sentence, place: number): boolean {
  return Boolean(asked[place]) && isSentenceStart(words, place) && /^\p{Ll}/u.test(words[place] ?? '')
}

/** "He who open a door": the word is no form that its token can ask for. A plural is wrong only where the words around say so. */
function isWrongForm({ lower, tags, asked }: Sentence, place: number): boolean {
  const [word = '', wanted = ''] = [lower[place], asked[place]]
  if (!/^(?:VB[DGNZ]|NNS)$/.test(wanted)) return false
  const isForm = baseForms(word).some((lemma) => lemma !== word && tagsOf(lemma, word).includes(wanted))
  if (isForm || inflect(word, wanted) === word) return false
  if (wanted !== 'NNS') return true
  const isPluralVerb = tags[place + 1] === 'VBP' || /^(?:are|were|have)$/.test(lower[place + 1] ?? '')
  return isPluralVerb || tags[place - 1] === 'CD' || /^(?:these|those|many|few|all)$/.test(lower[place - 1] ?? '')
}

/** The tags under which a word is a form of the lemma; variants count. */
function tagsOf(lemma: string, word: string): readonly string[] {
  return FORM_TAGS.filter((tag) => inflect(lemma, tag) === word || (/(?:ed|t|en)$/.test(word) && /VB[DN]/.test(tag)))
}

const FORM_TAGS = ['NNS', 'VBZ', 'VBD', 'VBN', 'VBG']
