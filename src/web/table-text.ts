/**
 * Tables as text: tab-separated, as spreadsheets copy them, or CSV. Browsers get the same functions as a script, so
 * nothing outside them is used.
 */

/** The rows of a text, each a list of cells. Quotes hold separators; a line end within them becomes a space. */
export function readRows(text: string, separator: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell.replaceAll(/\s*[\r\n]\s*/g, ' ').trim())
    cell = ''
  }
  const endRow = () => {
    endCell()
    rows.push(row)
    row = []
  }
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (text[i + 1] === '"') cell += text[i++]
      else isQuoted = false
    } else if (letter === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (letter === separator) endCell()
    else if (letter === '\n') endRow()
    else cell += letter
  }
  endRow()
  return rows
}

/** The rows that are not empty, of a table with tabs, commas or semicolons. */
export function readTable(text: string): string[][] {
  return readRows(text, separatorOf(text)).filter((row) => row.some((cell) => cell !== ''))
}

/** Tabs if there are any; otherwise what the first line has more of. */
function separatorOf(text: string): string {
  if (text.includes('\t')) return '\t'
  const [line = ''] = text.split('\n', 1)
  return line.split(';').length > line.split(',').length ? ';' : ','
}

/** Tab-separated, so that a spreadsheet takes it back. */
export function writeTable(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => (/[\t\n"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
  return rows.map((row) => row.map(quoted).join('\t')).join('\n')
}

export const TABLE_SCRIPT = [readRows, writeTable].map((each) => `export ${each}\n`).join('')
