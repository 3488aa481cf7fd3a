/**
 * JSON as programs write it: an array of records, a page or an array of pages, an object from collections to any of
 * these, or a single record. A broken element is dropped as far as its brackets tell, and the rest is read. Commas are
 * optional: one too many or too few loses no record.
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
/** A page, up to the beginning of its records. */
const page = new RegExp(`^${PAGE}`)
const key = new RegExp(`^${KEY}`)
/** An object whose first non-empty member has a page or a list of objects. No record should begin like this. */
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

/** Whether JSON that begins like this contains records, instead of being one. */
export function holdsRecords(text: string): boolean {
  return page.test(text) || collections.test(text)
}

function* records(cursor: Cursor, until: string, collection?: string): Generator<Item> {
  if (cursor.takes(list)) yield* elements(cursor, true, collection)
  else if (cursor.takes(page)) yield* restOfPage(cursor, collection)
  else yield* record(cursor, until, collection)
}

/** The elements of a list, from inside it: records, and pages if allowed. */
function* elements(cursor: Cursor, pages: boolean, collection?: string): Generator<Item> {
  for (;;) {
    const next = cursor.skip()
    if (next === '') return cursor.endsEarly()
    if (next === ']') {
      cursor.take(1)
      // No object follows a list: there was one bracket too many.
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

/** The members of an object, from inside it. */
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
  // If the file ends inside it, that is the only fault, and it is reported last.
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
