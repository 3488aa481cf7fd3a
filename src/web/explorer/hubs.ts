/** Pages for related kinds: sets, texts, stories. */

import { hereOf } from '../addresses.ts'
import { cardsOf } from '../cards.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds } from '../kinds/index.ts'
import { HUBS, type Hub } from '../kinds/parts.ts'
import { layout } from '../layout.ts'
import { today } from '../today.ts'
import { activitiesIn } from './activities.ts'

const SOME = 4
const SOME_ROWS = 3

export function hubPages({ all }: Kinds): readonly ExplorerPage[] {
  return HUBS.flatMap((hub): ExplorerPage[] => {
    const kinds = all.filter(({ part, isMain }) => isMain && part === hub.part)
    if (kinds.length === 0) return []
    return [{ path: `/${hub.part}/`, title: hub.title, GET: (visit) => show(visit, hub, kinds) }]
  })
}

async function show(visit: ExplorerVisit, { part, title, heading = title, does }: Hub, kinds: readonly Kind[]) {
  const activities = activitiesIn(part, visit.kinds)
  const sections = await Promise.all(kinds.map((kind) => section(visit, kind)))
  const main = html`<h1>${heading}</h1>
    <p class="does">${does}</p>
    <p class="chips">
      ${kinds.map((kind) => html`<a class="btn" href=${`/${kind.name}/`}>${kind.many}</a>`)}
      ${kinds.some(({ hasSource, textOf }) => hasSource && textOf) && html`<a class="btn" href="/authors/">Authors</a>`}
    </p>
    ${activities.length > 0 && html`<p class="chips" role="group" aria-label="What there is to do with them">${activities.map(({ href, title: text }) => html`<a class="btn small" href=${href}>${text}</a>`)}</p>`}
    ${sections}`
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: heading,
      user: visit.visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part,
      description: does,
      main,
    }),
  }
}

/** The records of a kind with the most likes; if there are no likes, some random ones, the same all day. */
async function section(visit: ExplorerVisit, kind: Kind): Promise<Content> {
  const size = kind.shape === 'rows' ? SOME_ROWS : SOME
  const day = visit.byClock(today).toISOString().slice(0, 10)
  const { json } = kind.liked
    ? await visit.ask(`/api/${kind.name}/?ordering=-likes&page_size=${size}`)
    : await visit.ask(`/api/${kind.name}/random/?n=${size}&seed=${day}${kind.sampled ? `&${kind.sampled}` : ''}`)
  const { count = 0, results = [] } = json
  const records = (await kind.completed?.(visit, results)) ?? results
  return html`<section>
    <div class="titled">
      <h2><a href=${`/${kind.name}/`}>${kind.many}</a></h2>
      <p class="soft">${kind.does}</p>
    </div>
    ${count === 0 ? html`<p class="soft">None yet.</p>` : cardsOf(kind, records)}
    ${count > size && html`<p class="more"><a href=${`/${kind.name}/`}>All ${kind.many.toLowerCase()}</a></p>`}
  </section>`
}
