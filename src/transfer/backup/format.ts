/**
 * The format of a backup: gzipped lines of JSON that both databases share. First the header, then the rows of each
 * table after those it refers to, then the highest ids, and at the end the counts and a checksum of all lines before.
 */
import { type AnyResource, type Cell, fieldsOf, type JsonObject } from '../../declare/index.ts'
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
  const missing = table.columns.find((name) => !(name in columns) && !(name in table.initial))
  if (missing) return `"${missing}" is missing in ${table.name}`
  if (Object.values(columns).some((cell) => typeof cell === 'boolean' || isObject(cell))) return 'a value is misplaced'
  const other = table.columns.find((name) => hasOtherType(columns[name], table.initial[name]))
  if (other) return `"${other}" in ${table.name} has another type in this catalogue`
  const list = table.resource && requiredLists(table.resource).find((key) => !isObject(links) || !(key in links))
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

/** Links that no record can be without. */
function requiredLists(resource: AnyResource): string[] {
  return fieldsOf(resource)
    .filter(([key, field]) => field.storage(key).in === 'links' && field.initial === undefined)
    .map(([key]) => key)
}

/** The row as the tables of today have it. `unknown` is told each member that they do not have. */
export function fitted(line: RowLine, table: CopiedTable, unknown: (member: string) => void): RowLine {
  const { links, votes, ...rest } = line
  const columns = Object.fromEntries(
    table.columns.map((name) => [name, line.columns[name] ?? table.initial[name] ?? null]),
  )
  for (const name of Object.keys(line.columns)) if (!table.columns.includes(name)) unknown(name)
  const { resource } = table
  if (!resource) return { ...rest, columns }
  const storedIn = (kind: string) => fieldsOf(resource).filter(([key, field]) => field.storage(key).in === kind)
  const known = storedIn('links').map(([key]) => key)
  for (const [key, ids] of Object.entries(links ?? {})) if (!known.includes(key) && ids.length > 0) unknown(key)
  const takesVotes = storedIn('votes').length > 0
  if (votes && votes.length > 0 && !takesVotes) unknown('votes')
  return {
    ...rest,
    columns,
    ...(known.length > 0 ? { links: Object.fromEntries(known.map((key) => [key, links?.[key] ?? []])) } : {}),
    ...(takesVotes ? { votes: votes ?? [] } : {}),
  }
}

function isId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
