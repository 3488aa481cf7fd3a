/** Many records at once: a table to paste from a spreadsheet or to edit, checked before it is saved in one request. */
import type { PageAnswer } from '../../../http/index.ts'
import { GRID } from '../../assets.ts'
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { entryOf, label, whatIs } from '../../label.ts'
import { readTable, writeTable } from '../../table-text.ts'
import { visitPage } from '../../visit-page.ts'
import { ASIDE } from './controls.ts'
import { signInFirst } from './refusals.ts'
import { type Members, membersOf } from './values.ts'

/** As many as one request of the API takes. */
const MOST_ROWS = 200
const LONGEST = 500_000
/** Shown when nothing was pasted. */
const BLANK_ROWS = 3

/** A record whose members are all texts fits into a row. */
export function hasTable({ hasTerms, form: { references } }: MadeKind): boolean {
  return hasTerms && Object.keys(references).length === 0
}

export function tablePages(kind: MadeKind): ExplorerPage[] {
  if (!hasTable(kind)) return []
  const path = `/make/${kind.name}/table/`
  const page = (act: typeof begin) => (visit: ExplorerVisit) => opened(visit, kind, act)
  return [{ path, title: `A table of ${kind.many.toLowerCase()}`, GET: page(begin), POST: page(work) }]
}

interface Table {
  readonly kind: MadeKind
  readonly members: Members
  readonly columns: readonly Column[]
}

interface Column {
  readonly member: string
  readonly label: string
  /** The entry of the glossary that says what it means. */
  readonly entry?: string | undefined
}

/** What is wrong with a cell, or with a whole row. Rows count from 0. */
interface Fault {
  readonly row: number
  readonly member: string
  readonly says: string
}

async function opened(
  visit: ExplorerVisit,
  kind: MadeKind,
  act: (visit: ExplorerVisit, table: Table) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const { json } = await visit.ask(`/api/${kind.name}/`, { method: 'OPTIONS' })
  const actions = json?.actions?.POST
  if (!actions) return signInFirst(visit, kind)
  const members = membersOf(actions, kind)
  const id = { member: `${kind.name}_id`, label: 'Number' }
  // Its words come before where it comes from.
  const [main = [], aside = []] = [false, true].map((isAside) =>
    Object.keys(members).filter((member) => ASIDE.has(member) === isAside),
  )
  const columns = [...main, ...aside].map((member) => ({
    member,
    label: labelOf(kind, member),
    entry: entryOf(kind.name, member),
  }))
  return await act(visit, { kind, members, columns: [...columns, id] })
}

function labelOf({ form: { words, slots } }: MadeKind, member: string): string {
  const [, letter = '', number] = /^([a-z])([0-9]+)$/.exec(member) ?? []
  const each = slots[letter]?.each
  return each ? `${each} ${number}` : (words[member]?.label ?? member)
}

/** With `mine`, the visitor's own records, to be changed together. */
async function begin(visit: ExplorerVisit, table: Table): Promise<PageAnswer> {
  if (visit.query.get('mine') === undefined || !visit.visitor) return show(visit, table, { rows: [] })
  const query = new URLSearchParams({ user: visit.visitor.name, page_size: String(MOST_ROWS) })
  const { json } = await visit.ask(`/api/${table.kind.name}/?${query}`)
  const records: readonly Shown[] = json?.results ?? []
  return show(visit, table, { rows: records.map((record) => rowOf(table, record)) })
}

function rowOf({ columns }: Table, record: Shown): string[] {
  return columns.map(({ member }) => String(record[member] ?? ''))
}

async function work(visit: ExplorerVisit, table: Table): Promise<PageAnswer> {
  const form = await visit.form()
  const text = (form.get('table')?.at(-1) ?? '').replaceAll(/\r\n?/g, '\n')
  if (text.length > LONGEST) return show(visit, table, { rows: [], note: 'That is too much for one table.' })
  const rows = inColumns(table, readTable(text))
  if (rows.length === 0) return show(visit, table, { rows, note: 'The table is empty.' })
  if (rows.length > MOST_ROWS) return show(visit, table, { rows, note: `Use at most ${MOST_ROWS} rows at a time.` })
  const isSaved = form.get('action')?.at(-1) === 'save'
  const json = { resource: table.kind.name, records: rows.map((row) => recordOf(table, row)) }
  const { status, json: answer } = await visit.ask(`/api/batch/${isSaved ? '' : '?dry_run=true'}`, {
    method: 'POST',
    json,
  })
  if (status === 200 && isSaved)
    return { location: `/${table.kind.name}/?user=${encodeURIComponent(visit.visitor?.name ?? '')}&ordering=-id` }
  if (status === 200) return show(visit, table, { rows, isRight: true })
  if (status === 400) return show(visit, table, { rows, faults: faultsOf([answer.records ?? answer.detail].flat()) })
  return show(visit, table, { rows, note: answer?.detail ?? 'It could not be saved.' })
}

/** "Record 2, mode: ..." */
function faultsOf(messages: readonly string[]): Fault[] {
  return messages.flatMap((message) => {
    const [, row, member = '', says = ''] = /^Record ([0-9]+)(?:, (\w+))?: (.*)$/s.exec(message) ?? []
    return row === undefined
      ? [{ row: 0, member: '', says: message }]
      : [{ row: Number(row), member, says: inOurWords(says) }]
  })
}

/** The cells in the order of our columns. A first row of names says which cell is what; without one, our order counts. */
function inColumns({ columns }: Table, rows: readonly string[][]): string[][] {
  const key = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const placeOf = (cell: string) =>
    columns.findIndex(({ member, label }) => [key(member), key(label)].includes(key(cell)))
  const places = rows[0]?.map(placeOf) ?? []
  const isHead = places.filter((place) => place >= 0).length > 1
  if (!isHead) return rows.map((row) => columns.map((_, i) => row[i] ?? ''))
  return rows.slice(1).map((row) => columns.map((_, i) => row[places.indexOf(i)] ?? ''))
}

function recordOf({ columns, members }: Table, row: readonly string[]): Record<string, string> {
  const filled = columns.flatMap(({ member }, i): [string, string][] => {
    const cell = row[i] ?? ''
    const isChoice = members[member]?.type === 'choice'
    return cell === '' ? [] : [[member, isChoice ? cell.toLowerCase() : cell]]
  })
  return Object.fromEntries(filled)
}

interface Shows {
  readonly rows: readonly (readonly string[])[]
  readonly faults?: readonly Fault[]
  readonly note?: string
  /** It was checked, and nothing is wrong. */
  readonly isRight?: boolean
}

function show(visit: ExplorerVisit, table: Table, { rows, faults = [], note, isRight = false }: Shows): PageAnswer {
  const { kind, columns } = table
  const several = kind.many.toLowerCase()
  const title = `A table of ${several}`
  const text = writeTable([columns.map(({ label }) => label), ...rows])
  const wrong = faults.length === 1 ? 'One thing is wrong' : `${faults.length} things are wrong`
  const main = html`<p class="kind">${kind.form.title} ${whatIs(kind.name)}</p>
    <h1>${title}</h1>
    <p class="does">Up to ${MOST_ROWS} ${several} at once. Paste them from a spreadsheet, or write them here. They are saved together: all of them, or none.</p>
    <form class="tabling" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      ${note && html`<p class="note bad" role="alert">${note}</p>`}
      ${isRight && html`<p class="note" role="status">${rows.length === 1 ? 'The row is' : `All ${rows.length} rows are`} right. Nothing is saved yet.</p>`}
      ${
        faults.length > 0 &&
        html`<div class="note bad" role="alert"><p>${wrong}, and nothing was saved.</p>
          <ul>${faults.map((fault) => html`<li>${placeInWords(table, fault)}: ${fault.says}</li>`)}</ul></div>`
      }
      <label class="label" for="table">The table</label>
      <textarea id="table" name="table" class="code" rows="12" wrap="off" aria-describedby="table-help" data-columns=${JSON.stringify(columns)}
        data-faults=${JSON.stringify(faults)} data-blanks=${BLANK_ROWS} data-most=${MOST_ROWS}>${text}</textarea>
      <span class="help" id="table-help">One on each line, with tabs or commas between the cells. The first line names the columns. A row with the number of a
        record of yours changes that record. The columns are ${columns.map((column, i) => [i > 0 && ', ', label(column.entry ?? '', column.label)])}.</span>
      <p class="chips">
        <button class="btn" type="submit" name="action" value="check">Check it</button>
        <button class="go" type="submit" name="action" value="save">Save all</button>
        <a class="btn" href=${`${visit.path}?mine`}>Edit my own</a>
      </p>
    </form>`
  return {
    status: faults.length > 0 || note ? 400 : 200,
    page: visitPage(visit, { title, part: 'make', main, scripts: [GRID] }),
  }
}

function placeInWords({ columns }: Table, { row, member }: Fault): Content {
  const name = columns.find((column) => column.member === member)?.label ?? member
  return member === '' ? `Row ${row + 1}` : `Row ${row + 1}, ${name}`
}
