/** Types in words: "text, up to 200", "list of polynym". */
import { type Html, html } from '../html.ts'
import { type Document, membersOf, nameIn, type Schema } from './document.ts'
import { inline } from './prose.ts'

const NAMES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  uri: 'address',
  date: 'date',
  'date-time': 'time',
}

const MOST_CHOICES = 24

export function typeOf(document: Document, schema: Schema): Html {
  if (schema['$ref']) return referenceTo(document, nameIn(schema['$ref']))
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`
  if (schema['enum']) {
    const choices = schema['enum'].filter((each: unknown) => each !== null && each !== '')
    return oneOf(choices.map((each: unknown) => html`<code>${String(each)}</code>`))
  }
  if (schema['anyOf']) {
    const ways: Schema[] = schema['anyOf'].filter((each: Schema) => each['type'] !== 'null')
    return oneOf(ways.map((each) => typeOf(document, each)))
  }
  const types: string[] = [schema['type'] ?? 'anything'].flat()
  const type = types.find((each) => each !== 'null')!
  if (type === 'array') {
    const items = schema['items'] ?? {}
    const [, words] = /^\^-\?\(([\w|]+)\)\$$/.exec(items['pattern'] ?? '') ?? []
    if (words) return html`list of ${oneOf(words.split('|').map((word) => html`<code>${word}</code>`))}`
    return html`list of ${items['type'] === 'string' && !items['enum'] ? 'texts' : typeOf(document, items)}${limits(schema, 'minItems', 'maxItems')}`
  }
  if (type === 'object') return html`object`
  const name = NAMES[schema['format']] ?? NAMES[type] ?? type
  return html`${name}${limits(schema, 'minLength', 'maxLength')}${limits(schema, 'minimum', 'maximum')}`
}

/** The schemas of lookups are shown in place, references to records as ids. */
function referenceTo(document: Document, name: string): Html {
  const schema = document.components.schemas?.[name] ?? {}
  if (name.startsWith('lookup-')) return typeOf(document, schema)
  const [, target] = /^(.*)-reference$/.exec(name) ?? []
  if (target) return html`id of ${target}`
  return html`<a href=${`#schema-${name}`}>${name}</a>`
}

function oneOf(choices: readonly Html[]): Html {
  const shown = choices.slice(0, MOST_CHOICES)
  const rest = choices.length > shown.length ? ', ...' : ''
  return html`${shown.map((choice, i) => html`${i === 0 ? '' : ' or '}${choice}`)}${rest}`
}

function limits(schema: Schema, least: string, most: string): string {
  const [from, to] = [schema[least], schema[most]]
  if (from === undefined && to === undefined) return ''
  const isPlain = from === undefined || from === 0 || (from === 1 && least !== 'minimum')
  if (to === undefined) return isPlain ? '' : `, ${from} or more`
  return isPlain ? `, up to ${to}` : `, ${from} to ${to}`
}

/** The members of an object, each with its type and what it means. */
export function memberTable(document: Document, schema: Schema): Html {
  const { members, required } = membersOf(document, schema)
  if (members.length === 0) return html`<p>${typeOf(document, schema)}</p>`
  const rows = numbered(members).map(
    ([name, each, last]) => html`<tr>
      <th scope="row"><code>${last ? `${name} ... ${last}` : name}</code>${!required.has(name) && html` <small>optional</small>`}</th>
      <td>${typeOf(document, each)}</td>
      <td>${inline(each['description'] ?? '')}${innerMembers(document, each)}</td>
    </tr>`,
  )
  return html`<div class="wide"><table>
    <thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`
}

/** Members that differ by their number only (p2 ... p12) share a row. */
function numbered(members: readonly [string, Schema][]): [name: string, schema: Schema, last?: string][] {
  const rows: [string, Schema, string?][] = []
  for (const [name, schema] of members) {
    const before = rows.at(-1)
    const isNext = before && /[0-9]$/.test(name) && alike(before[0], before[1]) === alike(name, schema)
    if (isNext) before[2] = name
    else rows.push([name, schema])
  }
  return rows
}

function alike(name: string, schema: Schema): string {
  return JSON.stringify([name, schema]).replaceAll(/[0-9]+/g, '#')
}

/** The members of inline objects, as a nested list. */
function innerMembers(document: Document, schema: Schema): Html | undefined {
  const inner: Schema = schema['type'] === 'array' ? (schema['items'] ?? {}) : schema
  const ways: Schema[] = inner['anyOf'] ?? [inner]
  const own = ways.filter((each) => each['properties'])
  if (own.length === 0) return undefined
  return html`<ul class="inner">
    ${own.flatMap((each) =>
      Object.entries<Schema>(each['properties']).map(
        ([name, member]) =>
          html`<li><code>${name}</code>: ${inline(member['description'] ?? '')} ${innerMembers(document, member)}</li>`,
      ),
    )}
  </ul>`
}
