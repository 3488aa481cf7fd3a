/** Asks the supervisor, which counts for all its processes. */
import type { Counts, StreamChange, Verdict } from '../../http/index.ts'
import type { FromProcess } from './messages.ts'

/** How long an answer may take; then the request is refused. */
const PATIENCE_MS = 5000

export class RemoteCounts implements Counts {
  readonly #send: (message: FromProcess) => void
  readonly #asked = new Map<number, (verdict: Verdict) => void>()
  #lastId = 0

  constructor(send: (message: FromProcess) => void) {
    this.#send = send
  }

  takeRead(network: string): Promise<Verdict> {
    return this.#ask('read', network)
  }

  demandStream(network: string): Promise<Verdict> {
    return this.#ask('stream', network)
  }

  countStream(network: string, change: StreamChange): void {
    this.#send({ kind: 'stream', network, change })
  }

  /** The answer to a question. */
  hear(id: number, verdict: Verdict): void {
    this.#asked.get(id)?.(verdict)
  }

  #ask(about: 'read' | 'stream', network: string): Promise<Verdict> {
    return new Promise((answered) => {
      const id = ++this.#lastId
      const answer = (verdict: Verdict) => {
        clearTimeout(late)
        this.#asked.delete(id)
        answered(verdict)
      }
      const late = setTimeout(answer, PATIENCE_MS, 'full').unref()
      this.#asked.set(id, answer)
      this.#send({ kind: 'ask', id, about, network })
    })
  }
}
