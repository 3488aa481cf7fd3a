/** The weights of the tagger, and how they are read from model/tagger.bin. scripts/train-tagger.ts writes that file. */
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { type Lexicon, roleOf } from './features.ts'

export interface Model {
  readonly tags: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  readonly roles: Uint8Array
  readonly lexicon: Lexicon
  /** The tags a frequent word may have; those of any rare word for entry 0. */
  readonly choices: readonly (readonly number[])[]
  readonly choiceOf: ArrayLike<number>
  /** Where the weights of a key begin, from 1. */
  readonly starts: Table
  /** Each is the weight, the tag it speaks for (6 bits), and whether it is the last of its key (1 bit). */
  readonly weights: Int16Array
}

let model: Model | undefined

/** Uses another model than the shipped one: the trainer measures what it made. */
export function useModel(path: string | URL): void {
  model = readModel(readFileSync(path))
}

/** Reads the model when it is first needed. */
export function loadModel(): Model {
  model ??= readModel(readFileSync(new URL('./model/tagger.bin', import.meta.url)))
  return model
}

/**
 * A hash table from keys to numbers, 0 for none. The keys are already hashes; key and number are adjacent, for the CPU
 * cache.
 */
class Table {
  private readonly slots: Int32Array
  private readonly shift: number

  constructor(keys: Uint32Array, value: (place: number) => number) {
    const bits = Math.ceil(Math.log2(keys.length * 2 + 2))
    this.shift = 32 - bits
    // Keys are sorted and their first bits are their position, so this fills the table in one pass; some may run past
    // the end.
    this.slots = new Int32Array(2 * (2 ** bits + 1000))
    const { slots, shift } = this
    for (let place = 0; place < keys.length; place++) {
      const key = keys[place] ?? 0
      let slot = 2 * (key >>> shift)
      while (slots[slot + 1] !== 0) slot += 2
      slots[slot] = key
      slots[slot + 1] = value(place)
    }
  }

  find(key: number): number {
    const { slots } = this
    for (let slot = 2 * (key >>> this.shift); ; slot += 2) {
      const found = slots[slot + 1] ?? 0
      if (found === 0 || slots[slot] === key) return found
    }
  }
}

/** The file: Brotli; a number of sections, their lengths, the sections, nearly all of them numbers of 7 bits a byte. */
function readModel(file: Buffer): Model {
  const bytes = brotliDecompressSync(file)
  let at = 4 + 4 * bytes.readUInt32LE(0)
  let section = 4
  const next = () => {
    const length = bytes.readUInt32LE(section)
    section += 4
    at += length
    return bytes.subarray(at - length, at)
  }
  const text = next().toString()
  const [names = [], ...sets] = text.split('\n').map((line) => line.split(' '))
  const finite = next()
  const entries = new Table(sums(next()), (place) => place + 1)
  const nextNumbers = () => new Uint16Array(numbersIn(next()))
  const [kinds, forms, clusters] = [nextNumbers(), nextNumbers(), nextNumbers()]
  const [classes, choiceOf] = [nextNumbers(), nextNumbers()]
  const keys = sums(next())
  const counts = next()
  const weightTags = next()
  const signed = new Int8Array(next())
  const weights = new Int16Array(signed.length)
  for (let i = 0; i < weights.length; i++) weights[i] = ((signed[i] ?? 0) << 7) | ((weightTags[i] ?? 0) << 1)
  let end = 0
  const starts = new Table(keys, (place) => {
    const start = end
    end += counts[place] ?? 0
    weights[end - 1] = (weights[end - 1] ?? 0) | 1
    return start + 1
  })
  return {
    tags: names,
    numbers: new Map(names.map((name, number) => [name, number])),
    roles: Uint8Array.from(names, roleOf),
    lexicon: { find: (lowerHash) => entries.find(lowerHash), kinds, forms, clusters, classes, finite },
    choices: sets.map((set) => set.map(Number)),
    choiceOf,
    starts,
    weights,
  }
}

function numbersIn(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length)
  let count = 0
  let number = 0
  let shift = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0
    number |= (byte & 127) << shift
    shift += 7
    if (byte > 127) continue
    numbers[count++] = number
    number = 0
    shift = 0
  }
  return numbers.subarray(0, count)
}

/** Sorted keys are stored as differences. */
function sums(bytes: Uint8Array): Uint32Array {
  const numbers = numbersIn(bytes).slice()
  let sum = 0
  for (let i = 0; i < numbers.length; i++) {
    sum += numbers[i] ?? 0
    numbers[i] = sum
  }
  return numbers
}
