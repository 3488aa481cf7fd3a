/**
 * The trace that a request belongs to (W3C Trace Context), for code far below the server. A server that collects spans
 * adds its own to it; any other passes on what it was given.
 */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** What tells another server about it. */
  readonly headers: TraceHeaders
  /** Begins a span inside it. Undefined if this server collects none. */
  begin?(name: string, options?: SpanOptions): TraceSpan
}

export interface TraceHeaders {
  readonly traceparent: string
  readonly tracestate?: string
}

export type Attributes = Readonly<Record<string, string | number | boolean>>

export interface SpanOptions {
  /** `client`: it waits for another program. */
  readonly kind?: 'client' | 'internal'
  readonly attributes?: Attributes
}

export interface TraceSpan extends Trace {
  begin(name: string, options?: SpanOptions): TraceSpan
  set(attributes: Attributes): void
  rename(name: string): void
  /** With an error, if it failed. Only the kind of error is stored, because messages may contain values. */
  end(error?: unknown): void
}

/** How many writes are remembered. */
const MOST_REMEMBERED = 1000

interface TracedEntries {
  readonly from: number
  readonly upTo: number
  readonly trace: Trace
}

/** The traces of recent writes of this process, by the numbers that their entries have in the log of changes. */
export class LoggedTraces {
  /** In the order of the numbers. */
  #entries: TracedEntries[] = []

  /** The write has added the entries after `since`, up to `upTo`. */
  note(since: number, upTo: number, trace: Trace): void {
    if (upTo <= since) return
    this.#entries.push({ from: since + 1, upTo, trace })
    // Half of them at a time, because each removal moves the rest.
    if (this.#entries.length > MOST_REMEMBERED) this.#entries = this.#entries.slice(MOST_REMEMBERED / 2)
  }

  of(seq: number): Trace | undefined {
    return this.#entries.findLast(({ from, upTo }) => from <= seq && seq <= upTo)?.trace
  }
}
