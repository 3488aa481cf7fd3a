/**
 * Which words have to do with each other, from a WordNet dictionary: words of the same meaning or family, kinds, parts,
 * qualities, and words of definitions. A word counts in the meanings in which texts use it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { baseForms, ignoredFrom } from '../../language/index.ts'
import { backOf, phraseOf, type RelatedWord, type Relation, relationNames } from '../../store/index.ts'
import { FILES, type Pointer, SenseUses, type Synset, synsetsOf } from './dictionary.ts'

/** What the pointers of WordNet mean here. Opposites are left out: what is opposite is not near. */
const POINTERS: Readonly<Record<string, Relation>> = {
  '&': 'like',
  '^': 'like',
  '\\': 'family',
  '+': 'family',
  '=': 'quality',
  '@': 'kind',
  '@i': 'kind',
  '#p': 'part',
  '#m': 'part',
  '#s': 'part',
  '%p': 'part',
  '%m': 'part',
  '%s': 'part',
}
const SYMBOLS = Object.keys(POINTERS)

/** A meaning that is used less often than this, compared with all uses of the word, is left out. */
const LEAST_SHARE = 0.1
/** Of a word that no text uses, this many meanings count. */
const MOST_UNUSED = 3
/** Of a word: its own relations, the closest first, and those that other words have to it, the most used first. */
const MOST_OWN = 36
const MOST_OTHERS = 24
/** Words in fewer lists than this tell as much as they can. */
const RARE = 20

const HOWS = relationNames()

/** A word in one meaning. */
interface Sense {
  readonly key: number
  readonly uses: number
}

/** In the order of the words; the same dictionary gives the same words. */
export function* relatedWordsOf(folder: string): Generator<RelatedWord> {
  yield* new Relatedness(folder).words()
}

/** Words are numbers, and relations are lists of numbers: as objects they would take several times the memory. */
class Relatedness {
  readonly #meanings = new Map<number, Synset>()
  readonly #numbers = new Map<string, number>()
  /** Words that are written with capitals or accents. */
  readonly #writings = new Map<string, number>()
  readonly #words: string[] = []
  readonly #senses: Sense[][] = []
  readonly #bases = new Map<string, number | undefined>()
  /** Of each word: its own relations, those of others to it, and how many there are. */
  readonly #own: Int32Array[] = []
  readonly #others: number[][] = []
  readonly #lists: number[] = []

  constructor(folder: string) {
    const uses = new SenseUses(folder)
    for (const [file, types, pos] of FILES) {
      if (!existsSync(join(folder, file))) continue
      for (const synset of synsetsOf(folder, file)) {
        const key = keyOf(pos, synset.offset)
        this.#meanings.set(key, synset)
        for (const word of synset.words) this.#add(word, { key, uses: uses.of(types, synset.offset, word) })
      }
    }
    this.#words.forEach((_, word) => void this.#relate(word))
  }

  #add(written: string, sense: Sense): void {
    const word = plainWord(written)
    if (word === undefined) return
    const number = this.#numbers.get(word) ?? this.#words.push(word) - 1
    this.#numbers.set(word, number)
    if (written !== word) this.#writings.set(written, number)
    const senses = this.#senses[number]
    if (senses) senses.push(sense)
    else this.#senses.push([sense])
    this.#lists[number] ??= 0
  }

  #usesOf(word: number): number {
    return this.#senses[word]?.reduce((sum, { uses }) => sum + uses, 0) ?? 0
  }

  /** The closest relation to each other word counts. */
  #relate(word: number): void {
    const found = new Map<number, number>()
    const relate = (other: number | undefined, how: Relation) => {
      const code = HOWS.indexOf(how)
      if (other !== undefined && other !== word) found.set(other, Math.min(code, found.get(other) ?? code))
    }
    for (const key of mainMeanings(this.#senses[word] ?? [])) {
      const meaning = this.#meanings.get(key)
      if (!meaning) continue
      for (const each of meaning.words) relate(this.#numberOf(each), 'same')
      for (const pointer of meaning.pointers(...SYMBOLS)) {
        // Pointers of words, and not of whole meanings, count for that word.
        const source = pointer.source > 0 ? this.#numberOf(meaning.words[pointer.source - 1] ?? '') : word
        if (source === word) for (const each of this.#targets(pointer)) relate(each, relationOf(pointer))
      }
      for (const form of toldWords(meaning)) relate(this.#baseOf(form), 'told')
    }
    const closest = Array.from(found, ([other, how]) => how * 2 ** 20 + other).sort((a, b) => a - b)
    this.#own[word] = Int32Array.from(closest.slice(0, MOST_OWN))
    for (const [other, how] of found) this.#noteOther(other, word, how)
    this.#lists[word] = (this.#lists[word] ?? 0) + found.size
  }

  #targets({ offset, pos, target }: Pointer): (number | undefined)[] {
    const other = this.#meanings.get(keyOf(pos === 's' ? 'a' : pos, offset))
    const words = target > 0 ? other?.words.slice(target - 1, target) : other?.words
    return words?.map((each) => this.#numberOf(each)) ?? []
  }

  #numberOf(written: string): number | undefined {
    return this.#numbers.get(written) ?? this.#writings.get(written)
  }

  /** The word of the dictionary that a form in a definition belongs to; most forms occur often. */
  #baseOf(form: string): number | undefined {
    if (this.#bases.has(form)) return this.#bases.get(form)
    const base = this.#numbers.has(form) ? form : baseForms(form).find((each) => this.#numbers.has(each))
    const number = this.#numbers.get(base ?? '')
    this.#bases.set(form, number)
    return number
  }

  /** Keeps the words that texts use most. */
  #noteOther(word: number, other: number, how: number): void {
    const entry = HOWS.indexOf(backOf(HOWS[how] ?? 'told')) * 2 ** 20 + other
    const others = this.#others[word] ?? []
    this.#others[word] = others
    this.#lists[word] = (this.#lists[word] ?? 0) + 1
    others.push(entry)
    if (others.length >= 2 * MOST_OTHERS) this.#others[word] = this.#mostUsed(others)
  }

  #mostUsed(entries: readonly number[]): number[] {
    const uses = new Map(entries.map((entry) => [entry, this.#usesOf(entry % 2 ** 20)]))
    return entries
      .toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0) || this.#compare(a, b))
      .slice(0, MOST_OTHERS)
  }

  #compare(a: number, b: number): number {
    return (this.#words[a % 2 ** 20] ?? '') < (this.#words[b % 2 ** 20] ?? '') ? -1 : 1
  }

  *words(): Generator<RelatedWord> {
    const rarities = this.#lists.map((lists) => this.#rarityOf(lists))
    for (const word of this.#words.toSorted()) {
      const number = this.#numbers.get(word) ?? 0
      const own = [...(this.#own[number] ?? [])]
      const known = new Set(own.map((entry) => entry % 2 ** 20))
      const others = this.#mostUsed((this.#others[number] ?? []).filter((entry) => !known.has(entry % 2 ** 20)))
      const all = [...own, ...others].map((entry) => ({
        word: this.#words[entry % 2 ** 20] ?? '',
        how: HOWS[Math.floor(entry / 2 ** 20)] ?? 'told',
        rarity: rarities[entry % 2 ** 20] ?? 1,
      }))
      if (all.length > 0) yield { word, rarity: rarities[number] ?? 1, others: all }
    }
  }

  /** Words that have to do with many others tell less. */
  #rarityOf(lists: number): number {
    const count = this.#words.length
    const share = Math.log(count / Math.max(1, lists)) / Math.log(Math.max(2, count / RARE))
    return Math.max(1, Math.min(9, Math.round(9 * share)))
  }
}

const PLACES = 'nvar'

function keyOf(pos: string, offset: number): number {
  return PLACES.indexOf(pos) * 10 ** 9 + offset
}

function relationOf({ symbol, pos }: Pointer): Relation {
  // What a verb is a kind of is often too general.
  return symbol === '@' && pos === 'v' ? 'told' : (POINTERS[symbol] ?? 'told')
}

/** One word, as search compares it: no phrases. */
function plainWord(word: string): string | undefined {
  const plain = phraseOf(word)
  return /^\p{L}{3,}$/u.test(plain) ? plain : undefined
}

/** The words that tell something, of its definition and of those of its names that have several words. */
function toldWords({ definition, words }: Synset): string[] {
  const names = words.filter((word) => plainWord(word) === undefined)
  const text = [definition.replaceAll(/\([^)]*\)/g, ' '), ...names].join(' ')
  return phraseOf(text)
    .split(' ')
    .filter((word) => /^[a-z]{3,}$/.test(word) && ignoredFrom(word) === undefined)
}

function mainMeanings(senses: readonly Sense[]): number[] {
  const all = senses.reduce((sum, { uses }) => sum + uses, 0)
  if (all === 0) return senses.slice(0, MOST_UNUSED).map(({ key }) => key)
  return senses.filter(({ uses }) => uses >= LEAST_SHARE * all).map(({ key }) => key)
}
