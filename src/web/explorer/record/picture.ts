/** The picture of a record as a file, for other people's pages. */
import type { PageAnswer } from '../../../http/index.ts'
import { renderError } from '../../error.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { alone, type Drawing } from '../../pictures/index.ts'

/** Serves `/quadranym/7.svg`. The address without a suffix belongs to the page, which ends in a slash. */
export async function servePicture(
  visit: ExplorerVisit,
  name: string,
  draw: (record: Shown) => Drawing,
): Promise<PageAnswer> {
  const { path, query, places, visitor } = visit
  const [, id] = /^(.+)\.svg$/.exec(places['id']!) ?? []
  if (id === undefined) return { location: query.raw ? `${path}/?${query.raw}` : `${path}/` }
  const { status, json } = await visit.ask(`/api/${name}/${encodeURIComponent(id)}/`)
  if (status !== 200)
    return { status, page: renderError({ status, json, here: path, user: visitor?.name }, visit.kinds) }
  return {
    bytes: alone(draw(json)),
    type: 'image/svg+xml',
    headers: {
      'Cache-Control': 'public, max-age=300',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      // Opened by itself it is a document: it may style itself, and do nothing else.
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  }
}
