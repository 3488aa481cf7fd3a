/**
 * A few consecutive records of a page, as bytes with their hash. The hash of a page is made from those of its parts, so
 * after one record has changed, the page is not joined and hashed again as a whole.
 */
import { hash } from 'node:crypto'

export class Part {
  readonly bytes: Buffer
  /** It tells versions of a page apart, and keeps no secret, so the fastest hash will do. */
  readonly hash: string

  /** `toBytes` says in which memory they are: in their own, if they are cached. */
  constructor(texts: readonly string[], toBytes: (text: string) => Buffer) {
    this.bytes = toBytes(texts.join(','))
    this.hash = hash('sha1', this.bytes, 'base64url')
  }

  get text(): string {
    return this.bytes.toString()
  }
}

export const PART_LENGTH = 20

/** The parts of a page with these records' JSON. They are not cached. */
export function partsOf(texts: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < texts.length; i += PART_LENGTH) parts.push(new Part(texts.slice(i, i + PART_LENGTH), Buffer.from))
  return parts
}
