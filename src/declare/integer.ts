/** Whole numbers that a client gives. */
import {
  type At,
  type Described,
  describeReadOnly,
  type Field,
  integerFilter,
  type Json,
  labelOf,
  type Parsed,
  readOnlySchema,
  type Sortable,
  showMember,
  standsAlone,
} from './field.ts'

interface IntegerRules extends Described {
  readonly min: number
  readonly max: number
  /** What records have that are older than the field: 0, or what is nearest to it, unless said otherwise. */
  readonly initial?: number
}

const COMPARED = ['exact', 'gte', 'lte', 'in'] as const

export function integer(rules: IntegerRules): Field<number, number, At<number>> & Sortable {
  return {
    ...integerColumn,
    writable: true,
    describe: (key) => ({
      [key]: {
        type: 'integer',
        required: true,
        read_only: false,
        label: labelOf(key),
        min_value: rules.min,
        max_value: rules.max,
      },
    }),
    schema: (key) => {
      const schema = { type: 'integer', minimum: rules.min, maximum: rules.max }
      return { [key]: { does: rules.does, shown: schema, always: true, given: schema, required: true } }
    },
    parse: (body, key) => readInteger(body[key], rules, key),
    initial: rules.initial ?? Math.min(Math.max(0, rules.min), rules.max),
  }
}

/** One that lists are often filtered by. */
export const indexedInteger = {
  storage: (key: string) => ({ in: 'columns' as const, columns: [indexedColumn(key)] }),
  filters: (key: string) => ({ [key]: integerFilter({ column: indexedColumn(key) }, COMPARED) }),
}

function indexedColumn(name: string) {
  return { name, type: 'integer' as const, indexed: true }
}

/** How whole numbers are stored and shown; computed numbers (derived.ts) share it. */
export const integerColumn = {
  ...standsAlone,
  sortable: true as const,
  storage: (key: string) => ({ in: 'columns' as const, columns: [{ name: key, type: 'integer' as const }] }),
  members: (key: string) => [key],
  describe: (key: string) => describeReadOnly(key, 'integer'),
  schema: (key: string) => readOnlySchema(key, { type: 'integer' }),
  filters: (key: string) => ({ [key]: integerFilter({ column: { name: key, type: 'integer' } }, COMPARED) }),
  pack: (value: number, key: string) => ({ [key]: value }),
  unpack: (row: { readonly [column: string]: unknown }, key: string) => Number(row[key]),
  show: (value: number, key: string) => showMember(key, value),
  identity: (value: number) => value,
  sortKey: (value: number) => value,
}

function readInteger(given: Json | undefined, { min, max }: IntegerRules, member: string): Parsed<number> {
  const wrong = (message: string) => ({ errors: { [member]: [message] } })
  if (given === undefined) return wrong('This field is required.')
  if (given === null) return wrong('This field may not be null.')
  const value = wholeNumber(given)
  if (value === undefined) return wrong('A valid integer is required.')
  if (value < min) return wrong(`Ensure this value is greater than or equal to ${min}.`)
  if (value > max) return wrong(`Ensure this value is less than or equal to ${max}.`)
  return { value }
}

/** 7, 7.0, "7" and "7.0" are whole numbers; "", true and 7.5 are not. */
function wholeNumber(given: Json): number | undefined {
  if (typeof given === 'number') return Number.isInteger(given) ? given : undefined
  if (typeof given !== 'string' || !/^[+-]?[0-9]{1,300}(\.0*)?$/.test(given.trim())) return undefined
  return Number(given)
}
