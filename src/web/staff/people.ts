/** /staff/people/: accounts, and what staff do about one. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { pager } from '../explorer/pager.ts'
import { failure, faultsOf } from '../failure.ts'
import { when } from '../history/when.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { facts, staffPage } from './staff-page.ts'

const PAGE_SIZE = 50

export const peoplePages: readonly ExplorerPage[] = [
  { path: '/staff/people/', title: 'People', GET: list },
  { path: '/staff/people/:name/', title: 'Account', GET: (visit) => show(visit), POST: act },
]

interface Account {
  readonly user: string
  readonly staff: boolean
  readonly blocked: boolean
  readonly removed: boolean
  readonly can_sign_in: boolean
  readonly joined: string
  readonly sessions?: number
  readonly tokens?: readonly { id: number; name: string; created: string; expires?: string; last_used?: string }[]
  readonly code?: string
}

const addressOf = (name: string) => `/staff/people/${encodeURIComponent(name)}/`

function stateOf({ staff, blocked, removed, can_sign_in: canSignIn }: Account): string {
  if (removed) return 'removed'
  if (blocked) return 'blocked'
  if (staff) return 'staff'
  return canSignIn ? 'user' : 'cannot sign in'
}

async function list(visit: ExplorerVisit): Promise<PageAnswer> {
  const search = visit.query.get('search') ?? ''
  const page = visit.query.get('page') ?? '1'
  const filter = `search=${encodeURIComponent(search)}`
  const path = `/api/staff/user/?${filter}&page_size=${PAGE_SIZE}&page=${encodeURIComponent(page)}`
  const { status, json } = await visit.ask(path)
  if (status !== 200) return failure(visit, status, json)
  const accounts: readonly Account[] = json.results
  const rows = accounts.map(
    (account) => html`<tr>
      <th scope="row"><a href=${addressOf(account.user)}>${account.user}</a></th>
      <td>${stateOf(account)}</td>
      <td>${when(account.joined, visit)}</td>
    </tr>`,
  )
  const main = html`<form class="search" method="get" action="/staff/people/" role="search">
      <label for="search">Names that begin with</label>
      <input id="search" name="search" value=${search} autocomplete="off" maxlength="150" />
      <button class="btn" type="submit">Find</button>
    </form>
    <p class="does">${counted(json.count, 'account')}. Only the operator makes users staff, with <code>nymdex user</code>.</p>
    ${
      rows.length > 0 &&
      html`<div class="wide"><table class="ledger">
        <thead><tr><th scope="col">Name</th><th scope="col">State</th><th scope="col">Joined</th></tr></thead>
        <tbody>${rows}</tbody>
      </table></div>`
    }
    ${pager(Number(page) || 1, Math.ceil(json.count / PAGE_SIZE), (to) => `/staff/people/?${filter}&page=${to}`)}`
  return staffPage(visit, 'People', main)
}

const nameIn = ({ places }: ExplorerVisit) => encodeURIComponent(places['name'] ?? '')

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { status, json } = await visit.ask(`/api/staff/user/${nameIn(visit)}/`)
  return status === 200 ? staffPage(visit, json.user, accountView(visit, json)) : failure(visit, status, json)
}

function accountView(visit: ExplorerVisit, account: Account): Content {
  const { user, sessions = 0, tokens = [], code } = account
  const mayAct = !account.staff && !account.removed
  return html`${
    code &&
    html`<div class="note" role="status">
      <p>The password is reset. Give ${user} this code, which is shown only now. With it, ${user} chooses a new password at <a href="/accounts/recover/">Recover an account</a>.</p>
      <p><code class="code">${code}</code></p>
    </div>`
  }
    ${facts([
      ['State', stateOf(account)],
      ['Joined', when(account.joined, visit)],
      ['Sessions', String(sessions)],
      ['Page', html`<a href=${personAddress(user)}>What ${user} made</a>`],
    ])}
    ${account.staff && html`<p class="soft">The accounts of staff are changed by their owners and the operator.</p>`}
    ${
      mayAct &&
      html`<div class="chips acts">
        <a class="btn small" href=${`${personAddress(user)}block/`}>${account.blocked ? 'Let in again …' : 'Block …'}</a>
        ${sessions > 0 && button(visit, { action: 'sign-out', text: 'Sign out everywhere' })}
        ${account.can_sign_in && !account.blocked && button(visit, { action: 'reset', text: 'Reset the password', isDanger: true })}
      </div>`
    }
    <section>
      <h2>${counted(tokens.length, 'token')}</h2>
      <ul class="rows">${tokens.map(
        ({ id, name, created, expires, last_used: lastUsed }) => html`<li><article class="row">
          <h3>${name}</h3>
          <p class="meta">
            <span>made ${when(created, visit)}</span>
            <span>${expires ? html`valid until ${expires.slice(0, 10)}` : 'valid for ever'}</span>
            <span>${lastUsed ? html`last used ${when(lastUsed, visit)}` : 'never used'}</span>
          </p>
          ${mayAct && html`<div class="chips">${button(visit, { action: 'revoke', text: 'Revoke', token: id })}</div>`}
        </article></li>`,
      )}</ul>
    </section>`
}

interface Button {
  readonly action: string
  readonly text: string
  readonly token?: number
  readonly isDanger?: boolean
}

function button({ path, csrf }: ExplorerVisit, { action, text, token, isDanger = false }: Button): Content {
  return html`<form method="post" action=${path}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    ${token !== undefined && html`<input type="hidden" name="token" value=${token} />`}
    <button class=${isDanger ? 'btn small danger' : 'btn small'} type="submit" name="action" value=${action}>${text}</button>
  </form>`
}

/** A code is shown on the page that answers: nothing else keeps it. */
async function act(visit: ExplorerVisit): Promise<PageAnswer> {
  const form = await visit.form()
  const [action, token] = ['action', 'token'].map((name) => form.get(name)?.at(-1))
  const body = { action, ...(token === undefined ? {} : { token }) }
  const { status, json } = await visit.ask(`/api/staff/user/${nameIn(visit)}/`, { method: 'POST', json: body })
  if (status === 400) return failure(visit, status, { detail: faultsOf(json).join(' ') })
  if (status !== 200) return failure(visit, status, json)
  if (action === 'reset') return staffPage(visit, json.user, accountView(visit, json))
  return { location: visit.path, message: { code: action === 'revoke' ? 'token-revoked' : 'signed-out-everywhere' } }
}
