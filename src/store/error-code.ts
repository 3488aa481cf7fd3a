/** Reads an error that was caught: anything can be thrown. */

/** The code that Node, SQLite and PostgreSQL give their errors, such as `ENOENT`; empty if there is none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code ?? '') : ''
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
