/** Keyset pagination: rows in list order, starting at a key, with SQL that goes straight there in the index. */
import { type AnyResource, type Cell, orderOf } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'
import { orderColumn, orderType } from './schema.ts'

export interface Span {
  readonly limit: number
  readonly offset: number
}

export interface Stretch {
  readonly sql: string
  /** The SQL after `FROM table AS t`, if one comparison is enough. */
  readonly tail?: string
  parameters(key: readonly Cell[], span: Span): Cell[]
}

interface StretchOf {
  readonly table: string
  readonly id: string
  readonly backwards?: boolean
  readonly columns?: string
}

const made = new WeakMap<AnyResource, Map<string, Stretch>>()

/** The rows of a table in list order, from a key on, or backwards from it. */
export function stretchOf({ given }: Dialect, resource: AnyResource, wanted: StretchOf): Stretch {
  const { table, id, backwards = false, columns = '*' } = wanted
  const number = given('integer')
  const name = [number, table, backwards, columns].join(' ')
  const stretches = made.get(resource) ?? new Map<string, Stretch>()
  made.set(resource, stretches)
  const known = stretches.get(name)
  if (known) return known
  const keys: Keys = [
    ...orderOf(resource).map(({ key, descending }) => {
      return { column: orderColumn(resource, key), value: given(orderType(resource, key)), descending }
    }),
    { column: id, value: number, descending: false },
  ].map(({ column, value, descending }) => ({ column: quoted(column), value, descending: descending !== backwards }))
  const order = keys.map(({ column, descending }) => `${column}${descending ? ' DESC' : ''}`).join(', ')
  const stretch = keys.every(({ descending }) => descending === backwards)
    ? inOneStretch(keys, order, quoted(table), columns, backwards, number)
    : inArms(keys, order, quoted(table), columns, number)
  stretches.set(name, stretch)
  return stretch
}

/** `value` is the parameter that the column is compared with. */
type Keys = readonly { readonly column: string; readonly value: string; readonly descending: boolean }[]

function inOneStretch(
  keys: Keys,
  order: string,
  table: string,
  columns: string,
  backwards: boolean,
  number: string,
): Stretch {
  const row = `(${keys.map(({ column }) => `t.${column}`).join(', ')})`
  const where = `${row} ${backwards ? '<=' : '>='} (${keys.map(({ value }) => value).join(', ')})`
  const tail = ` WHERE ${where} ORDER BY ${order.replaceAll(/(?<=^|, )/g, 't.')} LIMIT ${number} OFFSET ${number}`
  return {
    sql: `SELECT ${columns} FROM ${table} AS t${tail}`,
    tail,
    parameters: (key, { limit, offset }) => [...key, limit, offset],
  }
}

/**
 * If some columns ascend and others descend, rows cannot be compared as a whole: first come those that differ only in
 * the last column, then those that differ only in the last two. Each arm is a range of the index.
 */
function inArms(keys: Keys, order: string, table: string, columns: string, number: string): Stretch {
  const arms = keys.map((_, i) => {
    const last = keys.length - 1 - i
    const same = keys.slice(0, last).map(({ column, value }) => `${column} = ${value}`)
    const { column, value, descending } = keys[last]!
    const beyond = `${column} ${descending ? '<' : '>'}${i === 0 ? '=' : ''} ${value}`
    return { where: [...same, beyond].join(' AND '), cells: last + 1 }
  })
  const parts = arms.map(({ where }, i) => {
    return `SELECT * FROM (SELECT *, ${i} AS arm FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${number}) AS arm_${i}`
  })
  return {
    sql: `SELECT ${columns} FROM (${parts.join(' UNION ALL ')}) AS arms ORDER BY arm, ${order} LIMIT ${number} OFFSET ${number}`,
    parameters: (key, { limit, offset }) => [
      ...arms.flatMap(({ cells }) => [...key.slice(0, cells), limit + offset]),
      limit,
      offset,
    ],
  }
}
