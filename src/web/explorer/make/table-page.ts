/** Many records at once: a table to paste from a spreadsheet or to edit, checked before it is saved in one request. */
import type { PageAnswer } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { GRID } from '../../assets.ts'
import { signedInAgain } from '../../failure.ts'
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { entryOf, label, whatIs } from '../../label.ts'
import { writeTable } from '../../table-text.ts'
import { visitPage } from '../../visit-page.ts'
import { ASIDE } from './controls.ts'
import { signInFirst } from './refusals.ts'
import {
  COLUMNS,
  type Column,
  changedRows,
  type Fault,
  faultsOf,
  OPENED,
  overtaken,
  type PostedTable,
  type Row,
  recordOf,
  rowOf,
  type Table,
  tableIn,
} from './table-rows.ts'
import { membersOf } from './values.ts'

/** As many as one request of the API takes. */
const MOST_ROWS = 200
const LONGEST = 500_000
/** Shown when nothing was pasted. */
const BLANK_ROWS = 3
/** A numbered member, such as p1. */
const SLOT = /^([a-z])([0-9]{1,2})$/

/** A record whose members are all texts fits into a row. */
export function hasTable({ hasTerms, form: { references } }: MadeKind): boolean {
  return hasTerms && Object.keys(references).length === 0
}

export function tablePages(kind: MadeKind): ExplorerPage[] {
  if (!hasTable(kind)) return []
  const path = `/make/${kind.name}/table/`
  const title = `A table of ${kind.many.toLowerCase()}`
  const posted = (act: Act) => (visit: ExplorerVisit) => opened(visit, kind, act, showSignedOut)
  return [
    {
      path,
      title,
      GET: (visit) => opened(visit, kind, begin, signInFirst),
      POST: posted(work),
      showAgain: posted(showAgain),
    },
  ]
}

type Act = (visit: ExplorerVisit, table: Table) => Promise<PageAnswer> | PageAnswer

async function opened(
  visit: ExplorerVisit,
  kind: MadeKind,
  act: Act,
  signedOut: (visit: ExplorerVisit, kind: MadeKind) => Promise<PageAnswer> | PageAnswer,
): Promise<PageAnswer> {
  const { json } = await visit.ask(`/api/${kind.name}/`, { method: 'OPTIONS' })
  const actions = json?.actions?.POST
  if (!actions) return await signedOut(visit, kind)
  const members = membersOf(actions, kind)
  // Its words come before where it comes from.
  const [main = [], aside = []] = [false, true].map((isAside) =>
    Object.keys(members).filter((member) => ASIDE.has(member) === isAside),
  )
  return await act(visit, { kind, members, columns: columnsOf(kind, [...main, ...aside]) })
}

function columnsOf(kind: MadeKind, members: readonly string[]): readonly Column[] {
  const columns = members.map((member) => ({
    member,
    label: labelOf(kind, member),
    entry: entryOf(kind.name, member),
  }))
  return [...columns, { member: `${kind.name}_id`, label: 'Number' }]
}

function isSlot({ form: { slots } }: MadeKind, member: string): boolean {
  const [, letter] = SLOT.exec(member) ?? []
  return letter !== undefined && Object.hasOwn(slots, letter)
}

function labelOf({ form: { words, slots } }: MadeKind, member: string): string {
  const [, letter = '', number] = SLOT.exec(member) ?? []
  const each = slots[letter]?.each
  return each ? `${each} ${number}` : (words[member]?.label ?? member)
}

/** With `mine`, the visitor's own records, to be changed together. */
async function begin(visit: ExplorerVisit, table: Table): Promise<PageAnswer> {
  if (visit.query.get('mine') === undefined || !visit.visitor) return show(visit, table, { rows: [] })
  const query = new URLSearchParams({ user: visit.visitor.name, page_size: String(MOST_ROWS) })
  const { json } = await visit.ask(`/api/${table.kind.name}/?${query}`)
  const records: readonly Shown[] = json?.results ?? []
  const rows = records.map((record) => rowOf(table, record))
  const several = table.kind.many.toLowerCase()
  const isCut = (json?.count ?? 0) > rows.length
  const remark = isCut
    ? `You have ${counted(json.count, several, several)}. These are the first ${rows.length} of them.`
    : undefined
  return show(visit, table, { rows, opened: rows, remark })
}

/** The table of a user who is no longer signed in, with all that was written. It names its own columns. */
async function showSignedOut(visit: ExplorerVisit, kind: MadeKind): Promise<PageAnswer> {
  const form = await visit.form()
  const members = (form.get(COLUMNS)?.at(-1) ?? '')
    .split(',')
    .filter((member) => Object.hasOwn(kind.form.words, member) || isSlot(kind, member))
  if (members.length === 0) return signInFirst(visit, kind)
  const table = { kind, members: {}, columns: columnsOf(kind, members) }
  const note = html`You are no longer signed in; nothing is lost. <a href="/accounts/login/" target="_blank">Sign in in another tab</a>, and then save the table here.`
  return show(visit, table, { ...tableIn(table, form), note, status: 401 })
}

/** The user has signed in again since the table was opened. */
async function showAgain(visit: ExplorerVisit, table: Table): Promise<PageAnswer> {
  return show(visit, table, { ...tableIn(table, await visit.form()), note: signedInAgain(visit), status: 403 })
}

async function work(visit: ExplorerVisit, table: Table): Promise<PageAnswer> {
  const form = await visit.form()
  const posted = tableIn(table, form)
  const { rows, length } = posted
  if (length > LONGEST) return show(visit, table, { ...posted, note: 'That is too much for one table.' })
  if (rows.length === 0) return show(visit, table, { ...posted, note: 'The table is empty.' })
  if (rows.length > MOST_ROWS)
    return show(visit, table, { ...posted, note: `Use at most ${MOST_ROWS} rows at a time.` })
  const places = changedRows(posted)
  if (places.length === 0)
    return show(visit, table, { ...posted, remark: 'No row has changed. There is nothing to save.' })
  const newest = await overtaken(visit, table, posted)
  if (newest.faults.length > 0) return show(visit, table, { ...newest, status: 412 })
  return await send(visit, table, posted, places, form.get('action')?.at(-1) === 'save')
}

async function send(
  visit: ExplorerVisit,
  table: Table,
  posted: PostedTable,
  places: readonly number[],
  isSaved: boolean,
): Promise<PageAnswer> {
  const json = { resource: table.kind.name, records: places.map((i) => recordOf(table, posted.rows[i] ?? [])) }
  const { status, json: answer } = await visit.ask(`/api/batch/${isSaved ? '' : '?dry_run=true'}`, {
    method: 'POST',
    json,
    isOptional: true,
  })
  if (status === 200 && isSaved)
    return { location: `/${table.kind.name}/?user=${encodeURIComponent(visit.visitor?.name ?? '')}&ordering=-id` }
  if (status === 200) return show(visit, table, { ...posted, isRight: true })
  if (status === 400) {
    const faults = faultsOf(table, [answer.records ?? answer.detail].flat(), places)
    return show(visit, table, { ...posted, faults })
  }
  return show(visit, table, { ...posted, note: inOurWords(answer?.detail ?? 'It could not be saved.'), status })
}

interface Shows {
  readonly rows: readonly Row[]
  readonly opened?: readonly Row[]
  readonly faults?: readonly Fault[]
  /** Why nothing was saved. */
  readonly note?: Content
  readonly remark?: string | undefined
  readonly status?: number
  /** It was checked, and nothing is wrong. */
  readonly isRight?: boolean
}

function show(visit: ExplorerVisit, table: Table, shows: Shows): PageAnswer {
  const { rows, opened: before = [], faults = [], note, remark, isRight = false } = shows
  const { status = faults.length > 0 || note ? 400 : 200 } = shows
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
      <input type="hidden" name=${COLUMNS} value=${columns
        .slice(0, -1)
        .map(({ member }) => member)
        .join(',')} />
      ${before.length > 0 && html`<input type="hidden" name=${OPENED} value=${JSON.stringify(before)} />`}
      ${remark && html`<p class="note" role="status">${remark}</p>`}
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
    status,
    page: visitPage(visit, { title, part: 'make', main, scripts: [GRID] }),
  }
}

function placeInWords({ columns }: Table, { row, member }: Fault): Content {
  const name = columns.find((column) => column.member === member)?.label ?? member
  return member === '' ? `Row ${row + 1}` : `Row ${row + 1}, ${name}`
}
