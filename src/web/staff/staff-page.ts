/** What the pages for staff share. Each asks the API, which refuses everybody else. */
import type { PageAnswer, StaffStatus } from '../../http/index.ts'
import { STAFF_STYLE } from '../assets.ts'
import { failure } from '../failure.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { visitPage } from '../visit-page.ts'

const PAGES = [
  ['/staff/', 'Server'],
  ['/staff/figures/', 'Figures'],
  ['/staff/people/', 'People'],
  ['/reports/', 'Reports'],
  ['/hidden/', 'Hidden records'],
  ['/staff/settings/', 'Settings'],
] as const

export function staffPage(visit: ExplorerVisit, title: string, main: Content, status = 200): PageAnswer {
  const links = PAGES.map(
    ([href, text]) =>
      html`<a class="btn small" href=${href} aria-current=${visit.path === href ? 'page' : undefined}>${text}</a>`,
  )
  const content = html`<p class="kind">Staff</p>
    <h1>${title}</h1>
    <nav class="chips" aria-label="Staff">${links}</nav>
    ${main}`
  return { status, page: visitPage(visit, { title, styles: [STAFF_STYLE], main: content }), isSecret: true }
}

/** A page that is made from the state of the server. */
export async function withStatus(visit: ExplorerVisit, show: (status: StaffStatus) => PageAnswer): Promise<PageAnswer> {
  const { status, json } = await visit.ask('/api/staff/')
  return status === 200 ? show(json) : failure(visit, status, json)
}

/** A list of names and values. */
export function facts(rows: readonly (readonly [string, Content])[]): Content {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}
