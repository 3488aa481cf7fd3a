/** The OpenAPI document as a page: grouped as the document is, everything folded, and nothing that needs a script. */
import { API_STYLE } from '../assets.ts'
import { type Html, html } from '../html.ts'
import { layout } from '../layout.ts'
import { type Document, nameIn, type Operation } from './document.ts'
import { examplePart, isLookup, operationPart, parameterTable } from './operation.ts'
import { inline, prose } from './prose.ts'
import { schemaTable, typeOf } from './schema.ts'

/** The page is long and changes seldom: the last one is kept. */
let kept: { readonly json: string; readonly main: Html } | undefined

/** From the document as JSON. */
export function renderDocs(json: string, user: string | undefined): string {
  if (kept?.json !== json) kept = { json, main: mainPart(JSON.parse(json)) }
  return layout({
    title: 'Interface',
    user,
    here: '/api/docs/',
    trail: [html`<a href="/api/">api</a> <i>/</i> <a href="/api/docs/" aria-current="page">docs</a>`],
    styles: [API_STYLE],
    main: html`<div class="docs">${kept.main}</div>`,
  })
}

function mainPart(document: Document): Html {
  const { info, tags } = document
  return html`<h1>The interface</h1>
<p class="does">${info.title} ${info.version}, as the server describes itself. For programs:
<a href="/api/schema/?format=json">the OpenAPI document</a>.</p>
<nav class="contents" aria-label="Contents">
<ul>
<li><a href="#signing-in">Signing in</a></li>
${tags.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>\n`)}
<li><a href="#answers">Answers</a></li>
<li><a href="#schemas">Schemas</a></li>
</ul>
</nav>
${prose(info.description)}
${signingIn(document)}
${tags.map((tag) => group(document, tag))}
${answers(document)}
${schemas(document)}`
}

function signingIn({ components }: Document): Html {
  const rows = Object.entries(components.securitySchemes).map(
    ([name, { description }]) => html`<tr><th scope="row">${name}</th><td>${inline(description ?? '')}</td></tr>
`,
  )
  return html`<section id="signing-in"><h2>Signing in</h2>
<div class="wide"><table><thead><tr><th scope="col">Way</th><th scope="col">What to send</th></tr></thead>
<tbody>${rows}</tbody></table></div></section>
`
}

function group(document: Document, { name: tag, description }: Document['tags'][number]): Html {
  const paths = Object.entries(document.paths).filter(([, item]) =>
    Object.values(item).some(({ tags = [] }) => tags.includes(tag)),
  )
  return html`<section id="${tag}"><h2>${tag}</h2>
<p class="does">${inline(description)}</p>
${paths.map(([path, item]) => pathPart(document, path, tag, item))}
${lookups(document, tag)}
</section>
`
}

function pathPart(document: Document, path: string, tag: string, item: Readonly<Record<string, Operation>>): Html {
  const shown = Object.entries(item).filter(([method]) => method !== 'head' && method !== 'options')
  const also = Object.entries(item).filter(([method]) => method === 'head' || method === 'options')
  return html`${shown.map(([method, operation]) => operationPart({ document, path, tag }, method, operation))}
${also.length > 0 && html`<p class="also"><code>${path}</code> answers ${also.map(([method, { operationId }], i) => html`${i === 0 ? '' : ' and '}<span id="${operationId}">${method.toUpperCase()}</span>`)}, too.</p>`}
`
}

/** All that the lists of a collection may be narrowed and ordered by. */
function lookups({ components, paths }: Document, tag: string): Html | undefined {
  const used = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ parameters = [] }) => parameters.flatMap(({ $ref }) => $ref ?? [])),
  )
  const names = [...new Set(used)].filter((reference) => isLookup(reference, tag)).map(nameIn)
  if (names.length === 0) return undefined
  return html`<details id="lookups-${tag}"><summary>What narrows and orders lists of ${tag}</summary>
${parameterTable(names.map((name) => components.parameters![name]!))}
</details>
`
}

function answers(document: Document): Html {
  const shared = Object.entries(document.components.responses ?? {}).filter(([, { content }]) => content)
  return html`<section id="answers"><h2>Answers</h2>
<p class="does">What several addresses answer alike.</p>
${shared.map(([name, { description, content }]) => {
  const media = content!['application/json']!
  return html`<details id="answer-${name}"><summary>${name} <span class="soft">${inline(description)}</span></summary>
<p>${typeOf(media.schema)}</p>
${examplePart(document, media)}
</details>
`
})}</section>
`
}

function schemas({ components }: Document): Html {
  return html`<section id="schemas"><h2>Schemas</h2>
<p class="does">What records, pages, bodies and problems look like.</p>
${Object.entries(components.schemas ?? {}).map(
  ([name, schema]) => html`<details id="schema-${name}"><summary>${name}</summary>
${schema['description'] && html`<p>${inline(schema['description'])}</p>`}
${schemaTable(schema)}
</details>
`,
)}</section>
`
}
