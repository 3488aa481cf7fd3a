/** The tables that declarations need, in either dialect, and the names of their columns. */
import { type AnyResource, fieldsOf, orderOf, type Storage } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'

/** Every statement that makes an empty database, accounts first, then each resource after those it refers to. */
export function tables(catalogue: readonly AnyResource[], dialect: Dialect): string[] {
  return [...accountTables(dialect), ...inDependencyOrder(catalogue).flatMap((each) => tablesOf(each, dialect))]
}

/** Times are ISO 8601 text in UTC, which compares as time does. */
function accountTables(dialect: Dialect): string[] {
  const { identity, integer, sortKey } = dialect
  return [
    createTable('account', dialect, [
      `id ${identity}`,
      'name TEXT NOT NULL',
      // Names are unique without regard to letter case, and a removed account keeps its name.
      `name_key ${sortKey} NOT NULL UNIQUE`,
      // Empty for an account that cannot sign in.
      'password TEXT NOT NULL',
      `staff ${integer} NOT NULL`,
      `removed ${integer} NOT NULL`,
      'joined TEXT NOT NULL',
    ]),
    createTable('token', dialect, [
      `id ${identity}`,
      `account ${integer} NOT NULL REFERENCES account (id)`,
      'name TEXT NOT NULL',
      `hash ${sortKey} NOT NULL UNIQUE`,
      'created TEXT NOT NULL',
      'expires TEXT',
      'last_used TEXT',
    ]),
    createIndex('token', 'account', ['account']),
    createTable('session', dialect, [
      `hash ${sortKey} PRIMARY KEY`,
      `account ${integer} NOT NULL REFERENCES account (id)`,
      'expires TEXT NOT NULL',
    ]),
    createIndex('session', 'account', ['account']),
    createIndex('session', 'expires', ['expires']),
    createTable('kept_answer', dialect, [
      `account ${integer} NOT NULL REFERENCES account (id)`,
      `request ${sortKey} NOT NULL`,
      'fingerprint TEXT NOT NULL',
      'answer TEXT NOT NULL',
      'at TEXT NOT NULL',
      'PRIMARY KEY (account, request)',
    ]),
    createIndex('kept_answer', 'at', ['at']),
  ]
}

function tablesOf(resource: AnyResource, dialect: Dialect): string[] {
  const columns = [`id ${dialect.identity}`, `owner ${dialect.integer} NOT NULL REFERENCES account (id)`]
  const after: string[] = [createIndex(resource.name, 'owner', ['owner'])]
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    columns.push(...columnsOf(key, storage, dialect))
    if (storage.in === 'reference') after.push(createIndex(resource.name, key, [key]))
    if (storage.in === 'links') after.push(...linkTable(resource, key, storage.to, dialect))
    if (storage.in === 'votes') after.push(...voteTable(resource, dialect))
  }
  for (const { key } of orderOf(resource)) {
    if (orderColumn(resource, key) !== key) columns.push(`${quoted(sortColumn(key))} ${dialect.sortKey} NOT NULL`)
  }
  resource.unique.forEach((_, i) => {
    columns.push(`${uniqueColumn(i)} TEXT NOT NULL`)
    after.push(createIndex(resource.name, uniqueColumn(i), [uniqueColumn(i)], 'UNIQUE '))
  })
  const order = orderOf(resource).map(({ key, descending }) => ({ column: orderColumn(resource, key), descending }))
  after.push(
    `CREATE INDEX ${quoted(`${resource.name}_order`)} ON ${quoted(resource.name)} (${[
      ...order.map(({ column, descending }) => `${quoted(column)}${descending ? ' DESC' : ''}`),
      'id',
    ].join(', ')})`,
  )
  return [createTable(resource.name, dialect, columns), ...after]
}

function columnsOf(key: string, storage: Storage, dialect: Dialect): string[] {
  if (storage.in === 'columns') {
    return storage.columns.map(({ name, type }) => {
      return `${quoted(name)} ${type === 'integer' ? dialect.integer : 'TEXT'} NOT NULL`
    })
  }
  if (storage.in === 'reference') {
    return [`${quoted(key)} ${dialect.integer} NOT NULL REFERENCES ${quoted(storage.to.name)} (id)`]
  }
  return []
}

function linkTable(resource: AnyResource, key: string, target: AnyResource, dialect: Dialect): string[] {
  const name = linkName(resource, key)
  return [
    createTable(name, dialect, [
      `holder ${dialect.integer} NOT NULL REFERENCES ${quoted(resource.name)} (id) ON DELETE CASCADE`,
      `place ${dialect.integer} NOT NULL`,
      `target ${dialect.integer} NOT NULL REFERENCES ${quoted(target.name)} (id)`,
      'PRIMARY KEY (holder, place)',
    ]),
    createIndex(name, 'target', ['target']),
  ]
}

function voteTable(resource: AnyResource, dialect: Dialect): string[] {
  const name = voteName(resource)
  return [
    createTable(name, dialect, [
      // Ascends with time, so the newest vote is the highest.
      `id ${dialect.identity}`,
      `record ${dialect.integer} NOT NULL REFERENCES ${quoted(resource.name)} (id) ON DELETE CASCADE`,
      `account ${dialect.integer} NOT NULL REFERENCES account (id)`,
      'UNIQUE (record, account)',
    ]),
    createIndex(name, 'account', ['account']),
  ]
}

function createTable(name: string, dialect: Dialect, lines: readonly string[]): string {
  return `CREATE TABLE ${quoted(name)} (\n  ${lines.join(',\n  ')}\n)${dialect.tableEnd}`
}

function createIndex(table: string, name: string, columns: readonly string[], unique = ''): string {
  return `CREATE ${unique}INDEX ${quoted(`${table}_${name}`)} ON ${quoted(table)} (${columns.map(quoted).join(', ')})`
}

export const linkName = (resource: AnyResource, key: string) => `${resource.name}_${key}`
export const voteName = (resource: AnyResource) => `${resource.name}_votes`
export const uniqueColumn = (place: number) => `unique_${place + 1}`
export const sortColumn = (key: string) => `${key}_key`

/** The column a list is ordered by: text by its folded copy, numbers and references by themselves. */
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
