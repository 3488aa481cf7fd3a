/** What the two databases spell differently. Everything else is SQL that both understand. */
import type { Cell } from '../declare/index.ts'

/** What replaces some rows of a table. */
export interface Replacement {
  readonly columns: string
  /** The column with the id of the record. */
  readonly key: string
  /** Further conditions, which begin with AND. */
  readonly where: string
  /** The table with the other rows, for which the conditions are true. */
  readonly then: string
}

export interface Dialect {
  /** A primary key that ascends and is never reused. */
  readonly identity: string
  readonly integer: string
  /** Text compared by code point, whatever the database's collation. */
  readonly sortKey: string
  /** Locks out other processes until the transaction ends; SQLite's writers are alone anyway. */
  readonly lock: string | undefined
  /** After a SELECT: locks the rows against other writers until the transaction ends. */
  readonly forUpdate: string
  /** The clause after the columns of CREATE TABLE. */
  readonly tableEnd: string
  /** The same for a table that is accessed only by its key. */
  readonly keyedTableEnd: string
  /** Makes new ids continue from the highest, after some ids were given; nothing if the database does it itself. */
  countOn(table: string): string | undefined
  /** After DROP TABLE: also drops references from other tables. */
  readonly cascade: string
  /** The time of the database in milliseconds: the same for all processes. */
  readonly clock: string
  /** Defers the check of references until the transaction ends. */
  readonly deferReferences: string | undefined
  /** The names of the existing tables. */
  readonly tables: string
  /** The columns of those tables: `table`, `name` and `type`. */
  readonly columns: string
  /** The indexes created by CREATE INDEX: `table`, `name` and `definition`. */
  readonly indexes: string
  /** The keys and indexes that can be dropped and created again, in the order to create them: `table`, `dropped` and `created`. */
  readonly keys: string
  /** The highest id the table ever gave, as `highest`; the record may be gone. */
  highestId(table: string): string
  /** As many new ids as the parameter says, as `id`. */
  newIds(table: string): string
  /** Makes new ids begin after the parameter of each statement; never lowers it. */
  raiseIds(table: string): readonly string[]
  /** A sub-select: a JSON array, as text, of `value` of some rows, in the given order, if any. `rows` comes after FROM. */
  list(value: string, rows: string, order?: string): string
  /** Whether the column is one of the ids in a single parameter. */
  among(column: string): string
  /** The opposite: the column is none of them. */
  notAmong(column: string): string
  ids(ids: readonly number[]): Cell
  /** The rows `t` of a table that have the ids in a single parameter: what comes after FROM, and the condition. */
  rowsByIds(table: string): { readonly from: string; readonly where: string }
  /** The same for texts. */
  amongTexts(column: string): string
  texts(texts: readonly string[]): Cell
  /** The elements of a JSON array in a parameter, as the column `value`. */
  readonly each: string
  /** The rows of the table whose record is none of the ids in a parameter, and all rows of another one. */
  replaced(table: string, by: Replacement): string
  /** After AS: the common table expression is planned as a part of the statement. */
  readonly inlined: string
  /** Whether the column contains the text in a parameter. */
  holds(column: string): string
  /** A time, from text to milliseconds. */
  milliseconds(time: string): string
  /** The largest of some numbers. */
  largest(numbers: readonly string[]): string
  /** After a text in ORDER BY: compares by code point, whatever the database's collation. */
  readonly byCodePoint: string
  /**
   * A parameter that the query planner cannot see. Otherwise SQLite plans the statement again for each value, and so does
   * PostgreSQL if a plan seems cheaper that way. To plan a page takes as long as to read it.
   */
  given(type: 'integer' | 'text'): string
  /** Whether a sub-select in FROM may use the rows before it. */
  readonly hasLateral: boolean
  /** Whether a sub-select on the same table is read from a small index; otherwise the planner turns it into a condition. */
  readonly readsIndexFirst: boolean
  /** The column in a condition for which no index is used, if the database needs to be told. */
  withoutIndex(column: string): string
  /** After the name of a table: rows are found by their ids, if the database needs to be told. */
  readonly byKeyOnly: string
  /** Whether sub-selects run only for rows that OFFSET does not skip. */
  readonly looksUpLate: boolean
  /** Makes the connection overwrite what it deletes; nothing if the database has no such choice. */
  readonly overwriteDeleted: string | undefined
  /** Whether a statement is a message to another process, so that one for several rows is faster than several. */
  readonly isRemote: boolean
  /** Whether the words of a record are stored as a tsvector, and not as rows. */
  readonly hasVectors: boolean
  /** A condition that is always true, until the statement's time is over; `id` is that of the record that is read. */
  inTime(id: string): string
  /** The same where no record is read, but texts. */
  inTimeOf(text: string): string
}

export const sqliteDialect: Dialect = {
  identity: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  integer: 'INTEGER',
  sortKey: 'TEXT',
  lock: undefined,
  forUpdate: '',
  tableEnd: ' STRICT',
  keyedTableEnd: ' STRICT, WITHOUT ROWID',
  countOn: () => undefined,
  cascade: '',
  clock: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  deferReferences: 'PRAGMA defer_foreign_keys = ON',
  tables: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  columns: `SELECT t.name AS "table", c.name AS name, lower(c.type) AS type
    FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
  indexes: `SELECT tbl_name AS "table", name, sql AS definition FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`,
  keys: `SELECT tbl_name AS "table", 'DROP INDEX "' || name || '"' AS dropped, sql AS created
    FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid`,
  highestId: (table) => `SELECT seq AS highest FROM sqlite_sequence WHERE name = '${table}'`,
  newIds: (table) =>
    `WITH RECURSIVE new(place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM new WHERE place < ?)
     SELECT place + COALESCE((${sqliteDialect.highestId(table)}), 0) AS id FROM new`,
  raiseIds: (table) => [
    `UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = '${table}'`,
    `INSERT INTO sqlite_sequence (name, seq)
     SELECT '${table}', ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '${table}')`,
  ],
  // With the order inside of json_group_array, SQLite would sort what an index has in this order.
  list: (value, rows, order) =>
    `(SELECT json_group_array(value) FROM (SELECT ${value} AS value FROM ${rows}${order ? ` ORDER BY ${order}` : ''}))`,
  among: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  notAmong: (column) => `${column} NOT IN (SELECT value FROM json_each(?))`,
  ids: (ids) => JSON.stringify(ids),
  // IN would sort the ids into a table of its own first.
  rowsByIds: (table) => ({ from: `json_each(?) AS given CROSS JOIN ${table}`, where: 't.id = given.value' }),
  amongTexts: (column) => `${column} IN (SELECT value FROM json_each(?))`,
  texts: (texts) => JSON.stringify(texts),
  each: 'json_each(?)',
  // The name of the schema tells the table from the common table expression of the same name.
  replaced: (table, { columns, key, where, then }) =>
    `SELECT ${columns} FROM main.${quoted(table)} WHERE ${sqliteDialect.notAmong(key)}${where}
     UNION ALL SELECT ${columns} FROM ${then}`,
  inlined: '',
  holds: (column) => `instr(${column}, ?) > 0`,
  milliseconds: (time) => `CAST(round(unixepoch(${time}, 'subsec') * 1000) AS INTEGER)`,
  largest: (numbers) => (numbers.length === 1 ? numbers[0]! : `max(${numbers.join(', ')})`),
  byCodePoint: '',
  given: () => '(SELECT ?)',
  hasLateral: false,
  readsIndexFirst: true,
  withoutIndex: (column) => `+${column}`,
  looksUpLate: true,
  byKeyOnly: ' NOT INDEXED',
  overwriteDeleted: 'PRAGMA secure_delete = ON',
  isRemote: false,
  hasVectors: false,
  // For one record in 64, because the call of a function costs more than reading a row. The product mixes the bits: the
  // ids that a statement reads may all be odd.
  inTime: (id) => `((${id} * 40503 >> 10) & 63 OR in_time())`,
  inTimeOf: (text) => `(length(${text}) & 3 OR in_time())`,
}

const OUR_SCHEMA = 't.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY (current_schemas(false)))'

export const postgresDialect: Dialect = {
  identity: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
  integer: 'BIGINT',
  sortKey: 'TEXT COLLATE "C"',
  lock: "SELECT pg_advisory_xact_lock(hashtext('nymdex'))",
  forUpdate: ' FOR UPDATE',
  tableEnd: '',
  keyedTableEnd: '',
  countOn: lastId,
  cascade: ' CASCADE',
  clock: 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)',
  deferReferences: undefined,
  tables: 'SELECT tablename AS name FROM pg_tables WHERE schemaname = ANY (current_schemas(false))',
  columns: `SELECT t.relname AS "table", c.attname AS name, format_type(c.atttypid, c.atttypmod) AS type
    FROM pg_class AS t JOIN pg_attribute AS c ON c.attrelid = t.oid
    WHERE t.relkind = 'r' AND c.attnum > 0 AND NOT c.attisdropped AND ${OUR_SCHEMA}`,
  indexes: `SELECT t.relname AS "table", i.relname AS name, pg_get_indexdef(i.oid) AS definition
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
    WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.oid) AND ${OUR_SCHEMA}`,
  // A reference needs the key that it refers to, so references come last.
  keys: `SELECT t.relname AS "table", 'ALTER TABLE ' || t.oid::regclass || ' DROP CONSTRAINT ' || quote_ident(k.conname) AS dropped,
      'ALTER TABLE ' || t.oid::regclass || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' ' || pg_get_constraintdef(k.oid) AS created,
      CASE k.contype WHEN 'f' THEN 3 WHEN 'p' THEN 1 ELSE 2 END AS place, k.conname AS name
    FROM pg_constraint AS k JOIN pg_class AS t ON t.oid = k.conrelid WHERE k.contype IN ('p', 'u', 'f') AND ${OUR_SCHEMA}
    UNION ALL SELECT t.relname, 'DROP INDEX ' || i.oid::regclass, pg_get_indexdef(i.oid), 2, i.relname
    FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_class AS t ON t.oid = x.indrelid
    WHERE NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = i.oid) AND ${OUR_SCHEMA}
    ORDER BY place, "table", name`,
  highestId: (table) => `SELECT ${lastOf(table)} AS highest`,
  newIds: (table) => `SELECT nextval(${sequenceOf(table)}) AS id FROM generate_series(1, CAST(? AS BIGINT))`,
  raiseIds: (table) => [`SELECT setval(${sequenceOf(table)}, greatest(CAST(? AS BIGINT), ${lastGiven(table)}))`],
  list: (value, rows, order) => `(SELECT json_agg(${value}${order ? ` ORDER BY ${order}` : ''})::text FROM ${rows})`,
  among: (column) => `${column} = ANY (CAST(? AS BIGINT[]))`,
  notAmong: (column) => `${column} NOT IN (SELECT unnest(CAST(? AS BIGINT[])))`,
  ids: (ids) => `{${ids.join(',')}}`,
  // The planner cannot see the ids, as with `given`.
  rowsByIds: (table) => ({ from: table, where: 't.id = ANY (CAST((SELECT CAST(? AS BIGINT[])) AS BIGINT[]))' }),
  amongTexts: (column) => `${column} = ANY (CAST(? AS TEXT[]))`,
  texts: (texts) => `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
  each: 'json_array_elements(CAST(? AS json))',
  // The conditions are outside: with a condition inside, a half would not be read in the order of an index.
  replaced: (table, { columns, key, where, then }) =>
    `SELECT ${columns} FROM (SELECT ${columns}, 0 AS is_then FROM ${quoted(table)}
     UNION ALL SELECT ${columns}, 1 FROM ${then}) AS halves
     WHERE (is_then = 1 OR ${postgresDialect.notAmong(key)})${where}`,
  inlined: 'NOT MATERIALIZED',
  holds: (column) => `strpos(${column}, ?) > 0`,
  milliseconds: (time) => `CAST(round(extract(epoch FROM CAST(${time} AS timestamptz)) * 1000) AS BIGINT)`,
  largest: (numbers) => `greatest(${numbers.join(', ')})`,
  byCodePoint: ' COLLATE "C"',
  given: (type) => `(SELECT CAST(? AS ${type === 'text' ? 'TEXT' : 'BIGINT'}))`,
  hasLateral: true,
  readsIndexFirst: false,
  withoutIndex: (column) => column,
  looksUpLate: false,
  byKeyOnly: '',
  overwriteDeleted: undefined,
  isRemote: true,
  hasVectors: true,
  // statement_timeout does this.
  inTime: () => 'TRUE',
  inTimeOf: () => 'TRUE',
}

/** A statement of SQLite whose only parameter is a list of ids, for one id: to unpack the list would take longer than to look it up. */
export function forOneId(sql: string): string {
  return sql
    .replace(' IN (SELECT value FROM json_each(?))', ' = ?')
    .replace('json_each(?) AS given CROSS JOIN ', '')
    .replace('given.value', '?')
}

function sequenceOf(table: string): string {
  return `pg_get_serial_sequence('${quoted(table)}', 'id')`
}

function lastOf(table: string): string {
  return `COALESCE(pg_sequence_last_value(${sequenceOf(table)}), 0)`
}

/**
 * For transactions that write. A sequence that has given nothing since a person set it says where it is only by giving
 * a number.
 */
function lastGiven(table: string): string {
  return `COALESCE(pg_sequence_last_value(${sequenceOf(table)}), nextval(${sequenceOf(table)}) - 1)`
}

/**
 * The id on PostgreSQL that new records of a table must exceed, in a transaction that writes; NULL if it has none and
 * never had. A sequence that is behind the records, because a person has added some, is raised. One that a person has set, and
 * that has given nothing since, gives a number and is put back: a rollback would not do that.
 */
export function lastId(table: string): string {
  const sequence = sequenceOf(table)
  const given = `pg_sequence_last_value(${sequence})`
  const next = `greatest(max(id) + 1, COALESCE(${given} + 1, nextval(${sequence})))`
  return `SELECT CASE WHEN max(id) IS NULL OR max(id) <= ${given} THEN ${given}
    ELSE setval(${sequence}, ${next}, false) - 1 END FROM ${quoted(table)}`
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
