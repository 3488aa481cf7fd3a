/** Rows of resources: reads everything that a page or a record needs in one query, and writes them. */
import { type AnyResource, type Cell, fieldsOf, orderOf, type Row } from '../declare/index.ts'
import { type Block, type Piece, piecesOf } from './blocks.ts'
import { noteChange } from './change-log.ts'
import { cell, execute, query, queryByIds, timeOfWrite, touching, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import { noteVotes } from './facet-counts.ts'
import { deleteFinding, insertFinding, replaceFinding } from './finding.ts'
import type { Moment } from './generations.ts'
import { insertRow } from './insert-rows.ts'
import { insertLinks, replaceLinks } from './links.ts'
import { noteAdded, noteChanged, noteRemoved } from './list-changes.ts'
import { allMembers, oldMembers } from './old-members.ts'
import { identityOf, packed, type Values, valuesOf } from './pack.ts'
import type { Rank } from './rank.ts'
import { linkName, listOrder, orderColumn, orderType, searches, uniqueColumn } from './schema.ts'
import { type Selection, selectionName, selectRecords } from './select-records.ts'
import { type Span, stretchOf } from './stretch.ts'
import { timesOf } from './times.ts'
import { votersOf } from './votes.ts'

/** The values of a record to store, by field, and those stored in other tables. */
interface NewRecord {
  readonly values: Values
  readonly owner: number
  /** For a record that brings its own id; see `keepIds`. */
  readonly id?: number | undefined
  readonly action?: 'create' | 'restore'
}

/** Rows that one statement inserts. */
const AT_ONCE = 50

export class Records {
  readonly dialect: Dialect
  readonly rank: Rank
  readonly #statements = new Map<string, string>()

  constructor(dialect: Dialect, rank: Rank) {
    this.dialect = dialect
    this.rank = rank
  }

  /** `moment` is the one that the transaction shows, if known. */
  *count({ resource }: Selection, moment?: Moment): Work<number> {
    return moment ? (yield* this.rank.at(resource, moment)).before.at(-1)! : yield* this.rank.count(resource)
  }

  *page(selection: Selection, span: Span, moment: Moment): Work<readonly Row[]> {
    const { resource } = selection
    const [piece] = yield* this.pieces(selection, span, moment)
    if (!piece) return []
    const stretch = stretchOf(this.dialect, resource, { table: resource.name, id: 'id' })
    const sql = this.#sql(`page ${selectionName(selection)}`, () => {
      if (this.dialect.looksUpLate && stretch.tail)
        return selectRecords(this.dialect, selection, quoted(resource.name)) + stretch.tail
      const order = listOrder(resource).replaceAll(/(?<=^|, )/g, 't.')
      if (this.dialect.isRemote) {
        // PostgreSQL skips in the index alone; otherwise it would read and sort whole rows.
        const { sql: ids } = stretchOf(this.dialect, resource, { table: resource.name, id: 'id', columns: 'id' })
        return `${selectRecords(this.dialect, selection, quoted(resource.name))} WHERE t.id = ANY (ARRAY(${ids})) ORDER BY ${order}`
      }
      // The range is cut before owners, votes and links are looked up, so skipped rows cost little.
      return `${selectRecords(this.dialect, selection, `(${stretch.sql})`)} ORDER BY ${order}`
    })
    return yield* query(sql, ...stretch.parameters(piece.block.key, { limit: span.limit, offset: piece.skip }))
  }

  /** The blocks that contain a range of the list. */
  *pieces({ resource }: Selection, span: Span, moment: Moment): Work<Piece[]> {
    return piecesOf(yield* this.rank.at(resource, moment), span)
  }

  /** The ids of the records at some positions of the list, counted from 0 and ascending: one statement for each block. */
  *idsAt({ resource }: Selection, places: readonly number[], moment: Moment): Work<number[]> {
    const blocks = yield* this.rank.at(resource, moment)
    const stretch = stretchOf(this.dialect, resource, { table: resource.name, id: 'id', columns: 'id' })
    const ids: number[] = []
    const byBlock = Map.groupBy(
      places.flatMap((offset) => piecesOf(blocks, { limit: 1, offset })),
      ({ block }) => block,
    )
    for (const [{ key }, pieces] of byBlock) {
      const first = pieces[0]!.skip
      const limit = pieces.at(-1)!.skip - first + 1
      const rows = yield* query(stretch.sql, ...stretch.parameters(key, { limit, offset: first }))
      ids.push(...pieces.map(({ skip }) => Number(cell(rows[skip - first], 'id'))))
    }
    return ids
  }

  /** The ids of all records of a block, in list order. */
  *idsOf({ resource }: Selection, { key, count }: Block): Work<number[]> {
    const { sql, parameters } = stretchOf(this.dialect, resource, { table: resource.name, id: 'id', columns: 'id' })
    return (yield* query(sql, ...parameters(key, { limit: count, offset: 0 }))).map((row) => Number(row['id']))
  }

  *byIds(selection: Selection, ids: readonly number[]): Work<readonly Row[]> {
    if (ids.length === 0) return []
    const sql = this.#sql(`ids ${selectionName(selection)}`, () => {
      const { from, where } = this.dialect.rowsByIds(quoted(selection.resource.name))
      return `${selectRecords(this.dialect, selection, from)} WHERE ${where}`
    })
    return yield* queryByIds(this.dialect, sql, ids)
  }

  /** The highest id there is; 0 for none. */
  *highestId({ resource }: Selection): Work<number> {
    const [row] = yield* query(`SELECT max(id) AS highest FROM ${quoted(resource.name)}`)
    return Number(cell(row, 'highest') ?? 0)
  }

  /** A batch of rows in id order, for callers that read everything. */
  *after(selection: Selection, id: number, limit: number): Work<readonly Row[]> {
    const sql = this.#sql(`after ${selectionName(selection)}`, () => {
      const number = this.dialect.given('integer')
      const from = quoted(selection.resource.name)
      return `${selectRecords(this.dialect, selection, from)} WHERE t.id > ${number} ORDER BY t.id LIMIT ${number}`
    })
    return yield* query(sql, id, limit)
  }

  /** The id of the record with these values in the members of a unique rule: the same record, found another way. */
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

  /** The ids of the records whose first sort member is this text, ignoring letter case. */
  *called(resource: AnyResource, text: string): Work<number[]> {
    const { key } = orderOf(resource)[0]!
    const rows = yield* query(
      `SELECT id FROM ${quoted(resource.name)} WHERE ${quoted(orderColumn(resource, key))} = ${this.dialect.given(orderType(resource, key))} ORDER BY id`,
      resource.fields[key].sortKey(text),
    )
    return rows.map((row) => Number(row['id']))
  }

  /** After records were inserted with their own ids: new ids continue from the highest. */
  *keepIds(resource: AnyResource): Work<void> {
    const sql = this.dialect.countOn(resource.name)
    if (sql) yield* query(sql)
  }

  *insert(resource: AnyResource, { values, owner, id: given, action }: NewRecord): Work<number> {
    const times = yield* timesOf(resource, given, action)
    const row: Record<string, Cell> = {
      ...(given === undefined ? {} : { id: given }),
      owner,
      ...times,
      ...packed(resource, values),
    }
    const touches = { resource: resource.name, ids: given === undefined ? [] : [given] }
    const unique = resource.unique.length > 0 ? uniqueColumn(0) : undefined
    const id = yield* insertRow({ table: resource.name, row, unique }, touches)
    yield* this.#added(resource, row, id, action)
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in === 'links') yield* insertLinks(resource, key, id, values[key])
    }
    yield* insertFinding(this.dialect, resource, { id, owner }, values)
    return id
  }

  /** The same for many, several with each statement. Their links, words and terms are inserted one by one. */
  *insertMany(resource: AnyResource, records: readonly NewRecord[]): Work<void> {
    const hasLinks = fieldsOf(resource).some(([key, field]) => field.storage(key).in === 'links')
    if (resource.unique.length === 0 || searches(resource) || hasLinks) {
      for (const record of records) yield* this.insert(resource, record)
      return
    }
    const identity = uniqueColumn(0)
    for (let i = 0; i < records.length; i += AT_ONCE) {
      const some = records.slice(i, i + AT_ONCE)
      const rows: Row[] = []
      for (const { id, owner, values, action } of some) {
        const times = yield* timesOf(resource, id, action)
        rows.push({ ...(id && { id }), owner, ...times, ...packed(resource, values) })
      }
      const columns = Object.keys(rows[0]!)
      const places = `(${columns.map(() => '?').join(', ')})`
      const inserted = yield* touching(
        { resource: resource.name, ids: some.flatMap(({ id }) => id ?? []) },
        `INSERT INTO ${quoted(resource.name)} (${columns.map(quoted).join(', ')})
         VALUES ${rows.map(() => places).join(', ')} RETURNING id, ${identity}`,
        ...rows.flatMap((row) => Object.values(row)),
      )
      // The databases do not guarantee the order of returned rows.
      const ids = new Map(inserted.map((row) => [row[identity], Number(row['id'])]))
      for (const [j, row] of rows.entries())
        yield* this.#added(resource, row, ids.get(row[identity]!)!, some[j]?.action)
    }
  }

  *#added(resource: AnyResource, row: Row, id: number, action: NewRecord['action'] = 'create'): Work<void> {
    yield* noteChange(resource.name, { action, id })
    yield* noteAdded(this.rank, resource, row, id)
  }

  /** The owner of a record that is about to change; locks out other writers. */
  *lockOwner(resource: AnyResource, id: number): Work<number | undefined> {
    const [row] = yield* query(`SELECT owner FROM ${quoted(resource.name)} WHERE id = ?${this.dialect.forUpdate}`, id)
    return row && Number(row['owner'])
  }

  /** `stored` is the record as `stored()` returns it, if the caller has read it. Returns when it was last changed. */
  *update(resource: AnyResource, id: number, { values, owner }: NewRecord, stored?: Row): Work<number> {
    const before = stored ?? (yield* this.stored(resource, id))
    if (!before) return 0
    const old = oldMembers(resource, before, { values, owner })
    // Nothing happens if no member differs: what processes have cached stays, too.
    if (old === undefined && Number(before['owner']) === owner) return Number(before['changed'])
    const time: Row = old === undefined ? {} : { changed: yield* timeOfWrite() }
    const row: Record<string, Cell> = { owner, ...time, ...packed(resource, values) }
    const columns = Object.keys(row).map((column) => `${quoted(column)} = ?`)
    yield* execute(
      `UPDATE ${quoted(resource.name)} SET ${columns.join(', ')} WHERE id = ?`,
      [...Object.values(row), id],
      { resource: resource.name, ids: [id] },
    )
    if (old !== undefined) yield* noteChange(resource.name, { action: 'change', id, old })
    yield* noteChanged(this.rank, resource, { before, after: row }, id)
    for (const [key, field] of fieldsOf(resource)) {
      if (field.storage(key).in !== 'links') continue
      yield* replaceLinks(resource, key, id, { before: field.embeds(before, key), after: values[key] })
    }
    yield* replaceFinding(this.dialect, resource, id, {
      before: { owner: Number(before['owner']), values: valuesOf(resource, before, '') },
      after: { owner, values },
    })
    return Number(time['changed'] ?? before['changed'])
  }

  /** Its links and votes are deleted with it. `stored` is as above. */
  *delete(resource: AnyResource, id: number, stored?: Row): Work<void> {
    yield* this.deleteMany(resource, [id], stored && [stored])
  }

  /** The log has them in the order of the ids. */
  *deleteMany(resource: AnyResource, ids: readonly number[], stored?: readonly Row[]): Work<void> {
    if (ids.length === 0) return
    const places = new Map(ids.map((id, i) => [id, i]))
    const placeOf = (row: Row) => places.get(Number(row['id'])) ?? 0
    const rows = stored ?? (yield* this.#whole(resource, ids))
    for (const row of rows.toSorted((a, b) => placeOf(a) - placeOf(b))) {
      const id = Number(row['id'])
      const voters = yield* votersOf(resource, row)
      const old = allMembers(resource, row, voters)
      yield* noteChange(resource.name, { action: 'remove', id, old })
      yield* noteRemoved(this.rank, resource, row, id)
      yield* noteVotes(this.dialect, resource, { gone: voters })
    }
    if (rows.length === 0) return
    yield* deleteFinding(this.dialect, resource, ids)
    yield* execute(`DELETE FROM ${quoted(resource.name)} WHERE ${this.dialect.among('id')}`, [this.dialect.ids(ids)], {
      resource: resource.name,
      ids,
    })
  }

  /** A record as the tables have it, with all that a change needs to know; undefined if there is none. */
  *stored(resource: AnyResource, id: number): Work<Row | undefined> {
    return (yield* this.#whole(resource, [id]))[0]
  }

  /** Everything about some records, the columns that lists are ordered by, and the time of creation, which is counted. */
  *#whole(resource: AnyResource, ids: readonly number[]): Work<readonly Row[]> {
    const sql = this.#sql(`whole ${resource.name}`, () => {
      const order = orderOf(resource).map(({ key }) => `t.${quoted(orderColumn(resource, key))}`)
      const others = [...order, 't.created']
      const { from, where } = this.dialect.rowsByIds(quoted(resource.name))
      return `${selectRecords(this.dialect, { resource }, from, others)} WHERE ${where}`
    })
    return yield* queryByIds(this.dialect, sql, ids)
  }

  /** The ids of the records that refer to one through a field, ascending. */
  *holders(resource: AnyResource, key: string, target: number): Work<number[]> {
    const rows = yield* query(`SELECT ${this.#holding(resource, key)} ORDER BY id`, target)
    return rows.map((row) => Number(row['id']))
  }

  /** The records that refer to one through any of these fields, in the order of the fields and of the ids. */
  *uses<T extends { readonly resource: AnyResource; readonly key: string }>(
    fields: readonly T[],
    target: number,
  ): Work<(T & { readonly id: number })[]> {
    if (fields.length === 0) return []
    const parts = fields.map(({ resource, key }, i) => `SELECT ${i} AS field, ${this.#holding(resource, key)}`)
    const rows = yield* query(`${parts.join(' UNION ALL ')} ORDER BY field, id`, ...parts.map(() => target))
    return rows.map((row) => ({ ...fields[Number(row['field'])]!, id: Number(row['id']) }))
  }

  #holding(resource: AnyResource, key: string): string {
    const linked = resource.fields[key].storage(key).in === 'links'
    const [table, holder, column] = linked ? [linkName(resource, key), 'holder', 'target'] : [resource.name, 'id', key]
    return `${holder} AS id FROM ${quoted(table)} WHERE ${quoted(column)} = ${this.dialect.given('integer')}`
  }

  #sql(name: string, make: () => string): string {
    const known = this.#statements.get(name)
    if (known !== undefined) return known
    const sql = make()
    this.#statements.set(name, sql)
    return sql
  }
}
