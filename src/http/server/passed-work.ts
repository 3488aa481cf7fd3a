/** A request that a worker has passed on, as the writer works on it. */
import { problems } from '../../engine/index.ts'
import { type Answer, bytesIn, type Request, splitTarget, wholeBody } from '../exchange/message.ts'
import { ANSWER, BODY, FAULT, type Frame, type FrameSocket, GONE, TAKEN, WANTS_BODY } from './frames.ts'
import { type PassedAnswer, type PassedRequest, problemIn } from './passed.ts'
import { type Patience, RequestWait } from './request-wait.ts'
import { StreamedAnswer } from './streamed-answer.ts'

const NO_BODY = Buffer.alloc(0)

export class PassedWork {
  readonly passed: PassedRequest
  readonly context: RequestWait
  readonly #frames: FrameSocket
  readonly #number: number
  readonly #received = Promise.withResolvers<Buffer>()
  #isReceived = false
  #isGone = false
  #stream: StreamedAnswer | undefined

  constructor({ id, head }: Frame, frames: FrameSocket, patience: Patience) {
    this.passed = JSON.parse(head)
    this.#number = id
    this.#frames = frames
    this.context = new RequestWait(this.passed.id, patience, () => this.#isGone)
    // A handler may never want the body.
    this.#received.promise.catch(() => {})
  }

  get request(): Request {
    const { id, method, target, headers, base, address } = this.passed
    let body: Promise<Buffer> | undefined
    return {
      ...{ id, method, headers, base, address },
      ...splitTarget(target),
      body: () => {
        body ??= this.#readBody()
        return body
      },
    }
  }

  hear({ kind, head, bytes }: Frame): void {
    if (kind === BODY) {
      this.#isReceived = true
      this.#received.resolve(bytes)
    } else if (kind === FAULT) this.#received.reject(problemIn(JSON.parse(head)))
    else if (kind === TAKEN) this.#stream?.taken()
    else if (kind === GONE) this.lose()
  }

  /** The client or the worker has gone. */
  lose(): void {
    this.#isGone = true
    this.#received.reject(problems.badRequest('The request body did not arrive whole.'))
    this.#stream?.lose()
  }

  /** Resolves when all of it is sent. */
  async send({ status, headers, body, length = bytesIn(body) }: Answer): Promise<void> {
    const isHead = this.passed.method === 'HEAD'
    const answer: PassedAnswer = { status, headers, ...(length === undefined ? {} : { length }) }
    const isWhole = bytesIn(body) !== undefined
    if (isHead || isWhole) this.#frames.send(ANSWER, this.#number, answer, isHead ? NO_BODY : wholeBody(body))
    if (isWhole) return
    const isUnwanted = isHead || this.#isGone
    if (!isUnwanted) this.#frames.send(ANSWER, this.#number, { ...answer, isStream: true })
    await new Promise<void>((over) => {
      this.#stream = new StreamedAnswer(this.#frames, this.#number, over)
      // A stream that nobody wants is begun all the same: only then it ends, and gives back what it holds.
      if (isUnwanted) this.#stream.lose()
      void this.#stream.send(body)
    })
  }

  async #readBody(): Promise<Buffer> {
    if (this.passed.body === 'none') return NO_BODY
    if (this.#isReceived) return await this.#received.promise
    if (this.passed.body === 'asked for') this.#frames.send(WANTS_BODY, this.#number)
    this.context.pause(true)
    try {
      return await this.#received.promise
    } finally {
      this.context.pause(false)
      this.context.restart()
    }
  }
}
