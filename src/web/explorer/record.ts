/** A page for each record: its picture, what it says, where it is used. */
import type { PageRoute, Visit } from '../../http/index.ts'
import { renderError } from '../error.ts'
import { html } from '../html.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'

export const recordPages: readonly PageRoute[] = Object.entries(kinds).map(([name, kind]) => ({
  path: `/${name}/:id/`,
  title: kind.title,
  GET: (visit) => show(visit, name, kind),
}))

async function show(visit: Visit, name: string, kind: Kind) {
  const { places, visitor, path } = visit
  const { status, json: record } = await visit.ask(`/api/${name}/${encodeURIComponent(places['id']!)}/`)
  if (status !== 200) return { status, page: renderError({ status, json: record, here: path, user: visitor?.name }) }
  const main = html`<p class="kind">${kind.title}</p>
    <h1>${kind.nameOf(record)}</h1>
    ${kind.picture?.(record)}`
  return { page: layout({ title: kind.nameOf(record), user: visitor?.name, here: path, part: kind.part, main }) }
}
