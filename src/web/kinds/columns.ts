/** The columns of a kind's list as a table, from its declaration. */
import { type AnyResource, type Field, fieldsOf, type Storage } from '../../declare/index.ts'
import { titled } from './titles.ts'

export interface Column {
  /** Its name in an address. */
  readonly key: string
  readonly label: string
  /** The members that it shows. */
  readonly members: readonly string[]
  readonly type: 'name' | 'text' | 'words' | 'number' | 'person' | 'link' | 'record' | 'records'
  /** The kind of the records that it shows. */
  readonly to?: string
  /** What the list is ordered by to order this column. */
  readonly order?: string
  /** Is it shown when nobody chose the columns? */
  readonly isUsual: boolean
}

const LABELS: Readonly<Record<string, string>> = {
  user: 'By',
  src: 'Source',
  wiki: 'Link',
  votes: 'Likes',
  body: 'Text',
  p: 'Words',
  r: 'Relations',
  v: 'Polynyms',
  q1: 'Topics with one word',
  q2: 'Topics with more words',
  pos: 'Part of speech',
  qode: 'Text with tokens',
  subs: 'Slots',
  app: 'Game',
  by: 'Shown as',
}
const QUADRANYM_LABELS: Readonly<Record<string, string>> = {
  e: 'Expansive',
  r: 'Reductive',
  o: 'Objective',
  s: 'Subjective',
  epos: 'Expansive, part of speech',
  rpos: 'Reductive, part of speech',
  opos: 'Objective, part of speech',
  spos: 'Subjective, part of speech',
}
/** After what the record says: where it belongs, and who made it. */
const LAST = ['realm', 'area', 'src', 'wiki', 'user', 'votes']
const UNUSUAL = new Set(['wiki', 'qode', 'subs', 'pos', 'epos', 'rpos', 'opos', 'spos'])

export function columnsOf(resource: AnyResource, named: string): readonly Column[] {
  const isFourfold = ['e', 'r', 'o', 's'].every((slot) => slot in resource.fields)
  const labels = isFourfold ? { ...LABELS, ...QUADRANYM_LABELS } : LABELS
  const own = fieldsOf(resource).flatMap(([key, field]): Column[] => {
    const members = field.members(key)
    if (members.length === 0) return []
    const to = recordsIn(field.storage(key))
    const order = orderIn(key, field)
    return [
      {
        key,
        label: labels[key] ?? titled(key),
        members: field.storage(key).in === 'votes' ? ['likes'] : members,
        type: key === named ? 'name' : typeOf(key, field),
        ...(to === undefined ? {} : { to }),
        ...(order === undefined ? {} : { order }),
        isUsual: !UNUSUAL.has(key),
      },
    ]
  })
  const id: Column = {
    key: 'id',
    label: 'Id',
    members: [`${resource.name}_id`],
    type: 'number',
    order: 'id',
    isUsual: false,
  }
  const placeOf = ({ key, type }: Column) => (type === 'name' ? -1 : LAST.indexOf(key) + 1)
  return [...own.toSorted((a, b) => placeOf(a) - placeOf(b)), id]
}

function recordsIn(storage: Storage): string | undefined {
  return 'to' in storage ? storage.to.name : undefined
}

function typeOf(key: string, field: Field): Column['type'] {
  const storage = field.storage(key)
  if (storage.in === 'owner') return 'person'
  if (storage.in === 'votes' || storage.in === 'count') return 'number'
  if (storage.in === 'links') return 'records'
  if (storage.in === 'reference') return field.members(key).length > 1 ? 'records' : 'record'
  if (field.members(key).length > 1) return 'words'
  if (key === 'wiki') return 'link'
  return Object.values(field.describe(key)).some(({ type }) => type === 'integer') ? 'number' : 'text'
}

/** Lists inside a record have no order, and neither have several members in one column. */
function orderIn(key: string, field: Field): string | undefined {
  if (field.storage(key).in === 'votes') return 'likes'
  if (field.members(key).length > 1) return undefined
  const filter = field.filters(key)[key]
  return filter && filter.on !== 'links' && filter.on !== 'voters' && filter.on !== 'reference' ? key : undefined
}
