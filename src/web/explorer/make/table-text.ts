/** Tables as text: tab-separated, as spreadsheets copy them, or CSV. */

/** The rows of a text, each a list of cells. Quotes hold separators and line ends. Empty rows are left out. */
export function readTable(text: string): string[][] {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell.trim())
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some((each) => each !== '')) rows.push(row)
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
