/** One method of one address: what it takes, and what it answers. */
import { type Html, html } from '../html.ts'
import { type Answer, type Document, type Media, nameIn, type Operation, type Parameter, resolve } from './document.ts'
import { inline } from './prose.ts'
import { typeOf } from './schema.ts'

interface Place {
  readonly document: Document
  readonly path: string
  readonly tag: string
}

export function operationPart({ document, path, tag }: Place, method: string, operation: Operation): Html {
  const { operationId, summary, description, security, requestBody } = operation
  const mustSignIn = security !== undefined && !security.some((way) => Object.keys(way).length === 0)
  return html`<details id="${operationId}">
<summary><b class="verb ${method}">${method.toUpperCase()}</b> <code>${path}</code> <span class="soft">${summary.replace(/\.$/, '')}</span></summary>
${description && html`<p>${inline(description)}</p>`}
${mustSignIn && html`<p>Needs <a href="#signing-in">credentials</a>.</p>`}
${parametersPart(document, operation, tag)}
${requestBody && bodyPart(document, resolve(document, requestBody).content)}
${answersPart(document, operation)}
</details>
`
}

/** What narrows lists stands once for each collection. */
export function isLookup(reference: string | undefined, tag: string): boolean {
  return reference !== undefined && nameIn(reference).startsWith(`${tag}.`) && nameIn(reference) !== `${tag}.id`
}

function parametersPart(document: Document, { parameters = [] }: Operation, tag: string): Html {
  const own = parameters.filter(({ $ref }) => !isLookup($ref, tag)).map((each) => resolve<Parameter>(document, each))
  const narrows = parameters.some(({ $ref }) => isLookup($ref, tag))
  return html`${own.length > 0 && parameterTable(own)}
${narrows && html`<p>And <a href="#lookups-${tag}">all that narrows and orders</a>.</p>`}`
}

export function parameterTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({
      name,
      in: place,
      required,
      description,
      schema,
    }) => html`<tr><th scope="row"><code>${name}</code></th><td>${place}${required ? ', required' : ''}</td><td>${typeOf(schema)}</td><td>${inline(description ?? '')}</td></tr>
`,
  )
  return html`<div class="wide"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Type</th><th scope="col">What it says</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}

function bodyPart(document: Document, content: Readonly<Record<string, Media>>): Html {
  const media = content['application/json']!
  return html`<p>Body: ${typeOf(media.schema)}, as ${Object.keys(content).map((type, i) => html`${i === 0 ? '' : ' or '}<code>${type}</code>`)}.</p>
${examplePart(document, media)}`
}

function answersPart(document: Document, { responses }: Operation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .map(([status, given]) => {
      const answer = resolve<Answer>(document, given)
      const shared =
        given.$ref && answer.content ? html` <a href="#answer-${nameIn(given.$ref)}">${nameIn(given.$ref)}</a>` : ''
      const schema = answer.content?.['application/json']?.schema
      const type = schema && !shared ? html` ${typeOf(schema)}` : ''
      return html`<tr><th scope="row">${status}</th><td>${inline(answer.description)}${type}${shared}</td></tr>
`
    })
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const media = good && resolve<Answer>(document, good).content?.['application/json']
  return html`<div class="wide"><table><thead><tr><th scope="col">Status</th><th scope="col">Answer</th></tr></thead>
<tbody>${rows}</tbody></table></div>
${media && examplePart(document, media)}`
}

export function examplePart(document: Document, { example, examples }: Media): Html | undefined {
  const sample = examples?.['sample']
  const shown = sample ? resolve<{ summary?: string; value?: unknown }>(document, sample) : { value: example }
  if (shown.value === undefined) return undefined
  return html`<pre class="answer">${shown.summary && html`<b>${shown.summary}</b>\n`}${JSON.stringify(shown.value, null, 2)}</pre>`
}
