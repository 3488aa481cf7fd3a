/** Tags the same text many times, each time with other tags allowed at some places. */
import { itemAt, numberAt } from './at.ts'
import { CONTEXT_KEYS, HISTORY_KEYS, SENTENCE_MARGINS, Sentence } from './features.ts'
import { loadModel, type Model } from './model.ts'
import { addScores, bestOf, narrow, scores, usualTags } from './perceptron.ts'

/** A word of the text, and the tags that it may have. Pass the same list for the same tags: results are cached by list. */
export interface Limit {
  readonly place: number
  readonly tags: readonly string[]
}

const contextKeys = new Int32Array(CONTEXT_KEYS)
const historyKeys = new Int32Array(HISTORY_KEYS)

/** How many decisions are cached for each place: a power of two. */
const REMEMBERED = 4
/** Choices with a higher id do not fit into the key of a decision. */
const MOST_IDS = 2 ** 13

/** The caches of a text, by the number of the word. */
export class TaggerRoom {
  readonly model = loadModel()
  readonly narrowing = new Narrowing(this.model)
  readonly numbers: Sentence
  /** The scores of a place that do not depend on the tags before it; filled when first needed. */
  readonly context: Int32Array
  readonly hasContext: Uint8Array
  /** The unrestricted run: the tag of each place, and the last verb of the clause after it. */
  readonly freeTags: Uint8Array
  readonly freeVerbs: Uint8Array
  /** Decisions between allowed tags, a few for each place: their inputs, and the tag. */
  readonly decidedFrom: Int32Array
  readonly decided: Uint8Array

  constructor(words: number, sentences: number) {
    this.numbers = new Sentence(words + sentences * SENTENCE_MARGINS)
    this.context = new Int32Array(words * this.model.tags.length)
    this.hasContext = new Uint8Array(words)
    this.freeTags = new Uint8Array(words)
    this.freeVerbs = new Uint8Array(words)
    this.decidedFrom = new Int32Array(words * REMEMBERED).fill(-1)
    this.decided = new Uint8Array(words * REMEMBERED)
  }
}

/**
 * A sentence of a text. Its tags are those that `tag` returns, at a lower cost: scores that do not depend on tags are
 * summed once, and where the tags before a place equal those of the unrestricted run, that run is reused.
 */
export class RepeatedSentence {
  readonly #room: TaggerRoom
  readonly #model: Model
  /** The first word, and where its numbers are: earlier sentences have margins too. */
  readonly #start: number
  readonly #shift: number
  /** How far the unrestricted run has come. */
  #freeTo: number

  /** Sentence `number` of a text: its words are words `start` to `end` of the text. */
  constructor(room: TaggerRoom, number: number, words: readonly string[], start: number, end: number) {
    this.#room = room
    this.#model = room.model
    this.#start = start
    this.#shift = number * SENTENCE_MARGINS
    this.#freeTo = start
    room.numbers.read(words, start, end, room.model.lexicon, start + this.#shift)
  }

  /** The tags of some words of the sentence, in ascending order, among those that are allowed there. */
  tag(limits: readonly Limit[]): string[] {
    const found: string[] = []
    const last = limits.at(-1)
    let before = 0
    let secondBefore = 0
    let verb = 0
    let at = this.#start
    let free = true
    for (const limit of limits) {
      const { place, tags } = limit
      while (!free && at < place) {
        const best = this.#decide(at, this.#usualAt(at), before, secondBefore, verb)
        verb = this.#verbAfter(at, verb, best)
        secondBefore = before
        before = best
        free = this.#isFree(at, before, secondBefore, verb)
        at++
      }
      if (free) {
        this.#tagFreely(place)
        before = this.#freeTagBefore(place)
        secondBefore = this.#freeTagBefore(place - 1)
        verb = this.#freeVerbBefore(place)
      }
      const choices = this.#room.narrowing.of(this.#usualAt(place), tags)
      const best = this.#decideAgain(place, choices, before, secondBefore, verb)
      found.push(itemAt(choices.tags.length > 0 ? this.#model.tags : tags, choices.tags.length > 0 ? best : 0))
      verb = this.#verbAfter(place, verb, best)
      secondBefore = before
      before = best
      at = place + 1
      // The last place needs no comparison, because nothing follows it.
      free = limit !== last && this.#isFree(place, before, secondBefore, verb)
    }
    return found
  }

  /** Tags the places before this one without restrictions. */
  #tagFreely(end: number): void {
    const { freeTags, freeVerbs } = this.#room
    for (let place = this.#freeTo; place < end; place++) {
      const before = this.#freeTagBefore(place)
      const verb = this.#freeVerbBefore(place)
      const best = this.#decide(place, this.#usualAt(place), before, this.#freeTagBefore(place - 1), verb)
      freeTags[place] = best
      freeVerbs[place] = this.#verbAfter(place, verb, best)
      this.#freeTo = place + 1
    }
  }

  /** Whether everything after this place is the same as in the unrestricted run. */
  #isFree(place: number, tag: number, tagBefore: number, verb: number): boolean {
    this.#tagFreely(place + 1)
    const { freeTags, freeVerbs } = this.#room
    return freeTags[place] === tag && this.#freeTagBefore(place) === tagBefore && freeVerbs[place] === verb
  }

  #freeTagBefore(place: number): number {
    return place > this.#start ? numberAt(this.#room.freeTags, place - 1) : 0
  }

  #freeVerbBefore(place: number): number {
    return place > this.#start ? numberAt(this.#room.freeVerbs, place - 1) : 0
  }

  /** The tags that a word has without restrictions. */
  #usualAt(place: number): readonly number[] {
    return usualTags(this.#model, this.#room.numbers.entry(place + this.#shift))
  }

  #verbAfter(place: number, verb: number, tag: number): number {
    return this.#room.numbers.verbAfter(place + this.#shift, verb, numberAt(this.#model.roles, tag))
  }

  /** Like `#decide`, with a cache: quadranyms that share words ask the same again. */
  #decideAgain(place: number, choices: Choices, before: number, secondBefore: number, verb: number): number {
    if (choices.id >= MOST_IDS) return this.#decide(place, choices.tags, before, secondBefore, verb)
    const { decidedFrom, decided } = this.#room
    const from = (choices.id << 18) | (before << 12) | (secondBefore << 6) | verb
    const slot = place * REMEMBERED + ((from ^ (from >> 6) ^ (from >> 12) ^ (from >> 18)) & (REMEMBERED - 1))
    if (decidedFrom[slot] === from) return numberAt(decided, slot)
    const best = this.#decide(place, choices.tags, before, secondBefore, verb)
    decided[slot] = best
    decidedFrom[slot] = from
    return best
  }

  #decide(place: number, choices: readonly number[], before: number, secondBefore: number, verb: number): number {
    if (choices.length < 2) return choices[0] ?? 0
    const { numbers, context, hasContext } = this.#room
    const width = this.#model.tags.length
    const start = place * width
    if (hasContext[place] === 0) {
      scores.fill(0)
      numbers.contextKeys(place + this.#shift, contextKeys)
      addScores(this.#model, contextKeys)
      context.set(scores.subarray(0, width), start)
      hasContext[place] = 1
    } else {
      scores.set(context.subarray(start, start + width))
    }
    numbers.historyKeys(place + this.#shift, before, secondBefore, verb, historyKeys)
    addScores(this.#model, historyKeys)
    return bestOf(choices)
  }
}

/** Tags to choose from, by their numbers in the model. Two with the same tags have the same id. */
interface Choices {
  readonly id: number
  readonly tags: readonly number[]
}

/** Like `narrow`, with a cache for pairs of lists. */
class Narrowing {
  readonly #model: Model
  readonly #choices = new Map<string, Choices>()
  readonly #known = new Map<readonly string[], Map<readonly number[], Choices>>()

  constructor(model: Model) {
    this.#model = model
  }

  of(usual: readonly number[], given: readonly string[]): Choices {
    let byUsual = this.#known.get(given)
    if (!byUsual) {
      byUsual = new Map()
      this.#known.set(given, byUsual)
    }
    let choices = byUsual.get(usual)
    if (!choices) {
      choices = this.#choicesOf(narrow(this.#model, usual, given))
      byUsual.set(usual, choices)
    }
    return choices
  }

  #choicesOf(tags: readonly number[]): Choices {
    const key = tags.join(' ')
    const choices = this.#choices.get(key) ?? { id: this.#choices.size, tags }
    this.#choices.set(key, choices)
    return choices
  }
}
