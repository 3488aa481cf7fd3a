/** The tables of the declarations, in either dialect, and the names of their columns. */
import { type AnyResource, fieldsOf, orderOf, type Storage } from '../declare/index.ts'
import { type Dialect, quoted } from './dialect.ts'
import { isStoredShown, SHOWN } from './shown.ts'

/** Every statement that creates an empty database: accounts first, then each resource after those it refers to. */
export function tables(catalogue: readonly AnyResource[], dialect: Dialect): string[] {
  return [
    ...accountTables(dialect),
    generationTable(dialect),
    ...inDependencyOrder(catalogue).flatMap((each) => tablesOf(each, dialect)),
  ]
}

/** How often each resource was written. */
export function generationTable(dialect: Dialect): string {
  const { integer, sortKey } = dialect
  return createTable('generation', dialect, [
    `resource ${sortKey} PRIMARY KEY`,
    `number ${integer} NOT NULL`,
    // The number at which the blocks were last rebuilt, and at which a record was last added, removed or moved.
    `layout ${integer} NOT NULL`,
    `moved ${integer} NOT NULL`,
  ])
}

/** Blocks of consecutive records of a list, with their counts, to find the n-th record. */
export function blockTables(resource: AnyResource, dialect: Dialect): string[] {
  const { identity, integer, sortKey } = dialect
  const name = blockTable(resource)
  const keys = orderOf(resource).map(({ key }) => {
    const column = orderColumn(resource, key)
    return `${quoted(column)} ${column === key ? integer : sortKey} NOT NULL`
  })
  return [
    createTable(name, dialect, [
      `id ${identity}`,
      // Where it begins: the sort key and id of its first record, or of an earlier one.
      ...keys,
      `first ${integer} NOT NULL`,
      `count ${integer} NOT NULL`,
      // The generation in which a record was last added to it or removed from it.
      `changed ${integer} NOT NULL`,
    ]),
    `CREATE INDEX ${quoted(`${name}_order`)} ON ${quoted(name)} (${listOrder(resource, 'first')})`,
    createIndex(name, 'changed', ['changed']),
  ]
}

/** Times are ISO 8601 text in UTC, which sorts by time. */
function accountTables(dialect: Dialect): string[] {
  const { identity, integer, sortKey } = dialect
  return [
    createTable('account', dialect, [
      `id ${identity}`,
      'name TEXT NOT NULL',
      // Names are unique ignoring letter case, and a removed account keeps its name.
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
  const after: string[] = []
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    columns.push(...columnsOf(key, storage, dialect))
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
  after.push(`CREATE INDEX ${quoted(`${resource.name}_order`)} ON ${quoted(resource.name)} (${listOrder(resource)})`)
  columns.push(...findingColumns(resource, dialect).map(({ name, type }) => `${quoted(name)} ${type}`))
  columns.push(...shownColumns(resource))
  after.push(...findingTables(resource, dialect), ...filterIndexes(resource).map(({ create }) => create))
  return [createTable(resource.name, dialect, columns), ...after, ...blockTables(resource, dialect)]
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

/** The search columns: folded copies, the number of votes, the words of the name. */
export function findingColumns(resource: AnyResource, dialect: Dialect): { name: string; type: string }[] {
  const columns: { name: string; type: string }[] = []
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'votes') columns.push({ name: voteCount(key), type: `${dialect.integer} NOT NULL DEFAULT 0` })
    if (storage.in !== 'columns') continue
    for (const { name, folded } of storage.columns) {
      if (folded) columns.push({ name: foldColumn(name), type: `${dialect.sortKey} NOT NULL DEFAULT ''` })
    }
  }
  if (searches(resource)) columns.push({ name: NAME_WORDS, type: `${dialect.sortKey} NOT NULL DEFAULT ''` })
  return columns
}

/** The stored JSON of a record, if it has one. */
export function shownColumns(resource: AnyResource): string[] {
  return isStoredShown(resource) ? [`${SHOWN} TEXT NOT NULL DEFAULT ''`] : []
}

/** Every word of a record, and its name and whole terms. */
export function findingTables(resource: AnyResource, dialect: Dialect): string[] {
  const { integer, sortKey, keyedTableEnd } = dialect
  const keyed = { ...dialect, tableEnd: keyedTableEnd }
  const record = `record ${integer} NOT NULL REFERENCES ${quoted(resource.name)} (id) ON DELETE CASCADE`
  const words = wordTable(resource)
  const terms = termTable(resource)
  return [
    ...(searches(resource)
      ? [
          createTable(words, keyed, [
            record,
            `word ${sortKey} NOT NULL`,
            // The best place of the word: 0 for the name, 1 for a term, 2 for other text.
            `place ${integer} NOT NULL`,
            'PRIMARY KEY (record, word)',
          ]),
          createIndex(words, 'word', ['word', 'record', 'place']),
        ]
      : []),
    ...(hasTerms(resource)
      ? [
          createTable(terms, keyed, [
            record,
            'member TEXT NOT NULL',
            `term ${sortKey} NOT NULL`,
            'PRIMARY KEY (record, member)',
          ]),
          createIndex(terms, 'term', ['term', 'record']),
        ]
      : []),
  ]
}

/**
 * An index for each common filter, followed by the list's order. Further filter columns come last, so that two
 * conditions need not read the rows; long texts and votes are left out.
 */
export function filterIndexes(resource: AnyResource): { readonly name: string; readonly create: string }[] {
  const columns: string[] = ['owner']
  const short = new Set(columns)
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in === 'reference') columns.push(key)
    if (storage.in === 'votes') columns.push(voteCount(key))
    if (storage.in !== 'columns') continue
    for (const { name, indexed, folded } of storage.columns) {
      if (!indexed) continue
      columns.push(folded ? foldColumn(name) : name)
      if (!folded) short.add(name)
    }
  }
  return columns.map((column) => {
    const name = quoted(`${resource.name}_${column}`)
    const ordered = orderOf(resource).map(({ key }) => orderColumn(resource, key))
    const others = [...short].filter((other) => other !== column && !ordered.includes(other)).map(quoted)
    return {
      name,
      create: `CREATE INDEX ${name} ON ${quoted(resource.name)} (${[quoted(column), listOrder(resource), ...others].join(', ')})`,
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
export const foldColumn = (column: string) => `${column}_fold`
export const voteCount = (key: string) => `${key}_count`
export const blockTable = (resource: AnyResource) => `${resource.name}_blocks`
export const wordTable = (resource: AnyResource) => `${resource.name}_words`
export const termTable = (resource: AnyResource) => `${resource.name}_terms`
export const NAME_WORDS = 'name_words'

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
