/** Where making begins: every kind, and what others wish for. */
import type { PageAnswer, Visit } from '../../../http/index.ts'
import { html } from '../../html.ts'
import type { Shown } from '../../kinds/index.ts'
import { layout } from '../../layout.ts'
import { makings } from './kinds.ts'

const WISHES = 12

export async function hub(visit: Visit): Promise<PageAnswer> {
  const { json } = await visit.ask(`/api/queue/?ordering=-id&page_size=${WISHES}`)
  const wishes: readonly Shown[] = json?.results ?? []
  const shelves = Map.groupBy(Object.entries(makings), ([, { shelf }]) => shelf)
  const main = html`<h1>Make something</h1>
    <p class="does">People made everything here. Add a set of words, mark a saying, tell a story.</p>
    ${[...shelves].map(
      ([shelf, entries]) => html`<h2>${shelf}</h2>
        <ul class="grid">
          ${entries.map(
            ([kind, { title, about }]) => html`<li><a class="card" href=${`/make/${kind}/`}>
              <h3>${title}</h3>
              <p>${about}</p>
            </a></li>`,
          )}
          ${
            shelf === 'Texts' &&
            html`<li><a class="card" href="/annotate/">
              <h3>Annotate</h3>
              <p>Paste a text and mark its words with quadranyms, as with coloured pens.</p>
            </a></li>`
          }
        </ul>`,
    )}
    ${
      wishes.length > 0 &&
      html`<h2>Wished for</h2>
        <p class="soft">Words that people want as quadranyms.</p>
        <div class="chips">
          ${wishes.map(({ name }) => html`<a class="btn small" href=${`/make/quadranym/?name=${encodeURIComponent(name)}`}>${name}</a>`)}
        </div>`
    }`
  const page = layout({ title: 'Make something', user: visit.visitor?.name, here: visit.path, part: 'make', main })
  return { page }
}
