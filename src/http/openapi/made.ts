/** What is made from one version of the document: each rendering once, and each compressed once. */
import { Shelf } from '../../engine/index.ts'
import { compress, type Encoding } from '../compress.ts'
import { hashOf } from '../conditions.ts'
import { BASE } from './operation.ts'

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

/** Texts that are the same under each name of ours, and what is made of them under one name. */
export class Shelves {
  readonly #shelf = new Shelf(MOST_BYTES)
  readonly #texts = this.#shelf.space<string, string>()
  readonly #made = this.#shelf.space<string, Made>()

  /** The text of that key, as it goes out from `base`. */
  get(key: string, base: string, write: () => string): Made {
    const whole = `${base} ${key}`
    const known = this.#made.get(whole)
    if (known) return known
    const made = new Made(this.#text(key, write).replaceAll(BASE, base))
    this.#made.set(whole, made, made.bytes.length * 2)
    return made
  }

  #text(key: string, write: () => string): string {
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = write()
    this.#texts.set(key, text, text.length)
    return text
  }
}
