/**
 * A word as a map: the word in the middle, and around it the words that it shares a set with, grouped by set and role.
 * Each of these words is a link to its own map.
 */
import { termAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { Companion, Kind, Shown } from '../kinds/index.ts'
import { label } from '../label.ts'
import { shortened } from '../texts/marked.ts'
import { type Gathered, keyOf, type Place, SLOT_ORDER } from './word-places.ts'

/** A set around the word. */
export interface Group {
  /** The slot of the word in the set; m for a set that relates it to other words. */
  readonly slot: string
  readonly roles: readonly string[]
  readonly kind: Kind
  readonly record: Shown
  readonly words: readonly Companion[]
}

const MOST_GROUPS = 10
/** Of one set; its own page has the others. */
export const MOST_WORDS = 8

const ROLES: Readonly<Record<string, string>> = {
  e: 'expansive',
  r: 'reductive',
  o: 'objective',
  s: 'subjective',
  p: 'in',
}
const IN_A_SLOT = /^[eros]$/
/** What sets that gather others say about two of their words. */
const GATHERED_ROLES: Readonly<Record<string, string>> = { polymap: 'related in', vectornym: 'same row in' }

/** As many sets as a reader can take in, some of each role. */
export function groupsAround(
  places: readonly Place[],
  gathered: readonly Gathered[],
  isIt: (word: string) => boolean,
): Group[] {
  const groups = new Map<string, Group>()
  for (const { kind, record, slot } of places) {
    const key = keyOf(kind, record)
    const role = slot === 'n' ? (kind.senseOf ? 'topic of' : 'name of') : (ROLES[slot] ?? 'in')
    const known = groups.get(key)
    const words = known?.words ?? kind.companyOf?.(record, isIt) ?? []
    if (words.length === 0 || known?.roles.includes(role)) continue
    groups.set(key, known ? { ...known, roles: [...known.roles, role] } : { slot, roles: [role], kind, record, words })
  }
  const related = gathered.flatMap(({ kind, records }) =>
    records.map((record): Group => {
      const words = kind.companyOf?.(record, isIt) ?? []
      return { slot: 'm', roles: [GATHERED_ROLES[kind.name] ?? 'in'], kind, record, words }
    }),
  )
  return inTurns([...groups.values(), ...related.filter(({ words }) => words.length > 0)]).slice(0, MOST_GROUPS)
}

/** The first of each role, then the second of each, and so on; those of one role stay together. */
function inTurns(groups: readonly Group[]): Group[] {
  const roles = [...SLOT_ORDER, 'm'].map((slot) => groups.filter((group) => group.slot === slot))
  const turns = roles.flatMap((list) => list.map((group, turn) => ({ group, turn })))
  const chosen = new Set(
    turns
      .sort((a, b) => a.turn - b.turn)
      .slice(0, MOST_GROUPS)
      .map(({ group }) => group),
  )
  return roles.flat().filter((group) => chosen.has(group))
}

export function wordMap(middle: Content, groups: readonly Group[]): Content {
  const half = Math.floor(groups.length / 2)
  const [left, right] = [groups.slice(0, half), groups.slice(half)]
  return html`<div class=${left.length > 0 ? 'wordmap' : 'wordmap one-sided'}>
    <div class="middle">${middle}</div>
    ${left.length > 0 && html`<div class="side left">${list(left)}${branches(left, 'left')}</div>`}
    <div class="side right">${branches(right, 'right')}${list(right)}</div>
  </div>`
}

/** All rows of a side are equally high, so the curves meet their middles at any size. */
function branches(groups: readonly Group[], side: 'left' | 'right'): Content {
  const [from, to] = side === 'left' ? [100, 0] : [0, 100]
  return html`<svg class="branches" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
    ${groups.map(({ slot }, i) => {
      const y = Math.round((1000 * (i + 0.5)) / groups.length) / 10
      return html`<path class=${slot} d=${`M${from} 50C50 50 50 ${y} ${to} ${y}`} />`
    })}
  </svg>`
}

function list(groups: readonly Group[]): Content {
  return html`<ul>
    ${groups.map(({ slot, roles, kind, record, words }) => {
      const more = words.length - MOST_WORDS
      const name = kind.nameOf(record)
      return html`<li class=${`group ${slot}`}>
        <p class="of"><span>${roles.map((role, i) => [i > 0 && ', ', label(role)])}</span> ${IN_A_SLOT.test(slot) && 'in '}<a href=${kind.addressOf(record)}>${kind.one.toLowerCase()} ${shortened(name, 60)}</a></p>
        <p class="around">${words.slice(0, MOST_WORDS).map(companion)}${more > 0 && html`<a class="soft" href=${kind.addressOf(record)}>${more} more</a>`}</p>
      </li>`
    })}
  </ul>`
}

function companion({ text, slot, before, after }: Companion): Content {
  const href = termAddress(text)
  const shown = href ? html`<a class=${slot} href=${href}>${text}</a>` : html`<span>${shortened(text, 80)}</span>`
  if (!before && !after) return html`${shown} `
  return html`<span class="related">${before && html`<i>${before}</i> `}${shown}${after && html` <i>${after}</i>`}</span> `
}
