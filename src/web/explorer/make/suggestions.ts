/** What the catalogue already has: values to choose from, and records that the new one may repeat. */
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { labelsAmong } from '../../record-labels.ts'
import { BRIEFLY } from '../facets.ts'
import { someOf } from './controls.ts'
import type { Errors, Members, Values } from './values.ts'

const OFFERED = 100
const SHOWN = 5

/** Values in use, for the input of that name. */
export async function offersFor(
  visit: ExplorerVisit,
  kind: MadeKind,
  members: Members,
): Promise<Record<string, string[]>> {
  if (!members['area']) return {}
  const { status, json } = await visit.ask(`/api/${kind.name}/facets/?by=area`, BRIEFLY)
  const values: { value: string }[] = status === 200 ? (json.facets?.area ?? []) : []
  return { area: values.map(({ value }) => value).filter((value) => value !== '') }
}

/** Some of each kind that the form asks for; scripts search all of them. */
export async function someRecords(visit: ExplorerVisit, kind: MadeKind): Promise<Content> {
  const lists = await Promise.all(
    referredTo(kind).map(async (other) => {
      const { json } = await visit.ask(`/api/${other}/?page_size=${OFFERED}`)
      const records: readonly Shown[] = json.results
      return someOf(other, labelsAmong(records, other))
    }),
  )
  return lists
}

/** The kinds that are chosen one at a time. */
function referredTo({ form: { references, lineKinds } }: MadeKind): readonly string[] {
  const single = Object.values(references).flatMap(({ kind, many }) => (many ? [] : [kind]))
  return [...new Set([...single, ...lineKinds])]
}

/** Records that conflict with a unique rule, and others of the same name. */
export async function alike(
  visit: ExplorerVisit,
  kind: MadeKind,
  values: Values,
  errors: Errors,
  record: Shown | undefined,
): Promise<Content> {
  const clash = clashOf(errors)
  const isNew = record === undefined
  const wanted =
    clash.length > 0 ? clash : isNew && values[kind.nameMember] && kind.nameMember !== 'body' ? [kind.nameMember] : []
  const query = wanted.flatMap((member): [string, string][] => {
    if (member === kind.owner) return visit.visitor ? [[member, visit.visitor.name]] : []
    return values[member] && !kind.form.references[member] ? [[member, values[member]]] : []
  })
  const found = query.length > 0 ? await look(visit, kind, query) : []
  const others = found.filter((each) => each[`${kind.name}_id`] !== record?.[`${kind.name}_id`])
  const says = clash.length > 0 ? 'This one already exists:' : 'There is already one with this name:'
  return html`<div class="twins" data-twins aria-live="polite">
    ${
      others.length > 0 &&
      html`<p class="note">${says}
        ${others.map((each, i) => html`${i > 0 ? ', ' : ' '}<a href=${kind.addressOf(each)}>${labelOf(each, kind)}</a>`)}
      </p>`
    }
  </div>`
}

function labelOf(record: Shown, kind: MadeKind): string {
  const name = kind.nameOf(record)
  return record['e'] === undefined
    ? name
    : `${name} (${[record['e'], record['r'], record['o'], record['s']].join(', ')})`
}

async function look(visit: ExplorerVisit, kind: MadeKind, query: [string, string][]): Promise<readonly Shown[]> {
  const { status, json } = await visit.ask(
    `/api/${kind.name}/?${new URLSearchParams([...query, ['page_size', String(SHOWN)]])}`,
  )
  return status === 200 ? json.results : []
}

/** The members of a unique rule that was broken: "The fields name, user must make a unique set." */
function clashOf(errors: Errors): readonly string[] {
  for (const [member, messages] of Object.entries(errors)) {
    for (const message of messages) {
      if (message === 'This field must be unique.') return [member]
      const [, list] = /^The fields (.+) must make a unique set\.$/.exec(message) ?? []
      if (list) return list.split(', ')
    }
  }
  return []
}
