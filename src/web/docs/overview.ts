/** The overview: one line for each operation, with a link to the page of its group. */
import { type Html, html } from '../html.ts'
import { curlOf } from './curl.ts'
import { type Answer, allOperations, type Document, operationsOf } from './document.ts'
import { inline, prose } from './prose.ts'

export function overviewPart(document: Document): Html {
  const { info, tags } = document
  const [about = '', ...conventions] = info.description.split(/\n{2,}/)
  return html`<h1>The API</h1>
    <p class="does">${inline(about)} This is version ${info.version}.</p>
    ${document.tags[0] && firstTry(document)}
    <p class="actions">
      <a class="btn" href="/api/docs/?format=md">Manual, Markdown</a>
      <a class="btn" href="/api/schema/?format=json">OpenAPI, JSON</a>
      <a class="btn" href="/api/schema/?format=yaml">YAML</a>
      <a class="btn" href="/api/">Browse</a>
    </p>
    <div class="columns">
      <nav class="contents" aria-label="Contents">
        <ul>
          ${tags.map(({ name }) => html`<li><a href=${`#${name}`}>${name}</a></li>`)}
          <li><a href="#conventions">Conventions</a></li>
          <li><a href="#signing-in">Signing in</a></li>
          <li><a href="#problems">Problems</a></li>
        </ul>
      </nav>
      <div>
        <form class="filter" role="search" aria-label="Operations" hidden>
          <label><span>Find an operation</span> <input type="search" name="operation" autocomplete="off" /></label>
          <p role="status"></p>
        </form>
        ${tags.map((tag) => group(document, tag))}
        <section id="conventions">
          <h2>Conventions</h2>
          ${conventions.map(prose)}
        </section>
        ${signingIn(document)} ${problems(document)}
      </div>
    </div>`
}

/** A curl command for the first list of the document. */
function firstTry(document: Document): Html | undefined {
  const list = allOperations(document).find(
    ({ path, method }) => method === 'get' && document.paths[path]?.['post'] && /^\/api\/[^/{]+\/$/.test(path),
  )
  return list && html`<p class="try"><code data-copy>${curlOf(document, list)}</code></p>`
}

function group(document: Document, { name, description }: Document['tags'][number]): Html {
  const page = `/api/docs/?collection=${encodeURIComponent(name)}`
  return html`<section class="group" id=${name}>
    <h2><a href=${page}>${name}</a> <a class="here" href=${`#${name}`} aria-label=${`Link to ${name}`}>#</a></h2>
    <p class="does">${inline(description)}</p>
    <ul class="operations">
      ${operationsOf(document, name).map(
        ({ path, method, operation: { operationId, summary } }) => html`<li id=${operationId}>
          <a href=${`${page}#${operationId}`}><b class=${`verb ${method}`}>${method.toUpperCase()}</b> <code>${path}</code></a>
          <span class="soft">${summary}</span>
        </li>`,
      )}
    </ul>
  </section>`
}

function signingIn({ components }: Document): Html {
  return html`<section id="signing-in">
    <h2>Signing in</h2>
    <div class="wide"><table>
      <thead><tr><th scope="col">Scheme</th><th scope="col">What to send</th></tr></thead>
      <tbody>
        ${Object.entries(components.securitySchemes).map(
          ([name, { description = '' }]) => html`<tr><th scope="row">${name}</th><td>${inline(description)}</td></tr>`,
        )}
      </tbody>
    </table></div>
  </section>`
}

/** The description of the shared error answer has a line for each status. */
function problems({ components }: Document): Html {
  const shared: Answer | undefined = components.responses?.['4XX']
  const lines = [...(shared?.description ?? '').matchAll(/^- ([0-9, ]+): (.*)$/gm)]
  return html`<section id="problems">
    <h2>Problems</h2>
    <p class="does">
      A problem is <code>${'{"detail": "..."}'}</code>, or a list of messages for each member or parameter that is wrong:
      <code>${'{"name": ["..."]}'}</code>.
    </p>
    <div class="wide"><table>
      <thead><tr><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
      <tbody>
        ${lines.map(([, status, says]) => html`<tr><th scope="row">${status}</th><td>${inline(says!)}</td></tr>`)}
      </tbody>
    </table></div>
  </section>`
}
