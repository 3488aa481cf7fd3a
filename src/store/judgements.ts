/** Judgements of people: whether a text reads well when it is told with a topic. One for each person, text and topic. */
import type { Row } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type FitAbout, type FitCounts, type FitPair, moveCell } from './fit-counts.ts'

export interface Judgement extends FitPair {
  readonly fits: boolean
  readonly at: string
}

/** Counted judgements of a text, a topic, a group of topics, or all. */
export interface FitTally extends FitCounts {
  readonly value: string
  readonly agreed: number
  readonly compared: number
  readonly cells: number
}

export interface FitCell extends FitPair, FitCounts {}

interface Judging extends FitPair {
  readonly account: number
  /** The group of the topic. */
  readonly group: string
  /** Undefined takes the judgement back. */
  readonly fits: boolean | undefined
  readonly at: string
}

/** Which rows of a list. */
interface Rows {
  readonly limit: number
  readonly offset: number
}

const TALLY = 'SELECT value, yes, no, agreed, compared, cells FROM fit_count'
const CELL = 'SELECT text, topic, yes, no FROM fit_cell'

/** The newest judgements of a person that are compared with those of others. */
const MOST_COMPARED = 1000

export class Judgements {
  readonly #dialect: Dialect

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  /** Whether it is a new one. */
  *judge({ account, text, topic, group, fits, at }: Judging): Work<boolean> {
    const key = [account, text, topic]
    const [old] = yield* query('SELECT fits FROM judgement WHERE account = ? AND text = ? AND topic = ?', ...key)
    const was = old && Number(old['fits']) === 1
    if (was === fits) return false
    const [counted] = yield* query(`${CELL} WHERE text = ? AND topic = ?`, text, topic)
    const before = counted ? fitCell(counted) : { yes: 0, no: 0 }
    const after = {
      yes: before.yes + Number(fits === true) - Number(was === true),
      no: before.no + Number(fits === false) - Number(was === false),
    }
    if (fits === undefined) {
      yield* query('DELETE FROM judgement WHERE account = ? AND text = ? AND topic = ?', ...key)
    } else {
      yield* query(
        `INSERT INTO judgement (account, text, topic, fits, at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (account, text, topic) DO UPDATE SET fits = excluded.fits, at = excluded.at`,
        ...key,
        Number(fits),
        at,
      )
    }
    yield* moveCell({ text, topic, group, account, before, after })
    return was === undefined
  }

  *one(account: number, { text, topic }: FitPair): Work<Judgement | undefined> {
    const sql = 'SELECT text, topic, fits, at FROM judgement WHERE account = ? AND text = ? AND topic = ?'
    const [row] = yield* query(sql, account, text, topic)
    return row && judgement(row)
  }

  /** Newest first. */
  *ofAccount(account: number, { limit, offset }: Rows): Work<Judgement[]> {
    const rows = yield* query(
      'SELECT text, topic, fits, at FROM judgement WHERE account = ? ORDER BY at DESC, text, topic LIMIT ? OFFSET ?',
      account,
      limit,
      offset,
    )
    return rows.map(judgement)
  }

  /** All of them, some at a time, by text and topic. */
  *ofAccountAfter(account: number, { text, topic }: FitPair, limit: number): Work<Judgement[]> {
    const rows = yield* query(
      `SELECT text, topic, fits, at FROM judgement WHERE account = ? AND (text, topic) > (?, ?)
       ORDER BY text, topic LIMIT ?`,
      account,
      text,
      topic,
      limit,
    )
    return rows.map(judgement)
  }

  /** What a person says about some of the pairs. */
  *amongPairs(account: number, texts: readonly number[], topics: readonly number[]): Work<Judgement[]> {
    const { among, ids } = this.#dialect
    const sql = `SELECT text, topic, fits, at FROM judgement WHERE account = ? AND ${among('text')} AND ${among('topic')}`
    return (yield* query(sql, account, ids(texts), ids(topics))).map(judgement)
  }

  *cellsAmong(texts: readonly number[], topics: readonly number[]): Work<FitCell[]> {
    const { among, ids } = this.#dialect
    return (yield* query(`${CELL} WHERE ${among('text')} AND ${among('topic')}`, ids(texts), ids(topics))).map(fitCell)
  }

  /** The pairs of a text or a topic, those that read worst first. */
  *cellsOf(as: 'text' | 'topic', id: number, { limit, offset }: Rows): Work<FitCell[]> {
    const other = as === 'text' ? 'topic' : 'text'
    const sql = `${CELL} WHERE ${as} = ? ORDER BY misfit DESC, ${other} LIMIT ? OFFSET ?`
    return (yield* query(sql, id, limit, offset)).map(fitCell)
  }

  /** All pairs, some at a time, by text and topic. */
  *cellsAfter({ text, topic }: FitPair, limit: number): Work<FitCell[]> {
    const sql = `${CELL} WHERE (text, topic) > (?, ?) ORDER BY text, topic LIMIT ?`
    return (yield* query(sql, text, topic, limit)).map(fitCell)
  }

  *cells({ limit, offset }: Rows): Work<FitCell[]> {
    return (yield* query(`${CELL} ORDER BY text, topic LIMIT ? OFFSET ?`, limit, offset)).map(fitCell)
  }

  /** Those that read worst first. */
  *tallies(about: FitAbout, { limit, offset }: Rows): Work<FitTally[]> {
    const sql = `${TALLY} WHERE about = ? ORDER BY misfit DESC, value LIMIT ? OFFSET ?`
    return (yield* query(sql, about, limit, offset)).map(tally)
  }

  *talliesOf(about: FitAbout, values: readonly string[]): Work<FitTally[]> {
    const { amongTexts, texts } = this.#dialect
    return (yield* query(`${TALLY} WHERE about = ? AND ${amongTexts('value')}`, about, texts(values))).map(tally)
  }

  *countTallies(about: FitAbout): Work<number> {
    const [row] = yield* query('SELECT count(*) AS count FROM fit_count WHERE about = ?', about)
    return Number(cell(row, 'count'))
  }

  /** How often others agree with a person: in the newest judgements, so that it costs the same for everybody. */
  *agreementOf(account: number): Work<{ readonly agreed: number; readonly compared: number }> {
    const [row] = yield* query(
      `SELECT COALESCE(sum(CASE WHEN j.fits = 1 THEN c.yes - 1 ELSE c.no - 1 END), 0) AS agreed,
         COALESCE(sum(c.yes + c.no - 1), 0) AS compared
       FROM (SELECT text, topic, fits FROM judgement WHERE account = ? ORDER BY at DESC, text, topic LIMIT ?) AS j
       JOIN fit_cell AS c ON c.text = j.text AND c.topic = j.topic`,
      account,
      MOST_COMPARED,
    )
    return { agreed: Number(cell(row, 'agreed')), compared: Number(cell(row, 'compared')) }
  }
}

function judgement(row: Row): Judgement {
  return {
    text: Number(row['text']),
    topic: Number(row['topic']),
    fits: Number(row['fits']) === 1,
    at: String(row['at']),
  }
}

function fitCell(row: Row): FitCell {
  return { text: Number(row['text']), topic: Number(row['topic']), yes: Number(row['yes']), no: Number(row['no']) }
}

function tally(row: Row): FitTally {
  return {
    value: String(row['value']),
    yes: Number(row['yes']),
    no: Number(row['no']),
    agreed: Number(row['agreed']),
    compared: Number(row['compared']),
    cells: Number(row['cells']),
  }
}
