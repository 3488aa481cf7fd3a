/**
 * Unpacks deflated bytes piece by piece and synchronously. Node's own synchronous functions need all of it in memory,
 * packed and unpacked; its streams do not, but a transaction cannot wait for them. So a stream runs in another thread.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'

/** The result of one piece of packed bytes. */
export type Inflated =
  | {
      readonly pieces: readonly Uint8Array[]
      /** Whether this was the last piece. */
      readonly ended: boolean
      /** How many of the packed bytes belonged to it. */
      readonly used: number
    }
  | { readonly broken: true }

const PATIENCE_MS = 60_000

export class Inflater {
  readonly #worker: Worker
  readonly #port: MessagePort
  readonly #signal = new Int32Array(new SharedArrayBuffer(4))

  constructor() {
    const { port1, port2 } = new MessageChannel()
    this.#port = port1
    this.#worker = new Worker(new URL('./inflate-worker.ts', import.meta.url), {
      workerData: { port: port2, signal: this.#signal },
      transferList: [port2],
    })
    this.#worker.unref()
  }

  push(packed: Uint8Array): Inflated {
    const answers = Atomics.load(this.#signal, 0)
    this.#port.postMessage(Uint8Array.from(packed))
    Atomics.wait(this.#signal, 0, answers, PATIENCE_MS)
    const received = receiveMessageOnPort(this.#port)
    if (!received) throw new Error('the thread that unpacks a backup does not respond')
    return received.message
  }

  close(): void {
    this.#port.close()
    void this.#worker.terminate()
  }
}
