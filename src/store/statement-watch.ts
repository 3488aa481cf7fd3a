/** Watches how long statements take. Nothing is watched unless the operator wants traces or a log of slow queries. */
import { currentRequest, type RequestContext } from './request.ts'
import type { TraceSpan } from './trace.ts'

/** A statement that took long, without its values. */
export interface SlowQuery {
  /** With placeholders. */
  readonly sql: string
  readonly ms: number
  /** Undefined if it failed. */
  readonly rows: number | undefined
  /** Of the request for which it ran, if any. */
  readonly id: string | undefined
  /** The id of its trace. */
  readonly trace: string | undefined
}

export interface StatementWatching {
  /** How many milliseconds are slow; undefined if nobody wants to know. */
  readonly slowMs?: number | undefined
  slow?(query: SlowQuery): void
}

type System = 'sqlite' | 'postgresql'

/** Some texts have many conditions. */
const LONGEST_SQL = 4000

export class StatementWatch {
  readonly #system: System
  readonly #watching: StatementWatching

  constructor(system: System, watching: StatementWatching) {
    this.#system = system
    this.#watching = watching
  }

  /** The text has placeholders; the values are nobody's business. */
  begin(sql: string): WatchedStatement {
    const context = currentRequest()
    const attributes = { 'db.system.name': this.#system, 'db.query.text': sql }
    const span = context?.trace?.begin?.(summaryOf(sql), { kind: 'client', attributes })
    return new WatchedStatement(sql, { watching: this.#watching, context, span })
  }
}

interface Parts {
  readonly watching: StatementWatching
  readonly context: RequestContext | undefined
  readonly span: TraceSpan | undefined
}

export class WatchedStatement {
  readonly #sql: string
  readonly #parts: Parts
  readonly #started = performance.now()

  constructor(sql: string, parts: Parts) {
    this.#sql = sql
    this.#parts = parts
  }

  end(rows: number): void {
    this.#report(rows)
    this.#parts.span?.set({ 'db.response.returned_rows': rows })
    this.#parts.span?.end()
  }

  fail(error: unknown): void {
    this.#report(undefined)
    this.#parts.span?.end(error)
  }

  #report(rows: number | undefined): void {
    const { watching, context } = this.#parts
    const { slowMs = Number.POSITIVE_INFINITY } = watching
    const ms = performance.now() - this.#started
    if (ms < slowMs) return
    const sql = this.#sql.slice(0, LONGEST_SQL)
    watching.slow?.({ sql, ms: Math.round(ms * 100) / 100, rows, id: context?.id, trace: context?.trace?.id })
  }
}

const SUMMARY = /^\s*(\w+)(?:[\s\S]{0,2000}?\b(?:FROM|INTO|UPDATE)\s+"?(\w+))?/

/** What it does and with which table, such as `SELECT polynym`: one of few names. */
function summaryOf(sql: string): string {
  const [, verb = 'statement', table] = SUMMARY.exec(sql) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}
