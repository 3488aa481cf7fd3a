/**
 * The feed of changes as server-sent events. The id of an event names the log and the entry, so that clients can resume
 * after it.
 */
import type { FeedEntry, FeedReader } from '../../engine/index.ts'
import type { LogBounds } from '../../store/index.ts'
import type { LiveConnection } from '../exchange/message.ts'

/** How long a client waits before it connects again. */
const RETRY_MS = 2000

const START = Buffer.from(`retry: ${RETRY_MS}\n\n`)
/** A comment. */
const BEAT = Buffer.from(':\n\n')

/** Readers with the same filter get the same list of entries. */
const frames = new WeakMap<readonly FeedEntry[], Buffer>()

export interface EventId {
  readonly log: string | undefined
  readonly seq: number | undefined
}

/** Undefined if it is none. */
export function readEventId(text: string): EventId | undefined {
  const [, log, seq] = /^([0-9a-f]+):([0-9]{1,15})$/.exec(text) ?? []
  return log === undefined ? undefined : { log, seq: Number(seq) }
}

export class EventStream implements FeedReader {
  readonly #connection: LiveConnection
  readonly #log: string

  constructor(connection: LiveConnection, log: string) {
    this.#connection = connection
    this.#log = log
    connection.write(START)
  }

  get isReady(): boolean {
    return this.#connection.isReady
  }

  take(entries: readonly FeedEntry[]): void {
    this.#connection.write(framesOf(entries, this.#log))
  }

  checkpoint(next: number): void {
    this.#connection.write(event('checkpoint', { next }, `${this.#log}:${next}`))
  }

  beat(): void {
    this.#connection.write(BEAT)
  }

  reset({ oldest, latest }: LogBounds): void {
    this.#connection.write(event('reset', { oldest, latest }))
    this.#connection.end()
  }

  end(): void {
    this.#connection.end()
  }

  cut(): void {
    this.#connection.cut()
  }
}

function framesOf(entries: readonly FeedEntry[], log: string): Buffer {
  const known = frames.get(entries)
  if (known) return known
  const made = Buffer.concat(entries.map((entry) => event('change', entry, `${log}:${entry.seq}`)))
  frames.set(entries, made)
  return made
}

function event(name: string, data: object, id?: string): Buffer {
  return Buffer.from(`event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`)
}
