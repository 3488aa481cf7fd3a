/** An answer that the writer sends to a worker in pieces, as fast as the client of the worker takes them. */
import { type Body, isLive, type LiveConnection } from '../exchange/message.ts'
import { CUT, END, type FrameSocket, PIECE } from './frames.ts'

/** How many pieces are on their way. */
const MOST_UNTAKEN = 4

export class StreamedAnswer implements LiveConnection {
  onReady: () => void = () => {}
  onClose: () => void = () => {}
  readonly #frames: FrameSocket
  readonly #id: number
  readonly #onOver: () => void
  #untaken = 0
  #isOver = false

  /** `onOver` is called when everything is sent, or cannot be. */
  constructor(frames: FrameSocket, id: number, onOver: () => void) {
    this.#frames = frames
    this.#id = id
    this.#onOver = onOver
  }

  async send(body: Body): Promise<void> {
    if (isLive(body)) {
      body.open(this)
      return
    }
    if (typeof body === 'string' || !(Symbol.asyncIterator in body)) throw new Error('only a stream is sent in pieces')
    try {
      for await (const piece of body) {
        if (this.#isOver) return
        this.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
        if (!this.isReady) await new Promise<void>((ready) => this.#whenReady(ready))
      }
      this.end()
    } catch {
      this.cut()
    }
  }

  get isReady(): boolean {
    return this.#untaken < MOST_UNTAKEN
  }

  write(bytes: Buffer): void {
    if (this.#isOver) return
    this.#untaken++
    this.#frames.send(PIECE, this.#id, undefined, bytes)
  }

  end(): void {
    this.#finish(END)
  }

  cut(): void {
    this.#finish(CUT)
  }

  /** The worker has sent a piece to its client. */
  taken(): void {
    const wasReady = this.isReady
    this.#untaken--
    if (!wasReady && this.isReady) this.onReady()
  }

  /** Nobody wants the rest. */
  lose(): void {
    this.#finish(undefined)
  }

  #whenReady(ready: () => void): void {
    this.onReady = ready
    this.onClose = ready
  }

  #finish(kind: number | undefined): void {
    if (this.#isOver) return
    this.#isOver = true
    if (kind !== undefined) this.#frames.send(kind, this.#id)
    // As of any connection, later: who ends it may not listen yet.
    setImmediate(() => this.onClose())
    this.#onOver()
  }
}
