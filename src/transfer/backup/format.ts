/**
 * The format of a backup: gzipped lines of JSON that both databases share. First the header, then the rows of each
 * table after those it refers to, then the highest ids, and at the end the counts and a checksum of all lines before.
 */
import type { AnyResource, JsonObject } from '../../declare/index.ts'
import { type Copied, type CopiedTable, copiedTables } from '../../store/index.ts'

export const FORMAT = 1

export interface Header {
  readonly nymdex: 'backup'
  readonly format: number
  /** The version of its tables. */
  readonly version: number
  /** When it was made. */
  readonly at: string
}

export interface RowLine extends Copied {
  /** The name of the table. */
  readonly in: string
}

export interface IdsLine {
  /** The highest id that each table ever gave: ids are not reused, not even after a restore. */
  readonly ids: Readonly<Record<string, number>>
}

export type Counts = Readonly<Record<string, number>>

export interface EndLine {
  readonly end: true
  readonly counts: Counts
  /** Of all lines before this one, with their line ends. */
  readonly sha256: string
}

/** What is in a backup. */
export interface Contents {
  readonly at: string
  readonly counts: Counts
}

/** Some things: how many there are, and the names of the first. */
export interface Named {
  readonly count: number
  readonly named: readonly string[]
}

/** What an operator who restores a backup should know about it. */
export interface Notable {
  /** Accounts that may change what others own. */
  readonly staff: Named
  /** Records with a text that is longer than the rules allow. */
  readonly overlong: Named
}

/** A backup that cannot be read; the message is one clear line for the operator. */
export class BadBackup extends Error {}

export type Tables = ReadonlyMap<string, CopiedTable>

export function tablesOf(catalogue: readonly AnyResource[]): Tables {
  return new Map(copiedTables(catalogue).map((table) => [table.name, table]))
}

/** What is wrong with a line that should be a row or the ids; undefined if nothing is. */
export function faultOfLine(line: JsonObject, tables: Tables): string | undefined {
  if (isObject(line['ids'])) return Object.values(line['ids']).every(isId) ? undefined : 'an id is not a number'
  const table = tables.get(String(line['in']))
  if (!table) return `it contains "${line['in']}", which this version does not know`
  const { columns, id, owner, links = {}, votes = [] } = line
  if (!isObject(columns)) return 'it has no columns'
  const missing = table.columns.find((name) => !(name in columns))
  if (missing) return `"${missing}" is missing in ${table.name}`
  const unknown = Object.keys(columns).find((name) => !table.columns.includes(name))
  if (unknown) return `"${unknown}" in ${table.name} is unknown to this version`
  if (Object.values(columns).some((cell) => typeof cell === 'boolean' || isObject(cell))) return 'a value is misplaced'
  if (table.resource && !(isId(id) && isId(owner))) return 'a record has no id or no owner'
  const lists = isObject(links) ? Object.values(links) : [undefined]
  const good = [...lists, votes].every((list) => Array.isArray(list) && list.every(isId))
  return good ? undefined : 'a list of ids is misplaced'
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
