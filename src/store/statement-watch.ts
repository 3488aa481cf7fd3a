/** Watches how long statements take. Nothing is watched unless the operator wants traces. */
import { currentRequest } from './request.ts'
import type { TraceSpan } from './trace.ts'

export class StatementWatch {
  readonly #system: 'sqlite' | 'postgresql'

  constructor(system: 'sqlite' | 'postgresql') {
    this.#system = system
  }

  /** The text has placeholders; the values are nobody's business. */
  begin(sql: string): WatchedStatement {
    const attributes = { 'db.system.name': this.#system, 'db.query.text': sql }
    const span = currentRequest()?.trace?.begin?.(summaryOf(sql), { kind: 'client', attributes })
    return new WatchedStatement(span)
  }
}

export class WatchedStatement {
  readonly #span: TraceSpan | undefined

  constructor(span: TraceSpan | undefined) {
    this.#span = span
  }

  end(rows: number): void {
    this.#span?.set({ 'db.response.returned_rows': rows })
    this.#span?.end()
  }

  fail(error: unknown): void {
    this.#span?.end(error)
  }
}

const SUMMARY = /^\s*(\w+)(?:[\s\S]{0,2000}?\b(?:FROM|INTO|UPDATE)\s+"?(\w+))?/

/** What it does and with which table, such as `SELECT polynym`: one of few names. */
function summaryOf(sql: string): string {
  const [, verb = 'statement', table] = SUMMARY.exec(sql) ?? []
  return table === undefined ? verb : `${verb} ${table}`
}
