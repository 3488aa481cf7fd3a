/**
 * The stored JSON of a record, for resources that embed no other: a page of them need not be unpacked and serialised
 * again. The owner and the voters are in other tables and are left as gaps.
 */
import { hash } from 'node:crypto'
import { type AnyResource, type Field, fieldsOf, type Row } from '../declare/index.ts'

/** The column. When a field kind changes how it shows its values, the next start writes it again (refill.ts). */
export const SHOWN = 'shown'
/** Occurs in no JSON text. */
const GAP = '\u001f'
/** An empty list of voters. */
export const NO_VOTES = '[]'
const nothing = () => undefined
const IN_GAPS = new Set(['owner', 'votes'])

interface Shape {
  readonly mark: string
  readonly gaps: readonly (readonly [string, Field])[]
}

const shapes = new WeakMap<AnyResource, Shape | null>()

/** Null if records show members of other records, or more than their own values. */
function shapeOf(resource: AnyResource): Shape | null {
  const known = shapes.get(resource)
  if (known !== undefined) return known
  const fields = fieldsOf(resource)
  const stored = fields.map(([key, field]) => [field.storage(key).in, ...field.members(key)])
  const isWhole = stored.every(([where]) => where === 'columns' || IN_GAPS.has(where!))
  const shape = isWhole
    ? {
        // The 1 is part of the marks in existing databases.
        mark: hash('sha256', JSON.stringify([1, stored]), 'base64url').slice(0, 4),
        gaps: fields.filter(([key, field]) => IN_GAPS.has(field.storage(key).in)),
      }
    : null
  shapes.set(resource, shape)
  return shape
}

export function isStoredShown(resource: AnyResource): boolean {
  return shapeOf(resource) !== null
}

/** The stored JSON, from all values of a record. */
export function shownCell(resource: AnyResource, values: { readonly [key: string]: any }): Row {
  const shape = shapeOf(resource)
  if (!shape) return {}
  let text = shape.mark
  let piece = ''
  for (const [key, field] of fieldsOf(resource)) {
    if (field.storage(key).in !== 'columns') {
      text += piece + GAP
      piece = ''
      continue
    }
    const members = field.show(values[key], key)
    if (members !== '') piece += piece === '' ? members : `,${members}`
  }
  return { [SHOWN]: text + piece }
}

/** The record's JSON; undefined if the stored one does not have the current shape. */
export function shownText(resource: AnyResource, row: Row, ownerName: string): string | undefined {
  const { mark, gaps } = shapeOf(resource)!
  const stored = row[SHOWN] as string
  if (!stored.startsWith(mark)) return undefined
  let json = '{'
  const add = (members: string) => {
    if (members !== '') json += json === '{' ? members : `,${members}`
  }
  let start = mark.length
  for (const [key, field] of gaps) {
    const end = stored.indexOf(GAP, start)
    add(stored.slice(start, end))
    start = end + 1
    const isOwner = field.storage(key).in === 'owner'
    if (isOwner || row[key] !== NO_VOTES) add(field.show(isOwner ? ownerName : field.unpack(row, key, nothing), key))
  }
  add(stored.slice(start))
  return `${json},"${resource.name}_id":${row['id']}}`
}
