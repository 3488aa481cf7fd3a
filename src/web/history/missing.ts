/** The page of a record that cannot be shown. A deleted one has its history. */
import type { ApiAnswer, PageAnswer } from '../../http/index.ts'
import { hereOf } from '../addresses.ts'
import { renderError } from '../error.ts'
import type { ExplorerVisit } from '../kinds/index.ts'

export async function missing(visit: ExplorerVisit, name: string, asked: ApiAnswer): Promise<PageAnswer> {
  const { status, json } = asked
  const history = status === 404 ? await historyOf(visit, name) : undefined
  return {
    status,
    page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name, history }, visit.kinds),
  }
}

/** Undefined if there never was such a record. */
async function historyOf(visit: ExplorerVisit, name: string): Promise<string | undefined> {
  const address = `/${name}/${encodeURIComponent(visit.places['id'] ?? '')}/history/`
  const { status } = await visit.ask(`/api${address}?page_size=1`, { isOptional: true })
  return status === 200 ? address : undefined
}
