/** The result of a check: one line. Unless it is ok, the line says why, and what to do. */
export interface Finding {
  readonly level: 'ok' | 'warn' | 'fail'
  readonly says: string
}

export type Findings = AsyncGenerator<Finding, void>

export const ok = (says: string): Finding => ({ level: 'ok', says })
export const warn = (says: string): Finding => ({ level: 'warn', says })
export const fail = (says: string): Finding => ({ level: 'fail', says })

/** The message of an error, in one line. */
export function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')
}
