/**
 * JSON as programs give it out: an array of records, a page or an array of pages, an object from collections to any of
 * these, or a lone record. A record that is wrong in itself is told, and the next one is read; where brackets, commas or
 * quotes are missing, reading ends.
 */
import { type Item, Unreadable } from '../item.ts'
import { BrokenJson, JsonScanner } from './json-scanner.ts'
import { recordOf } from './record.ts'

const GAP = '[ \\t\\r\\n]*'
const STRING = '"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"'
const KEY = `(${STRING})${GAP}:${GAP}`
const COUNT = `"(?:count|next|previous)"${GAP}:${GAP}(?:null|\\d+|${STRING})${GAP},${GAP}`
const PAGE = `\\{${GAP}(?:${COUNT})*"results"${GAP}:${GAP}\\[`
const EMPTY = `\\[${GAP}\\]${GAP}`

const byteOrderMark = /^\xEF\xBB\xBF/
const list = /^\[/
const endOfList = /^\]/
/** A page, up to where its records begin. */
const page = new RegExp(`^${PAGE}`)
const key = new RegExp(`^${KEY}`)
/** An object whose first non-empty member has a page or a list of objects. No record should begin like this. */
const collections = new RegExp(
  `^(?!${PAGE})\\{(?=${GAP}(?:${KEY}${EMPTY},${GAP})*${KEY}(?:${PAGE}|\\[${GAP}\\{|${EMPTY}\\}))`,
)

export function* readJson(path: string, chunkSize?: number): Generator<Item, undefined> {
  const scanner = new JsonScanner(path, chunkSize)
  try {
    scanner.takes(byteOrderMark)
    if (scanner.next() === '') throw scanner.expected('a value')
    while (scanner.next() !== '') {
      if (scanner.takes(collections)) yield* members(scanner, (name) => records(scanner, name))
      else yield* records(scanner)
    }
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error
    yield { line: error.line, end: scanner.offset, found: new Unreadable(error.message) }
  } finally {
    scanner.close()
  }
}

/** Whether JSON that begins like this contains records, instead of being one. */
export function holdsRecords(text: string): boolean {
  return page.test(text) || collections.test(text)
}

function* records(scanner: JsonScanner, collection?: string): Generator<Item> {
  if (scanner.takes(list)) yield* elements(scanner, true, collection)
  else if (scanner.takes(page)) yield* restOfPage(scanner, collection)
  else yield record(scanner, collection)
}

/** The elements of a list, from within it: records, and pages if there may be. */
function* elements(scanner: JsonScanner, pages: boolean, collection?: string): Generator<Item> {
  if (scanner.takes(endOfList)) return
  do {
    if (pages && scanner.takes(page)) yield* restOfPage(scanner, collection)
    else yield record(scanner, collection)
  } while (!scanner.takesEnd(']'))
}

function* restOfPage(scanner: JsonScanner, collection?: string): Generator<Item> {
  yield* elements(scanner, false, collection)
  if (scanner.takesEnd('}')) return
  yield* members(scanner, () => {
    scanner.value()
    return []
  })
}

/** The members of an object, from within it: at least one. */
function* members(scanner: JsonScanner, inside: (name: string) => Iterable<Item>): Generator<Item> {
  do {
    const name = scanner.takes(key)?.[1]
    if (name === undefined) throw scanner.expected('a name in quotes and ":"')
    yield* inside(nameOf(name))
  } while (!scanner.takesEnd('}'))
}

function record(scanner: JsonScanner, collection?: string): Item {
  scanner.next()
  const { line } = scanner
  const text = scanner.value()
  const found = text instanceof Unreadable ? text : recordOf(text)
  return { line, end: scanner.offset, found, ...(collection !== undefined && { collection }) }
}

function nameOf(quoted: string): string {
  const text = Buffer.from(quoted, 'latin1').toString()
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(1, -1)
  }
}
