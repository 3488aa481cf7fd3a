/** Writes to a server, a number of times a second, as long as it is walked. */
import { setTimeout as pause } from 'node:timers/promises'

/** A server that is too slow gets fewer writes. */
const MOST_WAITING = 20

/** Creates, renames, changes and deletes records all over the list, and votes for them. */
export class Writer {
  readonly removed = new Set<number>()
  seconds = 0
  readonly #base: string
  readonly #headers: Record<string, string>
  #turn = 0

  constructor(base: string, token: string) {
    this.#base = base
    this.#headers = { Authorization: `Token ${token}`, 'Content-Type': 'application/json' }
  }

  async write(perSecond: number, signal: AbortSignal): Promise<void> {
    const started = performance.now()
    const waiting = new Set<Promise<void>>()
    for (let sent = 1; !signal.aborted; sent++) {
      const one = this.#one().finally(() => waiting.delete(one))
      waiting.add(one)
      await pause(Math.max(0, started + (1000 * sent) / perSecond - performance.now()))
      if (waiting.size >= MOST_WAITING) await Promise.race(waiting)
    }
    await Promise.all(waiting)
    this.seconds = (performance.now() - started) / 1000
  }

  async #one(): Promise<void> {
    const turn = ++this.#turn
    // Every id once, far from the last one.
    const id = 1 + ((turn * 7919) % 100_000)
    const record = `/api/polynym/${id}/`
    const letter = 'abcdefghijklmnopqrstuvwxyz'[turn % 26]
    const name = `${letter}${turn}`
    switch (turn % 5) {
      case 0:
        return await this.#send('POST', '/api/polynym/', { name, mode: 'part', p1: 'one', p2: 'two' })
      case 1:
        return await this.#send('PATCH', record, { name })
      case 2:
        return await this.#send('POST', `${record}vote/`, {})
      case 3:
        this.removed.add(id)
        return await this.#send('DELETE', `${record}?cascade=true`)
      default:
        return await this.#send('PATCH', record, { p1: name })
    }
  }

  async #send(method: string, path: string, body?: object): Promise<void> {
    const sent = { method, headers: this.#headers, ...(body ? { body: JSON.stringify(body) } : {}) }
    const reply = await patiently(this.#base + path, sent)
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
  }
}

/** Tries again when the server has too much to do, as it says. */
export async function patiently(address: string, sent?: RequestInit): Promise<Response> {
  for (;;) {
    const reply = await fetch(address, sent)
    if (reply.status !== 503) return reply
    await reply.text()
    await pause(1000 * Number(reply.headers.get('retry-after') ?? 1))
  }
}
