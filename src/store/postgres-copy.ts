/**
 * COPY FROM STDIN: the fastest way to send many rows to PostgreSQL. The driver has no function for it, so this is a query
 * that writes the messages of the protocol. It does not wait for the server to ask for the rows: if the statement fails,
 * the server ignores them.
 */
import pg from 'pg'
import type { Cell, Row } from '../declare/index.ts'
import type { NewRows, Statement } from './database.ts'
import { quoted } from './dialect.ts'

/** The rows of some tables as COPY takes them. */
export class CopyRows {
  readonly #statements: string[] = []
  readonly #parts: Buffer[] = []
  /** In bytes. */
  size = 0

  add({ table, columns, rows }: NewRows): void {
    this.#statements.push(`COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM STDIN`)
    const part = Buffer.from(textOf(columns, rows))
    this.#parts.push(messageHead(COPY_DATA, part.length), part, messageHead(COPY_DONE, 0))
    this.size += part.length
  }

  /** All of them in one round trip. */
  send(client: pg.ClientBase): Promise<void> {
    if (this.#parts.length === 0) return Promise.resolve()
    return new Promise((done, failed) => {
      const settle = (error: unknown) => (error ? failed(error) : done())
      client.query(new CopyQuery(this.#statements.join('; '), this.#parts, settle))
    })
  }
}

/** The smallest number of rows for which COPY is faster than an INSERT that the server has prepared. */
const LEAST = 50

/** COPY returns nothing, and cannot add to rows that exist. */
export function canBeCopied({ returning, adds }: NewRows): boolean {
  return !returning && !adds
}

/** Whether a statement is to be carried out with COPY. */
export function isForCopy({ inserts }: Statement): boolean {
  return inserts !== undefined && canBeCopied(inserts) && inserts.rows.length >= LEAST
}

export async function copyIn(client: pg.ClientBase, inserts: NewRows): Promise<void> {
  const rows = new CopyRows()
  rows.add(inserts)
  await rows.send(client)
}

/** A subclass, because in pipeline mode the driver takes only queries of its own. */
class CopyQuery extends pg.Query {
  override submit

  constructor(sql: string, parts: readonly Buffer[], settle: (error: unknown) => void) {
    super(sql, settle)
    this.submit = (connection: pg.Connection) => {
      connection.query(sql)
      for (const part of parts) connection.stream.write(part)
    }
  }

  /** The driver itself would end the statement here. */
  handleCopyInResponse(): void {}
}

/** The types of the messages; each begins with its type and its length. */
const COPY_DATA = 'd'
const COPY_DONE = 'c'

function messageHead(type: string, length: number): Buffer {
  const head = Buffer.alloc(5)
  head.write(type)
  // The length includes itself.
  head.writeUInt32BE(length + 4, 1)
  return head
}

function textOf(columns: readonly string[], rows: readonly Row[]): string {
  let text = ''
  for (const row of rows) {
    let tab = ''
    for (const column of columns) {
      text += tab + cellOf(row[column])
      tab = '\t'
    }
    text += '\n'
  }
  return text
}

const SPECIAL = /[\\\t\n\r]/
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function cellOf(cell: Cell | undefined): string | number {
  if (cell === null || cell === undefined) return '\\N'
  if (typeof cell === 'number' || !SPECIAL.test(cell)) return cell
  return cell.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPED[sign] ?? sign)
}
