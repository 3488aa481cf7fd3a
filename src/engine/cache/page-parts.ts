/**
 * A few consecutive records of a page, as bytes with their hash. The hash of a page is made from those of its parts, so
 * after one record has changed, the page is not joined and hashed again as a whole.
 */
import { hash } from 'node:crypto'

export class Part {
  readonly bytes: Buffer
  /** It tells versions of a page apart, and keeps no secret, so the fastest hash will do. */
  readonly hash: string

  constructor(texts: readonly string[]) {
    this.bytes = Buffer.from(texts.join(','))
    this.hash = hash('sha1', this.bytes, 'base64url')
  }

  get text(): string {
    return this.bytes.toString()
  }
}

export const PART_LENGTH = 20

/** The parts of a page with these records' JSON. */
export function partsOf(texts: readonly string[]): Part[] {
  const parts: Part[] = []
  for (let i = 0; i < texts.length; i += PART_LENGTH) parts.push(new Part(texts.slice(i, i + PART_LENGTH)))
  return parts
}
