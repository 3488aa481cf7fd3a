/** Records as they were: those that were changed since come from the past, all others from the tables. */
import { type AnyResource, fieldsOf, keyStoredIn, type Row } from '../declare/index.ts'
import { query, type Work } from './database.ts'
import { type Dialect, quoted } from './dialect.ts'
import type { Names } from './names.ts'
import type { Past, PastReader } from './past.ts'
import type { PastRecord } from './past-rows.ts'
import type { Rank } from './rank.ts'
import { Records } from './records.ts'
import type { Selection } from './select-records.ts'

interface AsOf {
  readonly past: Past
  readonly reader: PastReader
  readonly names: Names
}

export class RecordsAsOf extends Records {
  readonly #dialect: Dialect
  readonly #past: Past
  readonly #reader: PastReader
  readonly #names: Names

  constructor(dialect: Dialect, rank: Rank, { past, reader, names }: AsOf) {
    super(dialect, rank)
    this.#dialect = dialect
    this.#past = past
    this.#reader = reader
    this.#names = names
  }

  override *byIds(selection: Selection, ids: readonly number[]): Work<readonly Row[]> {
    const { resource } = selection
    yield* this.#reader.learn(this.#past, resource, ids)
    const changed = this.#past.of(resource.name).byId
    const found = ids.flatMap((id) => changed.get(id) ?? [])
    const same = yield* super.byIds(selection, changed.size === 0 ? ids : ids.filter((id) => !changed.has(id)))
    const rows = found.length === 0 ? same : [...same, ...(yield* this.#named(resource, found))]
    return yield* this.#counted(selection, rows)
  }

  /** Owners and voters are accounts, which are shown under their present names. */
  *#named(resource: AnyResource, found: readonly PastRecord[]): Work<Row[]> {
    const people = new Set(found.flatMap(({ row, voters }) => [Number(row['owner']), ...voters]))
    const names = yield* this.#names.of(people)
    const [owner, votes] = [keyStoredIn(resource, 'owner'), keyStoredIn(resource, 'votes')]
    return found.map(({ row, voters }) => ({
      ...row,
      ...(owner === undefined ? {} : { [owner]: names.get(Number(row['owner'])) ?? '' }),
      ...(votes === undefined ? {} : { [votes]: JSON.stringify(voters.map((id) => names.get(id) ?? '').reverse()) }),
    }))
  }

  /** Members that count records of another resource count those of then. */
  *#counted({ resource, only }: Selection, rows: readonly Row[]): Work<readonly Row[]> {
    let counted = rows
    for (const [key, field] of fieldsOf(resource)) {
      const storage = field.storage(key)
      if (storage.in !== 'count' || (only && !only.includes(key))) continue
      const { byId } = this.#past.of(resource.name)
      const isPast = rows.some((row) => byId.has(Number(row['id'])))
      if (rows.length === 0 || (this.#past.of(storage.of).byId.size === 0 && !isPast)) continue
      const counts = yield* this.#count(storage, rows)
      counted = counted.map((row) => ({ ...row, [key]: counts.get(Number(row['id'])) ?? 0 }))
    }
    return counted
  }

  *#count({ of, by }: { readonly of: string; readonly by: string }, rows: readonly Row[]): Work<Map<number, number>> {
    const { byId, existed } = this.#past.of(of)
    const wanted = rows.map((row) => Number(row['id']))
    const then = existed.map(({ row }) => Number(row[by]))
    const same = yield* query(
      `SELECT ${quoted(by)} AS id, count(*) AS count FROM ${quoted(of)}
       WHERE ${this.#dialect.among(quoted(by))} AND ${this.#dialect.notAmong('id')} GROUP BY ${quoted(by)}`,
      this.#dialect.ids(wanted),
      this.#dialect.ids([...byId.keys()]),
    )
    const counts = new Map(same.map((row) => [Number(row['id']), Number(row['count'])]))
    for (const id of then) counts.set(id, (counts.get(id) ?? 0) + 1)
    return counts
  }
}
