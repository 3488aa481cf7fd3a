/**
 * Messages between two processes of a server, over one connection. Those of a turn of the event loop are sent together,
 * and a hundred requests cost little more than one. HTTP between the processes would cost as much as a write.
 */
import type { Socket } from 'node:net'

/** From a worker: */
export const HELLO = 0
export const REQUEST = 1
/** The body of a request, or why it could not be read. */
export const BODY = 2
export const FAULT = 3
/** The client has disconnected. */
export const GONE = 4
/** A piece of a streamed answer was sent on. */
export const TAKEN = 5
/** From the writer: */
export const ANSWER = 6
export const WANTS_BODY = 7
export const PIECE = 8
export const END = 9
/** The rest of the answer is missing. */
export const CUT = 10

export interface Frame {
  readonly kind: number
  /** Of the request. */
  readonly id: number
  /** JSON, or empty. */
  readonly head: string
  readonly bytes: Buffer
}

/** The number of bytes that follow, the kind, the id, and the number of bytes of the head. */
const PREFIX = 13
const NO_BYTES = Buffer.alloc(0)

export class FrameSocket {
  readonly #socket: Socket
  readonly #onFrame: (frame: Frame) => void
  #unsent: Buffer[] = []
  #received: Buffer[] = []
  #size = 0
  /** How many bytes are needed to continue. */
  #needed = PREFIX

  constructor(socket: Socket, onFrame: (frame: Frame) => void) {
    this.#socket = socket
    this.#onFrame = onFrame
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
  }

  send(kind: number, id: number, head?: object, bytes: Buffer = NO_BYTES): void {
    const text = head === undefined ? '' : JSON.stringify(head)
    const length = Buffer.byteLength(text)
    const frame = Buffer.allocUnsafe(PREFIX + length)
    frame.writeUInt32LE(PREFIX - 4 + length + bytes.length, 0)
    frame.writeUInt8(kind, 4)
    frame.writeUInt32LE(id, 5)
    frame.writeUInt32LE(length, 9)
    frame.write(text, PREFIX)
    if (this.#unsent.length === 0) setImmediate(this.#flush)
    this.#unsent.push(frame)
    if (bytes.length > 0) this.#unsent.push(bytes)
  }

  close(): void {
    this.#socket.destroy()
  }

  readonly #flush = (): void => {
    const frames = this.#unsent
    this.#unsent = []
    if (!this.#socket.destroyed)
      this.#socket.write(frames.length === 1 ? (frames[0] ?? NO_BYTES) : Buffer.concat(frames))
  }

  #receive(chunk: Buffer): void {
    this.#received.push(chunk)
    this.#size += chunk.length
    if (this.#size < this.#needed) return
    const all = this.#received.length === 1 ? chunk : Buffer.concat(this.#received)
    let at = 0
    this.#needed = PREFIX
    while (all.length - at >= PREFIX) {
      const end = at + 4 + all.readUInt32LE(at)
      if (end > all.length) {
        this.#needed = end - at
        break
      }
      const head = at + PREFIX + all.readUInt32LE(at + 9)
      const [kind, id] = [all.readUInt8(at + 4), all.readUInt32LE(at + 5)]
      const [start, bytes] = [at + PREFIX, all.subarray(head, end)]
      at = end
      this.#onFrame({ kind, id, head: all.toString('utf8', start, head), bytes })
    }
    this.#received = at < all.length ? [all.subarray(at)] : []
    this.#size = all.length - at
  }
}
