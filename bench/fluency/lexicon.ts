/**
 * What WordNet knows about words, for the judge: how often each part of speech of a lemma is used, which nouns name
 * things that can be counted, which verbs take objects. The judge uses none of the engine's own tables of these.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FILES, SenseUses, synsetsOf } from '../../src/cli/wordnet/dictionary.ts'
import { wordnetFolder } from '../../src/cli/wordnet/index.ts'

/** n, v, a or r. */
export type Kind = string

interface Entry {
  /** Kind -> uses in the texts that WordNet's authors tagged; every sense counts as half a use. */
  readonly uses: Map<Kind, number>
  /** Uses of senses that name persons, animals, things and other units, and of all others. */
  units: number
  others: number
  takesObject: boolean
  takesNone: boolean
}

/** Lexicographers' files: animals, artifacts, bodies, groups, locations, objects, persons, plants, shapes. */
const UNITS: ReadonlySet<number> = new Set([5, 6, 8, 14, 15, 17, 18, 20, 25])
/** Of sentence frames: "Somebody ----s", "Something is ----ing PP" and the like have no object. */
const NO_OBJECT: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 7, 12, 13, 22, 23, 27, 28, 32, 35])
const OBJECT: ReadonlySet<number> = new Set([8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 30, 31, 33])

export class Lexicon {
  readonly #entries = new Map<string, Entry>()
  /** Sentences and parts of sentences that show how words are used. */
  readonly examples: readonly string[]

  constructor() {
    const folder = wordnetFolder()
    const senses = new SenseUses(folder)
    for (const [file, types, kind] of FILES) {
      for (const { offset, lexfile, words } of synsetsOf(folder, file)) {
        for (const word of words) this.#add(word, kind, lexfile, 0.5 + senses.of(types, offset, word))
      }
    }
    this.examples = FILES.flatMap(([file]) => this.#read(join(folder, file), file === 'data.verb'))
  }

  /** The share of the lemma's uses that are of this kind; undefined for an unknown word. */
  share(lemma: string, kind: Kind): number | undefined {
    const uses = this.#entries.get(lemma)?.uses
    if (!uses) return undefined
    return (uses.get(kind) ?? 0) / uses.values().reduce((sum, each) => sum + each, 0)
  }

  /** Whether a noun mostly names something that can be counted. */
  isUnit(lemma: string): boolean {
    const entry = this.#entries.get(lemma)
    return entry !== undefined && entry.units > 4 * entry.others
  }

  takesObject(verb: string): boolean {
    return this.#entries.get(verb)?.takesObject ?? true
  }

  takesNoObject(verb: string): boolean {
    return this.#entries.get(verb)?.takesNone ?? true
  }

  #add(word: string, kind: Kind, lexfile: number, uses: number): void {
    // A capital makes a name: "Key" the surname says nothing about keys.
    if (word !== word.toLowerCase()) return
    const entry = this.#entries.get(word) ?? {
      uses: new Map<Kind, number>(),
      units: 0,
      others: 0,
      takesObject: false,
      takesNone: false,
    }
    entry.uses.set(kind, (entry.uses.get(kind) ?? 0) + uses)
    if (kind === 'n') entry[UNITS.has(lexfile) ? 'units' : 'others'] += uses
    this.#entries.set(word, entry)
  }

  /** The examples of a file, and the frames of its verbs. */
  #read(path: string, hasFrames: boolean): string[] {
    const examples: string[] = []
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const [facts = '', gloss = ''] = line.split(' | ')
      for (const [, example = ''] of gloss.matchAll(/"([^"]+)"/g)) examples.push(example)
      if (hasFrames) this.#addFrames(facts)
    }
    return examples
  }

  /** ... + 02 00 + 01: the numbers after the plus signs are frames, then the word they are for, 00 for all. */
  #addFrames(facts: string): void {
    const [, , , count = '0', ...fields] = facts.split(' ')
    const words = Array.from({ length: Number.parseInt(count, 16) }, (_, i) => fields[2 * i] ?? '')
    for (const [, frame, word] of facts.matchAll(/\+ (\d\d) ([0-9a-f]{2})(?= |$)/g)) {
      const which = Number.parseInt(word ?? '0', 16)
      for (const each of which === 0 ? words : [words[which - 1] ?? '']) {
        const entry = this.#entries.get(each.replaceAll('_', ' '))
        if (!entry) continue
        if (OBJECT.has(Number(frame))) entry.takesObject = true
        if (NO_OBJECT.has(Number(frame))) entry.takesNone = true
      }
    }
  }
}
