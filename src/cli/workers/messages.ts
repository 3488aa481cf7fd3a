/** What the supervisor and its processes tell each other. */
import type { MetricsOfProcess, ProcessFigures, StaffSources, StreamChange, Verdict } from '../../http/index.ts'

export type Role = 'worker' | 'writer'

/** What only the writer knows, and workers tell clients. */
export interface WriterState {
  /** `ok`, or why records cannot be written. */
  readonly writes: string
  /** Of a copy of another server. */
  readonly following?: {
    readonly source: string
    readonly status: { readonly isWhole: boolean; readonly behind: number | undefined }
  }
}

export type ToProcess =
  | {
      readonly kind: 'start'
      readonly role: Role
      /** The socket of the writer; empty if there is none at the moment. */
      readonly path: string
      readonly secret: string
      readonly state: WriterState
      /** All settings, for staff. */
      readonly settings: StaffSources['settings']
    }
  /** With a connection of a client. */
  | { readonly kind: 'connection'; readonly number: number }
  /** There is another writer; without a path there is none. */
  | { readonly kind: 'writer'; readonly path?: string }
  | { readonly kind: 'state'; readonly state: WriterState }
  | { readonly kind: 'verdict'; readonly id: number; readonly verdict: Verdict }
  /** It answers with `measured`. */
  | { readonly kind: 'measure' }
  /** What the workers know, for the staff pages of the writer. */
  | { readonly kind: 'figures'; readonly figures: readonly ProcessFigures[] }
  /** Clients are asked to close their connections. */
  | { readonly kind: 'drain' }
  /** Another worker takes its place: it ends when its last client has gone. */
  | { readonly kind: 'retire' }
  | { readonly kind: 'stop' }

export type FromProcess =
  | { readonly kind: 'ready'; readonly state?: WriterState }
  | { readonly kind: 'failed'; readonly line: string }
  /** A newer program has migrated the database. */
  | { readonly kind: 'outdated'; readonly line: string }
  | { readonly kind: 'state'; readonly state: WriterState }
  /** It has the connection of this number. */
  | { readonly kind: 'taken'; readonly number: number }
  /** The writer before has no request of this worker that it has not begun to answer. */
  | { readonly kind: 'switched' }
  | { readonly kind: 'ask'; readonly id: number; readonly about: 'read' | 'stream'; readonly network: string }
  | { readonly kind: 'stream'; readonly network: string; readonly change: StreamChange }
  | { readonly kind: 'measured'; readonly metrics: MetricsOfProcess; readonly figures?: ProcessFigures | undefined }
  /** The writer wants `figures`. */
  | { readonly kind: 'want-figures' }

/** Messages come from the same program, so only their origin is checked: Node sends others of its own. */
export function isToProcess(message: unknown): message is ToProcess {
  return isMessage(message)
}

export function isFromProcess(message: unknown): message is FromProcess {
  return isMessage(message)
}

function isMessage(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'kind' in message
}
