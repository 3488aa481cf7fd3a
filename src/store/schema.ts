/** The tables that declarations need, as data, and the names of their columns. */
import {
  type AnyResource,
  type Cell,
  type Field,
  fieldsOf,
  keyStoredIn,
  orderOf,
  type Storage,
  TIMES,
} from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'
import { SERVICE_TABLES } from './service-tables.ts'
import { isStoredShown, SHOWN } from './shown.ts'
import type { Table, TableColumn, TableIndex } from './table.ts'

/**
 * Every table of a database: first those of the service, then those of each resource after the resources it refers to.
 */
export function allTables(dialect: Dialect, catalogue: readonly AnyResource[]): Table[] {
  return [...SERVICE_TABLES, ...inDependencyOrder(catalogue).flatMap((resource) => tablesOf(dialect, resource))]
}

/** The tables of a resource; the first one has its records. */
export function tablesOf(dialect: Dialect, resource: AnyResource): [Table, ...Table[]] {
  const others: Table[] = []
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'links') others.push(linkTableOf(resource, key, storage.to))
    if (storage.in === 'votes') others.push(voteTableOf(resource))
  }
  return [
    recordTableOf(resource),
    ...others,
    ...findingTablesOf(dialect, resource),
    blockTableOf(resource),
    facetTableOf(resource),
  ]
}

export function recordTableOf(resource: AnyResource): Table {
  const columns: TableColumn[] = [
    { name: 'id', type: 'identity' },
    { name: 'owner', type: 'integer', references: { table: 'account' } },
    // In milliseconds; 0 for a record that is older than the log.
    ...TIMES.map((name): TableColumn => ({ name, type: 'integer' })),
  ]
  for (const [key, field] of fieldsOf(resource)) columns.push(...columnsOf(resource, key, field))
  const indexes: TableIndex[] = []
  for (const { key } of orderOf(resource)) {
    if (orderColumn(resource, key) !== key) columns.push({ name: sortColumn(key), type: 'key', worked: true })
  }
  resource.unique.forEach((_, i) => {
    columns.push({ name: uniqueColumn(i), type: 'text', worked: true })
    indexes.push({ name: uniqueIndex(resource, i), on: quoted(uniqueColumn(i)), unique: true })
  })
  indexes.push({ name: `${resource.name}_order`, on: coveredOrder(resource) }, ...filterIndexes(resource))
  const votes = keyStoredIn(resource, 'votes')
  // As lists are ordered: the most liked first, and those with as many likes by id.
  if (votes) indexes.push({ name: `${resource.name}_${voteCount(votes)}`, on: `${quoted(voteCount(votes))} DESC, id` })
  for (const time of TIMES) indexes.push({ name: `${resource.name}_${time}`, on: `${quoted(time)} DESC, id` })
  columns.push(...findingColumns(resource))
  if (isStoredShown(resource)) columns.push({ name: SHOWN, type: 'text', worked: true })
  return { name: resource.name, holdsRecords: true, columns, indexes }
}

function columnsOf(resource: AnyResource, key: string, field: Field): TableColumn[] {
  const storage = field.storage(key)
  if (storage.in === 'reference') return [{ name: key, type: 'integer', references: { table: storage.to.name } }]
  if (storage.in !== 'columns') return []
  const worked = key in resource.derive
  const initial = worked ? {} : initialCells(key, field)
  return storage.columns.map(({ name, type }) => ({
    name,
    type,
    ...(worked ? { worked } : {}),
    ...(initial[name] === undefined ? {} : { initial: initial[name] }),
  }))
}

/** The cells of records that are older than the field. */
function initialCells(key: string, field: Field): Readonly<Record<string, Cell>> {
  return field.initial === undefined ? {} : field.pack(field.initial, key)
}

/** The rank index: blocks of consecutive records of the list, with their counts, to find the n-th record. */
function blockTableOf(resource: AnyResource): Table {
  const name = blockTable(resource)
  const keys = orderOf(resource).map(({ key }): TableColumn => {
    const column = orderColumn(resource, key)
    return { name: column, type: column === key ? 'integer' : 'key' }
  })
  return {
    name,
    worked: true,
    ordered: true,
    columns: [
      { name: 'id', type: 'identity' },
      // Where it begins: the sort columns and the id of its first record, or of one that was before it.
      ...keys,
      { name: 'first', type: 'integer' },
      { name: 'count', type: 'integer' },
      // The generation in which a record last entered or left it.
      { name: 'changed', type: 'integer' },
    ],
    indexes: [
      { name: `${name}_order`, on: listOrder(resource, 'first') },
      { name: `${name}_changed`, on: quoted('changed') },
    ],
  }
}

/** How many records have each value of a member; with `given`, of those that have that value of another member. */
function facetTableOf(resource: AnyResource): Table {
  const key = ['given', 'member', 'given_value', 'value']
  return {
    name: facetTable(resource),
    worked: true,
    keyed: true,
    columns: [...key.map((name): TableColumn => ({ name, type: 'key' })), { name: 'count', type: 'integer' }],
    key,
    indexes: [],
  }
}

/** The sort columns of lists, as SQL. */
export function listOrder(resource: AnyResource, id = 'id'): string {
  return [
    ...orderOf(resource).map(({ key, descending }) => {
      return `${quoted(orderColumn(resource, key))}${descending ? ' DESC' : ''}`
    }),
    id,
  ].join(', ')
}

/** PostgreSQL refuses longer index entries. A character takes up to four bytes. */
const LONGEST_ENTRY = 2600 / 4

/**
 * Followed by the name as it is written, if it is not too long: how many names begin with a text is then counted in the
 * index alone.
 */
function coveredOrder(resource: AnyResource): string {
  const keys = orderOf(resource).map(({ key }) => key)
  const longest = keys.map((key) => {
    const storage = resource.fields[key].storage(key)
    return storage.in === 'columns' ? (storage.columns[0]?.longest ?? 0) : 0
  })
  const [first = 0] = longest
  const sum = longest.reduce((all, each) => all + each, first)
  const covers = first > 0 && sum <= LONGEST_ENTRY
  return covers ? `${listOrder(resource)}, ${quoted(keys[0]!)}` : listOrder(resource)
}

/** Search columns, stored next to the values: folded copies, the number of votes, the words of the name. */
function findingColumns(resource: AnyResource): TableColumn[] {
  const columns: TableColumn[] = []
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'votes') columns.push({ name: voteCount(key), type: 'integer', worked: true })
    if (storage.in !== 'columns') continue
    for (const { name, folded } of storage.columns) {
      if (folded) columns.push({ name: foldColumn(name), type: 'key', worked: true })
    }
  }
  if (searches(resource)) columns.push({ name: NAME_WORDS, type: 'key', worked: true })
  return columns
}

/**
 * Every word of a record, and its name and terms as a whole. They refer to the record without a foreign key: checking it
 * for each row would take more time than inserting them.
 */
function findingTablesOf({ hasVectors }: Dialect, resource: AnyResource): Table[] {
  const terms: Table = {
    name: termTable(resource),
    worked: true,
    keyed: true,
    columns: [
      { name: 'record', type: 'integer' },
      { name: 'member', type: 'text' },
      { name: 'term', type: 'key' },
    ],
    key: ['record', 'member'],
    // With the member, so that a question about a term reads the index only.
    indexes: [{ name: `${termTable(resource)}_term`, on: '"term", "record", "member"' }],
  }
  const words = hasVectors ? vectorTableOf(resource) : wordTableOf(resource)
  return [...(searches(resource) ? [words] : []), ...(hasTerms(resource) ? [terms] : [])]
}

/** A row for each word. */
function wordTableOf(resource: AnyResource): Table {
  const name = wordTable(resource)
  return {
    name,
    worked: true,
    keyed: true,
    columns: [
      { name: 'record', type: 'integer' },
      { name: 'word', type: 'key' },
      { name: 'place', type: 'integer' },
    ],
    key: ['record', 'word'],
    // Names come first, so that a search for a common word can stop early.
    indexes: [{ name: `${name}_word`, on: '"word", "place", "record"' }],
  }
}

/** A row for each record. */
function vectorTableOf(resource: AnyResource): Table {
  const name = wordTable(resource)
  return {
    name,
    worked: true,
    columns: [
      { name: 'record', type: 'integer' },
      { name: 'words', type: 'vector' },
    ],
    key: ['record'],
    indexes: [{ name: `${name}_vector`, on: '"words"', using: 'gin' }],
  }
}

/**
 * An index for each common filter, followed by the list's order. Further filter columns come last, so that two
 * conditions need not read the rows; long texts are left out.
 */
function filterIndexes(resource: AnyResource): TableIndex[] {
  const columns: string[] = ['owner']
  const short = new Set(columns)
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'reference') columns.push(key)
    if (storage.in !== 'columns') continue
    for (const { name, indexed, folded } of storage.columns) {
      if (!indexed) continue
      columns.push(folded ? foldColumn(name) : name)
      if (!folded) short.add(name)
    }
  }
  return columns.map((column) => {
    const ordered = orderOf(resource).map(({ key }) => orderColumn(resource, key))
    const others = [...short].filter((other) => other !== column && !ordered.includes(other)).map(quoted)
    return {
      name: `${resource.name}_${column}`,
      on: [quoted(column), listOrder(resource), ...others].join(', '),
    }
  })
}

export function searches(resource: AnyResource): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches !== undefined)
}

/** Whether it has a name or terms that may also occur in other records. */
export function hasTerms(resource: AnyResource): boolean {
  return fieldsOf(resource).some(([, { searches }]) => searches === 'name' || searches === 'term')
}

function linkTableOf(resource: AnyResource, key: string, target: AnyResource): Table {
  const name = linkName(resource, key)
  return {
    name,
    columns: [
      { name: 'holder', type: 'integer', references: { table: resource.name, cascades: true } },
      { name: 'place', type: 'integer' },
      { name: 'target', type: 'integer', references: { table: target.name } },
    ],
    key: ['holder', 'place'],
    indexes: [{ name: `${name}_target`, on: quoted('target') }],
  }
}

function voteTableOf(resource: AnyResource): Table {
  const name = voteName(resource)
  return {
    name,
    columns: [
      // Ascends with time, so the newest vote is the highest.
      { name: 'id', type: 'identity' },
      { name: 'record', type: 'integer', references: { table: resource.name, cascades: true } },
      { name: 'account', type: 'integer', references: { table: 'account' } },
    ],
    unique: ['record', 'account'],
    indexes: [{ name: `${name}_account`, on: quoted('account') }],
  }
}

export const linkName = (resource: AnyResource, key: string) => `${resource.name}_${key}`
export const voteName = (resource: AnyResource) => `${resource.name}_votes`
export const uniqueColumn = (place: number) => `unique_${place + 1}`
export const uniqueIndex = (resource: AnyResource, place: number) => `${resource.name}_${uniqueColumn(place)}`
/** The fields whose rule a unique column is for. */
export const uniqueRule = (resource: AnyResource, column: string): readonly string[] | undefined =>
  resource.unique.find((_, i) => uniqueColumn(i) === column)
export const sortColumn = (key: string) => `${key}_key`
export const foldColumn = (column: string) => `${column}_fold`
export const voteCount = (key: string) => `${key}_count`
export const blockTable = (resource: AnyResource) => `${resource.name}_blocks`
export const facetTable = (resource: AnyResource) => `${resource.name}_facets`
export const wordTable = (resource: AnyResource) => `${resource.name}_words`
export const termTable = (resource: AnyResource) => `${resource.name}_terms`
export const NAME_WORDS = 'name_words'

/** What the sort column of a field holds. */
export function orderType(resource: AnyResource, key: string): 'text' | 'integer' {
  return orderColumn(resource, key) === key ? 'integer' : 'text'
}

/** The sort column of a field: the folded copy of a text, otherwise the column itself. */
export function orderColumn(resource: AnyResource, key: string): string {
  const storage: Storage = resource.fields[key].storage(key)
  const isText = storage.in === 'columns' && storage.columns[0]?.type === 'text'
  return isText ? sortColumn(key) : key
}

/** Each resource after all that it refers to. */
export function inDependencyOrder(catalogue: readonly AnyResource[]): AnyResource[] {
  const ordered = new Set<AnyResource>()
  const add = (resource: AnyResource) => {
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if (storage.in === 'reference' || storage.in === 'links') add(storage.to)
    }
    ordered.add(resource)
  }
  for (const resource of catalogue) add(resource)
  return [...ordered]
}
