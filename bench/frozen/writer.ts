/** Writes to a server, a number of times a second, as long as it is walked. */
import { setTimeout as pause } from 'node:timers/promises'

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
    const sent: Promise<void>[] = []
    while (!signal.aborted) {
      sent.push(this.#one())
      const due = started + (1000 * sent.length) / perSecond
      await pause(Math.max(0, due - performance.now()))
    }
    await Promise.all(sent)
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
    const reply = await fetch(this.#base + path, {
      method,
      headers: this.#headers,
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await reply.text()
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
  }
}
