/** The server of the writer: answers requests that workers pass on, over a socket that only they can use. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { problems } from '../../engine/index.ts'
import { inRequest } from '../../store/index.ts'
import { type Answer, isWrite } from '../exchange/message.ts'
import { LIMITS } from '../exchange/wire-limits.ts'
import { traceIn } from '../request/trace-context.ts'
import { Admission } from './admission.ts'
import { EventLoopWatch, type Held } from './event-loop.ts'
import { FrameSocket, HELLO, REQUEST } from './frames.ts'
import type { RunningServer, ServerParts, ServerSettings } from './parts.ts'
import type { Hello } from './passed.ts'
import { PassedWork } from './passed-work.ts'
import { refusal } from './refuse.ts'

/** Where it listens, and what its workers say first. */
export interface WriterPlace {
  readonly path: string
  readonly secret: string
}

const OVERLOADED = refusal(problems.overloaded())

export class WriterServer implements RunningServer {
  readonly url = ''
  readonly #parts: ServerParts
  readonly #place: WriterPlace
  readonly #server = createServer((socket) => this.#connect(socket))
  readonly #admission: Admission
  readonly #loop: EventLoopWatch
  readonly #sockets = new Set<Socket>()
  readonly #running = new Set<PassedWork>()
  #onIdle: () => void = () => {}

  constructor(parts: ServerParts, settings: ServerSettings, place: WriterPlace) {
    this.#parts = parts
    this.#place = place
    this.#admission = new Admission(settings.queueMs)
    this.#loop = new EventLoopWatch(settings.holdMs, (held) => this.#onHeld(held))
    parts.watchRunning?.(this.#loop.mark)
  }

  listen(): Promise<void> {
    return new Promise((listening, failed) => {
      this.#server.once('error', failed)
      this.#server.listen(this.#place.path, () => {
        this.#server.off('error', failed)
        listening()
      })
    })
  }

  /** Its clients are workers, which know when they get another writer. */
  drain(): void {}

  retire(): Promise<void> {
    return this.stop()
  }

  async stop(): Promise<void> {
    this.#server.close()
    await new Promise<void>((idle) => {
      const late = setTimeout(idle, LIMITS.stopMs)
      this.#onIdle = () => {
        if (this.#running.size > 0) return
        clearTimeout(late)
        // The last answers are sent at the end of this turn.
        setImmediate(() => setImmediate(idle))
      }
      this.#onIdle()
    })
    for (const socket of this.#sockets) socket.destroySoon()
    this.#loop.stop()
  }

  #connect(socket: Socket): void {
    this.#sockets.add(socket)
    const works = new Map<number, PassedWork>()
    let isKnown = false
    const stranger = setTimeout(() => isKnown || socket.destroy(), LIMITS.headersMs).unref()
    const frames = new FrameSocket(socket, (frame) => {
      if (!isKnown) {
        isKnown = frame.kind === HELLO && this.#isHello(frame.head)
        if (!isKnown) socket.destroy()
      } else if (frame.kind === REQUEST) {
        const work = new PassedWork(frame, frames, this.#parts.patience)
        works.set(frame.id, work)
        this.#admit(work, () => works.delete(frame.id))
      } else works.get(frame.id)?.hear(frame)
    })
    // Closing it follows.
    socket.on('error', () => {})
    socket.once('close', () => {
      clearTimeout(stranger)
      this.#sockets.delete(socket)
      for (const work of works.values()) work.lose()
    })
  }

  #isHello(head: string): boolean {
    const hello: Hello = { secret: this.#place.secret }
    return timingSafeEqual(hashOf(head), hashOf(JSON.stringify(hello)))
  }

  #admit(work: PassedWork, over: () => void): void {
    this.#running.add(work)
    const end = () => {
      over()
      this.#running.delete(work)
      this.#onIdle()
    }
    this.#admission.admit({
      isWrite: isWrite(work.passed),
      isGone: work.context.isGone,
      run: () => void this.#answer(work).then(end, end),
      shed: () => void work.send(OVERLOADED).then(end, end),
      drop: end,
    })
  }

  async #answer(work: PassedWork): Promise<void> {
    const { passed, context } = work
    const sort = { isWrite: isWrite(passed) }
    this.#admission.enter(sort)
    context.onPause = (isPaused) => (isPaused ? this.#admission.leave(sort) : this.#admission.enter(sort))
    this.#loop.mark(context.id)
    const span = this.#parts.spans?.beginPassed(passed)
    context.trace = span ?? traceIn(passed.headers)
    let answer: Answer
    try {
      answer = await inRequest(context, () => this.#parts.respond(work.request))
    } catch (error) {
      this.#parts.log.unsendable(error, context.id)
      answer = refusal(problems.serverError())
    }
    this.#admission.leave(sort)
    this.#loop.mark(context.id)
    span?.set({ 'http.response.status_code': answer.status })
    span?.end()
    await work.send(answer)
  }

  #onHeld(held: Held): void {
    const { method, target } = [...this.#running].find(({ passed }) => passed.id === held.id)?.passed ?? {}
    this.#parts.log.held({ ...held, ...(method && target ? { method, url: target } : {}) })
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest()
