/**
 * Counters of judgements: how often people say that a text reads well with a topic, for each pair, text, topic, group of
 * topics and person, and for all. Every judgement updates them, so results never read the judgements themselves.
 */
import type { AnyResource, Cell, Row } from '../declare/index.ts'
import { cell, query, type Work } from './database.ts'
import { quoted } from './dialect.ts'

/** What a counter is about; the value is an id, a group, or empty for `all`. */
export type FitAbout = 'text' | 'topic' | 'group' | 'user' | 'all'

export interface FitCounts {
  readonly yes: number
  readonly no: number
}

/** Two people who judge the same pair agree, or not: how many pairs of people do, and how many there are. */
interface FitSums extends FitCounts {
  readonly agreed: number
  readonly compared: number
  /** How many pairs of a text and a topic are judged. */
  readonly cells: number
}

const SUMS = ['yes', 'no', 'agreed', 'compared', 'cells'] as const
const COLUMNS = `about, value, ${SUMS.join(', ')}`
/** The share of misfits in a thousand; four judgements that nobody made keep few judgements from coming first. */
const misfitOf = (yes: string, no: string) => `1000 * (${no}) / (${yes} + ${no} + 4)`
const sumOf = (column: string) => `fit_count.${column} + excluded.${column}`
const ADDED = `ON CONFLICT (about, value) DO UPDATE SET ${SUMS.map((column) => `${column} = ${sumOf(column)}`).join(', ')},
  misfit = ${misfitOf(sumOf('yes'), sumOf('no'))}`
const AGREED = '(yes * (yes - 1) + no * (no - 1)) / 2'
const COMPARED = '(yes + no) * (yes + no - 1) / 2'

function sumsOf({ yes, no }: FitCounts): FitSums {
  const agreed = (yes * (yes - 1) + no * (no - 1)) / 2
  return { yes, no, agreed, compared: ((yes + no) * (yes + no - 1)) / 2, cells: yes + no > 0 ? 1 : 0 }
}

export interface FitPair {
  readonly text: number
  readonly topic: number
}

interface CellChange extends FitPair {
  readonly group: string
  readonly account: number
  readonly before: FitCounts
  readonly after: FitCounts
}

/** A judgement was made, changed or taken back. */
export function* moveCell({ text, topic, group, account, before, after }: CellChange): Work<void> {
  const [old, now] = [sumsOf(before), sumsOf(after)]
  const by = SUMS.map((column) => now[column] - old[column])
  const own = [after.yes - before.yes, after.no - before.no]
  const counters: [FitAbout, Cell, number[]][] = [
    ['text', String(text), by],
    ['topic', String(topic), by],
    ['group', group, by],
    ['all', '', by],
    ['user', String(account), [...own, 0, 0, own[0]! + own[1]!]],
  ]
  const misfit = misfitOf('CAST(? AS BIGINT)', 'CAST(? AS BIGINT)')
  for (const [about, value, sums] of counters) {
    const [yes = 0, no = 0] = sums
    yield* query(
      `INSERT INTO fit_count (${COLUMNS}, misfit) VALUES (?, ?, ?, ?, ?, ?, ?, ${misfit}) ${ADDED}`,
      about,
      value,
      ...sums,
      no,
      yes,
      no,
    )
  }
  if (now.yes + now.no < old.yes + old.no) yield* dropEmpty()
  if (now.cells === 0) yield* query('DELETE FROM fit_cell WHERE text = ? AND topic = ?', text, topic)
  else {
    const share = Math.floor((1000 * after.no) / (after.yes + after.no + 4))
    yield* query(
      `INSERT INTO fit_cell (text, topic, grouped, yes, no, misfit) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (text, topic) DO UPDATE SET yes = excluded.yes, no = excluded.no, misfit = excluded.misfit`,
      text,
      topic,
      group,
      after.yes,
      after.no,
      share,
    )
  }
}

function* dropEmpty(): Work<void> {
  yield* query('DELETE FROM fit_count WHERE cells = 0')
}

/** Adds the sums of some cells to the counters of what the other columns name. */
function* addCells(
  about: FitAbout,
  value: string,
  where: string,
  parameters: readonly Cell[],
  sign: 1 | -1,
): Work<void> {
  const sums = ['sum(yes)', 'sum(no)', `sum(${AGREED})`, `sum(${COMPARED})`, 'count(*)'].map(
    (sum) => `${sign} * ${sum}`,
  )
  const misfit = misfitOf('CAST(sum(yes) AS BIGINT)', 'CAST(sum(no) AS BIGINT)')
  yield* query(
    `INSERT INTO fit_count (${COLUMNS}, misfit) SELECT '${about}', ${value}, ${sums.join(', ')}, ${misfit} FROM fit_cell
     WHERE ${where} GROUP BY ${value === "''" ? 'text > 0' : value} ${ADDED}`,
    ...parameters,
  )
}

/** A record is deleted, and all judgements about it. */
export function* forgetJudged({ judged }: AnyResource, id: number): Work<void> {
  if (!judged) return
  const { as } = judged
  const [known] = yield* query('SELECT cells FROM fit_count WHERE about = ? AND value = ?', as, String(id))
  if (!known) return
  const other = as === 'text' ? 'topic' : 'text'
  const where = `${as} = ?`
  yield* addCells(other, `CAST(${other} AS TEXT)`, where, [id], -1)
  yield* addCells('group', 'grouped', where, [id], -1)
  yield* addCells('all', "''", where, [id], -1)
  yield* query(
    `INSERT INTO fit_count (${COLUMNS}) SELECT 'user', CAST(account AS TEXT), -sum(fits), -sum(1 - fits), 0, 0, -count(*)
     FROM judgement WHERE ${where} GROUP BY account ${ADDED}`,
    id,
  )
  yield* query('DELETE FROM fit_count WHERE about = ? AND value = ?', as, String(id))
  yield* query(`DELETE FROM fit_cell WHERE ${where}`, id)
  yield* query(`DELETE FROM judgement WHERE ${where}`, id)
  yield* dropEmpty()
}

/** A topic belongs to another group now. */
export function* regroupJudged(
  { judged }: AnyResource,
  id: number,
  { before, after }: { readonly before: Row; readonly after: Row },
): Work<void> {
  if (judged?.as !== 'topic' || before[judged.by] === after[judged.by]) return
  const [known] = yield* query("SELECT cells FROM fit_count WHERE about = 'topic' AND value = ?", String(id))
  if (!known) return
  const group = cell(after, judged.by)
  yield* addCells('group', 'grouped', 'topic = ?', [id], -1)
  yield* query('UPDATE fit_cell SET grouped = ? WHERE topic = ?', group, id)
  yield* addCells('group', 'grouped', 'topic = ?', [id], 1)
  yield* dropEmpty()
}

const MINE = 'FROM judgement AS j JOIN fit_cell AS c ON c.text = j.text AND c.topic = j.topic WHERE j.account = ?'

/** An account is removed, and all its judgements. */
export function* forgetJudge(account: number): Work<void> {
  const [known] = yield* query("SELECT cells FROM fit_count WHERE about = 'user' AND value = ?", String(account))
  if (!known) return
  const sums = [
    'j.fits',
    '1 - j.fits',
    'CASE WHEN j.fits = 1 THEN c.yes - 1 ELSE c.no - 1 END',
    'c.yes + c.no - 1',
    'CASE WHEN c.yes + c.no = 1 THEN 1 ELSE 0 END',
  ]
  const counted = sums.map((sum) => `-sum(${sum})`).join(', ')
  for (const [about, value] of [
    ['text', 'CAST(j.text AS TEXT)'],
    ['topic', 'CAST(j.topic AS TEXT)'],
    ['group', 'c.grouped'],
  ]) {
    const sql = `INSERT INTO fit_count (${COLUMNS}) SELECT '${about}', ${value}, ${counted} ${MINE} GROUP BY ${value} ${ADDED}`
    yield* query(sql, account)
  }
  yield* query(
    `INSERT INTO fit_count (${COLUMNS}) SELECT 'all', '', ${counted} ${MINE} GROUP BY j.account ${ADDED}`,
    account,
  )
  const own = '(text, topic) IN (SELECT j.text, j.topic FROM judgement AS j WHERE j.account = ?)'
  const fits = `(SELECT j.fits FROM judgement AS j WHERE j.account = ? AND j.text = fit_cell.text AND j.topic = fit_cell.topic)`
  yield* query(`UPDATE fit_cell SET yes = yes - ${fits}, no = no - 1 + ${fits} WHERE ${own}`, account, account, account)
  yield* query(`DELETE FROM fit_cell WHERE yes + no = 0 AND ${own}`, account)
  yield* query(`UPDATE fit_cell SET misfit = ${misfitOf('yes', 'no')} WHERE ${own}`, account)
  yield* query("DELETE FROM fit_count WHERE about = 'user' AND value = ?", String(account))
  yield* query('DELETE FROM judgement WHERE account = ?', account)
  yield* dropEmpty()
}

/** Counts all judgements again, after a restore. */
export function* rebuildFit(catalogue: readonly AnyResource[]): Work<void> {
  yield* query('DELETE FROM fit_cell')
  yield* query('DELETE FROM fit_count')
  const topics = catalogue.find(({ judged }) => judged?.as === 'topic')
  const by = topics?.judged?.as === 'topic' ? topics.judged.by : undefined
  if (!topics || by === undefined) return
  const yes = 'sum(j.fits)'
  const no = 'sum(1 - j.fits)'
  yield* query(
    `INSERT INTO fit_cell (text, topic, grouped, yes, no, misfit)
     SELECT j.text, j.topic, t.${quoted(by)}, ${yes}, ${no}, 0
     FROM judgement AS j JOIN ${quoted(topics.name)} AS t ON t.id = j.topic GROUP BY j.text, j.topic, t.${quoted(by)}`,
  )
  yield* query(`UPDATE fit_cell SET misfit = ${misfitOf('yes', 'no')}`)
  for (const about of ['text', 'topic'] as const) yield* addCells(about, `CAST(${about} AS TEXT)`, 'text > 0', [], 1)
  yield* addCells('group', 'grouped', 'text > 0', [], 1)
  yield* addCells('all', "''", 'text > 0', [], 1)
  yield* query(
    `INSERT INTO fit_count (${COLUMNS}) SELECT 'user', CAST(account AS TEXT), sum(fits), sum(1 - fits), 0, 0, count(*)
     FROM judgement GROUP BY account`,
  )
  yield* query(`UPDATE fit_count SET misfit = ${misfitOf('yes', 'no')}`)
}

/** How many pairs and people are counted wrong. */
export function* countWrongFit(): Work<number> {
  const counted = `SELECT text, topic, CAST(sum(fits) AS BIGINT) AS yes, CAST(sum(1 - fits) AS BIGINT) AS no
    FROM judgement GROUP BY text, topic`
  const stored = 'SELECT text, topic, yes, no FROM fit_cell'
  const people = 'SELECT CAST(account AS TEXT) AS value, count(*) AS cells FROM judgement GROUP BY account'
  const known = "SELECT value, cells FROM fit_count WHERE about = 'user'"
  let wrong = 0
  for (const [these, those] of [
    [counted, stored],
    [stored, counted],
    [people, known],
    [known, people],
  ]) {
    const sql = `SELECT count(*) AS count FROM (SELECT * FROM (${these}) AS these EXCEPT SELECT * FROM (${those}) AS those) AS wrong`
    const [row] = yield* query(sql)
    wrong += Number(cell(row, 'count'))
  }
  return wrong
}
