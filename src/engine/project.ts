/**
 * Projections: the members that a client wants: `fields=name,depth`, `omit=voters`, `embed=ids`. Records that are not
 * shown are not read. Projected records are not cached, because clients can ask for too many combinations.
 */
import { type AnyRecord, type Field, fieldsOf, type Row } from '../declare/index.ts'
import type { Selection, Store, Work } from '../store/index.ts'
import { ID_ALIAS, idMember, listOf, type Parameters } from './list-parameters.ts'
import { loadRecords } from './load.ts'
import { refuse } from './prepare.ts'

export interface Projection {
  /** Whether the member is sent. The id always is. */
  isWanted(member: string): boolean
  /** Sends ids instead of embedded records. */
  readonly embedsIds: boolean
}

const PARAMETERS: ReadonlySet<string> = new Set(['fields', 'omit', 'embed'])

type NamedField = readonly [key: string, field: Field]

/** Undefined if records are wanted whole. `collections` are those whose records may be in the response. */
export function projectionOf(collections: readonly Selection[], parameters: Parameters): Projection | undefined {
  if (!parameters.some(([name]) => PARAMETERS.has(name))) return undefined
  const errors: Record<string, string[]> = {}
  const known = new Set(collections.flatMap(membersOf))
  const named = (parameter: string): Set<string> | undefined => {
    const given = listOf(parameters, parameter).map((name) => name.trim())
    const names = given.filter((name) => name !== '')
    const unknown = names.find((name) => !known.has(name))
    if (unknown !== undefined) errors[parameter] = [`"${unknown}" is not a valid choice.`]
    return names.length > 0 ? new Set(names) : undefined
  }
  const [fields, omit] = [named('fields'), named('omit')]
  const embed = parameters.findLast(([name]) => name === 'embed')?.[1]
  if (embed && embed !== 'ids') errors['embed'] = [`"${embed}" is not a valid choice.`]
  refuse(errors)
  if (!fields && !omit && !embed) return undefined
  return {
    isWanted: (member) => (fields?.has(member) ?? true) && !omit?.has(member),
    embedsIds: embed === 'ids',
  }
}

/** Ids instead of embedded records, whatever else is wanted. */
export function withIds(projection: Projection | undefined): Projection {
  return { isWanted: projection?.isWanted ?? (() => true), embedsIds: true }
}

function membersOf(selection: Selection): string[] {
  const members = shownFields(selection).flatMap(([key, field]) => field.members(key))
  return [...members, idMember(selection.resource), ID_ALIAS]
}

function shownFields({ resource, only }: Selection): NamedField[] {
  return fieldsOf(resource).filter(([key]) => !only || only.includes(key))
}

/** The JSON of each row. */
export function* showProjected(
  store: Store,
  selection: Selection,
  rows: readonly Row[],
  projection: Projection,
): Work<string[]> {
  const { resource } = selection
  const { embedsIds, isWanted } = projection
  const wanted = shownFields(selection).filter(([key, field]) => field.members(key).some(isWanted))
  const byId = embedsIds ? wanted.filter(isEmbedding) : []
  // A gathered field may read any other field.
  const gathers = wanted.some(([key, field]) => field.storage(key).in === 'nothing')
  const read = gathers ? selection : { resource, only: keysOf(wanted.filter((each) => !byId.includes(each))) }
  const records = yield* loadRecords(store, read, rows)
  return records.map((record, i) => {
    const members = wanted.map((named) => {
      const text = byId.includes(named) ? showIds(named, rows[i]!) : show(named, record)
      return picked(named, text, isWanted)
    })
    return `{${[...members, `"${idMember(resource)}":${record.id}`].filter((each) => each !== '').join(',')}}`
  })
}

function isEmbedding([key, field]: NamedField): boolean {
  const where = field.storage(key).in
  return where === 'reference' || where === 'links'
}

function keysOf(fields: readonly NamedField[]): string[] {
  return fields.map(([key]) => key)
}

function show([key, field]: NamedField, record: AnyRecord): string {
  return field.show(record[key], key)
}

function showIds([key, field]: NamedField, row: Row): string {
  return field.showIds(field.embeds(row, key), key)
}

/** Only some members of a field with several, such as slots, may be wanted. */
function picked([key, field]: NamedField, text: string, isWanted: (member: string) => boolean): string {
  if (field.members(key).every(isWanted)) return text
  const members = Object.entries(JSON.parse(`{${text}}`)).filter(([member]) => isWanted(member))
  return JSON.stringify(Object.fromEntries(members)).slice(1, -1)
}
