/** What happened to the members of a record: what was removed and what was added, also for people who cannot see colours. */
import type { WordDiff } from '../../http/index.ts'
import { type Content, html } from '../html.ts'
import type { Kind, Shown } from '../kinds/index.ts'
import { memberLabel } from '../label.ts'
import { labelOf } from './member-words.ts'
import type { RecordNames } from './record-names.ts'

export interface MemberChange {
  readonly was: unknown
  readonly became?: unknown
  readonly now?: unknown
  readonly diff?: readonly (readonly [sign: string, text: string])[]
}

export interface MemberChanges {
  readonly [member: string]: MemberChange
}

interface Of {
  readonly kind: Kind | undefined
  readonly names: RecordNames
  /** Compares texts that the API has not compared. */
  readonly diffs?: WordDiff
}

/** Each member with its difference. */
export function differences(members: MemberChanges, of: Of): Content {
  return html`<dl class="diffs">
    ${Object.entries(members).map(
      ([member, change]) =>
        html`<div><dt>${memberLabel(of.kind?.name ?? '', member, labelOf(of.kind, member))}</dt><dd>${difference(member, change, of)}</dd></div>`,
    )}
  </dl>`
}

function difference(member: string, change: MemberChange, of: Of): Content {
  const { was, became, diff } = change
  if (diff) return pieces(diff)
  if (of.diffs && typeof was === 'string' && typeof became === 'string') return pieces(of.diffs.compare(was, became))
  if (isList(was) && isList(became)) return lists(was, became, (each) => shownValue(member, each, of))
  const isAdded = was === null && became !== undefined
  return html`${!isAdded && del(shownValue(member, was, of))}
    ${became !== null && became !== undefined && [isAdded ? undefined : ' ', ins(shownValue(member, became, of))]}`
}

/** One value, of a member that may name other records. */
export function shownValue(member: string, value: unknown, { kind, names }: Of): Content {
  if (value === null || value === undefined || value === '') return html`<i class="soft">nothing</i>`
  if (isList(value)) {
    if (value.length === 0) return html`<i class="soft">none</i>`
    return value.map((each, i) => [i > 0 && ', ', shownValue(member, each, { kind, names })])
  }
  const resource = kind?.embeds[member]
  if (resource !== undefined && typeof value === 'number') return names.link({ resource, id: value })
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'number' ? value.toLocaleString('en') : String(value)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** A screen reader does not tell these elements from other text. */
function del(content: Content): Content {
  return html`<del><span class="unseen">Removed: </span>${content}<span class="unseen">. </span></del>`
}

function ins(content: Content): Content {
  return html`<ins><span class="unseen">Added: </span>${content}<span class="unseen">. </span></ins>`
}

/** An unchanged stretch that is longer shows only its ends. */
const LONGEST_SAME = 160
const KEPT = 60

function pieces(diff: NonNullable<MemberChange['diff']>): Content {
  return diff.map(([sign, text], i) => {
    if (sign === '-') return del(text)
    if (sign === '+') return ins(text)
    return same(text, i > 0, i < diff.length - 1)
  })
}

function same(text: string, hasBefore: boolean, hasAfter: boolean): Content {
  const letters = [...text]
  if (letters.length <= LONGEST_SAME) return text
  const start = hasBefore ? letters.slice(0, KEPT).join('') : ''
  const end = hasAfter ? letters.slice(-KEPT).join('') : ''
  return html`${start}<span class="soft" title="Unchanged text"> … </span>${end}`
}

/** What is only in one of them is marked; if only the order changed, both are shown. */
function lists(was: readonly unknown[], became: readonly unknown[], shown: (value: unknown) => Content): Content {
  const [before, after] = [new Set(was), new Set(became)]
  const gone = was.filter((each) => !after.has(each))
  const hasNew = became.some((each) => !before.has(each))
  if (gone.length === 0 && !hasNew) {
    const all = (list: readonly unknown[]) => list.map((each, i) => [i > 0 && ', ', shown(each)])
    return html`<span class="soft">Another order: </span>${del(all(was))} ${ins(all(became))}`
  }
  const marked = [
    ...became.map((each) => (before.has(each) ? shown(each) : ins(shown(each)))),
    ...gone.map((each) => del(shown(each))),
  ]
  return marked.map((each, i) => [i > 0 && ', ', each])
}

/** The records that these changes name. */
export function wantNames(names: RecordNames, kind: Kind | undefined, members: MemberChanges): void {
  for (const [member, { was, became, now }] of Object.entries(members)) {
    const values: Shown = { [member]: [was, became, now].flat() }
    names.wantMembers(kind, values)
  }
}
