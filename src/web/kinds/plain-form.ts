/** The form of a kind from its declaration alone. */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import { COMMON_WORDS } from './form-words.ts'
import type { FormWords, KindForm, Reference } from './kind.ts'
import { titled } from './titles.ts'

export function plainForm(resource: AnyResource, title: string, lines?: AnyResource): KindForm {
  return {
    title,
    about: resource.does,
    shelf: 'Others',
    canCopy: true,
    references: referencesOf(resource),
    lineKinds: lines
      ? Object.values(referencesOf(lines)).flatMap(({ kind }) => (kind === resource.name ? [] : [kind]))
      : [],
    words: { ...wordsOf(resource), ...COMMON_WORDS },
    slots: slotsOf(resource),
  }
}

/** Members that name other records. Several fields of one list are numbered: v1 to v9. */
export function referencesOf(resource: AnyResource): Record<string, Reference> {
  const found = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    if (!('to' in storage)) return []
    const kind = storage.to.name
    return Object.entries(field.describe(key)).map(([member, { type }]): [string, Reference] => [
      member,
      type === 'list' ? { kind, many: true } : { kind },
    ])
  })
  return Object.fromEntries(found)
}

/** What the declaration says a member means. */
function wordsOf(resource: AnyResource): Record<string, FormWords> {
  const words = fieldsOf(resource).flatMap(([key, field]) =>
    Object.entries(field.schema(key)).map(([member, { does }]): [string, FormWords] => [
      member,
      does === undefined ? { label: titled(member) } : { label: titled(member), help: does },
    ]),
  )
  return Object.fromEntries(words)
}

function slotsOf(resource: AnyResource): KindForm['slots'] {
  const keys = fieldsOf(resource).flatMap(([key, field]) => (field.members(key).includes(`${key}1`) ? [key] : []))
  return Object.fromEntries(keys.map((key) => [key, { label: titled(key), each: titled(key) }]))
}
