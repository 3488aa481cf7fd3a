/** The statements around the writes of a transaction on SQLite. */
import { END_OF_LOG } from './change-log.ts'
import { statementOf } from './database.ts'
import { VERSION } from './version.ts'

export const BEGIN = statementOf('BEGIN IMMEDIATE')
export const CHECK_VERSION = statementOf(VERSION)
export const READ_END = statementOf(END_OF_LOG)
export const COMMIT = statementOf('COMMIT')
export const ROLLBACK = statementOf('ROLLBACK')
export const SAVEPOINT = statementOf('SAVEPOINT request')
export const RELEASE = statementOf('RELEASE SAVEPOINT request')
export const ROLLBACK_TO = statementOf('ROLLBACK TO SAVEPOINT request')
