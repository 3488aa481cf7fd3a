/** Reporting a record, and for staff the reports and who is blocked. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { failure, faultsOf, signedInAgain } from '../failure.ts'
import { inOurWords } from '../form-errors.ts'
import { hideButton } from '../hide-button.ts'
import { when } from '../history/when.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { makerOf } from '../maker.ts'
import { staffPage } from '../staff/staff-page.ts'
import { visitPage } from '../visit-page.ts'
import { pager } from './pager.ts'

/** The reasons of the API, in words. */
const REASONS: Readonly<Record<string, string>> = {
  spam: 'It is spam or an advertisement',
  offensive: 'It is offensive',
  rights: 'It breaks a copyright or the law',
  wrong: 'It is wrong',
  other: 'Something else',
}
const LONGEST_NOTE = 500
const PAGE_SIZE = 20

export const reportPages: readonly ExplorerPage[] = [
  { path: '/report/:kind/:id/', title: 'Report', GET: (visit) => begin(visit), POST: send, showAgain },
  { path: '/reports/', title: 'Reports', GET: showReports, POST: settle },
  { path: '/people/:name/block/', title: 'Block', GET: showBlock, POST: block },
]

export function reportAddress(kind: string, id: number): string {
  return `/report/${kind}/${id}/`
}

function pageOf(visit: ExplorerVisit, title: string, main: Content, status = 200): PageAnswer {
  return { status, page: visitPage(visit, { title, main }) }
}

interface Reported {
  readonly kind: Kind
  readonly record: Shown
}

async function recordOf(visit: ExplorerVisit): Promise<Reported | PageAnswer> {
  const kind = visit.kinds.find(visit.places['kind'] ?? '')
  const path = `/api/${kind?.name}/${encodeURIComponent(visit.places['id'] ?? '')}/`
  const { status, json } = kind ? await visit.ask(path) : { status: 404, json: { detail: 'Not found.' } }
  return kind && status === 200 ? { kind, record: json } : failure(visit, status, json)
}

async function begin(
  visit: ExplorerVisit,
  faults: readonly string[] = [],
  given: Shown = {},
  status = faults.length > 0 ? 400 : 200,
): Promise<PageAnswer> {
  const found = await recordOf(visit)
  if (!('kind' in found)) return found
  const { kind, record } = found
  const back = kind.addressOf(record)
  const main = html`<div class="sheet">
    <p class="kind">Report</p>
    <h1>What is wrong with it?</h1>
    <p class="does">You report the ${kind.one.toLowerCase()} <a href=${back}>${kind.nameOf(record)}</a>. Those who look after the site will see it.</p>
    ${faults.map((fault) => html`<p class="note bad" role="alert">${inOurWords(fault)}</p>`)}
    <form class="fields" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      <fieldset class="reasons">
        <legend>Reason</legend>
        ${Object.entries(REASONS).map(
          ([reason, says]) =>
            html`<label><input type="radio" name="reason" value=${reason} required checked=${given['reason'] === reason} /> ${says}</label>`,
        )}
      </fieldset>
      <label for="note">In a sentence</label>
      <textarea id="note" name="note" rows="3" maxlength=${LONGEST_NOTE}>${given['note']}</textarea>
      <div class="chips"><button class="btn go" type="submit">Send the report</button> <a class="btn" href=${back}>Cancel</a></div>
    </form>
  </div>`
  return pageOf(visit, 'Report', main, status)
}

async function given(visit: ExplorerVisit): Promise<{ readonly reason: string; readonly note: string }> {
  const form = await visit.form()
  const [reason = '', note = ''] = ['reason', 'note'].map((name) => form.get(name)?.at(-1))
  return { reason, note }
}

async function showAgain(visit: ExplorerVisit): Promise<PageAnswer> {
  return await begin(visit, [signedInAgain(visit)], await given(visit), 403)
}

async function send(visit: ExplorerVisit): Promise<PageAnswer> {
  const { reason, note } = await given(visit)
  const body = { resource: visit.places['kind'], id: visit.places['id'], reason, note }
  const sent = { method: 'POST', json: body, isOptional: true }
  const { status, json, headers } = await visit.ask('/api/report/', sent)
  if (status === 400) return await begin(visit, faultsOf(json), { reason, note })
  if (status === 429) {
    const minutes = Math.ceil(Number(headers['Retry-After'] ?? 60) / 60)
    const tooMany = `You have reported much. Try again in ${counted(minutes, 'minute')}.`
    return await begin(visit, [tooMany], { reason, note }, status)
  }
  if (status === 503) return await begin(visit, faultsOf(json), { reason, note }, status)
  if (status !== 201) return failure(visit, status, json)
  const found = await recordOf(visit)
  const back = 'kind' in found ? found.kind.addressOf(found.record) : '/'
  const main = html`<div class="state">
    <p class="kind">Report</p>
    <h1>Thank you</h1>
    <p>Somebody will look at it.</p>
    <p class="chips"><a class="btn go" href=${back}>Back to the record</a></p>
  </div>`
  return pageOf(visit, 'Thank you', main)
}

interface Report {
  readonly id: number
  readonly at: string
  readonly resource: string
  readonly record: number
  readonly reason: string
  readonly note: string
  readonly user?: string
  readonly done?: string
  readonly done_by?: string
}

async function showReports(visit: ExplorerVisit): Promise<PageAnswer> {
  const { query, path } = visit
  const isDone = query.get('done') === 'true'
  const page = query.get('page') ?? '1'
  const filter = `done=${isDone}&page_size=${PAGE_SIZE}&page=${encodeURIComponent(page)}`
  const { status, json } = await visit.ask(`/api/report/?${filter}`)
  if (status !== 200) return failure(visit, status, json)
  const reports: readonly Report[] = json.results
  const shown = await Promise.all(reports.map((report) => reportItem(visit, report)))
  const tab = (label: string, href: string, isHere: boolean) =>
    html`<a class="btn small" href=${href} aria-current=${isHere ? 'true' : undefined}>${label}</a>`
  const main = html`<p class="does">What people say is wrong with records. Only staff see this.</p>
    <p class="soft">${counted(json.count, 'report')}</p>
    <p class="chips" role="group" aria-label="Reports">${tab('Waiting', path, !isDone)} ${tab('Done', `${path}?done=true`, isDone)}</p>
    ${
      shown.length === 0
        ? html`<div class="empty"><h2>${isDone ? 'Nothing is done yet' : 'Nothing waits'}</h2></div>`
        : html`<ul class="rows reports">${shown.map((item) => html`<li>${item}</li>`)}</ul>`
    }
    ${pager(Number(page) || 1, Math.ceil(json.count / PAGE_SIZE), (to) => pageAddress(isDone, to))}`
  return staffPage(visit, 'Reports', main)
}

function pageAddress(isDone: boolean, page: number): string {
  const query = [...(isDone ? ['done=true'] : []), ...(page > 1 ? [`page=${page}`] : [])].join('&')
  return `/reports/${query && `?${query}`}`
}

async function reportItem(visit: ExplorerVisit, report: Report): Promise<Content> {
  const { id, at, resource, record: number, reason, note, user, done, done_by: doneBy } = report
  const kind = visit.kinds.find(resource)
  const { status, json } = await visit.ask(`/api/${resource}/${number}/`, { isOptional: true })
  const record: Shown | undefined = kind && status === 200 ? json : undefined
  const maker = kind && record && (await makerOf(visit, kind, record))
  const name = kind && record ? kind.nameOf(record) : `${resource} ${number}`
  return html`<article class="row">
    <h2><a href=${kind && record ? kind.addressOf(record) : `/${resource}/${number}/history/`}>${name}</a></h2>
    <p class="meta">
      <span>${kind?.one ?? resource}${!record && ', deleted'}</span>
      ${maker && html`<span>by <a href=${personAddress(maker)}>${maker}</a></span>`}
      <span>reported ${when(at, visit)} by ${user ? html`<a href=${personAddress(user)}>${user}</a>` : 'a visitor'}</span>
      ${done && html`<span>done ${when(done, visit)}${doneBy && ` by ${doneBy}`}</span>`}
    </p>
    <p><b>${REASONS[reason] ?? reason}.</b> ${note}</p>
    <div class="chips">
      <form method="post" action="/reports/">
        <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
        <input type="hidden" name="id" value=${id} />
        <input type="hidden" name="page" value=${visit.query.get('page') ?? '1'} />
        <button class="btn small" type="submit" name="done" value=${done ? 'false' : 'true'}>${done ? 'Open again' : 'Done'}</button>
      </form>
      ${record && hideButton(visit, { resource, id: number }, { text: 'Hide the record', className: 'btn small' })}
      ${record && html`<a class="btn small" href=${`/${resource}/${number}/delete/`}>Delete the record</a>`}
      ${maker && html`<a class="btn small" href=${`${personAddress(maker)}block/`}>Block ${maker}</a>`}
    </div>
  </article>`
}

async function settle(visit: ExplorerVisit): Promise<PageAnswer> {
  const form = await visit.form()
  const id = Number(form.get('id')?.at(-1))
  const done = form.get('done')?.at(-1) === 'true'
  const { status, json } = await visit.ask(`/api/report/${id}/`, { method: 'PATCH', json: { done } })
  if (status !== 200) return failure(visit, status, json)
  // Back to the page of the button, or to the last page if that one has no reports any more.
  const { json: left } = await visit.ask(`/api/report/?done=${!done}&page_size=1`)
  const pages = Math.ceil(Number(left?.count ?? 0) / PAGE_SIZE)
  return { location: pageAddress(!done, Math.min(Number(form.get('page')?.at(-1)) || 1, pages)) }
}

function blockPath({ places }: ExplorerVisit): string {
  return `/api/user/${encodeURIComponent(places['name'] ?? '')}/block/`
}

async function showBlock(visit: ExplorerVisit): Promise<PageAnswer> {
  const { status, json } = await visit.ask(blockPath(visit))
  if (status !== 200) return failure(visit, status, json)
  const { user, blocked } = json
  const main = html`<div class="state">
    <p class="kind">Account</p>
    <h1>${blocked ? `${user} is blocked` : `Block ${user}?`}</h1>
    <p>${blocked ? 'The user cannot sign in or change anything.' : 'The user is signed out everywhere, and cannot sign in or change anything. The records stay.'}</p>
    <form class="chips" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      <button class=${blocked ? 'btn go' : 'btn danger'} type="submit" name="blocked" value=${blocked ? 'false' : 'true'}>${blocked ? `Let ${user} in again` : 'Block'}</button>
      <a class="btn" href=${personAddress(user)}>Back</a>
    </form>
  </div>`
  return pageOf(visit, blocked ? `${user} is blocked` : `Block ${user}`, main)
}

async function block(visit: ExplorerVisit): Promise<PageAnswer> {
  const blocked = (await visit.form()).get('blocked')?.at(-1) === 'true'
  const { status, json } = await visit.ask(blockPath(visit), { method: 'PUT', json: { blocked } })
  if (status === 400) return failure(visit, status, { detail: faultsOf(json).join(' ') })
  return status === 200 ? { location: visit.path } : failure(visit, status, json)
}
