/**
 * The tagger's network. Gated recurrent units read the sentence forwards, others read it backwards; a hidden layer joins
 * their states with the word itself and scores each tag. All numbers are integers of 16 bits, of which a fixed number are
 * after the point.
 */
import { itemAt, numberAt } from './at.ts'
import { type Kernel, LANES, wasmKernel } from './kernel.ts'
import { plainKernel } from './plain-kernel.ts'
import type { TaggerModel } from './tagger-model.ts'
import { normal, partsOf, wordHash } from './word-features.ts'

/** How many words are read together at most. */
export const MOST_WORDS = 256
/** How many numbers a word has after reading: the state of the way through the sentence, and of the way back. */
export const READ_NUMBERS = 2 * LANES
/** How many bits a score has after the point. */
export const SCORE_BITS = 10

/** How many words are remembered with all that depends on them alone. Most words of a text are among them. */
const REMEMBERED = 4096
const LONGEST_WORD = 64
/** What depends on a word alone: four blocks for each way through the sentence, see `updateState`, one for the hidden layer. */
const WAY_BLOCKS = 4
const WORD_BLOCKS = 2 * WAY_BLOCKS + 1
const SUM_BLOCKS = 3

const NUMBER_BYTES = 2
const BLOCK_BYTES = LANES * NUMBER_BYTES
const WORD_BYTES = WORD_BLOCKS * BLOCK_BYTES

const UNKNOWN_WORD = 1
const FIRST_KNOWN_WORD = 2
/** The bytes of an embedding, multiplied by the scale of its row, have this many bits too many. */
const SCALE_BITS = 7

/** Makes a kernel with a memory of this many bytes. */
export type MakeKernel = (bytes: number) => Kernel

const makeBestKernel: MakeKernel = (bytes) => wasmKernel(bytes) ?? plainKernel(bytes)

/** Addresses in the memory of the kernel. */
interface Layout {
  readonly tanh: number
  readonly input: number
  readonly inputBias: number
  readonly forward: number
  readonly backward: number
  readonly hidden: number
  readonly output: number
  readonly outputBias: number
  readonly embedded: number
  readonly sums: number
  /** The word that is being scored. */
  readonly asked: number
  readonly hiddenSums: number
  readonly scores: number
  /** The states of one way: that before the first word, and those of the words that are being read. */
  readonly read: number
  readonly remembered: number
}

export class Network {
  readonly #model: TaggerModel
  readonly #kernel: Kernel
  readonly #layout: Layout
  readonly #numbers: Int16Array
  /** By the hash of a known word, how many of them are more frequent. */
  readonly #ranks: ReadonlyMap<number, number>
  /** Where each remembered word is, in the order of `remembered`. */
  readonly #places = new Map<string, number>()

  constructor(model: TaggerModel, makeKernel = makeBestKernel) {
    this.#model = model
    this.#ranks = new Map(Array.from(model.wordHashes, (hash, rank) => [hash, rank]))
    let end = 0
    const room = (numbers: number) => {
      const start = end
      end += Math.ceil((numbers * NUMBER_BYTES) / 16) * 16
      return start
    }
    const given: (readonly [start: number, numbers: Int16Array])[] = []
    const roomFor = (numbers: Int16Array) => {
      const start = room(numbers.length)
      given.push([start, numbers])
      return start
    }
    this.#layout = {
      tanh: roomFor(tanhTable()) + TABLE_MIDDLE * NUMBER_BYTES,
      input: roomFor(model.input.weights),
      inputBias: roomFor(model.inputBias),
      forward: roomFor(model.forward.weights),
      backward: roomFor(model.backward.weights),
      hidden: roomFor(model.hidden.weights),
      output: roomFor(model.output.weights),
      outputBias: roomFor(model.outputBias),
      embedded: room(model.input.count),
      sums: room(SUM_BLOCKS * LANES),
      asked: room(READ_NUMBERS),
      hiddenSums: room(LANES),
      scores: room(LANES),
      read: room((MOST_WORDS + 1) * LANES),
      remembered: room(REMEMBERED * WORD_BLOCKS * LANES),
    }
    this.#kernel = makeKernel(end)
    this.#numbers = new Int16Array(this.#kernel.memory.buffer)
    for (const [start, numbers] of given) this.#numbers.set(numbers, start / NUMBER_BYTES)
  }

  /** How many of the known words are more frequent than this one; undefined if it is not known. */
  rankOf(word: string): number | undefined {
    return this.#ranks.get(wordHash(normal(word)))
  }

  /**
   * Reads words `from` to `to`, at most MOST_WORDS, from the first to the last, and writes their states of this way to
   * `states`, which has READ_NUMBERS for each word. A sentence begins with word `start`; what is before `from` must have
   * been read.
   */
  readForwards(words: readonly string[], states: Int16Array, start: number, from: number, to: number): void {
    const { forward, read, sums, tanh } = this.#layout
    const { addProducts, updateState } = this.#kernel
    this.#putState(read, states, from > start ? (from - 1) * READ_NUMBERS : undefined)
    const addresses = this.#addressesOf(words, from, to)
    let state = read
    for (const word of addresses) {
      addProducts(sums, word, forward, state, LANES, SUM_BLOCKS)
      updateState(state + BLOCK_BYTES, state, sums, word + SUM_BLOCKS * BLOCK_BYTES, tanh)
      state += BLOCK_BYTES
    }
    this.#takeStates(states, from * READ_NUMBERS, read + BLOCK_BYTES, to - from)
  }

  /** The same from the last to the first. A sentence ends before word `end`. */
  readBackwards(words: readonly string[], states: Int16Array, end: number, from: number, to: number): void {
    const { backward, read, sums, tanh } = this.#layout
    const { addProducts, updateState } = this.#kernel
    const addresses = this.#addressesOf(words, from, to)
    let state = read + addresses.length * BLOCK_BYTES
    this.#putState(state, states, to < end ? to * READ_NUMBERS + LANES : undefined)
    for (let i = addresses.length - 1; i >= 0; i--) {
      const word = numberAt(addresses, i) + WAY_BLOCKS * BLOCK_BYTES
      addProducts(sums, word, backward, state, LANES, SUM_BLOCKS)
      updateState(state - BLOCK_BYTES, state, sums, word + SUM_BLOCKS * BLOCK_BYTES, tanh)
      state -= BLOCK_BYTES
    }
    this.#takeStates(states, from * READ_NUMBERS + LANES, read, to - from)
  }

  /** The score of each tag of a word, from its states of both ways. The next call overwrites it. */
  score(word: string, states: Int16Array): Int16Array {
    const { asked, hidden, hiddenSums, output, outputBias, scores } = this.#layout
    const { addProducts } = this.#kernel
    const [address = 0] = this.#addressesOf([word], 0, 1)
    this.#numbers.set(states, asked / NUMBER_BYTES)
    addProducts(hiddenSums, address + 2 * WAY_BLOCKS * BLOCK_BYTES, hidden, asked, READ_NUMBERS, 1)
    for (let i = hiddenSums / NUMBER_BYTES; i < hiddenSums / NUMBER_BYTES + LANES; i++) {
      if (numberAt(this.#numbers, i) < 0) this.#numbers[i] = 0
    }
    addProducts(scores, outputBias, output, hiddenSums, LANES, 1)
    return this.#numbers.subarray(scores / NUMBER_BYTES, scores / NUMBER_BYTES + LANES)
  }

  /** The state before the first word of a way is 0. */
  #putState(address: number, states: Int16Array, place: number | undefined): void {
    const at = address / NUMBER_BYTES
    if (place === undefined) this.#numbers.fill(0, at, at + LANES)
    else this.#numbers.set(states.subarray(place, place + LANES), at)
  }

  #takeStates(states: Int16Array, place: number, address: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const at = address / NUMBER_BYTES + i * LANES
      states.set(this.#numbers.subarray(at, at + LANES), place + i * READ_NUMBERS)
    }
  }

  #addressesOf(words: readonly string[], from: number, to: number): number[] {
    if (this.#places.size + to - from > REMEMBERED) this.#places.clear()
    const addresses: number[] = []
    for (let i = from; i < to; i++) addresses.push(this.#addressOf(shortened(itemAt(words, i))))
    return addresses
  }

  /** Where what depends on a word alone is; computes it for a word that is not remembered. */
  #addressOf(word: string): number {
    const { embedded, input, inputBias, remembered } = this.#layout
    const known = this.#places.get(word)
    const address = remembered + (known ?? this.#places.size) * WORD_BYTES
    if (known === undefined) {
      this.#embed(word)
      this.#kernel.addProducts(address, inputBias, input, embedded, this.#model.input.count, WORD_BLOCKS)
      // A copy: the word itself may be a part of a long text, which it would keep in memory.
      this.#places.set(word.split('').join(''), this.#places.size)
    }
    return address
  }

  /** Writes the embeddings of a word, one behind the other. */
  #embed(word: string): void {
    const text = normal(word)
    const rank = this.#ranks.get(wordHash(text))
    const features = [rank === undefined ? UNKNOWN_WORD : FIRST_KNOWN_WORD + rank, ...partsOf(word, text)]
    let at = this.#layout.embedded / NUMBER_BYTES
    this.#model.embeddings.forEach(({ width, rows, scales }, i) => {
      const row = numberAt(features, i)
      const scale = numberAt(scales, row)
      for (let k = row * width; k < (row + 1) * width; k++) {
        this.#numbers[at++] = (numberAt(rows, k) * scale + 2 ** (SCALE_BITS - 1)) >> SCALE_BITS
      }
    })
  }
}

/** Only the beginning and the end of a very long word count, so that what is remembered has a limit. */
function shortened(word: string): string {
  return word.length <= LONGEST_WORD ? word : word.slice(0, LONGEST_WORD / 2) + word.slice(-LONGEST_WORD / 2)
}

/** The table goes from -32 to 32, in steps of 1/512. */
const TABLE_MIDDLE = 2 ** 14
/** e to the power of 1/256 and of 1/512. Math.exp may differ from one machine to another; multiplication does not. */
const GROWTH = 1.0039138893383475
const HALF_GROWTH = 1.0019550335910028

/** Each entry is the tanh of the middle of its step, with 15 bits after the point. */
function tanhTable(): Int16Array {
  const table = new Int16Array(2 * TABLE_MIDDLE)
  let power = HALF_GROWTH
  for (let i = 0; i < TABLE_MIDDLE; i++) {
    const value = Math.floor(((power - 1) / (power + 1)) * 32767 + 0.5)
    table[TABLE_MIDDLE + i] = value
    table[TABLE_MIDDLE - 1 - i] = -value
    power *= GROWTH
  }
  return table
}
