/** Which moment a replica shows, and whether it is one that the primary has told: only then it may answer a read. */
import type { Row } from '../declare/index.ts'
import { statementOf } from './database.ts'
import { generationOf, type Moment, momentIn } from './generations.ts'
import { VERSION } from './version.ts'

const COLUMNS = `resource, number, layout, moved, pg_is_in_recovery()::int AS standby, (${VERSION}) AS version`
/** At least one row, also of a database that nobody has written to. */
const ROWS = '(SELECT 1) AS one LEFT JOIN generation ON true'

export const READ_SHOWN = statementOf(`SELECT ${COLUMNS} FROM ${ROWS}`)

/** The same, and of which database it is a copy. */
export const READ_SHOWN_AND_LOG = `SELECT ${COLUMNS}, (SELECT id FROM log) AS log FROM ${ROWS}`

/** A moment of the primary, and the version of its tables. */
export interface Told {
  readonly moment: Moment
  readonly version: string | undefined
}

/** Moments follow each other, because there is one writer at a time. A server that was promoted goes another way. */
export type Comparison = 'same' | 'older' | 'newer' | 'promoted'

export class Shown {
  readonly moment: Moment
  /** The id of the log, if it was read. */
  readonly log: string | undefined
  readonly #isStandby: boolean
  readonly #version: string | undefined

  constructor(rows: readonly Row[]) {
    const [first] = rows
    this.moment = momentIn(rows.filter((row) => row['resource'] !== null))
    this.log = first?.['log']?.toString()
    this.#isStandby = first?.['standby'] === 1
    this.#version = first?.['version']?.toString()
  }

  comparedWith({ moment, version }: Told): Comparison {
    if (!this.#isStandby) return 'promoted'
    // Tables of another version may have other values at the same moment.
    if (this.#version !== version) return 'older'
    const names = new Set([...this.moment.keys(), ...moment.keys()])
    const difference = (name: string) => generationOf(this.moment, name).number - generationOf(moment, name).number
    const differences = Array.from(names, difference)
    if (differences.some((by) => by < 0)) return 'older'
    return differences.some((by) => by > 0) ? 'newer' : 'same'
  }
}
