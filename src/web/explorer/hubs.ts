/** Pages that gather related kinds: sets, texts, stories. */

import { hereOf } from '../addresses.ts'
import { cardsOf } from '../cards.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind } from '../kinds/index.ts'
import { layout } from '../layout.ts'

interface Hub {
  readonly part: string
  readonly title: string
  readonly does: string
  readonly kinds: readonly string[]
}

const SOME = 4
const SOME_ROWS = 3

const HUBS: readonly Hub[] = [
  {
    part: 'sets',
    title: 'Sets',
    does: 'Word sets in company: gathered, side by side, or tied to each other.',
    kinds: ['polyset', 'quadraset', 'vectornym', 'polymap'],
  },
  {
    part: 'texts',
    title: 'Texts',
    does: 'Sayings in which words give way to the terms of quadranyms. Choose another quadranym, and they say something else.',
    kinds: ['fortune', 'quote', 'phrase'],
  },
  {
    part: 'stories',
    title: 'Stories',
    does: 'Longer things, told line by line or after a fable, each with topics of its own.',
    kinds: ['story', 'tale', 'fable'],
  },
]

export const hubPages: readonly ExplorerPage[] = HUBS.map((hub) => ({
  path: `/${hub.part}/`,
  title: hub.title,
  GET: (visit) => show(visit, hub),
}))

async function show(visit: ExplorerVisit, { part, title, does, kinds }: Hub) {
  const sections = await Promise.all(kinds.map((kind) => section(visit, visit.kinds.get(kind))))
  const main = html`<h1>${title}</h1>
    <p class="does">${does}</p>
    <p class="chips">
      ${kinds.map((kind) => html`<a class="btn" href=${`/${kind}/`}>${visit.kinds.get(kind).many}</a>`)}
    </p>
    ${sections}`
  return {
    page: layout({
      kinds: visit.kinds,
      title,
      user: visit.visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part,
      description: does,
      main,
    }),
  }
}

/** The best liked of a kind, or where nobody likes, some by chance: the same all day. */
async function section(visit: ExplorerVisit, kind: Kind): Promise<Content> {
  const size = kind.shape === 'rows' ? SOME_ROWS : SOME
  const day = visit.now.toISOString().slice(0, 10)
  const { json } = kind.liked
    ? await visit.ask(`/api/${kind.name}/?ordering=-likes&page_size=${size}`)
    : await visit.ask(
        `/api/${kind.name}/random/?n=${size}&seed=${day}${kind.name === 'fortune' ? '&depth__gte=1' : ''}`,
      )
  const { count, results } = json
  return html`<section>
    <div class="titled">
      <h2><a href=${`/${kind.name}/`}>${kind.many}</a></h2>
      <p class="soft">${kind.does}</p>
    </div>
    ${count === 0 ? html`<p class="soft">None yet.</p>` : cardsOf(kind, results)}
    ${count > size && html`<p class="more"><a href=${`/${kind.name}/`}>All ${kind.many.toLowerCase()}</a></p>`}
  </section>`
}
