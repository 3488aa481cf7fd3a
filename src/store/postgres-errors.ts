/** Classifies errors of PostgreSQL, the network and a pooler, and what they mean for a request. */
import { ReadOnly, Taken, TooSlow, Unavailable } from './database.ts'

interface DriverError {
  readonly code?: string
  readonly message?: string
  readonly table?: string
  readonly constraint?: string
}

const STATEMENT_TIMEOUT = '57014'
const UNIQUE_VIOLATION = '23505'
const READ_ONLY = '25006'
export const READ_ONLY_REASON = 'the database is read-only'
const TOO_MANY_CONNECTIONS = '53300'

/**
 * Serialization failure, deadlock, and a referenced row that was added or deleted meanwhile: the transaction did
 * nothing, and a retry works or finds the actual error.
 */
const CONFLICTS = new Set(['40001', '40P01', '23503'])

/** A pooler in transaction mode gave us a server connection that does not know our prepared statements. */
const STATEMENT_CONFLICTS = new Set(['26000', '42P05'])

const NETWORK = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENOTFOUND EAI_AGAIN ENOENT'.split(
    ' ',
  ),
)
/** Messages of the driver, which have no code. */
const DRIVER_LOST =
  /^(Connection terminated|Client (has encountered a connection error|was closed)|timeout expired|Query read timeout|server closed the connection|terminating connection)/

/** Messages of the pool: all connections were in use for too long. */
const ALL_BUSY = /^timeout exceeded when trying to connect/

const fieldsOf = (error: unknown) => (error ?? {}) as DriverError

/** The connection broke, or could not be opened: on another one the same may work. */
export function isLost(error: unknown): boolean {
  const { code = '', message = '' } = fieldsOf(error)
  // 08: connection exceptions; 57P: the server shuts down, starts, or ended the connection; 25P03: it was idle for too
  // long.
  return NETWORK.has(code) || /^(08|57P|25P03)/.test(code) || (code === '' && DRIVER_LOST.test(message))
}

export function isAllBusy(error: unknown): boolean {
  return ALL_BUSY.test(fieldsOf(error).message ?? '')
}

export function isTimeout(error: unknown): boolean {
  return /^Query read timeout/.test(fieldsOf(error).message ?? '')
}

export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(fieldsOf(error).code ?? '')
}

export function isStatementConflict(error: unknown): boolean {
  return STATEMENT_CONFLICTS.has(fieldsOf(error).code ?? '')
}

/** There is no such table or column, or a prepared statement no longer fits the table. */
export function isUnknownName(error: unknown): boolean {
  return ['42P01', '42703', '0A000'].includes(fieldsOf(error).code ?? '')
}

export function isOutOfConnections(error: unknown): boolean {
  return fieldsOf(error).code === TOO_MANY_CONNECTIONS
}

/** The error as the rest of the program knows it. `isSlow` says that the statement had its own time limit. */
export function translated(error: unknown, { isSlow = false } = {}): unknown {
  const { code = '', table, constraint = '' } = fieldsOf(error)
  if (code === UNIQUE_VIOLATION && table) return new Taken(table, constraint.replace(`${table}_`, ''))
  if (isSlow && (code === STATEMENT_TIMEOUT || isTimeout(error))) return new TooSlow()
  if (code === READ_ONLY) return new ReadOnly(READ_ONLY_REASON, { cause: error })
  const reason = reasonOf(error)
  return reason === undefined ? error : new Unavailable(reason, { cause: error })
}

/** What a work may handle, as both engines name it; any other error is handled by the driver. */
export function errorForWork(error: unknown): unknown {
  const known = translated(error)
  return known instanceof Taken ? known : error
}

/** The connection is lost, or the whole work is tried again: there is nothing to go back to. */
export function endsWork(error: unknown): boolean {
  return isLost(error) || isConflict(error) || isStatementConflict(error)
}

/** Why the database cannot be used now, in one line; undefined for any other error. */
function reasonOf(error: unknown): string | undefined {
  const { code = '', message = '' } = fieldsOf(error)
  if (isAllBusy(error)) return 'all connections to PostgreSQL are in use'
  if (isTimeout(error) || code === STATEMENT_TIMEOUT) return 'PostgreSQL does not answer in time'
  if (isLost(error)) return `PostgreSQL cannot be reached: ${connectReason(error)}`
  if (code === TOO_MANY_CONNECTIONS) return 'PostgreSQL has no connection left'
  // 28: the password or the role; 3D: the database itself.
  if (/^(28|3D)/.test(code)) return `PostgreSQL refuses the connection: ${message}`
  // 53: out of disk, memory or other resources; 58: input and output.
  if (/^(53|58)/.test(code)) return `PostgreSQL is in trouble: ${message}`
  return undefined
}

export function connectReason(error: unknown): string {
  const { code, message } = fieldsOf(error)
  if (code === 'ECONNREFUSED') return 'nothing listens there'
  return message || code || String(error)
}
