// @ts-check
// The table of many records as a grid of cells. The text field behind it is what is sent.
import { readRows, writeTable } from './rows.js'

const area = /** @type {HTMLTextAreaElement} */ (document.querySelector('textarea[name=table]'))
/** @type {{ member: string, label: string, entry?: string }[]} */
const columns = JSON.parse(area.dataset['columns'] ?? '[]')
/** @type {{ row: number, member: string, says: string }[]} */
const faults = JSON.parse(area.dataset['faults'] ?? '[]')
const MOST_ROWS = Number(area.dataset['most'])
const BLANK_ROWS = Number(area.dataset['blanks'])
/** More columns of words are shown when they are filled. */
const isSpare = (/** @type {number} */ i) => /[0-9]$/.test(columns[i]?.member ?? '')

const grid = document.createElement('table')
grid.className = 'grid-table'
const head = grid.createTHead().insertRow()
const body = grid.createTBody()
for (const { label, entry } of columns) {
  const cell = document.createElement('th')
  cell.scope = 'col'
  cell.append(entry ? explained(label, entry) : label)
  head.append(cell)
}
head.append(document.createElement('td'))

/** A label that shows what it means at a press, as `label.ts` makes it. */
function explained(/** @type {string} */ label, /** @type {string} */ entry) {
  const link = document.createElement('a')
  link.className = 'gloss'
  link.href = `/learn/#${entry}`
  link.textContent = label
  return link
}

const inputsOf = (/** @type {HTMLTableRowElement} */ row) => [...row.querySelectorAll('input')]

function write() {
  const rows = [...body.rows].map((row) => inputsOf(row).map(({ value }) => value))
  const filled = rows.filter((row) => row.some((cell) => cell !== ''))
  area.value = writeTable([columns.map(({ label }) => label), ...filled])
  fit()
}

/** Columns after the last filled one are hidden, but one. */
function fit() {
  const last = Math.max(2, ...columns.flatMap((_, i) => (isSpare(i) && isFilled(i) ? [number(i)] : [])))
  for (const row of [head, ...body.rows]) {
    for (const [i, cell] of [...row.cells].entries()) {
      cell.hidden =
        i < columns.length && ((isSpare(i) && number(i) > last + 1) || (columns[i]?.label === 'Number' && !isFilled(i)))
    }
  }
}
const number = (/** @type {number} */ i) => Number(/[0-9]+$/.exec(columns[i]?.member ?? '')?.[0])
const isFilled = (/** @type {number} */ i) => [...body.rows].some((row) => inputsOf(row)[i]?.value !== '')

/** Rows below a removed one have other numbers now. */
function nameRow(/** @type {HTMLTableRowElement} */ row) {
  const number = row.sectionRowIndex + 1
  inputsOf(row).forEach((input, i) => {
    input.setAttribute('aria-label', `${columns[i]?.label} of row ${number}`)
  })
  row.querySelector('button')?.setAttribute('aria-label', `Remove row ${number}`)
}

function add(/** @type {string[]} */ cells = []) {
  if (body.rows.length >= MOST_ROWS) return undefined
  const row = body.insertRow()
  columns.forEach((_, i) => {
    const input = document.createElement('input')
    input.value = cells[i] ?? ''
    input.autocomplete = 'off'
    row.insertCell().append(input)
  })
  const remove = document.createElement('button')
  remove.type = 'button'
  remove.className = 'btn small'
  remove.textContent = '×'
  remove.addEventListener('click', () => {
    row.remove()
    if (body.rows.length === 0) add()
    for (const other of body.rows) nameRow(other)
    write()
    inputsOf(/** @type {HTMLTableRowElement} */ (body.rows[0]))[0]?.focus()
  })
  row.insertCell().append(remove)
  nameRow(row)
  return row
}

/** Shows the faults of a row that the server has checked. A fault of the whole row is shown at its first cell. */
function mark(/** @type {HTMLTableRowElement} */ row, /** @type {number} */ at) {
  for (const { member, says } of faults.filter((fault) => fault.row === at)) {
    const input =
      inputsOf(row)[
        Math.max(
          0,
          columns.findIndex((column) => column.member === member),
        )
      ]
    if (!input) continue
    input.setAttribute('aria-invalid', 'true')
    input.title = says
  }
}

/** A fault is forgotten when its cell is changed. */
function unmark(/** @type {HTMLInputElement} */ input) {
  input.removeAttribute('aria-invalid')
  input.removeAttribute('title')
}

/** The cells of a text from a spreadsheet. The server reads the rest: commas, names of columns. */
const cellsIn = (/** @type {string} */ text) => readRows(text.replaceAll(/\r\n?/g, '\n'), '\t')

grid.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement) unmark(target)
  write()
})
grid.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text/plain').replace(/[\r\n]+$/, '') ?? ''
  const { target } = event
  if (!/[\t\n]/.test(text) || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const row = /** @type {HTMLTableRowElement} */ (target.closest('tr'))
  const shown = columns.map((_, i) => i).filter((i) => columns[i]?.label !== 'Number')
  const from = shown.indexOf(inputsOf(row).indexOf(target))
  for (const [down, cells] of cellsIn(text).entries()) {
    const to = body.rows[row.sectionRowIndex + down] ?? add()
    if (!to) break
    for (const [i, cell] of cells.entries()) {
      const input = inputsOf(to)[shown[from + i] ?? -1]
      if (!input) continue
      input.value = cell
      unmark(input)
    }
  }
  write()
})
/** Enter goes down, and after the last row adds another one. */
grid.addEventListener('keydown', (event) => {
  const { target } = event
  if (event.key !== 'Enter' || !(target instanceof HTMLInputElement)) return
  event.preventDefault()
  const row = /** @type {HTMLTableRowElement} */ (target.closest('tr'))
  const next = body.rows[row.sectionRowIndex + 1] ?? add()
  fit()
  if (next) inputsOf(next)[inputsOf(row).indexOf(target)]?.focus()
})

/** Puts the grid in place of the text field, which is folded. */
function showGrid(/** @type {string[][]} */ given) {
  for (const [at, cells] of given.entries()) {
    const row = add(cells)
    if (row) mark(row, at)
  }
  for (let i = given.length; i < BLANK_ROWS; i++) add()
  fit()
  const more = document.createElement('button')
  more.type = 'button'
  more.className = 'btn small'
  more.textContent = 'Add a row'
  more.addEventListener('click', () => {
    const row = add()
    fit()
    if (row) inputsOf(row)[0]?.focus()
  })
  const frame = document.createElement('div')
  frame.className = 'frame'
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', 'The table')
  frame.append(grid)
  const details = document.createElement('details')
  details.className = 'code'
  const summary = document.createElement('summary')
  summary.textContent = 'Paste as text'
  const label = document.querySelector('label[for=table]')
  const help = document.getElementById('table-help')
  area.before(frame, more, details)
  details.append(summary, ...[label, area, help].filter((each) => each !== null))
}

const [, ...lines] = cellsIn(area.value)
const given = lines.filter((cells) => cells.some((cell) => cell !== ''))
// A grid would drop the rows that are too many.
if (given.length <= MOST_ROWS) showGrid(given)
