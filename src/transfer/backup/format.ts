/**
 * The format of a backup: gzipped lines of JSON that both databases share. First the header, then the rows of each
 * table after those it refers to, then the highest ids, and at the end the counts and a checksum of all lines before.
 */
import { type AnyResource, type Cell, fieldsOf, type JsonObject, type Row } from '../../declare/index.ts'
import { LIMITS } from '../../engine/index.ts'
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

/** What a backup holds that this catalogue does not know, with how many records have it: `riddle`, `polynym.mood`. */
export interface Skipped {
  readonly skipped: Counts
}

/** Some things: how many there are, and the first of them by name. */
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

export function faultOfIds({ ids }: { readonly ids: object }): string | undefined {
  return Object.values(ids).every(isId) ? undefined : 'an id is not a number'
}

/** What is wrong with a row; undefined when nothing is. What is missing, and unknown, is seen to by `fitted`. */
export function faultOfRow(line: JsonObject, table: CopiedTable): string | undefined {
  const { columns, id, owner, links = {}, votes = [] } = line
  if (!isObject(columns)) return 'it has no columns'
  for (const name of table.columns) {
    if (!(name in columns) && !(name in table.initial)) return `"${name}" is missing in ${table.name}`
  }
  for (const name in columns) {
    if (typeof columns[name] === 'boolean' || isObject(columns[name])) return 'a value is misplaced'
  }
  for (const name of table.columns) {
    if (hasOtherType(columns[name], table.initial[name])) {
      return `"${name}" in ${table.name} has another type in this catalogue`
    }
  }
  const list = listsOf(table).required.find((key) => !isObject(links) || !(key in links))
  if (list) return `"${list}" is missing in ${table.name}`
  if (table.resource && !(isId(id) && isId(owner))) return 'a record has no id or no owner'
  const lists = isObject(links) ? Object.values(links) : [undefined]
  const good = [...lists, votes].every((list) => Array.isArray(list) && list.every(isId))
  return good ? undefined : 'a list of ids is misplaced'
}

/** A text where the tables hold a number, or the other way round. */
function hasOtherType(given: unknown, initial: Cell | undefined): boolean {
  const isKnown = given !== undefined && given !== null && initial !== undefined && initial !== null
  return isKnown && typeof given !== typeof initial
}

/** What records of a table have besides their columns. */
interface Lists {
  readonly links: readonly string[]
  /** Links that no record can be without. */
  readonly required: readonly string[]
  readonly takesVotes: boolean
}

const lists = new WeakMap<CopiedTable, Lists>()

/** Asked for every row, so it is computed once. */
function listsOf(table: CopiedTable): Lists {
  const known = lists.get(table)
  if (known) return known
  const fields = table.resource ? fieldsOf(table.resource) : []
  const links = fields.filter(([key, field]) => field.storage(key).in === 'links')
  const found = {
    links: links.map(([key]) => key),
    required: links.filter(([, field]) => field.initial === undefined).map(([key]) => key),
    takesVotes: fields.some(([key, field]) => field.storage(key).in === 'votes'),
  }
  lists.set(table, found)
  return found
}

/** The row as the tables of today have it. `unknown` is told each member that they do not have. */
export function fitted(line: RowLine, table: CopiedTable, unknown: (member: string) => void): RowLine {
  const { links, votes, ...rest } = line
  const columns = fittedColumns(line.columns, table, unknown)
  if (!table.resource) return { ...rest, columns }
  const known = listsOf(table)
  for (const [key, ids] of Object.entries(links ?? {})) if (!known.links.includes(key) && ids.length > 0) unknown(key)
  if (votes && votes.length > 0 && !known.takesVotes) unknown('votes')
  return {
    ...rest,
    columns,
    ...(known.links.length > 0
      ? { links: Object.fromEntries(known.links.map((key) => [key, links?.[key] ?? []])) }
      : {}),
    ...(known.takesVotes ? { votes: votes ?? [] } : {}),
  }
}

/** Most rows are of this version, and stay as they are. */
function fittedColumns(given: Row, table: CopiedTable, unknown: (member: string) => void): Row {
  const names = Object.keys(given)
  const fits = (name: string, i: number) =>
    names[i] === name && (given[name] !== null || (table.initial[name] ?? null) === null)
  if (names.length === table.columns.length && table.columns.every(fits)) return given
  for (const name of names) if (!table.columns.includes(name)) unknown(name)
  return Object.fromEntries(table.columns.map((name) => [name, given[name] ?? table.initial[name] ?? null]))
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LIMITS.highestId
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
