/** The page of a record that cannot be shown. A deleted one has its history; a hidden one says so to its owner and staff. */
import type { ApiAnswer, PageAnswer } from '../../http/index.ts'
import { hereOf } from '../addresses.ts'
import { renderError } from '../error.ts'
import { showButton } from '../hide-button.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { when } from './when.ts'

export async function missing(visit: ExplorerVisit, name: string, asked: ApiAnswer): Promise<PageAnswer> {
  const { status, json } = asked
  const hidden = status === 404 && json.hidden ? hiddenSince(visit, name, json.hidden) : undefined
  const history = status === 404 && !hidden ? await historyOf(visit, name) : undefined
  const { visitor, csrf, kinds } = visit
  const fault = { status, json, here: hereOf(visit), user: visitor?.name, csrf, history, hidden }
  return { status, page: renderError(fault, kinds) }
}

function hiddenSince(visit: ExplorerVisit, resource: string, at: string) {
  return { when: when(at, visit), show: showButton(visit, { resource, id: Number(visit.places['id']) }, 'btn go') }
}

/** Undefined if there never was such a record. */
async function historyOf(visit: ExplorerVisit, name: string): Promise<string | undefined> {
  const address = `/${name}/${encodeURIComponent(visit.places['id'] ?? '')}/history/`
  const { status } = await visit.ask(`/api${address}?page_size=1`, { isOptional: true })
  return status === 200 ? address : undefined
}
