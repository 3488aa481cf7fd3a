/** The page of all forms: every kind, and what others wish for. */
import type { PageAnswer } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kinds, MadeKind, Shown } from '../../kinds/index.ts'
import { layout } from '../../layout.ts'
import { TURN_PATH } from '../annotating.ts'
import { hasTable } from './table-page.ts'

const WISHES = 12

export function madeKinds({ all }: Kinds): MadeKind[] {
  return all.filter((kind): kind is MadeKind => kind.form !== undefined)
}

export async function hub(visit: ExplorerVisit): Promise<PageAnswer> {
  const wishes: readonly Shown[] = await readWishes(visit)
  const shelves = Map.groupBy(madeKinds(visit.kinds), ({ form }) => form.shelf)
  const main = html`<h1>Make something</h1>
    <p class="does">People made everything here. Add a set of words, mark a saying, tell a story.</p>
    ${[...shelves].map(
      ([shelf, entries]) => html`<h2>${shelf}</h2>
        <ul class="grid">
          ${entries.map(
            ({ name, form }) => html`<li><a class="card" href=${`/make/${name}/`}>
              <h3>${form.title}</h3>
              <p>${form.about}</p>
            </a></li>`,
          )}
          ${
            shelf === 'Sayings' &&
            visit.kinds.canAnnotate &&
            html`<li><a class="card" href="/annotate/">
              <h3>Annotate</h3>
              <p>Paste a text and mark its words with quadranyms, as with coloured pens.</p>
            </a></li>
            <li><a class="card" href=${TURN_PATH}>
              <h3>Turn your own text</h3>
              <p>Paste a saying and see it told with other topics. You need no account.</p>
            </a></li>`
          }
        </ul>
        ${tablesOf(entries)}`,
    )}
    ${
      wishes.length > 0 &&
      html`<h2>Wished for</h2>
        <p class="soft">Words that people want as quadranyms.</p>
        <div class="chips">
          ${wishes.map(({ name }) => html`<a class="btn small" href=${`/make/quadranym/?name=${encodeURIComponent(name)}`}>${name}</a>`)}
        </div>`
    }`
  const page = layout({
    kinds: visit.kinds,
    csrf: visit.csrf,
    title: 'Make something',
    user: visit.visitor?.name,
    here: visit.path,
    part: 'make',
    main,
  })
  return { page }
}

function tablesOf(entries: readonly MadeKind[]): Content {
  const tables = entries.filter(hasTable)
  if (tables.length === 0) return undefined
  return html`<p class="soft">Many at once, from a spreadsheet: ${tables.map(
    ({ name, many }, i) => html`${i > 0 && ', '}<a href=${`/make/${name}/table/`}>a table of ${many.toLowerCase()}</a>`,
  )}.</p>`
}

async function readWishes(visit: ExplorerVisit): Promise<readonly Shown[]> {
  if (!visit.kinds.find('queue')) return []
  const { json } = await visit.ask(`/api/queue/?ordering=-id&page_size=${WISHES}`)
  return json?.results ?? []
}
