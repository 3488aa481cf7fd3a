/** Pieces of SQL with their parameters, put together in order. */
import type { Cell } from '../declare/index.ts'

export interface Sql {
  readonly sql: string
  readonly parameters: readonly Cell[]
}

/** Greater than any letter, so that `text < prefix + HIGHEST` holds for all texts with the prefix. */
export const HIGHEST = '\u{10ffff}'

export const plain = (sql: string): Sql => ({ sql, parameters: [] })

export function all(parts: readonly Sql[], between = ' AND '): Sql {
  return {
    sql: parts.map(({ sql }) => sql).join(between),
    parameters: parts.flatMap(({ parameters }) => parameters),
  }
}

/** SQL parts joined, with their parameters in order. */
export function joined(texts: TemplateStringsArray, ...parts: readonly (Sql | string)[]): Sql {
  return all(
    texts.flatMap((text, i) => {
      const part = parts[i] ?? ''
      return [plain(text), typeof part === 'string' ? plain(part) : part]
    }),
    '',
  )
}
