/** The values of a form: from a record, an address or a posted form; and the JSON made from them. */
import type { Visit } from '../../../http/index.ts'
import type { ExplorerVisit, MadeKind, Reference, Shown } from '../../kinds/index.ts'
import { resolveEach, written } from './references.ts'

/** The API's description of a member. */
export interface Described {
  readonly type: string
  /** Undefined if it is not known. */
  readonly required?: boolean
  readonly read_only: boolean
  readonly label?: string
  readonly max_length?: number
  readonly choices?: readonly { readonly value: string; readonly display_name: string }[]
}

export type Members = Readonly<Record<string, Described>>
/** The text of each field; named records have one line each. */
export type Values = Readonly<Record<string, string>>
export type Errors = Readonly<Record<string, readonly string[]>>

/** The members that people fill in. */
export function membersOf(actions: Members, { form: { merged } }: MadeKind): Members {
  const writable = Object.entries(actions).filter(([name, { read_only }]) => !read_only && name !== 'lines')
  const kept = writable.filter(([name]) => !merged?.from.includes(name))
  const list = merged && actions[merged.into]
  return Object.fromEntries(list ? [...kept, [merged.name, list]] : kept)
}

export async function valuesOfRecord(
  visit: ExplorerVisit,
  { form: { merged, references } }: MadeKind,
  record: Shown,
): Promise<Values> {
  const shown: Shown = merged ? { ...record, [merged.name]: merged.from.flatMap((member) => record[member]) } : record
  const values: Record<string, string> = {}
  for (const [member, value] of Object.entries(shown)) {
    const reference = references[member]
    if (reference) values[member] = (await written(visit, reference.kind, [value].flat())).join('\n')
    else if (typeof value === 'string' || typeof value === 'number') values[member] = String(value)
  }
  return values
}

/** From the parameters of a link: /make/quadranym/?name=umbrella */
export function valuesOfQuery(members: Members, query: Visit['query']): Values {
  return Object.fromEntries(
    Object.keys(members).flatMap((member): [string, string][] => {
      const given = query.all(member)
      return given.length > 0 ? [[member, given.join('\n')]] : []
    }),
  )
}

export function valuesOfForm(members: Members, form: ReadonlyMap<string, readonly string[]>): Values {
  return Object.fromEntries(
    Object.keys(members).map((member) => [member, (form.get(member)?.at(-1) ?? '').replaceAll(/\r\n?/g, '\n').trim()]),
  )
}

interface Written {
  readonly json: Readonly<Record<string, unknown>>
  readonly errors: Errors
  /** The form again, with named records written out. */
  readonly values: Values
}

export async function toJson(
  visit: ExplorerVisit,
  { form: { merged, references } }: MadeKind,
  members: Members,
  values: Values,
): Promise<Written> {
  const json: Record<string, unknown> = {}
  const errors: Record<string, string[]> = {}
  const shown: Record<string, string> = { ...values }
  for (const [member, { required, type }] of Object.entries(members)) {
    const value = values[member] ?? ''
    const reference = references[member]
    if (reference) {
      const named = await namedRecords(visit, reference, value)
      if (named.faults.length > 0) errors[member] = named.faults
      if (reference.many) json[member] = named.ids
      else if (named.ids.length > 0) json[member] = named.ids[0]
      shown[member] = named.lines.join('\n')
    } else if (value !== '' || (required && type !== 'choice')) json[member] = value
  }
  if (!merged) return { json, errors, values: shown }
  const { [merged.name]: list = [], ...rest } = json
  const lists = Object.fromEntries(merged.from.map((member) => [member, member === merged.into ? list : []]))
  return { json: { ...rest, ...lists }, errors, values: shown }
}

/** As many as the largest list of the API takes. */
const MOST_NAMED = 200

async function namedRecords(visit: ExplorerVisit, { kind, many }: Reference, value: string) {
  const lines = value.split(many ? /[\n;]/ : /\n/, MOST_NAMED + 1).filter((line) => line.trim() !== '')
  if (lines.length > MOST_NAMED) return { ids: [], faults: [`Name no more than ${MOST_NAMED}.`], lines: [] }
  const found = await resolveEach(visit, kind, lines)
  const records = found.flatMap((each) => ('record' in each ? [each.record] : []))
  const labels = (await written(visit, kind, records)).values()
  return {
    ids: records.map((each): number => each[`${kind}_id`]),
    faults: found.flatMap((each) => ('fault' in each ? [each.fault] : [])),
    lines: found.map((each, i) => ('record' in each && labels.next().value) || (lines[i] ?? '')),
  }
}

/** Errors of merged members are shown at the one field. */
export function errorsByField(json: Shown, { form: { merged } }: MadeKind): Errors {
  const entries = Object.entries(json).map(([member, messages]): [string, string[]] => {
    return [merged?.from.includes(member) ? merged.name : member, [messages].flat().map(String)]
  })
  const errors: Record<string, string[]> = {}
  for (const [member, messages] of entries) errors[member] = [...(errors[member] ?? []), ...messages]
  return errors
}
