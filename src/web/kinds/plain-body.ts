/** The page of a record from its declaration alone: its members in a list, and the records it embeds. */
import { type AnyResource, type Field, fieldsOf } from '../../declare/index.ts'
import { cardsOf } from '../cards.ts'
import { type Content, html } from '../html.ts'
import { webLink } from '../links.ts'
import type { Body, ExplorerVisit, Kinds, Shown } from './kind.ts'
import { titled } from './titles.ts'

/** The head of the page shows these. */
const IN_HEAD = new Set(['src', 'area', 'wiki', 'realm'])

export function plainBody(resource: AnyResource, nameMember: string) {
  const fields = fieldsOf(resource).filter(([key, field]) => {
    const { in: where } = field.storage(key)
    return where !== 'owner' && where !== 'votes' && key !== nameMember && !IN_HEAD.has(key)
  })
  return async ({ kinds }: ExplorerVisit, record: Shown, uses: Promise<Content>): Promise<Body> => {
    const facts = fields.flatMap(([key, field]) => {
      const value = isList(key, field) ? undefined : factOf(key, field, record, kinds)
      return value === undefined ? [] : [{ label: titled(key), value }]
    })
    const lists = fields.filter(([key, field]) => isList(key, field))
    return {
      beside:
        facts.length > 0 &&
        html`<dl class="words">
          ${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}
        </dl>`,
      below: html`${lists.map(([key, field]) => embedded(key, field, record, kinds))} ${await uses}`,
    }
  }
}

/** A list of embedded records, which has a section of its own. */
function isList(key: string, field: Field): boolean {
  return field.storage(key).in === 'links'
}

function embedded(key: string, field: Field, record: Shown, kinds: Kinds): Content {
  const storage = field.storage(key)
  const kind = 'to' in storage ? kinds.find(storage.to.name) : undefined
  const records = field.members(key).flatMap((member): Shown[] => record[member] ?? [])
  if (!kind || records.length === 0) return undefined
  return html`<section>
    <h2>${titled(key)} <span class="soft">${records.length}</span></h2>
    ${cardsOf(kind, records)}
  </section>`
}

/** Undefined if the record has no value. */
function factOf(key: string, field: Field, record: Shown, kinds: Kinds): Content | undefined {
  const storage = field.storage(key)
  const values = field.members(key).flatMap((member) => record[member] ?? [])
  if (values.length === 0 || values.every((value) => value === '')) return undefined
  if (storage.in === 'reference') {
    const kind = kinds.get(storage.to.name)
    return values.map((each: Shown) => html`<a href=${kind.addressOf(each)}>${kind.nameOf(each)}</a>`)
  }
  return values.map((value, i) => [i > 0 && ', ', shownValue(value)])
}

function shownValue(value: string | number): Content {
  return typeof value === 'number' ? value.toLocaleString('en') : (webLink(value) ?? value)
}
