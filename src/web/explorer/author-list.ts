/** All authors and sources that texts and sets name. */
import { counted } from '../../language/index.ts'
import { hereOf, listAddress } from '../addresses.ts'
import { WORD_STYLE } from '../assets.ts'
import { html } from '../html.ts'
import type { ExplorerPage } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { authorAddress } from '../texts/author.ts'
import { type Author, readAuthors } from './author-index.ts'
import { pager } from './pager.ts'

const PAGE_SIZE = 200
const MOST_QUOTED = 12
const FEW = 30

export const authorList: ExplorerPage = {
  path: '/authors/',
  title: 'Authors and Sources',
  async GET(visit) {
    const known = await readAuthors(visit)
    const authors = [...new Set(known.values())]
    const sorted = authors.sort((a, b) => byName.compare(a.name, b.name))
    const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE))
    const wanted = Number(visit.query.get('page') || 1)
    const page = Number.isInteger(wanted) ? Math.min(Math.max(wanted, 1), pages) : 1
    const shown = sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
    const most = sorted.toSorted((a, b) => textsOf(b) - textsOf(a)).filter((author) => textsOf(author) > 1)
    const main = html`<p class="kind">${counted(authors.length, 'author or source', 'authors and sources')}</p>
      <h1>Authors and sources</h1>
      <p class="does">Who said or wrote the texts, and where the sets come from.</p>
      ${
        page === 1 &&
        sorted.length > FEW &&
        most.length > 0 &&
        html`<h2>With the most texts</h2>
        <ul class="chips">${most.slice(0, MOST_QUOTED).map((author) => html`<li><a class="btn" href=${authorAddress(author.name)}>${author.name} <span class="soft">${textsOf(author).toLocaleString('en')}</span></a></li>`)}</ul>`
      }
      ${sorted.length > 0 ? html`<h2 class=${sorted.length > FEW ? undefined : 'unseen'}>A to Z</h2>` : html`<p class="soft">None yet.</p>`}
      <ul class="hits authors">
        ${shown.map(({ name, count }) => html`<li><a href=${authorAddress(name)}>${name}</a> <span class="soft">${count.toLocaleString('en')}</span></li>`)}
      </ul>
      ${pager(page, pages, (to) => listAddress(visit.path, visit.query, { page: to === 1 ? undefined : to }))}`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: 'Authors and sources',
        user: visit.visitor?.name,
        here: hereOf(visit),
        base: visit.base,
        part: 'texts',
        styles: [WORD_STYLE],
        description: 'The authors of the texts, and the sources of the sets.',
        main,
      }),
    }
  },
}

const byName = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

function textsOf({ sources }: Author): number {
  return sources.reduce((sum, { kind, count }) => sum + (kind.textOf ? count : 0), 0)
}
