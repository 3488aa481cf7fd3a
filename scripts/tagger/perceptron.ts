/** The averaged perceptron during training: a dense row of weights for each key that was seen often enough. */
import { CONTEXT_KEYS, HISTORY_KEYS, roleOf, Sentence } from '../../src/language/features.ts'
import type { Tagged } from './corpora.ts'
import type { TrainedLexicon } from './lexicon.ts'
import { random, shuffle } from './random.ts'

export interface Settings {
  readonly epochs: number
  /** How often a key must be seen to get weights. */
  readonly least: number
  /** By how much the right tag must win. */
  readonly margin: number
}
/** `times` is how often a sentence is learnt in each epoch; a fraction is its chance. */
export interface Lesson extends Tagged {
  readonly times: number
}

export class Perceptron {
  readonly tags: readonly string[]
  readonly lexicon: TrainedLexicon
  readonly rows = new Rows()
  weights = new Float32Array(0)
  private readonly numbers: ReadonlyMap<string, number>
  private readonly roles: Uint8Array
  private readonly sentence = new Sentence()
  private readonly scores: Float64Array
  private readonly history = new Int32Array(HISTORY_KEYS)

  constructor(tags: readonly string[], lexicon: TrainedLexicon) {
    this.tags = tags
    this.lexicon = lexicon
    this.numbers = new Map(tags.map((tag, number) => [tag, number]))
    this.roles = Uint8Array.from(tags, roleOf)
    this.scores = new Float64Array(tags.length)
  }

  learn(lessons: readonly Lesson[], { epochs, least, margin }: Settings): void {
    const gold = lessons.map(({ tags }) => Int32Array.from(tags, (tag) => this.numbers.get(tag)!))
    this.countKeys(lessons, gold)
    this.rows.give(least)
    const contexts = lessons.map(({ words }) => this.contextRows(words))
    const width = this.tags.length
    const weights = new Float32Array(this.rows.count * width)
    const moments = new Float32Array(weights.length)
    this.weights = weights
    let step = 1
    const change = (rows: Int32Array, from: number, to: number, right: number, wrong: number) => {
      for (let i = from; i < to; i++) {
        if (rows[i]! < 0) continue
        const row = rows[i]! * width
        weights[row + right]! += 1
        moments[row + right]! += step
        weights[row + wrong]! -= 1
        moments[row + wrong]! -= step
      }
    }
    const order = [...lessons.keys()]
    const next = random(1)
    for (let epoch = 1; epoch <= epochs; epoch++) {
      shuffle(order, next)
      let mistakes = 0
      for (const number of order) {
        const { words, times: mean } = lessons[number]!
        const times = Math.floor(mean) + (next() < mean % 1 ? 1 : 0)
        if (times === 0) continue
        const context = contexts[number]!
        this.sentence.read(words, 0, words.length, this.lexicon)
        for (let time = 0; time < times; time++) {
          const guess = (place: number, before: number, secondBefore: number, verb: number) => {
            const right = gold[number]![place]!
            const choices = this.choices(place)
            // Nothing to choose, or a mistake of the annotators.
            if (choices.length === 1 || !choices.includes(right)) return right
            const start = place * CONTEXT_KEYS
            this.score(context, start, choices, place, before, secondBefore, verb)
            this.scores[right]! -= margin
            const rival = this.best(choices)
            if (rival === right) return right
            mistakes++
            change(context, start, start + CONTEXT_KEYS, right, rival)
            change(this.history, 0, HISTORY_KEYS, right, rival)
            this.scores[right]! += margin
            return this.best(choices)
          }
          this.walk(words.length, (...state) => {
            const tag = guess(...state)
            step++
            return tag
          })
        }
      }
      console.log(`epoch ${epoch}: ${mistakes} mistakes`)
    }
    for (let i = 0; i < weights.length; i++) weights[i]! -= moments[i]! / step
  }

  /** The best tags; if `allowed` has some, one of these. */
  tag(words: readonly string[], allowed: readonly (readonly string[] | undefined)[]): string[] {
    const context = this.contextRows(words)
    const tags: string[] = []
    this.walk(words.length, (place, before, secondBefore, verb) => {
      const named = allowed[place]?.flatMap((tag) => this.numbers.get(tag) ?? []) ?? []
      const choices = named.length > 0 ? named : this.choices(place)
      this.score(context, place * CONTEXT_KEYS, choices, place, before, secondBefore, verb)
      const best = this.best(choices)
      tags.push(this.tags[best]!)
      return best
    })
    return tags
  }

  /** From left to right through the sentence that was read last. */
  private walk(
    length: number,
    choose: (place: number, before: number, secondBefore: number, verb: number) => number,
  ): void {
    let before = 0
    let secondBefore = 0
    let verb = 0
    for (let place = 0; place < length; place++) {
      const tag = choose(place, before, secondBefore, verb)
      verb = this.sentence.verbAfter(place, verb, this.roles[tag]!)
      secondBefore = before
      before = tag
    }
  }

  private choices(place: number): readonly number[] {
    return this.lexicon.choices[this.lexicon.choiceOf[this.sentence.entry(place)]!]!
  }

  private best(choices: readonly number[]): number {
    let best = choices[0]!
    for (const choice of choices) if (this.scores[choice]! > this.scores[best]!) best = choice
    return best
  }

  private score(
    context: Int32Array,
    start: number,
    choices: readonly number[],
    place: number,
    before: number,
    secondBefore: number,
    verb: number,
  ): void {
    this.scores.fill(0)
    for (let i = start; i < start + CONTEXT_KEYS; i++) this.addRow(context[i]!, choices)
    this.sentence.historyKeys(place, before, secondBefore, verb, this.history)
    for (let i = 0; i < HISTORY_KEYS; i++) {
      this.history[i] = this.rows.find(this.history[i]!)
      this.addRow(this.history[i]!, choices)
    }
  }

  private addRow(row: number, choices: readonly number[]): void {
    if (row < 0) return
    const start = row * this.tags.length
    for (let i = 0; i < choices.length; i++) this.scores[choices[i]!]! += this.weights[start + choices[i]!]!
  }

  private contextRows(words: readonly string[]): Int32Array {
    const rows = new Int32Array(words.length * CONTEXT_KEYS)
    this.sentence.read(words, 0, words.length, this.lexicon)
    for (let place = 0; place < words.length; place++) this.sentence.contextKeys(place, rows, place * CONTEXT_KEYS)
    return rows.map((key) => this.rows.find(key))
  }

  private countKeys(lessons: readonly Lesson[], gold: readonly Int32Array[]): void {
    const context = new Int32Array(CONTEXT_KEYS)
    lessons.forEach(({ words }, number) => {
      this.sentence.read(words, 0, words.length, this.lexicon)
      this.walk(words.length, (place, before, secondBefore, verb) => {
        this.sentence.contextKeys(place, context)
        this.sentence.historyKeys(place, before, secondBefore, verb, this.history)
        for (const key of context) this.rows.see(key)
        for (const key of this.history) this.rows.see(key)
        return gold[number]![place]!
      })
    })
  }
}

/** Counts keys, then assigns a row to each that was seen often enough. Room for eight million keys. */
class Rows {
  count = 0
  private readonly keys = new Int32Array(2 ** 24)
  private readonly seen = new Int32Array(2 ** 24)
  private readonly rows = new Int32Array(2 ** 24).fill(-1)

  see(key: number): void {
    const slot = this.slot(key)
    this.keys[slot] = key
    this.seen[slot]!++
  }

  give(least: number): void {
    this.seen.forEach((seen, slot) => {
      if (seen >= least) this.rows[slot] = this.count++
    })
  }

  /** The row of a key, or -1. */
  find(key: number): number {
    return this.rows[this.slot(key)]!
  }

  *[Symbol.iterator](): Iterator<readonly [key: number, row: number]> {
    for (const [slot, row] of this.rows.entries()) if (row >= 0) yield [this.keys[slot]!, row]
  }

  private slot(key: number): number {
    let slot = Math.imul(key, 0x9e3779b1) >>> 8
    while (this.seen[slot]! > 0 && this.keys[slot] !== key) slot = (slot + 1) % 2 ** 24
    return slot
  }
}
