/** Rows of resources: everything a page or a record needs in one query, and writing them. */
import { createHash } from 'node:crypto'
import { type AnyResource, type Cell, type Field, fieldsOf, orderOf, type Row } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { deleteFinding, findingCells, insertFinding } from './finding.ts'
import { linkName, listOrder, orderColumn, sortColumn, uniqueColumn, voteCount, voteName } from './schema.ts'

/** Some fields of a resource, all by default: a view shows only a few. */
export interface Selection {
  readonly resource: AnyResource
  readonly only?: readonly string[]
}

export interface Span {
  readonly limit: number
  readonly offset: number
}

/** The values of a record to be stored, by field, and what lives in other tables. */
interface NewRecord {
  readonly values: Values
  readonly owner: number
  /** For a record that comes with an id of its own; see `keepIds`. */
  readonly id?: number | undefined
}

interface Values {
  readonly [key: string]: any
}

export class Records {
  readonly #dialect: Dialect
  readonly #statements = new Map<string, string>()

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  *count({ resource }: Selection): Work<number> {
    const [row] = yield* query(`SELECT count(*) AS count FROM ${quoted(resource.name)}`)
    return Number(row!['count'])
  }

  *page(selection: Selection, { limit, offset }: Span): Work<readonly Row[]> {
    const { resource } = selection
    const sql = this.#sql(`page ${nameOf(selection)}`, () => {
      const order = listOrder(resource)
      // The span is cut before owners, votes and links are looked up, so rows that are passed over cost little.
      const span = `(SELECT * FROM ${quoted(resource.name)} ORDER BY ${order} LIMIT ? OFFSET ?)`
      return `${this.select(selection, span)} ORDER BY ${order.replaceAll(/(?<=^|, )/g, 't.')}`
    })
    return yield* query(sql, limit, offset)
  }

  *byIds(selection: Selection, ids: readonly number[]): Work<readonly Row[]> {
    if (ids.length === 0) return []
    const sql = this.#sql(`ids ${nameOf(selection)}`, () => {
      return `${this.select(selection, quoted(selection.resource.name))} WHERE ${this.#dialect.among('t.id')}`
    })
    return yield* query(sql, this.#dialect.ids(ids))
  }

  /** The highest id there is; 0 for none. */
  *highestId({ resource }: Selection): Work<number> {
    const [row] = yield* query(`SELECT max(id) AS highest FROM ${quoted(resource.name)}`)
    return Number(row!['highest'] ?? 0)
  }

  /** A span of rows in the order of their ids, for those who read everything. */
  *after(selection: Selection, id: number, limit: number): Work<readonly Row[]> {
    const sql = this.#sql(`after ${nameOf(selection)}`, () => {
      return `${this.select(selection, quoted(selection.resource.name))} WHERE t.id > ? ORDER BY t.id LIMIT ?`
    })
    return yield* query(sql, id, limit)
  }

  /** The id of the record that has these values in the members of a unique rule: the same record, by another road. */
  *same(resource: AnyResource, values: Values): Work<number | undefined> {
    for (const [i, keys] of resource.unique.entries()) {
      const [row] = yield* query(
        `SELECT id FROM ${quoted(resource.name)} WHERE ${uniqueColumn(i)} = ?`,
        identityOf(resource, keys, values),
      )
      if (row) return Number(row['id'])
    }
    return undefined
  }

  /** The ids of the records whose first member of the list's order is this text, without regard to letter case. */
  *called(resource: AnyResource, text: string): Work<number[]> {
    const { key } = orderOf(resource)[0]!
    const rows = yield* query(
      `SELECT id FROM ${quoted(resource.name)} WHERE ${quoted(orderColumn(resource, key))} = ? ORDER BY id`,
      resource.fields[key].sortKey(text),
    )
    return rows.map((row) => Number(row['id']))
  }

  /** After records were put in with ids of their own: the next one is counted on from the highest. */
  *keepIds(resource: AnyResource): Work<void> {
    const sql = this.#dialect.countOn(resource.name)
    if (sql) yield* query(sql)
  }

  *insert(resource: AnyResource, { values, owner, id: given }: NewRecord): Work<number> {
    const row: Record<string, Cell> = {
      ...(given === undefined ? {} : { id: given }),
      owner,
      ...packed(resource, values),
    }
    const columns = Object.keys(row)
    const [inserted] = yield* query(
      `INSERT INTO ${quoted(resource.name)} (${columns.map(quoted).join(', ')})
       VALUES (${columns.map(() => '?').join(', ')}) RETURNING id`,
      ...Object.values(row),
    )
    const id = Number(inserted!['id'])
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in === 'links') yield* this.#insertLinks(resource, key, id, values[key])
    }
    yield* insertFinding(this.#dialect, resource, id, values)
    return id
  }

  /** The owner of a record that is to be changed; other writers wait until we are done. */
  *lockOwner(resource: AnyResource, id: number): Work<number | undefined> {
    const [row] = yield* query(`SELECT owner FROM ${quoted(resource.name)} WHERE id = ?${this.#dialect.forUpdate}`, id)
    return row && Number(row['owner'])
  }

  *update(resource: AnyResource, id: number, { values, owner }: NewRecord): Work<void> {
    const row: Record<string, Cell> = { owner, ...packed(resource, values) }
    const columns = Object.keys(row).map((column) => `${quoted(column)} = ?`)
    yield* query(`UPDATE ${quoted(resource.name)} SET ${columns.join(', ')} WHERE id = ?`, ...Object.values(row), id)
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in !== 'links') continue
      yield* query(`DELETE FROM ${quoted(linkName(resource, key))} WHERE holder = ?`, id)
      yield* this.#insertLinks(resource, key, id, values[key])
    }
    yield* deleteFinding(resource, id)
    yield* insertFinding(this.#dialect, resource, id, values)
  }

  /** Its links and votes go with it. */
  *delete(resource: AnyResource, id: number): Work<void> {
    yield* query(`DELETE FROM ${quoted(resource.name)} WHERE id = ?`, id)
  }

  /** The ids of the records that refer to one through a field, in ascending order. */
  *holders(resource: AnyResource, key: string, target: number): Work<number[]> {
    const linked = resource.fields[key].storage(key).in === 'links'
    const [table, holder, column] = linked ? [linkName(resource, key), 'holder', 'target'] : [resource.name, 'id', key]
    const rows = yield* query(
      `SELECT ${holder} AS id FROM ${quoted(table)} WHERE ${quoted(column)} = ? ORDER BY ${holder}`,
      target,
    )
    return rows.map((row) => Number(row['id']))
  }

  /** Is it a new vote? */
  *vote(resource: AnyResource, id: number, account: number): Work<boolean> {
    const rows = yield* query(
      `INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING id`,
      id,
      account,
    )
    if (rows.length > 0) yield* this.#countVotes(resource, id)
    return rows.length > 0
  }

  *unvote(resource: AnyResource, id: number, account: number): Work<void> {
    yield* query(`DELETE FROM ${quoted(voteName(resource))} WHERE record = ? AND account = ?`, id, account)
    yield* this.#countVotes(resource, id)
  }

  *#countVotes(resource: AnyResource, id: number): Work<void> {
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in !== 'votes') continue
      const count = `(SELECT count(*) FROM ${quoted(voteName(resource))} WHERE record = ?)`
      yield* query(`UPDATE ${quoted(resource.name)} SET ${quoted(voteCount(key))} = ${count} WHERE id = ?`, id, id)
    }
  }

  /** Votes in the order they were given: the last one is the newest. */
  *insertVotes(resource: AnyResource, id: number, accounts: readonly number[]): Work<void> {
    for (const account of accounts) {
      yield* query(`INSERT INTO ${quoted(voteName(resource))} (record, account) VALUES (?, ?)`, id, account)
    }
    yield* this.#countVotes(resource, id)
  }

  *#insertLinks(
    resource: AnyResource,
    key: string,
    id: number,
    targets: readonly { readonly id: number }[],
  ): Work<void> {
    for (const [place, target] of targets.entries()) {
      yield* query(
        `INSERT INTO ${quoted(linkName(resource, key))} (holder, place, target) VALUES (?, ?, ?)`,
        id,
        place,
        target.id,
      )
    }
  }

  /** The columns of a record, with what lives in other tables, of rows that are called `t`. */
  select({ resource, only }: Selection, from: string): string {
    const fields = fieldsOf(resource).filter(([key]) => !only || only.includes(key))
    const columns = ['t.id', 't.owner', ...fields.flatMap(([key, field]) => this.#columns(resource, key, field))]
    return `SELECT ${columns.join(', ')} FROM ${from} AS t`
  }

  #columns(resource: AnyResource, key: string, field: Field): string[] {
    const storage = field.storage(key)
    const as = quoted(key)
    switch (storage.in) {
      case 'columns':
        return storage.columns.map(({ name }) => `t.${quoted(name)}`)
      case 'reference':
        return [`t.${as}`]
      case 'owner':
        return [`(SELECT name FROM account WHERE id = t.owner) AS ${as}`]
      case 'links': {
        const list = this.#dialect.list('target', 'place')
        return [`(SELECT ${list} FROM ${quoted(linkName(resource, key))} WHERE holder = t.id) AS ${as}`]
      }
      case 'votes': {
        const list = this.#dialect.list('a.name', 'v.id DESC')
        const votes = `${quoted(voteName(resource))} AS v JOIN account AS a ON a.id = v.account`
        return [`(SELECT ${list} FROM ${votes} WHERE v.record = t.id) AS ${as}`]
      }
      case 'count':
        return [`(SELECT count(*) FROM ${quoted(storage.of)} WHERE ${quoted(storage.by)} = t.id) AS ${as}`]
      case 'nothing':
        return []
    }
  }

  #sql(name: string, make: () => string): string {
    const known = this.#statements.get(name)
    if (known !== undefined) return known
    const sql = make()
    this.#statements.set(name, sql)
    return sql
  }
}

function nameOf({ resource, only }: Selection): string {
  return only ? `${resource.name} (${only.join(' ')})` : resource.name
}

/** The row of a record: its own columns, the sort keys and the unique columns. */
export function packed(resource: AnyResource, values: Values): Record<string, Cell> {
  const row: Record<string, Cell> = {}
  for (const [key, field] of fieldsOf(resource)) Object.assign(row, field.pack(values[key], key))
  for (const { key } of orderOf(resource)) {
    if (orderColumn(resource, key) !== key) row[sortColumn(key)] = resource.fields[key].sortKey(values[key])
  }
  resource.unique.forEach((keys, i) => {
    row[uniqueColumn(i)] = identityOf(resource, keys, values)
  })
  return { ...row, ...findingCells(resource, values, row) }
}

/** Long texts do not fit an index and NULLs are never equal, so a unique rule is one column with this. */
function identityOf(resource: AnyResource, keys: readonly string[], values: Values): string {
  const identity = keys.map((key) => resource.fields[key].identity(values[key]))
  return createHash('sha256').update(JSON.stringify(identity)).digest('base64url')
}
