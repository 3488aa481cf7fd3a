/** Schemas in words. */
import { type Html, html } from '../html.ts'
import { nameIn, type Schema } from './document.ts'

/** "list of polynym, 1 to 200" */
export function typeOf(schema: Schema): Html {
  if (schema['$ref']) return html`<a href="#schema-${nameIn(schema['$ref'])}">${nameIn(schema['$ref'])}</a>`
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`
  if (schema['enum']) return oneOf(schema['enum'].map((each: unknown) => html`<code>${JSON.stringify(each)}</code>`))
  if (schema['anyOf']) return oneOf(schema['anyOf'].map(typeOf))
  if (schema['type'] === 'array')
    return html`list of ${typeOf(schema['items'])}${limits(schema, 'minItems', 'maxItems')}`
  if (schema['type'] === 'object') return schema['properties'] ? membersIn(schema) : html`object`
  const format = schema['format'] ?? schema['type'] ?? 'anything'
  const lengths = limits(schema, 'minLength', 'maxLength')
  return html`${format === 'uri' ? 'address' : format}${lengths}${limits(schema, 'minimum', 'maximum')}`
}

const MOST_CHOICES = 24

function oneOf(choices: readonly Html[]): Html {
  const shown = choices.slice(0, MOST_CHOICES)
  const rest = choices.length > shown.length ? ', ...' : ''
  return html`${shown.map((choice, i) => html`${i === 0 ? '' : ' or '}${choice}`)}${rest}`
}

/** An object that has no name of its own. */
function membersIn(schema: Schema): Html {
  const members = Object.entries<Schema>(schema['properties'])
  const required = new Set<string>(schema['required'] ?? [])
  const shown = members.map(
    ([name, each], i) => html`${i === 0 ? '' : ', '}<b>${name}</b>${required.has(name) ? '' : '?'} ${typeOf(each)}`,
  )
  return html`{ ${shown} }`
}

function limits(schema: Schema, least: string, most: string): string {
  const [from, to] = [schema[least], schema[most]]
  if (from === undefined && to === undefined) return ''
  if (to === undefined) return from === 1 && least === 'minLength' ? '' : `, ${from} or more`
  return from === undefined || (from === 1 && least === 'minLength') ? `, up to ${to}` : `, ${from} to ${to}`
}

export function schemaTable(schema: Schema): Html {
  const members = Object.entries<Schema>(schema['properties'] ?? {})
  if (members.length === 0) return html`<p>${typeOf(schema)}</p>`
  const required = new Set<string>(schema['required'] ?? [])
  const rows = members.map(
    ([
      name,
      each,
    ]) => html`<tr><th scope="row"><code>${name}</code></th><td>${required.has(name) ? 'always' : 'optional'}</td><td>${typeOf(each)}${each['description'] && html`. ${each['description']}`}</td></tr>
`,
  )
  return html`<div class="wide"><table><thead><tr><th scope="col">Member</th><th scope="col">Present</th><th scope="col">Type</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}
