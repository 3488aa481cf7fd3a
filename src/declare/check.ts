/** What a declaration may not be, as far as its types do not say so: found when it is made, before any table is. */
import type { Field } from './field.ts'
import { TIMES } from './times.ts'

/** What is looked at here, whatever the fields are. */
interface Declared {
  readonly fields: { readonly [key: string]: Field }
  readonly order: readonly string[]
  readonly unique: readonly (readonly PropertyKey[])[]
  readonly views?: { readonly [name: string]: readonly PropertyKey[] }
  readonly derive: object
  readonly lines?: object
}

/** Tables that every database has. */
const TABLES: ReadonlySet<string> = new Set([
  'account',
  'token',
  'session',
  'generation',
  'migration',
  'declaration',
  'change',
  'hook',
  'judgement',
])
/** Columns that the store adds to the table of a resource, and those that it puts aside. */
const COLUMNS = /^(id|owner|created|changed|shown|name_words|unique_[0-9]+|unused_.*)$|_(key|fold|count)$/
/** Tables that the store adds to a resource, after its name and "_". A list of records is a table, too. */
const PARTS = /^(words|terms|blocks|votes)$/
/** Names of tables are put together with "_", so "a_b" and "c" would meet "a" and "b_c". */
const NAME = /^[a-z][a-z0-9-]*$/

/** Throws an error that names the resource and the field. */
export function checkDeclaration(name: string, declared: Declared): void {
  const fault = faultOf(name, declared)
  if (fault) throw new Error(`the resource "${name}" cannot be declared: ${fault}`)
}

function faultOf(name: string, declared: Declared): string | undefined {
  if (!NAME.test(name)) return 'its name may hold small letters, digits and "-", and begins with a letter'
  if (TABLES.has(name)) return 'its name is reserved for a table that every database has'
  return faultOfMembers(name, declared) ?? faultOfOrder(declared) ?? faultOfKeys(declared)
}

/** Each member belongs to one field, and each column to one member. */
function faultOfMembers(name: string, { fields, lines }: Declared): string | undefined {
  const owners = new Map([
    [`${name}_id`, 'the id of the record'],
    ...TIMES.map((time) => [time, 'the times of the record'] as const),
    ...(lines ? [['lines', 'the lines'] as const] : []),
  ])
  const columns = new Map<string, string>()
  for (const [key, field] of Object.entries(fields)) {
    for (const member of field.members(key)) {
      const other = owners.get(member)
      if (other) return `the field "${key}" has the member "${member}", which belongs to ${other}`
      owners.set(member, `the field "${key}"`)
    }
    const storage = field.storage(key)
    if (storage.in === 'links' && PARTS.test(key)) return `the field "${key}" needs a table whose name is reserved`
    const stored = storage.in === 'columns' ? storage.columns.map((column) => column.name) : []
    for (const column of storage.in === 'reference' ? [key] : stored) {
      if (COLUMNS.test(column)) return `the field "${key}" needs the column "${column}", whose name is reserved`
      const other = columns.get(column)
      if (other) return `the fields "${other}" and "${key}" need the same column "${column}"`
      columns.set(column, key)
    }
  }
  return undefined
}

function faultOfOrder({ fields, order }: Declared): string | undefined {
  if (order.length === 0) return 'its order is empty'
  const keys = order.map((entry) => entry.replace(/^-/, ''))
  for (const [i, key] of keys.entries()) {
    if (!(key in fields)) return `its order names "${key}", which is no field`
    if (!fields[key]?.sortable) return `lists cannot be ordered by the field "${key}"`
    if (keys.indexOf(key) !== i) return `its order names "${key}" twice`
  }
  return undefined
}

/** Everything that names fields names fields that are there. */
function faultOfKeys({ fields, unique, views = {}, derive }: Declared): string | undefined {
  const named = [
    ...unique.map((keys) => ['a unique rule', keys] as const),
    ...Object.entries(views).map(([view, keys]) => [`the view "${view}"`, keys] as const),
    ['a rule of derive', Object.keys(derive)] as const,
  ]
  for (const [what, keys] of named) {
    const unknown = keys.find((key) => !(key in fields))
    if (unknown !== undefined) return `${what} names "${String(unknown)}", which is no field`
    if (keys.length === 0 && what !== 'a rule of derive') return `${what} names no field`
  }
  return undefined
}
