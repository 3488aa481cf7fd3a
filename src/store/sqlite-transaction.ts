/** The statements around the writes of a transaction on SQLite. */
import { END_OF_LOG } from './change-log.ts'
import type { Statement } from './database.ts'
import { VERSION } from './version.ts'

const statement = (sql: string): Statement => ({ sql, parameters: [] })
export const BEGIN = statement('BEGIN IMMEDIATE')
export const CHECK_VERSION = statement(VERSION)
export const READ_END = statement(END_OF_LOG)
export const COMMIT = statement('COMMIT')
export const ROLLBACK = statement('ROLLBACK')
export const SAVEPOINT = statement('SAVEPOINT request')
export const RELEASE = statement('RELEASE SAVEPOINT request')
export const ROLLBACK_TO = statement('ROLLBACK TO SAVEPOINT request')
