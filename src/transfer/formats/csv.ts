/**
 * CSV by RFC 4180: a header that names the members, then one record per row; a cell in quotes may contain line breaks.
 */
import { counted } from '../../language/index.ts'
import { type Item, Unreadable } from '../item.ts'
import { LONGEST } from './bytes.ts'
import { type Line, linesOf } from './lines.ts'

/** Lines are held until their row is closed, and a million empty ones would take too much memory. */
const MOST_LINES = 10_000

export function* readCsv(path: string, chunkSize?: number): Generator<Item, undefined> {
  let header: readonly string[] | undefined
  for (const { line, end, cells } of rowsOf(path, chunkSize)) {
    if (!header) {
      const names = cells instanceof Unreadable ? cells : namesOf(cells)
      if (names instanceof Unreadable) {
        yield { line, end, found: names }
        return
      }
      header = names
    } else yield { line, end, found: cells instanceof Unreadable ? cells : recordOfCells(header, cells) }
  }
}

function namesOf(header: readonly string[]): readonly string[] | Unreadable {
  const names = header.map((cell) => cell.trim())
  if (names.includes('')) return new Unreadable('the header has a cell without a name')
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) return new Unreadable(`the header names "${name}" twice`)
    seen.add(name)
  }
  return names
}

function recordOfCells(header: readonly string[], cells: readonly string[]): Item['found'] {
  if (cells.length !== header.length) {
    const [found, named] = [cells.length, header.length]
    const fault = `${counted(found, 'cell')}, but the header names ${counted(named, 'member')}`
    return new Unreadable(fault)
  }
  return Object.fromEntries(header.map((name, i) => [name, cells[i]!] as const).filter(([, cell]) => cell !== ''))
}

interface Row {
  readonly line: number
  readonly end: number
  readonly cells: readonly string[] | Unreadable
}

/**
 * If quotes are wrong the row is dropped, and its second line begins the next one, so that no quote swallows the file.
 */
function* rowsOf(path: string, chunkSize?: number): Generator<Row, undefined> {
  const lines = linesOf(path, chunkSize)
  const again: Line[] = []
  const next = () => again.pop() ?? lines.next().value
  try {
    let separator: string | undefined
    let begin = 0
    for (let first = next(); first; first = next()) {
      const held = [first]
      separator ??= separatorOf(first.text)
      const cells = new Cells(separator)
      if (first.text !== '') cells.add(first)
      while (cells.isOpen && !cells.fault) {
        const more = next()
        if (more) held.push(more)
        if (!more) cells.fault = new Unreadable('a quote is never closed')
        else if (more.end - begin > LONGEST) cells.fault = new Unreadable('the row is longer than 2 MiB')
        else if (held.length > MOST_LINES) cells.fault = new Unreadable(`the row has more than ${MOST_LINES} lines`)
        else cells.add(more)
      }
      if (cells.fault) while (held.length > 1) again.push(held.pop()!)
      begin = held.at(-1)!.end
      if (first.text !== '') yield { line: first.number, end: begin, cells: cells.fault ?? cells.closed }
    }
  } finally {
    lines.return(undefined)
  }
}

function separatorOf(header: Line['text']): string {
  const text = header instanceof Unreadable ? '' : header
  return [',', ';', '\t'].find((separator) => text.includes(separator)) ?? ','
}

/** The cells of one row, read line by line. */
class Cells {
  readonly closed: string[] = []
  fault: Unreadable | undefined
  readonly #separator: string
  /** The part of a cell in quotes that is not closed yet. */
  #open: string | undefined

  constructor(separator: string) {
    this.#separator = separator
  }

  get isOpen(): boolean {
    return this.#open !== undefined
  }

  add({ text, ending }: Line): void {
    if (text instanceof Unreadable) {
      this.fault = text
      return
    }
    // One iteration per unquoted cell, or per quote.
    for (let at = 0; at <= text.length && !this.fault; ) {
      if (this.#open === undefined && text[at] === '"') {
        this.#open = ''
        at++
      } else if (this.#open === undefined) {
        const end = placeOf(this.#separator, text, at)
        const cell = text.slice(at, end)
        if (cell.includes('"')) this.fault = new Unreadable('a quote in a cell that does not begin with one')
        this.closed.push(cell)
        at = end + 1
      } else {
        const quote = placeOf('"', text, at)
        this.#open += text.slice(at, quote)
        at = quote + 1
        if (quote === text.length) this.#open += ending
        else if (text[at] === '"') {
          this.#open += '"'
          at++
        } else {
          this.closed.push(this.#open)
          this.#open = undefined
          if (at < text.length && text[at] !== this.#separator)
            this.fault = new Unreadable('text after a closing quote')
          at++
        }
      }
    }
  }
}

function placeOf(sought: string, text: string, from: number): number {
  const place = text.indexOf(sought, from)
  return place < 0 ? text.length : place
}
