/** What the server is made of, and what it offers. */
import type { Server } from 'node:http'
import type { Answer, OnAnswered, Request } from '../exchange/message.ts'
import type { RequestSpans } from '../tracing/request-spans.ts'
import type { CachedAnswers } from './cached-reads.ts'
import type { Held } from './event-loop.ts'
import type { Exchange } from './exchange.ts'
import type { Intake } from './listeners.ts'
import type { OriginSettings } from './origin.ts'
import type { Patience } from './request-wait.ts'

export interface ServerSettings extends OriginSettings {
  readonly host: string
  readonly port: number
  /** The file descriptor of a socket that listens already. */
  readonly socket?: number | undefined
  /** A request that blocks the event loop for longer than this is logged. */
  readonly holdMs: number
  /** When requests wait longer than this to begin, new ones are refused. */
  readonly queueMs: number
}

export interface AccessLog {
  /** A response that could not be sent as it was: a bug. */
  unsendable(error: unknown, id: string): void
  /** One line for each request, when its response is sent or abandoned; undefined to turn it off. */
  readonly answered: OnAnswered | undefined
  /** Told of responses from the cache in place of `answered`, where nobody wants to know more of them. */
  readonly cached?: ((status: number) => void) | undefined
  /** A request has blocked the event loop for too long. */
  held(held: Held & { readonly method?: string; readonly url?: string }): void
}

export interface Passing {
  isFor(request: Request): boolean
  pass(exchange: Exchange, request: Request): Promise<Answer>
}

export interface RunningServer {
  readonly url: string
  /** Asks clients to close their connections: `stop` follows. */
  drain(): void
  /** The same, and resolves when the last client has; the others are closed when they have been idle for long. */
  retire(): Promise<void>
  /**
   * First asks clients to close their connections, then accepts no new ones and lets the running requests finish;
   * resolves when all are done.
   */
  stop(options?: { readonly drainMs?: number }): Promise<void>
}

export interface ServerParts {
  readonly respond: (request: Request) => Promise<Answer>
  readonly log: AccessLog
  readonly patience: Patience
  /** Answered at once, however busy the server is. */
  isUrgent(path: string): boolean
  readonly cache?: CachedAnswers | undefined
  /** Undefined if nobody collects spans. */
  readonly spans?: Pick<RequestSpans, 'begin' | 'beginPassed'> | undefined
  /** Where connections come from; the port by default. */
  readonly intake?: ((server: Server) => Intake) | undefined
  /** Requests that another process answers. */
  readonly passing?: Passing | undefined
  /** Is given a function to be called with the id of the request that runs. */
  watchRunning?(mark: (id: string | undefined) => void): void
}
