/** The boards of days, and how often players did what with them. Every process reads the tables. */
import type { Row } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'

export interface BoardRow {
  /** The number of the day. */
  readonly number: number
  /** The how-manyth board that was made. */
  readonly made: number
  /** JSON. */
  readonly board: string
  readonly salt: string
  readonly hash: string
}

export type TallyKind = 'end' | 'first' | 'four'

export interface Tally {
  readonly number: number
  readonly what: TallyKind
  readonly value: number
  readonly times: number
}

/** What the JSON of a board says about the records that it was made from. */
interface StoredGroups {
  readonly of: string
  readonly groups: readonly { readonly id: number }[]
  /** The ids of those that staff have hidden. While there are any, nobody is shown the board. */
  readonly withdrawn?: readonly number[]
}

const SPAN = 200
const COLUMNS = 'number, made, board, salt, hash'
const TALLY = 'number, what, value, times'

export class Boards {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Throws `Taken` if the day has a board, or if another process has made a board meanwhile. */
  *insert({ number, made, board, salt, hash }: BoardRow): Work<void> {
    const sql = `INSERT INTO play_board (${COLUMNS}) VALUES (?, ?, ?, ?, ?)`
    yield* query(sql, number, made, board, salt, hash)
  }

  *ofDay(number: number): Work<BoardRow | undefined> {
    const [row] = yield* query(`SELECT ${COLUMNS} FROM play_board WHERE number = ?`, number)
    return row && boardRow(row)
  }

  /** Of those days that have one. */
  *ofDays(numbers: readonly number[]): Work<BoardRow[]> {
    const sql = `SELECT ${COLUMNS} FROM play_board WHERE ${this.#dialect.among('number')}`
    return (yield* query(sql, this.#dialect.ids(numbers))).map(boardRow)
  }

  /** The numbers of the days in this range that have a board. */
  *numbers(from: number, to: number): Work<number[]> {
    const rows = yield* query('SELECT number FROM play_board WHERE number BETWEEN ? AND ? ORDER BY number', from, to)
    return rows.map((row) => Number(row['number']))
  }

  /** In the order in which they were made. */
  *madeAfter(made: number, limit: number): Work<BoardRow[]> {
    const rows = yield* query(`SELECT ${COLUMNS} FROM play_board WHERE made > ? ORDER BY made LIMIT ?`, made, limit)
    return rows.map(boardRow)
  }

  /** Days up to `last`. */
  *count(last: number): Work<number> {
    const [row] = yield* query('SELECT count(*) AS count FROM play_board WHERE number <= ?', last)
    return Number(cell(row, 'count'))
  }

  /** The latest day first. */
  *page(last: number, { limit, offset }: { readonly limit: number; readonly offset: number }): Work<BoardRow[]> {
    const rows = yield* query(
      `SELECT ${COLUMNS} FROM play_board WHERE number <= ? ORDER BY number DESC LIMIT ? OFFSET ?`,
      last,
      limit,
      offset,
    )
    return rows.map(boardRow)
  }

  /** Days after `day`, in order. */
  *after(day: number, limit: number): Work<BoardRow[]> {
    const sql = `SELECT ${COLUMNS} FROM play_board WHERE number > ? ORDER BY number LIMIT ?`
    return (yield* query(sql, day, limit)).map(boardRow)
  }

  /** Drops boards of days after `day` with a group of any of these records, such as `polynym/7`. */
  *dropFrom(places: ReadonlySet<string>, day = 0): Work<void> {
    yield* this.#eachOf(places, day, function* ({ number }) {
      yield* query('DELETE FROM play_board WHERE number = ?', number)
      yield* query('DELETE FROM play_tally WHERE number = ?', number)
    })
  }

  /** Withdraws boards with a group of any of these records, or shows them again. */
  *setWithdrawn(places: ReadonlySet<string>, isWithdrawn: boolean): Work<void> {
    yield* this.#eachOf(places, 0, function* ({ number, board }) {
      const { withdrawn = [], ...rest }: StoredGroups = JSON.parse(board)
      const others = withdrawn.filter((id) => !places.has(`${rest.of}/${id}`))
      const these = rest.groups.flatMap(({ id }) => (isWithdrawn && places.has(`${rest.of}/${id}`) ? id : []))
      const hidden = [...others, ...these]
      const stored = JSON.stringify({ ...rest, ...(hidden.length > 0 && { withdrawn: hidden }) })
      yield* query('UPDATE play_board SET board = ? WHERE number = ?', stored, number)
    })
  }

  *#eachOf(places: ReadonlySet<string>, day: number, take: (row: BoardRow) => Work<void>): Work<void> {
    for (let last = day; ; ) {
      const rows = yield* this.after(last, SPAN)
      for (const row of rows) {
        const { of, groups }: StoredGroups = JSON.parse(row.board)
        if (groups.some(({ id }) => places.has(`${of}/${id}`))) yield* take(row)
      }
      if (rows.length < SPAN) return
      last = rows.at(-1)?.number ?? last
    }
  }

  *addTally(number: number, what: TallyKind, value: number): Work<void> {
    yield* query(
      `INSERT INTO play_tally (${TALLY}) VALUES (?, ?, ?, 1)
       ON CONFLICT (number, what, value) DO UPDATE SET times = play_tally.times + excluded.times`,
      number,
      what,
      value,
    )
  }

  /** How rounds of these days ended, and which group was found first. */
  *tallies(from: number, to: number): Work<Tally[]> {
    const rows = yield* query(
      `SELECT ${TALLY} FROM play_tally WHERE number BETWEEN ? AND ? AND what IN ('end', 'first')
       ORDER BY number, what, value`,
      from,
      to,
    )
    return rows.map(tally)
  }

  /** The wrong fours of a day, the most frequent first. */
  *wrongFoursOf(number: number, limit: number): Work<Tally[]> {
    const rows = yield* query(
      `SELECT ${TALLY} FROM play_tally WHERE number = ? AND what = 'four' ORDER BY times DESC, value LIMIT ?`,
      number,
      limit,
    )
    return rows.map(tally)
  }

  /** The wrong fours that most players made on days up to `last`, the most frequent first. */
  *wrongFours(last: number, least: number, { limit, offset }: { limit: number; offset: number }): Work<Tally[]> {
    const rows = yield* query(
      `SELECT ${TALLY} FROM play_tally WHERE what = 'four' AND times >= ? AND number <= ?
       ORDER BY times DESC, number, value LIMIT ? OFFSET ?`,
      least,
      last,
      limit,
      offset,
    )
    return rows.map(tally)
  }
}

function boardRow(row: Row): BoardRow {
  return {
    number: Number(row['number']),
    made: Number(row['made']),
    board: String(row['board']),
    salt: String(row['salt']),
    hash: String(row['hash']),
  }
}

const KINDS: readonly TallyKind[] = ['end', 'first', 'four']

function tally(row: Row): Tally {
  const what = KINDS.find((kind) => kind === row['what']) ?? 'four'
  return { number: Number(row['number']), what, value: Number(row['value']), times: Number(row['times']) }
}
