/** What people read in place of the names of members. */
import { type Content, html } from '../html.ts'
import type { Kind } from '../kinds/index.ts'
import { titled } from '../kinds/titles.ts'

/** "Word 2" for p2 of a polynym. */
export function labelOf(kind: Kind | undefined, member: string): string {
  if (member === kind?.owner) return 'Owner'
  if (member === 'voters') return 'Likes'
  const [, letter = '', number] = /^([a-z])([0-9]+)$/.exec(member) ?? []
  const slot = kind?.form?.slots[letter]
  return slot ? `${slot.each} ${number}` : (kind?.form?.words[member]?.label ?? titled(member))
}

const MOST_NAMED = 4

/** "field, word 2 and word 3" */
export function namedMembers(kind: Kind | undefined, members: readonly string[]): Content {
  const labels = members
    .map((member) => labelOf(kind, member))
    .map((label) => label.charAt(0).toLowerCase() + label.slice(1))
  const named = labels.length > MOST_NAMED ? labels.slice(0, MOST_NAMED - 1) : labels
  const rest = labels.length - named.length
  const parts = [...named.map((label) => html`<em>${label}</em>`), ...(rest > 0 ? [`${rest} more`] : [])]
  return parts.map((part, i) => [i > 0 && (i === parts.length - 1 ? ' and ' : ', '), part])
}
