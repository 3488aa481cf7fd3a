/**
 * Numbered slots: one ordered list inside, members p1..pN outside. The list has no gaps: a filled slot after an empty
 * one is refused, and blanks at the end are dropped.
 */
import {
  type Described,
  type Field,
  type Find,
  integerFilter,
  type JsonObject,
  type MemberSchema,
  type Members,
  type Parsed,
  type Schema,
  showMember,
  standsAlone,
} from './field.ts'
import {
  describeReference,
  givenAs,
  linkedRecords,
  type RecordOf,
  readReference,
  settleReference,
  shownAs,
  showRecord,
} from './references.ts'
import type { AnyResource, Wire } from './resource.ts'
import { describeText, orNull, readText, schemaOf, searchedText, type TextRules, textFilter } from './text.ts'

type UpTo<N extends number, Seen extends 0[] = [0]> = Seen['length'] extends N
  ? N
  : Seen['length'] | UpTo<N, [...Seen, 0]>
type SlotMembers<P extends string, N extends number, Content> = { [K in `${P}${UpTo<N>}`]?: Content }

interface SlotRules<N extends number> extends Described {
  /** How many slots must be filled. */
  readonly from: number
  readonly to: N
}

/** Slots that hold terms. */
export function slots<P extends string, N extends number>(
  prefix: P,
  rules: SlotRules<N> & { readonly max: number; readonly search?: TextRules['search'] },
): Field<readonly string[], readonly string[], Members<SlotMembers<P, N, string>>> {
  const names = slotNames(prefix, rules.to)
  return {
    ...standsAlone,
    writable: true,
    storage: () => ({
      in: 'columns',
      columns: names.map((name) => ({ name, type: 'text' as const, longest: rules.max })),
    }),
    members: () => names,
    describe: () =>
      Object.fromEntries(
        names.map((name, i) => [name, describeText(name, { max: rules.max, blank: i >= rules.from })]),
      ),
    schema: () => slotSchemas(names, rules, schemaOf({ max: rules.max }), schemaOf({ max: rules.max, blank: true })),
    filters: () => Object.fromEntries(names.map((name) => [name, textFilter({ name, type: 'text' }, { blank: true })])),
    searches: rules.search?.as,
    searched: (values) => values.flatMap((value, i) => searchedText(value, names[i]!, rules)),
    initial: [],
    parse: (body) => parseSlots(body, names, rules.from, (given, name) => readText(given, { max: rules.max }, name)),
    pack: (values) => Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])),
    unpack(row) {
      const values: string[] = []
      for (const name of names) if (row[name] !== '') values.push(String(row[name]))
      return values
    },
    show(values) {
      let members = ''
      for (let i = 0; i < values.length; i++) members += `${i === 0 ? '' : ','}${showMember(names[i]!, values[i]!)}`
      return members
    },
    identity: (values) => values,
    sortKey: (values) => values.length,
  }
}

/** Slots that hold whole records of another resource, given by id. */
export function recordSlots<P extends string, N extends number, R extends AnyResource>(
  prefix: P,
  target: R,
  rules: SlotRules<N>,
): Field<readonly RecordOf<R>[], readonly number[], Members<SlotMembers<P, N, Wire<R>>>> {
  const names = slotNames(prefix, rules.to)
  return {
    ...linkedRecords(target),
    repeats: false,
    members: () => names,
    describe: () => Object.fromEntries(names.map((name, i) => [name, describeReference(name, i < rules.from)])),
    schema: () => slotSchemas(names, rules, shownAs(target), givenAs(target)),
    filters: () => ({ [prefix]: integerFilter('links', ['exact', 'in']) }),
    initial: rules.from === 0 ? [] : undefined,
    parse: (body) => parseSlots(body, names, rules.from, (given, name) => readReference(given, target, name)),
    settle: (ids: readonly number[], find: Find) => settleReference(ids, find, target, (i) => names[i]!),
    release: () => undefined,
    show: (records) => records.map((record, i) => `${JSON.stringify(names[i])}:${showRecord(record)}`).join(','),
    showIds: (ids) => ids.map((id, i) => showMember(names[i]!, id)).join(','),
  }
}

/** The first slots are always present; a body may leave out the others, or give null. */
function slotSchemas(
  names: readonly string[],
  { from, does }: SlotRules<number>,
  shown: Schema,
  given: Schema,
): Readonly<Record<string, MemberSchema>> {
  const optional = orNull(given)
  return Object.fromEntries(
    names.map((name, i) => [
      name,
      {
        does,
        shown,
        always: i < from,
        given: i < from ? given : optional,
        required: i < from,
      },
    ]),
  )
}

function slotNames(prefix: string, to: number): string[] {
  return Array.from({ length: to }, (_, i) => `${prefix}${i + 1}`)
}

function parseSlots<Content>(
  body: JsonObject,
  names: readonly string[],
  from: number,
  read: (given: JsonObject[string] | undefined, name: string) => Parsed<Content>,
): Parsed<readonly Content[]> {
  const filled: Content[] = []
  const errors: Record<string, readonly string[]> = {}
  let gap = false
  names.forEach((name, i) => {
    const given = body[name]
    const empty = given === undefined || given === null || (typeof given === 'string' && given.trim() === '')
    // A required slot reports its own faults (required, blank, null); a slot beyond them may be empty.
    if (empty && i >= from) {
      gap = true
      return
    }
    const parsed = read(given, name)
    if ('errors' in parsed) Object.assign(errors, parsed.errors)
    else if (gap) errors[name] = ['Fill the slots in order, with no gap.']
    else filled.push(parsed.value)
    gap = false
  })
  return Object.keys(errors).length > 0 ? { errors } : { value: filled }
}
