/** The page of one or a few groups: the record, every operation in full, and the schemas they use. */
import { type Html, html } from '../html.ts'
import { allOperations, type Document, operationsOf, type Place, type Schema } from './document.ts'
import { operationPart } from './operation.ts'
import { inline } from './prose.ts'
import { memberTable } from './types.ts'

export function groupsPart(document: Document, groups: readonly string[]): Html {
  const shown = document.tags.filter(({ name }) => groups.includes(name))
  const shared = allOperations(document).filter(
    ({ operation: { tags = [] } }) => !tags.some((tag) => groups.includes(tag)),
  )
  const query = groups.map((name) => `collection=${encodeURIComponent(name)}`).join('&')
  return html`<h1>${groups.join(', ')}</h1>
    ${shown.map(({ description }) => html`<p class="does">${inline(description)}</p>`)}
    <p class="actions">
      <a class="btn" href="/api/docs/">All of the API</a>
      ${document.paths[`/api/${groups[0]}/`] && html`<a class="btn" href=${`/api/${groups[0]}/`}>Browse</a>`}
      <a class="btn" href=${`/api/schema/?${query}&format=json`}>OpenAPI, JSON</a>
      <a class="btn" href=${`/api/schema/?${query}&format=yaml`}>YAML</a>
    </p>
    <nav class="operations" aria-label="Operations">
      <ul>
        ${[...shown.flatMap(({ name }) => operationsOf(document, name)), ...shared].map(
          ({ path, method, operation }) => html`<li>
            <a href=${`#${operation.operationId}`}><b class=${`verb ${method}`}>${method.toUpperCase()}</b> <code>${path}</code></a>
            <span class="soft">${operation.summary}</span>
          </li>`,
        )}
      </ul>
    </nav>
    ${shown.map(
      ({ name }) => html`<section aria-label=${name}>
        ${document.components.schemas?.[name] && recordPart(document, name, document.components.schemas[name])}
        <h2>Operations</h2>
        ${operationsOf(document, name).map((place) => operationPart(document, place))}
      </section>`,
    )}
    ${shared.length > 0 && sharedPart(document, shared)} ${shapesPart(document, groups)}`
}

/** What is listed once for many collections, these among them. */
function sharedPart(document: Document, shared: readonly Place[]): Html {
  return html`<section aria-label="Many collections">
    <h2>Operations of many collections</h2>
    ${shared.map((place) => operationPart(document, place))}
  </section>`
}

function recordPart(document: Document, name: string, schema: Schema): Html {
  return html`<h2 id=${`schema-${name}`}>The record</h2>
    ${memberTable(document, schema)}`
}

/** The other schemas that the operations refer to. */
function shapesPart(document: Document, groups: readonly string[]): Html {
  const hidden = (name: string) => groups.includes(name) || /^lookup-|-reference$|-(body|change)$/.test(name)
  const others = Object.entries(document.components.schemas ?? {}).filter(([name]) => !hidden(name))
  return html`<section class="shapes">
    <h2>Shapes</h2>
    <p class="does">The shapes of responses and errors.</p>
    ${others.map(
      ([name, schema]) => html`<details id=${`schema-${name}`}>
        <summary>${name}${schema['description'] && html` <span class="soft">${inline(schema['description'])}</span>`}</summary>
        ${memberTable(document, schema)}
      </details>`,
    )}
  </section>`
}
