/**
 * The files of a WordNet dictionary, as the manual page wndb(5WN) describes them. They are read by line: data.noun alone
 * is 15 MB. Word numbers in pointers count from 1, in hexadecimal; 0 means the whole synset.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { Mistake } from '../desk.ts'

export const NOUNS = 'data.noun'
export const ADJECTIVES = 'data.adj'
export const SENSES = 'index.sense'

/** The files, the types of their synsets in index.sense, and in pointers. Not every copy has verbs and adverbs. */
export const FILES: readonly (readonly [file: string, types: string, pos: string])[] = [
  [NOUNS, '1', 'n'],
  ['data.verb', '2', 'v'],
  [ADJECTIVES, '35', 'a'],
  ['data.adv', '4', 'r'],
]

export interface Pointer {
  /** The relation of the target to the synset: ~ a type of it, %p a part of it, ! the opposite of a word, and so on. */
  readonly symbol: string
  readonly offset: number
  readonly pos: string
  readonly source: number
  readonly target: number
}

/** A meaning and its words. Its pointers are parsed only when needed. */
export class Synset {
  readonly line: number
  readonly offset: number
  /** The number of the lexicographers' file it comes from. */
  readonly lexfile: number
  readonly words: readonly string[]
  readonly #text: string
  readonly #pointersAt: number
  readonly #glossAt: number

  private constructor(text: string, line: number, words: readonly string[], pointersAt: number, glossAt: number) {
    this.line = line
    this.offset = Number(text.slice(0, 8))
    this.lexfile = Number(text.slice(9, 11))
    this.words = words
    this.#text = text
    this.#pointersAt = pointersAt
    this.#glossAt = glossAt
  }

  /** offset lexfile type count (word number)... count (symbol offset type ends)... | definition; "examples" */
  static read(text: string, line: number): Synset | undefined {
    const start = /^\d{8} \d\d [nvasr] ([0-9a-f]{2}) /.exec(text)
    const glossAt = text.indexOf('| ')
    if (!start || glossAt < 0) return undefined
    const words: string[] = []
    let at = start[0].length
    for (let left = Number.parseInt(start[1]!, 16); left > 0; left--) {
      const end = text.indexOf(' ', at)
      words.push(readWord(text.slice(at, end)))
      at = text.indexOf(' ', end + 1) + 1
    }
    return at > 0 && at < glossAt ? new Synset(text, line, words, at, glossAt) : undefined
  }

  /** The pointers with these symbols, in WordNet's order. */
  pointers(...symbols: readonly string[]): Pointer[] {
    const [count, ...fields] = this.#fields
    const pointers: Pointer[] = []
    for (let i = 0; i < 4 * Number(count); i += 4) {
      const [symbol, offset, pos, ends] = fields.slice(i, i + 4) as [string, string, string, string]
      if (!symbols.includes(symbol)) continue
      const [source, target] = [Number.parseInt(ends.slice(0, 2), 16), Number.parseInt(ends.slice(2), 16)]
      pointers.push({ symbol, offset: Number(offset), pos, source, target })
    }
    return pointers
  }

  /** The numbers of the sentences that a verb can be in, for its words of this number: 8 is "Somebody ----s something". */
  frames(word: number): number[] {
    const fields = this.#fields
    const frames: number[] = []
    // count (+ frame word)..., where word 0 means all words
    for (let i = 2 + 4 * Number(fields[0]); fields[i] === '+'; i += 3) {
      const ofWord = Number.parseInt(fields[i + 2] ?? '', 16)
      if (ofWord === 0 || ofWord === word) frames.push(Number(fields[i + 1]))
    }
    return frames
  }

  get #fields(): string[] {
    return this.#text.slice(this.#pointersAt, this.#glossAt).split(' ')
  }

  /** The definition, without the examples. */
  get definition(): string {
    return this.#text
      .slice(this.#glossAt + 2)
      .split('; "', 1)[0]!
      .trim()
  }
}

export function* synsetsOf(folder: string, file: string): Generator<Synset> {
  const path = join(folder, file)
  let line = 0
  for (const text of linesOf(path)) {
    line++
    // The indented lines before the synsets are the licence.
    if (text === '' || text.startsWith(' ')) continue
    const synset = Synset.read(text, line)
    if (!synset) throw new Mistake(`${path}, line ${line}: not a line of WordNet`)
    yield synset
  }
}

/** Underscores are spaces; (a), (p), (ip) after an adjective say where in a sentence it may occur. */
function readWord(written: string): string {
  const word = written.endsWith(')') ? written.replace(/\((?:a|p|ip)\)$/, '') : written
  return word.replaceAll('_', ' ').trim()
}

/** The word at one end of a pointer. */
export function wordOf(words: readonly string[] | undefined, number: number): string | undefined {
  return words?.[Math.max(number, 1) - 1]
}

/** The words of every noun synset, one string per synset: arrays would take several times the memory. */
export class Nouns {
  readonly #words = new Map<number, string>()

  constructor(folder: string) {
    for (const { offset, words } of synsetsOf(folder, NOUNS)) this.#words.set(offset, copyOf(words.join('\n')))
  }

  words(offset: number): readonly string[] | undefined {
    return this.#words.get(offset)?.split('\n')
  }
}

/** A substring keeps the whole string in memory, and with it a chunk of the file; this copies it. */
const copyOf = (text: string) => Buffer.from(text).toString()

/** How often words occur in WordNet's hand-tagged texts, by meaning. */
export class Uses {
  readonly #ofNounSynsets = new Map<number, number>()
  readonly #ofAdjectives = new Map<string, number>()

  constructor(folder: string) {
    for (const text of linesOf(join(folder, SENSES))) {
      const [sense, place, , times] = text.split(' ')
      const uses = Number(times)
      if (!(uses > 0)) continue
      const offset = Number(place)
      const [lemma, rest] = sense!.split('%')
      const kind = rest?.[0]
      if (kind === '1') this.#ofNounSynsets.set(offset, this.ofNouns(offset) + uses)
      // 3 is an adjective, 5 a satellite adjective.
      if (kind === '3' || kind === '5') this.#ofAdjectives.set(`${offset} ${readWord(lemma!)}`, uses)
    }
  }

  ofNouns(offset: number): number {
    return this.#ofNounSynsets.get(offset) ?? 0
  }

  ofAdjective(offset: number, word: string): number {
    return this.#ofAdjectives.get(`${offset} ${word.toLowerCase()}`) ?? 0
  }
}

/** How often texts use each word in each meaning. */
export class SenseUses {
  readonly #uses = new Map<string, number>()

  constructor(folder: string) {
    for (const text of linesOf(join(folder, SENSES))) {
      const [sense, place, , times] = text.split(' ')
      const [lemma = '', rest = ''] = sense?.split('%') ?? []
      const uses = Number(times)
      if (uses > 0) this.#uses.set(copyOf(`${rest[0]} ${Number(place)} ${readWord(lemma)}`), uses)
    }
  }

  /** Of a word in a synset of one of these types. */
  of(types: string, offset: number, word: string): number {
    return Math.max(...[...types].map((type) => this.#uses.get(`${type} ${offset} ${word.toLowerCase()}`) ?? 0))
  }
}

/** "WordNet 3.1": the licence at the beginning of every data file gives the version. */
export function sourceOf(folder: string): string {
  for (const text of linesOf(join(folder, NOUNS))) {
    if (!text.startsWith(' ')) break
    const found = /\bWordNet \d+(?:\.\d+)* (?=Copyright)/.exec(text)
    if (found) return found[0].trim()
  }
  return 'WordNet'
}

const CHUNK = 16 * 1024
const NEWLINE = 10

function* linesOf(path: string): Generator<string> {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    let rest = Buffer.alloc(0)
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      const bytes = Buffer.concat([rest, buffer.subarray(0, read)])
      // Cut at the end of a line, so that no multi-byte letter is split.
      const end = bytes.lastIndexOf(NEWLINE) + 1
      rest = bytes.subarray(end)
      if (end > 0) yield* withoutReturns(bytes.toString('utf8', 0, end - 1)).split('\n')
    }
    if (rest.length > 0) yield withoutReturns(rest.toString('utf8'))
  } finally {
    closeSync(file)
  }
}

/** Some copies were made on Windows. */
const withoutReturns = (text: string) => text.replaceAll('\r', '')
