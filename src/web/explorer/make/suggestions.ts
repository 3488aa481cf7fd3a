/** What the catalogue has already: to pick from, to be reminded of, to be warned by. */
import type { Visit } from '../../../http/index.ts'
import { recordAddress } from '../../addresses.ts'
import { type Content, html } from '../../html.ts'
import type { Shown } from '../../kinds/index.ts'
import { BRIEFLY } from '../facets.ts'
import { someOf } from './controls.ts'
import { makings, referenceOf } from './kinds.ts'
import { written } from './references.ts'
import type { Errors, Members, Values } from './values.ts'

const OFFERED = 100
const SHOWN = 5

/** Fields in use, for the box of that name. */
export async function offersFor(visit: Visit, kind: string, members: Members): Promise<Record<string, string[]>> {
  if (!members['area']) return {}
  const { status, json } = await visit.ask(`/api/${kind}/facets/?by=area`, BRIEFLY)
  const values: { value: string }[] = status === 200 ? (json.facets?.area ?? []) : []
  return { area: values.map(({ value }) => value).filter((value) => value !== '') }
}

/** Some of each kind that the form asks for; scripts look for all of them. */
export async function someRecords(visit: Visit, kind: string): Promise<Content> {
  const lists = await Promise.all(
    referredTo(kind).map(async (other) => {
      const { json } = await visit.ask(`/api/${other}/?page_size=${OFFERED}`)
      return someOf(
        other,
        json.results.map((record: Shown) => written(other, record)),
      )
    }),
  )
  return lists
}

/** The kinds that are picked one at a time. */
function referredTo(kind: string): readonly string[] {
  if (kind === 'story') return ['phrase', 'quadranym']
  if (kind === 'tale') return ['fable', 'quadranym']
  if (kind === 'quote') return ['quadranym']
  return kind === 'polymap' || kind === 'vectornym' ? ['polynym'] : []
}

/** Records that the API's rule of uniqueness speaks of, and others of the same name. */
export async function alike(
  visit: Visit,
  kind: string,
  values: Values,
  errors: Errors,
  record: Shown | undefined,
): Promise<Content> {
  const clash = clashOf(errors)
  const isNew = record === undefined
  const wanted = clash.length > 0 ? clash : isNew && values['name'] ? ['name'] : []
  const query = wanted.flatMap((member): [string, string][] => {
    if (member === 'user') return visit.visitor ? [['user', visit.visitor.name]] : []
    return values[member] && !referenceOf(kind, member) ? [[member, values[member]]] : []
  })
  const found = query.length > 0 ? await look(visit, kind, query) : []
  const others = found.filter((each) => each[`${kind}_id`] !== record?.[`${kind}_id`])
  const says = clash.length > 0 ? 'This one is there already:' : 'There is already one of this name:'
  return html`<div class="twins" data-twins aria-live="polite">
    ${
      others.length > 0 &&
      html`<p class="note">${says}
        ${others.map((each, i) => html`${i > 0 ? ', ' : ' '}<a href=${recordAddress(kind, each)}>${labelOf(each, kind)}</a>`)}
      </p>`
    }
  </div>`
}

function labelOf(record: Shown, kind: string): string {
  const name = String(record['name'] ?? record['body'] ?? makings[kind]!.title)
  return record['e'] === undefined
    ? name
    : `${name} (${[record['e'], record['r'], record['o'], record['s']].join(', ')})`
}

async function look(visit: Visit, kind: string, query: [string, string][]): Promise<readonly Shown[]> {
  const { status, json } = await visit.ask(
    `/api/${kind}/?${new URLSearchParams([...query, ['page_size', String(SHOWN)]])}`,
  )
  return status === 200 ? json.results : []
}

/** The members of a rule that was broken: "The fields name, user must make a unique set." */
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
