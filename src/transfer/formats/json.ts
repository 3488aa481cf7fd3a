/**
 * JSON as programs give it out: an array of records, a page or an array of pages, an object from collections to any of
 * these, or a lone record. What is broken is given up as far as its brackets tell, and what follows is read. Commas are
 * taken as they come: no record is lost by one too many or too few.
 */
import { type Item, Unreadable } from '../item.ts'
import { Cursor } from './cursor.ts'
import { recordOf } from './record.ts'

const GAP = '[ \\t\\r\\n]*'
const STRING = '"[^"\\\\\\n]*(?:\\\\.[^"\\\\\\n]*)*"'
const KEY = `(${STRING})${GAP}:${GAP}`
const COUNT = `"(?:count|next|previous)"${GAP}:${GAP}(?:null|\\d+|${STRING})${GAP},${GAP}`
const PAGE = `\\{${GAP}(?:${COUNT})*"results"${GAP}:${GAP}\\[`
const EMPTY = `\\[${GAP}\\]${GAP}`

const byteOrderMark = /^\xEF\xBB\xBF/
const list = /^\[/
/** A page, up to where its records begin. */
const page = new RegExp(`^${PAGE}`)
const key = new RegExp(`^${KEY}`)
/** An object whose first member that is not empty has a page or a list of objects. No record should begin so. */
const collections = new RegExp(
  `^(?!${PAGE})\\{(?=${GAP}(?:${KEY}${EMPTY},${GAP})*${KEY}(?:${PAGE}|\\[${GAP}\\{|${EMPTY}\\}))`,
)

export function* readJson(path: string, chunkSize?: number): Generator<Item, undefined> {
  const cursor = new Cursor(path, chunkSize)
  try {
    cursor.takes(byteOrderMark)
    if (cursor.skip() === '') cursor.endsEarly()
    while (cursor.skip() !== '') {
      if (!cursor.takes(collections)) yield* records(cursor, '')
      else {
        yield* members(cursor, (name) => records(cursor, '}', name))
        // Whatever follows has lost its collection.
        if (cursor.skip() !== '') yield item(cursor, new Unreadable('more after the end of the JSON'))
        break
      }
    }
    if (cursor.early) yield item(cursor, new Unreadable('the JSON ends early'), cursor.early)
  } finally {
    cursor.close()
  }
}

/** Does JSON that begins so hold records, rather than being one? */
export function holdsRecords(text: string): boolean {
  return page.test(text) || collections.test(text)
}

function* records(cursor: Cursor, until: string, collection?: string): Generator<Item> {
  if (cursor.takes(list)) yield* elements(cursor, true, collection)
  else if (cursor.takes(page)) yield* restOfPage(cursor, collection)
  else yield* record(cursor, until, collection)
}

/** The elements of a list, from within it: records, and pages if there may be. */
function* elements(cursor: Cursor, pages: boolean, collection?: string): Generator<Item> {
  for (;;) {
    const next = cursor.skip()
    if (next === '') return cursor.endsEarly()
    if (next === ']') {
      cursor.take(1)
      // After a list comes no object: the bracket was one too many.
      if (cursor.skip() !== '{') return
    } else if (pages && cursor.takes(page)) yield* restOfPage(cursor, collection)
    else yield* record(cursor, ']', collection)
  }
}

function* restOfPage(cursor: Cursor, collection?: string): Generator<Item> {
  yield* elements(cursor, false, collection)
  yield* members(cursor, function* () {
    const { line } = cursor
    const text = cursor.element('}')
    if (text instanceof Unreadable) yield item(cursor, text, line, collection)
  })
}

/** The members of an object, from within it. */
function* members(cursor: Cursor, inside: (name: string) => Iterable<Item>): Generator<Item> {
  for (;;) {
    const next = cursor.skip()
    if (next === '') return cursor.endsEarly()
    if (next === '}') {
      cursor.take(1)
      return
    }
    const name = cursor.takes(key)?.[1]
    if (name === undefined) yield* record(cursor, '}')
    else yield* inside(nameOf(name))
  }
}

function* record(cursor: Cursor, until: string, collection?: string): Generator<Item> {
  const { line } = cursor
  const text = cursor.element(until)
  // Where the file ends within it there is nothing to tell but that, and it is told last.
  if (text !== undefined) yield item(cursor, text instanceof Unreadable ? text : recordOf(text), line, collection)
}

function item(cursor: Cursor, found: Item['found'], line = cursor.line, collection?: string): Item {
  return { line, end: cursor.offset, found, ...(collection !== undefined && { collection }) }
}

function nameOf(quoted: string): string {
  const text = Buffer.from(quoted, 'latin1').toString()
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(1, -1)
  }
}
