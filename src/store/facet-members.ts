/** Which members have counters: how many records have each of their values. */
import {
  type AnyResource,
  type Cell,
  DAY_MS,
  type Field,
  fieldsOf,
  keyStoredIn,
  type Row,
  TIMES,
  unseenOwner,
} from '../declare/index.ts'
import { quoted } from './dialect.ts'
import type { Condition } from './narrow.ts'
import { voteCount } from './schema.ts'
import { hasParts, wordsInName } from './words.ts'

export interface CountedMember {
  /** In the table of counters. */
  readonly name: string
  readonly column: string
  readonly type: 'owner' | 'votes' | 'integer' | 'text' | 'day'
  /** Whether it is also counted together with each other such member: those that lists are often filtered by. */
  readonly isPaired: boolean
  /** Whether a folded copy of the column has the index. */
  readonly isFolded?: boolean | undefined
}

const known = new WeakMap<AnyResource, readonly CountedMember[]>()

/** When records were created: the days since 1970, in UTC, under the name of the column. 0 is unknown. */
const CREATED: CountedMember = { name: TIMES[0], column: TIMES[0], type: 'day', isPaired: false }

/** The owner, the likes, the members with an index, and the day of creation. */
export function countedMembers(resource: AnyResource): readonly CountedMember[] {
  const found = known.get(resource)
  if (found) return found
  const unseen = unseenOwner(resource)
  const members = [
    ...(unseen === undefined ? [] : [countedOwner(unseen)]),
    ...fieldsOf(resource).flatMap(([key, field]) => countedIn(key, field)),
    CREATED,
  ]
  known.set(resource, members)
  return members
}

function countedOwner(name: string): CountedMember {
  return { name, column: 'owner', type: 'owner', isPaired: false }
}

function countedIn(key: string, field: Field): CountedMember[] {
  const storage = field.storage(key)
  if (storage.in === 'owner') return [countedOwner(key)]
  if (storage.in === 'votes') return [{ name: key, column: voteCount(key), type: 'votes', isPaired: false }]
  if (storage.in !== 'columns') return []
  return storage.columns
    .filter(({ indexed }) => indexed)
    .map(({ name, type, folded }) => ({ name, column: name, type, isPaired: !folded, isFolded: folded }))
}

/** The counted member that a filter compares. */
export function countedMember(
  resource: AnyResource,
  { key, on }: Pick<Condition, 'key' | 'on'>,
): CountedMember | undefined {
  const name = typeof on === 'object' ? on.column.name : on === 'owner' || on === 'votes' ? key : undefined
  return countedMembers(resource).find((member) => member.name === name)
}

/** Every two members that are counted together. */
export function pairsOf(resource: AnyResource): [CountedMember, CountedMember][] {
  const paired = countedMembers(resource).filter(({ isPaired }) => isPaired)
  return paired.flatMap((given, i) =>
    paired.slice(i + 1).map((member): [CountedMember, CountedMember] => [given, member]),
  )
}

/** A counter as one text: given, member, value given, value. No value contains the separator. */
function counter(given: string, member: string, valueGiven: string, value: string): string {
  return `${given}\0${member}\0${valueGiven}\0${value}`
}

export function cellsOfCounter(text: string): Row {
  const [given = '', member = '', valueGiven = '', value = ''] = text.split('\0')
  return { given, member, given_value: valueGiven, value }
}

/**
 * The counters that count a record. A row that is written does not have the number of its votes; one that is read has
 * the list of its voters.
 */
export function countersOf(resource: AnyResource, row: Row, likes = likesIn(resource, row)): string[] {
  const counted = ({ column, type }: CountedMember) => (type === 'votes' ? String(likes) : textOf(row[column], type))
  const plain = countedMembers(resource).map((member) => counter('', member.name, '', counted(member)))
  const pairs = pairsOf(resource).map(([given, member]) =>
    counter(given.name, member.name, counted(given), counted(member)),
  )
  return [...plain, ...pairs, ...nameCounters(resource, row)]
}

/** The member of the counters of words in names: how many records have each. */
export const NAME_WORDS_COUNTED = 'words of the name'

/** The member with the name of a record, if it is looked up by its words. */
export function nameMember(resource: AnyResource): string | undefined {
  return fieldsOf(resource).find(
    ([key, { searches, storage }]) => searches === 'name' && storage(key).in === 'columns',
  )?.[0]
}

function nameCounters(resource: AnyResource, row: Row): string[] {
  const name = nameMember(resource)
  const words = name === undefined ? [] : wordsInName(String(row[name] ?? ''))
  return [...new Set(words)].filter(hasParts).map((word) => counter('', NAME_WORDS_COUNTED, '', word))
}

/** The counter of the records that were created on the day of a time in milliseconds. */
export function createdCounter(time: Cell | undefined): string {
  return counter('', CREATED.name, '', textOf(time, CREATED.type))
}

/** The counter of the records with that many likes, if likes are counted. */
export function likesCounter(key: string, likes: number): string {
  return counter('', key, '', String(likes))
}

export function likesIn(resource: AnyResource, row: Row): number {
  const key = keyStoredIn(resource, 'votes')
  const voters: unknown = JSON.parse(String((key !== undefined && row[key]) || '[]'))
  return Array.isArray(voters) ? voters.length : 0
}

/** Numbers are also stored as texts. */
function textOf(cell: Cell | undefined, type: CountedMember['type']): string {
  if (type === 'day') return String(Math.floor(Number(cell ?? 0) / DAY_MS))
  return type === 'text' ? String(cell ?? '') : String(Number(cell ?? 0))
}

/** The value of a column as the counters have it, as SQL. */
export function countedSql({ column, type }: CountedMember): string {
  return type === 'day' ? `(${quoted(column)} / ${DAY_MS})` : quoted(column)
}
