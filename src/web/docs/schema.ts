/** The page of /api/schema/ in a browser: what the document is, and links to get it. */
import { type Html, html } from '../html.ts'
import { allOperations, type Document } from './document.ts'
import { inline } from './prose.ts'

export function schemaPart(document: Document): Html {
  const { tags, servers } = document
  const operations = allOperations(document).length
  const address = `${servers[0]!.url}/api/schema/`
  return html`<h1>OpenAPI document</h1>
    <p class="does">
      This interface as an OpenAPI 3.1 document: ${operations} operations, for programs that generate clients, forms or tests
      from it. To read about the interface, see <a href="/api/docs/">its page</a>.
    </p>
    <p class="actions">
      <a class="btn go" href="/api/schema/?format=json">JSON</a>
      <a class="btn" href="/api/schema/?format=yaml">YAML</a>
      <a class="btn" href="/api/docs/">Page</a>
      <a class="btn" href="/api/docs/?format=md">Manual, Markdown</a>
    </p>
    <p class="try"><code data-copy>${`curl '${address}'`}</code></p>
    <p class="try"><code data-copy>${`npx openapi-typescript '${address}' -o schema.d.ts`}</code></p>
    <h2>By collection</h2>
    <p class="does">The part for one collection, or several, is a document of its own.</p>
    <div class="wide"><table>
      <thead><tr><th scope="col">Part</th><th scope="col">Get it</th><th scope="col">What it is</th></tr></thead>
      <tbody>
        ${tags.map(({ name, description }) => {
          const query = `collection=${encodeURIComponent(name)}`
          return html`<tr>
            <th scope="row">${name}</th>
            <td class="formats">
              <a href=${`/api/schema/?${query}&format=json`}>JSON</a> <a href=${`/api/schema/?${query}&format=yaml`}>YAML</a>
              <a href=${`/api/docs/?${query}`}>page</a>
            </td>
            <td>${inline(description)}</td>
          </tr>`
        })}
      </tbody>
    </table></div>`
}
