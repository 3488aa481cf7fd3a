/** Values as PostgreSQL's driver reads them. */
import pg from 'pg'

/** BIGINT comes as text by default; all of ours fit a number exactly. */
export function parserFor(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(oid, format as 'text')
}
