/** Rows that depend on one resource alone, and its generation: while that lasts, they need not be read again. */
import type { Row } from '../declare/index.ts'
import type { Statement } from './database.ts'
import { generationOf, type Moment } from './generations.ts'
import type { Memory } from './lockstep.ts'

const MOST = 1000

export class RememberedRows {
  readonly #known = new Map<string, { readonly number: number; readonly rows: readonly Row[] }>()

  /** For a transaction that shows this moment. */
  at(moment: Moment): Memory {
    return {
      recall: (statement) => this.#recall(statement, moment),
      remember: (statement, rows) => this.#remember(statement, rows, moment),
    }
  }

  #recall(statement: Statement, moment: Moment): readonly Row[] | undefined {
    const { dependsOn } = statement
    if (dependsOn === undefined) return undefined
    const known = this.#known.get(keyOf(statement))
    return known?.number === generationOf(moment, dependsOn).number ? known.rows : undefined
  }

  #remember(statement: Statement, rows: readonly Row[], moment: Moment): void {
    const { dependsOn } = statement
    if (dependsOn === undefined) return
    if (this.#known.size >= MOST) this.#known.clear()
    this.#known.set(keyOf(statement), { number: generationOf(moment, dependsOn).number, rows })
  }
}

function keyOf({ sql, parameters }: Statement): string {
  return `${sql} ${parameters.join()}`
}
