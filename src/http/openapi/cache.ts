/** The cache of one version of the document: each rendering is made once, and compressed once for each encoding. */
import { ALWAYS, type Cache, CacheMemory, ownBytes, ownJoined } from '../../cache/index.ts'
import { compress, type Encoding } from '../response/compress.ts'
import { hashOf } from '../response/etag.ts'
import { BASE } from './operation.ts'

/** The bytes of a rendering, plain and compressed. */
export class CachedBody {
  readonly bytes: Buffer
  readonly hash: string
  readonly #compressed = new Map<Encoding, Promise<Buffer>>()

  constructor(text: string) {
    this.bytes = ownBytes(text)
    this.hash = hashOf(this.bytes)
  }

  compressed = (encoding: Encoding): Promise<Buffer> => {
    const known = this.#compressed.get(encoding)
    if (known) return known
    const made = compress(this.bytes, encoding).then((bytes) => ownJoined([bytes]))
    this.#compressed.set(encoding, made)
    // A failed attempt is not cached.
    made.catch(() => this.#compressed.delete(encoding))
    return made
  }
}

/** Clients may request any part under any host name, so the cache is bounded. */
const MOST_BYTES = 16 * 1024 * 1024

/** Texts are cached once for all host names, and finished bodies once for each. */
export class DocumentCache {
  readonly #memory = new CacheMemory(MOST_BYTES)
  readonly #texts: Cache<string, string, unknown> = this.#memory.cache()
  readonly #bodies: Cache<string, CachedBody, unknown> = this.#memory.cache()

  /** The rendering under this key, with the addresses of `base`. */
  get(key: string, base: string, write: () => string): CachedBody {
    const whole = `${base} ${key}`
    const known = this.#bodies.get(whole, undefined)
    if (known) return known
    const body = new CachedBody(this.#text(key, write).replaceAll(BASE, base))
    this.#bodies.set(whole, body, ALWAYS, body.bytes.length * 2)
    return body
  }

  #text(key: string, write: () => string): string {
    const known = this.#texts.get(key, undefined)
    if (known !== undefined) return known
    const text = write()
    this.#texts.set(key, text, ALWAYS, text.length)
    return text
  }
}
