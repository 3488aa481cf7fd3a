/** The writes that share a transaction on SQLite. */
import type { Work } from './database.ts'
import type { Logged } from './generations.ts'
import type { RequestContext } from './request.ts'
import type { Touched } from './touched.ts'
import type { TraceSpan } from './trace.ts'

export interface Task {
  readonly work: () => Work<unknown>
  readonly context: RequestContext | undefined
  readonly span: TraceSpan | undefined
  done(value: unknown): void
  failed(error: unknown): void
}

export interface Group {
  /** How many writes it may have: if it begins with one, nobody may join it. */
  readonly most: number
  readonly hasSavepoints: boolean
  readonly started: number
  readonly touched: Touched
  readonly settled: Settled[]
}

/** A write that has run. */
export interface Settled {
  readonly task: Task
  /** Which entries it has added to the log. */
  logged?: Logged | undefined
  /** Tells its client what came of it. */
  settle: () => void
}
