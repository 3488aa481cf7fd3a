/** For staff: records that are hidden; hiding and showing one. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { failure } from '../failure.ts'
import { HIDDEN_PATH, showButton } from '../hide-button.ts'
import { when } from '../history/when.ts'
import { html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { staffPage } from '../staff/staff-page.ts'
import { shortened } from '../texts/marked.ts'
import { pager } from './pager.ts'

const PAGE_SIZE = 50
const LONGEST_NAME = 90

export const hiddenPage: ExplorerPage = { path: HIDDEN_PATH, title: 'Hidden records', GET: show, POST: act }

interface Hidden {
  readonly resource: string
  readonly id: number
  readonly at: string
  readonly user?: string
  readonly name?: string
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { kinds, query } = visit
  const page = query.get('page') ?? '1'
  const { status, json } = await visit.ask(`/api/hidden/?page_size=${PAGE_SIZE}&page=${encodeURIComponent(page)}`)
  if (status !== 200) return failure(visit, status, json)
  const records: readonly Hidden[] = json.results
  const main = html`<p class="does">Nobody can read these, until they are shown again. Only staff see this list.</p>
    ${records.length === 0 ? html`<div class="empty"><h2>Nothing is hidden</h2></div>` : html`<p class="soft">${counted(json.count, 'record')}</p>`}
    <ul class="rows reports">
      ${records.map(({ resource, id, at, user, name }) => {
        const numbered = `${kinds.find(resource)?.one ?? resource} ${id}`
        return html`<li><article class="row">
          <h2>${name ? shortened(name, LONGEST_NAME) : numbered}</h2>
          <p class="meta">${name && html`<span>${numbered}</span>`} <span>hidden ${when(at, visit)}${user && html` by <a href=${personAddress(user)}>${user}</a>`}</span></p>
          <div class="chips">${showButton(visit, { resource, id })}</div>
        </article></li>`
      })}
    </ul>
    ${pager(Number(page) || 1, Math.ceil(json.count / PAGE_SIZE), (to) => `${HIDDEN_PATH}?page=${to}`)}`
  return staffPage(visit, 'Hidden records', main)
}

/** To hide a record deletes it first; to show it undoes that. */
async function act(visit: ExplorerVisit): Promise<PageAnswer> {
  const form = await visit.form()
  const resource = form.get('resource')?.at(-1) ?? ''
  const id = Number(form.get('id')?.at(-1))
  const hidden = form.get('hidden')?.at(-1) === 'true'
  const kind = visit.kinds.find(resource)
  if (!kind || !visit.visitor?.staff) return failure(visit, 403, { detail: 'Only staff hide and show records.' })
  const deleted = hidden ? await visit.ask(`/api/${kind.name}/${id}/`, { method: 'DELETE' }) : undefined
  if (deleted && deleted.status !== 204 && deleted.status !== 404) return failure(visit, deleted.status, deleted.json)
  const { status, json } = await visit.ask('/api/hidden/', { method: 'PUT', json: { resource, id, hidden } })
  if (status !== 200) return failure(visit, status, json)
  if (hidden) return { location: HIDDEN_PATH, message: { code: 'hidden' } }
  const undone = await visit.ask(`/api/changes/set/${json.set}/undo/`, { method: 'POST', json: {} })
  if (undone.status !== 200) return failure(visit, undone.status, undone.json)
  return { location: `/${kind.name}/${id}/`, message: { code: 'shown' } }
}
