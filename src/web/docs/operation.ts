/** One operation in full: its parameters, body, answers, an example and a curl command. */
import { type Html, html } from '../html.ts'
import { curlOf, exampleOf } from './curl.ts'
import {
  type Answer,
  type Body,
  type Document,
  mustSignIn,
  nameIn,
  type Operation,
  type Parameter,
  type Place,
  resolve,
  type Schema,
} from './document.ts'
import { inline } from './prose.ts'
import { memberTable, typeOf } from './types.ts'

export function operationPart(document: Document, place: Place): Html {
  const { path, method, operation } = place
  const { operationId, summary, description } = operation
  return html`<section class="operation" id=${operationId}>
    <h3>
      <b class=${`verb ${method}`}>${method.toUpperCase()}</b> <code>${path}</code>
      <a class="here" href=${`#${operationId}`} aria-label=${`Link to ${operationId}`}>#</a>
    </h3>
    <p><b>${/[.?!]$/.test(summary) ? summary : `${summary}.`}</b> ${inline(description)}${mustSignIn(operation) && html` Needs <a href="/api/docs/#signing-in">credentials</a>.`}</p>
    <p class="try"><code data-copy>${curlOf(document, place)}</code></p>
    ${parametersPart(document, operation)} ${bodyPart(document, operation)} ${answersPart(document, operation)}
  </section>`
}

/** A list has dozens of filters, so they are folded. */
function parametersPart(document: Document, { parameters = [] }: Operation): Html {
  const all = parameters.map((each) => resolve<Parameter>(document, each))
  const isFilter = ({ schema }: Parameter) => schema['$ref']?.includes('/lookup-') || schema['description'] === FILTER
  const filters = all.filter(isFilter)
  const others = all.filter((each) => !isFilter(each))
  return html`${others.length > 0 && parameterTable(document, others)}
  ${
    filters.length > 0 &&
    html`<details>
    <summary>${filters.length} filters</summary>
    <dl class="filters">${filtersByMember(filters).map(([member, each]) => filterRow(document, member, each))}</dl>
  </details>`
  }`
}

const FILTER = 'The member is exactly this.'

function filtersByMember(filters: readonly Parameter[]): [string, Parameter[]][] {
  return [...Map.groupBy(filters, ({ name }) => name.replace(/__[a-z]+$/, ''))]
}

function filterRow(document: Document, member: string, filters: readonly Parameter[]): Html {
  const [plain] = filters.filter(({ name }) => name === member)
  return html`<div>
    <dt>${filters.map(({ name, schema }) => html`<code title=${meaningOf(document, schema)}>${name}</code> `)}</dt>
    <dd>${plain && typeOf(document, plain.schema)}</dd>
  </div>`
}

function meaningOf(document: Document, schema: Schema): string {
  return schema['description'] ?? resolve<Schema>(document, schema)['description'] ?? ''
}

function parameterTable(document: Document, parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({ name, in: place, required, description, schema }) => html`<tr>
      <th scope="row"><code>${name}</code>${required ? '' : html` <small>optional</small>`}</th>
      <td>${place === 'query' ? '' : html`${place}, `}${typeOf(document, schema)}</td>
      <td>${inline(description ?? meaningOf(document, schema))}</td>
    </tr>`,
  )
  return html`<div class="wide"><table>
    <thead><tr><th scope="col">Parameter</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
    <tbody>${rows}</tbody>
  </table></div>`
}

function bodyPart(document: Document, { requestBody }: Operation): Html | undefined {
  if (!requestBody) return undefined
  const { content } = resolve<Body>(document, requestBody)
  const schema = content['application/json']!.schema
  return html`<details>
    <summary>Body${schema['$ref'] && html` <span class="soft">${nameIn(schema['$ref'])}</span>`}</summary>
    <p>As ${Object.keys(content).map((type, i) => html`${i === 0 ? '' : ' or '}<code>${type}</code>`)}.</p>
    ${memberTable(document, resolve<Schema>(document, schema))}
  </details>`
}

function answersPart(document: Document, operation: Operation): Html {
  const example = exampleOf(document, operation)
  const rows = Object.entries(operation.responses).map(([status, given]) => {
    const answer = resolve<Answer>(document, given)
    const schema = answer.content?.['application/json']?.schema
    const says = status === '4XX' ? 'A problem' : answer.description.replace(/\.$/, '')
    const type = schema && status !== '4XX' ? html`: ${typeOf(document, schema)}` : ''
    const problem = status === '4XX' && html`: <a href="/api/docs/#problems">by status</a>`
    return html`<li><b>${status}</b> ${inline(says)}${type}${problem}</li>`
  })
  const own = ownSchemaOf(document, operation)
  return html`<ul class="answers">${rows}</ul>
  ${own && html`<details><summary>Members of the answer</summary>${memberTable(document, own)}</details>`}
  ${
    example?.value !== undefined &&
    html`<details>
    <summary>Example${example.summary && html` <span class="soft">${example.summary}</span>`}</summary>
    <pre class="answer" tabindex="0">${JSON.stringify(example.value, null, 2)}</pre>
  </details>`
  }`
}

/** The schema of the successful answer, if it is not a component. */
function ownSchemaOf(document: Document, { responses }: Operation): Schema | undefined {
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const schema = good && resolve<Answer>(document, good).content?.['application/json']?.schema
  return schema?.['properties'] ? schema : undefined
}
