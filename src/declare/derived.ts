/**
 * Values that the server computes and that are never stale. `derived` comes from the record's own values and is stored
 * with it, so lists can be ordered by it. `gathered` comes from embedded records, which change without this one, so it
 * is computed on each read.
 */
import {
  type At,
  type Described,
  describeReadOnly,
  type Field,
  foldForOrder,
  notFiltered,
  type Row,
  readOnlySchema,
  showMember,
  standsAlone,
} from './field.ts'
import { indexedInteger, integerColumn } from './integer.ts'
import { textFilter } from './text.ts'

export interface Derived<Value> extends Field<Value, never, At<Value>> {
  readonly sortable: true
  readonly from: 'own values'
}
export interface Gathered<Value> extends Field<Value, never, At<Value>> {
  readonly from: 'embedded records'
}

const worked = { writable: false, initial: undefined, parse: () => ({ value: undefined as never }) }

const integerSchema =
  ({ does }: Described) =>
  (key: string) =>
    readOnlySchema(key, { type: 'integer' }, does)

export const derived = {
  integer: ({ indexed = false, ...rules }: Described & { readonly indexed?: boolean } = {}): Derived<number> => ({
    ...integerColumn,
    ...(indexed ? indexedInteger : {}),
    ...worked,
    schema: integerSchema(rules),
    from: 'own values',
  }),
  text: ({ does }: Described = {}): Derived<string> => ({
    ...standsAlone,
    ...worked,
    sortable: true,
    from: 'own values',
    storage: (key) => ({ in: 'columns', columns: [{ name: key, type: 'text' }] }),
    members: (key) => [key],
    describe: (key) => describeReadOnly(key, 'string'),
    schema: (key) => readOnlySchema(key, { type: 'string' }, does),
    filters: (key) => ({ [key]: textFilter({ name: key, type: 'text' }, {}) }),
    pack: (value, key) => ({ [key]: value }),
    unpack: (row, key) => String(row[key]),
    show: (value, key) => showMember(key, value),
    identity: (value) => value,
    sortKey: foldForOrder,
  }),
}

export const gathered = {
  integer: (rules: Described = {}): Gathered<number> => ({
    ...integerColumn,
    ...worked,
    schema: integerSchema(rules),
    from: 'embedded records',
    ...notFiltered,
    sortable: undefined,
    storage: () => ({ in: 'nothing' }),
    pack: () => ({}),
    unpack: () => undefined as never,
  }),
}

/** The number of records of another resource that point here. It takes names because that resource imports this one. */
export function countOf(resource: string, by: string, rules: Described = {}): Field<number, never, At<number>> {
  return {
    ...integerColumn,
    ...worked,
    ...notFiltered,
    sortable: undefined,
    schema: integerSchema(rules),
    storage: () => ({ in: 'count', of: resource, by }),
    pack: () => ({}),
    unpack: (row: Row, key) => Number(row[key]),
  }
}
