/** What somebody did, in words. */
import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { Kinds, Shown } from '../kinds/index.ts'
import { namedMembers } from './member-words.ts'
import type { Entry, RecordNames } from './record-names.ts'

/** An entry of the log, as the API gives it. */
export interface Change extends Entry {
  readonly seq: number
  readonly set: number
  readonly at: string
  readonly user: string | null
  readonly action: string
  readonly old: Shown | null
}

/** A set of the log, as the API gives it. */
export interface ChangeSet {
  readonly set: number
  readonly count: number
  readonly actions: readonly { readonly action: string; readonly resource: string; readonly count: number }[]
  readonly changes: readonly Change[]
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  change: 'changed',
  remove: 'deleted',
  restore: 'brought back',
  vote: 'liked',
  unvote: 'no longer likes',
}

export function verbOf(action: string): string {
  return VERBS[action] ?? action
}

/** "deleted it", "brought it back" */
export function actedOn(action: string, what: Content): Content {
  return action === 'restore' ? html`brought ${what} back` : html`${verbOf(action)} ${what}`
}

function plainActedOn(action: string, what: string): string {
  return action === 'restore' ? `brought ${what} back` : `${verbOf(action)} ${what}`
}

/** The server itself has no name. */
export function personLink(user: string | null): Content {
  return user === null ? 'The server' : html`<a class="person" href=${personAddress(user)}>${user}</a>`
}

/** The record of a link, with its kind: "the polynym river". */
export function theRecord(entry: Entry, names: RecordNames, kinds: Kinds, the = 'the'): Content {
  const kind = kinds.find(entry.resource)
  return html`${the} ${(kind?.one ?? entry.resource).toLowerCase()} ${names.link(entry)}`
}

/** "changed word 2 of the polynym river", after the name of the person. */
export function deed(change: Change, names: RecordNames, kinds: Kinds): Content {
  const { action, resource, old } = change
  const members = action === 'change' ? Object.keys(old ?? {}) : []
  const what = members.length > 0 && html`${namedMembers(kinds.find(resource), members)} of${' '}`
  return actedOn(action, html`${what}${theRecord(change, names, kinds)}`)
}

/** The same in plain text. */
export function plainDeed(change: Change, names: RecordNames, kinds: Kinds): string {
  const kind = kinds.find(change.resource)
  return plainActedOn(change.action, `the ${(kind?.one ?? change.resource).toLowerCase()} ${names.name(change)}`)
}

/**
 * The entry that a set is about: the only one, or the only one that is not a line. Others are told as a summary of what
 * was done.
 */
export function mainChange({ count, actions, changes }: ChangeSet, kinds: Kinds): Change | undefined {
  if (count === 1) return changes[0]
  const isLine = (resource: string) => kinds.find(resource)?.lineOf !== undefined
  const [main, ...others] = actions.filter(({ resource }) => !isLine(resource))
  if (!main || others.length > 0 || main.count > 1) return undefined
  return changes.find(({ resource, action }) => resource === main.resource && action === main.action)
}

/** "with 12 lines", for a set that is about one record. */
export function linesOf({ actions }: ChangeSet, main: Change, kinds: Kinds): string | undefined {
  const lines = actions.filter(({ resource }) => kinds.find(resource)?.lineOf?.kind === main.resource)
  if (lines.length === 0) return undefined
  const same = lines.every(({ action }) => action === main.action)
  const count = lines.reduce((sum, each) => sum + each.count, 0)
  return same ? `with ${counted(count, 'line')}` : `and ${counted(count, 'change')} of its lines`
}

/** More kinds than this are "records". */
const MOST_KINDS = 3

/** "created 12 polynyms and 2 polysets, deleted 1 phrase" */
export function summary({ count, actions }: ChangeSet, kinds: Kinds): string {
  const parts = Array.from(
    Map.groupBy(actions, ({ action }) => action),
    ([action, some]) => {
      const all = some.reduce((sum, each) => sum + each.count, 0)
      const named = some.map(({ resource, count: each }) => {
        const kind = kinds.find(resource)
        return counted(each, (kind?.one ?? resource).toLowerCase(), kind?.many.toLowerCase())
      })
      return plainActedOn(action, some.length > MOST_KINDS ? counted(all, 'record') : joined(named))
    },
  )
  const told = actions.reduce((sum, each) => sum + each.count, 0)
  return joined(told < count ? [...parts, `made ${counted(count - told, 'more change')}`] : parts)
}

/** "a, b and c" */
function joined(parts: readonly string[]): string {
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}
