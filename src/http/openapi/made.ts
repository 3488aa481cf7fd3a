/** What is made from one version of the document: each rendering once, and each compressed once. */
import { Shelf } from '../../engine/index.ts'
import { compress, type Encoding } from '../compress.ts'
import { hashOf } from '../conditions.ts'

/** Finished bytes, and the same compressed. */
export class Made {
  readonly bytes: Buffer
  readonly hash: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.bytes = Buffer.from(text)
    this.hash = hashOf(this.bytes)
  }

  compressed = (encoding: Encoding): Promise<Buffer> => {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const made = compress(this.bytes, encoding)
    this.#compressed.set(encoding, made)
    // What failed is tried again.
    made.catch(() => this.#compressed.delete(encoding))
    return made
  }
}

/** Anybody may ask for parts, under any name of ours: what is kept of them is bounded. */
const MOST_BYTES = 16 * 1024 * 1024

export class Shelves {
  readonly #made = new Shelf(MOST_BYTES).space<string, Made>()

  /** By what it was made from. */
  get(key: string, make: () => string): Made {
    const known = this.#made.get(key)
    if (known) return known
    const made = new Made(make())
    this.#made.set(key, made, made.bytes.length * 2)
    return made
  }
}
