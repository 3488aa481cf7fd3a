/** A worker or the writer, as the supervisor sees it. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import type { MetricsOfProcess, ProcessFigures, Receiver } from '../../http/index.ts'
import { Mistake } from '../desk.ts'
import type { Given } from '../settings.ts'
import { type FromProcess, isFromProcess, type Role, type ToProcess, type WriterState } from './messages.ts'

/** How long it may take to say its figures. */
const MEASURE_MS = 2000

export interface Measured {
  readonly metrics: MetricsOfProcess
  readonly figures?: ProcessFigures | undefined
}

const NOTHING: Measured = { metrics: [] }

export class ServingProcess implements Receiver {
  readonly role: Role
  /** Where the writer listens. */
  readonly path: string
  readonly startedAt = performance.now()
  /** Resolves when it serves; rejects with the reason if it cannot. */
  readonly ready: Promise<void>
  /** Resolves when it has ended, with how. */
  readonly ended: Promise<string>
  /** What only a writer knows. */
  state: WriterState | undefined
  /** Live streams by network. */
  readonly streams = new Map<string, number>()
  /** Called with every message but the first. */
  onMessage: (message: FromProcess) => void = () => {}
  readonly #child: ChildProcess
  #onSwitched: (() => void)[] = []
  #onMeasured: ((measured: Measured) => void)[] = []

  constructor(role: Role, path: string, environment: Given) {
    this.role = role
    this.path = path
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
    this.#child = fork(process.argv[1] ?? '', ['serve-process'], { env: { ...environment }, stdio: [...stdio] })
    // Whatever fails, the process ends.
    this.#child.on('error', () => this.kill())
    this.ended = new Promise((ended) => {
      this.#child.once('exit', (code, signal) => ended(signal ?? `exit code ${code}`))
    })
    this.ready = new Promise((ready, failed) => {
      this.#child.on('message', (message) => {
        if (!isFromProcess(message)) return
        if (message.kind === 'failed') failed(new Mistake(message.line))
        else if (message.kind === 'ready') {
          this.state = message.state
          ready()
        } else if (message.kind === 'switched') this.#switched()
        else if (message.kind === 'measured') this.#measured(message)
        else this.onMessage(message)
      })
      void this.ended.then((how) => {
        this.#switched()
        this.#measured(NOTHING)
        failed(new Mistake(`the ${role} has ended before it could serve: ${how}`))
      })
    })
    // Who starts it waits for this, and it may fail before.
    this.ready.catch(() => {})
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  send(message: ToProcess): void {
    // A process that has ended is noticed elsewhere.
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  hand(socket: Socket, number: number): void {
    const message: ToProcess = { kind: 'connection', number }
    if (this.#child.connected) this.#child.send(message, socket, { keepOpen: true }, () => {})
  }

  /** Resolves when the worker sends nothing more to the writer before, or has ended. */
  useWriter(path: string | undefined): Promise<void> {
    return new Promise((switched) => {
      this.#onSwitched.push(switched)
      this.send({ kind: 'writer', ...(path === undefined ? {} : { path }) })
    })
  }

  /** Its figures; none if it has ended, or is too busy to answer. */
  measure(): Promise<Measured> {
    return new Promise((measured) => {
      this.#onMeasured.push(measured)
      setTimeout(() => measured(NOTHING), MEASURE_MS).unref()
      this.send({ kind: 'measure' })
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  #measured(measured: Measured): void {
    for (const each of this.#onMeasured.splice(0)) each(measured)
  }

  #switched(): void {
    for (const each of this.#onSwitched.splice(0)) each()
  }
}
