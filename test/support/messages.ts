/** The messages of PostgreSQL's protocol, as they pass a proxy. */

export const [SYNC, QUERY, READY] = ['S', 'Q', 'Z']

export interface Passing {
  /** Undefined for the first one of a client. */
  readonly type: string | undefined
  readonly bytes: Buffer
}

/** Tells which messages arrive, in pieces of any size. */
export class Messages {
  #rest = Buffer.alloc(0)
  /** The first message of a client has no type. */
  #isGreeting: boolean

  constructor({ hasGreeting = false } = {}) {
    this.#isGreeting = hasGreeting
  }

  /** Those that are complete now. */
  in(data: Buffer): Passing[] {
    const messages: Passing[] = []
    this.#rest = Buffer.concat([this.#rest, data])
    for (;;) {
      const head = this.#isGreeting ? 0 : 1
      if (this.#rest.length < head + 4) break
      const length = head + this.#rest.readUInt32BE(head)
      if (this.#rest.length < length) break
      const type = this.#isGreeting ? undefined : this.#rest.toString('latin1', 0, 1)
      messages.push({ type, bytes: this.#rest.subarray(0, length) })
      this.#rest = this.#rest.subarray(length)
      this.#isGreeting = false
    }
    return messages
  }
}
