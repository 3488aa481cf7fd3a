/** The feed of changes as server-sent events. The number of an entry is its id, so that clients can resume after it. */
import type { FeedEntry, FeedReader, LogBounds } from '../../engine/index.ts'
import type { LiveConnection } from '../exchange/message.ts'

/** How long a client waits before it connects again. */
const RETRY_MS = 2000

const START = Buffer.from(`retry: ${RETRY_MS}\n\n`)
/** A comment. */
const BEAT = Buffer.from(':\n\n')

/** Readers with the same filter get the same list of entries. */
const frames = new WeakMap<readonly FeedEntry[], Buffer>()

/** The number in the id of an event; undefined if it is none. */
export function readEventId(id: string): number | undefined {
  return /^[0-9]{1,15}$/.test(id) ? Number(id) : undefined
}

function eventId(seq: number): string {
  return String(seq)
}

export class EventStream implements FeedReader {
  readonly #connection: LiveConnection

  constructor(connection: LiveConnection) {
    this.#connection = connection
    connection.write(START)
  }

  get isReady(): boolean {
    return this.#connection.isReady
  }

  take(entries: readonly FeedEntry[]): void {
    this.#connection.write(framesOf(entries))
  }

  checkpoint(next: number): void {
    this.#connection.write(event('checkpoint', { next }, next))
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

function framesOf(entries: readonly FeedEntry[]): Buffer {
  const known = frames.get(entries)
  if (known) return known
  const made = Buffer.concat(entries.map((entry) => event('change', entry, entry.seq)))
  frames.set(entries, made)
  return made
}

function event(name: string, data: object, seq?: number): Buffer {
  const id = seq === undefined ? '' : `id: ${eventId(seq)}\n`
  return Buffer.from(`event: ${name}\n${id}data: ${JSON.stringify(data)}\n\n`)
}
