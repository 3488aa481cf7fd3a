/** Deleting: a page asks first. If the record is in use, it says where. */
import type { Message, PageAnswer } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { renderError } from '../../error.ts'
import { etagField, etagOfForm } from '../../etag-field.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { layout } from '../../layout.ts'
import { mayChange } from './head.ts'

interface InUse {
  readonly detail: string
  readonly count: number
  readonly used_by: readonly string[]
}

/** What came of the first try. */
interface Tried {
  readonly inUse?: InUse
  readonly hasChanged?: boolean
}

export async function askToRemove(visit: ExplorerVisit, name: string, tried: Tried = {}): Promise<PageAnswer> {
  const { path, visitor } = visit
  const asked = await visit.ask(apiPath(visit, name))
  if (asked.status !== 200) return failure(visit, asked)
  const record: Shown = asked.json
  if (!visitor) return failure(visit, { status: 401, json: {} })
  if (!(await mayChange(visit, name, record))) return failure(visit, { status: 403, json: {} })
  const kind = visit.kinds.get(name)
  const { inUse, hasChanged = false } = tried
  const etag = String(asked.headers['ETag'])
  const main = inUse
    ? await stillInUse(visit, name, record, inUse)
    : confirmation(visit, name, record, { etag, hasChanged })
  return {
    status: inUse ? 409 : hasChanged ? 412 : 200,
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: `Delete ${kind.nameOf(record)}`,
      user: visitor.name,
      here: path,
      part: kind.part,
      main,
    }),
  }
}

function confirmation(
  visit: ExplorerVisit,
  name: string,
  record: Shown,
  { etag, hasChanged }: { readonly etag: string; readonly hasChanged: boolean },
): Content {
  const { one: title, nameOf: called } = visit.kinds.get(name)
  return html`<div class="state">
    <p class="kind">Delete ${title}</p>
    <h1 class="long">Delete “${called(record)}”?</h1>
    ${hasChanged && html`<p class="note bad" role="alert">It has changed since you opened this page. <a href=${backTo(visit)}>Look at it again</a> before you delete it.</p>`}
    <p>Its history stays, and you can bring it back from there.${lines(visit.kinds.get(name), record)}</p>
    <form class="chips" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      ${etagField(etag)}
      <button class="btn danger" type="submit">Delete</button>
      <a class="btn" href=${backTo(visit)}>Keep it</a>
    </form>
  </div>`
}

function lines({ form }: Kind, { length }: Shown): string | undefined {
  return form && form.lineKinds.length > 0 && length !== undefined
    ? ` Its ${counted(length, 'line')} will be deleted too.`
    : undefined
}

/** Staff may remove it from every record that uses it; others only see the list. */
async function stillInUse(
  visit: ExplorerVisit,
  name: string,
  record: Shown,
  { count, used_by }: InUse,
): Promise<Content> {
  const users = await Promise.all(used_by.map((url) => userOf(visit, url)))
  const { one: title, nameOf: called } = visit.kinds.get(name)
  return html`<div class="state">
    <p class="kind">Delete ${title}</p>
    <h1 class="long">“${called(record)}” is still in use</h1>
    <p role="alert">${count === 1 ? '1 other record uses it' : `${counted(count, 'other record')} use it`}. It can be deleted once nothing else uses it.</p>
    <ul class="hits">
      ${users.map((user) => user && html`<li><a href=${user.href}>${user.name}</a> <span class="soft">${user.kind}</span></li>`)}
    </ul>
    ${count > used_by.length && html`<p class="soft">and ${count - used_by.length} more</p>`}
    <form class="chips" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      <a class="btn go" href=${backTo(visit)}>Keep it</a>
      ${visit.visitor?.staff && html`<button class="btn danger" type="submit" name="cascade" value="true">Delete it, and remove it from all of them</button>`}
    </form>
    ${
      visit.visitor?.staff &&
      html`<p class="soft">
      Sets keep their other members, and texts are marked again. Quotes, polymaps, vectornyms and lines that use it are deleted.
    </p>`
    }
  </div>`
}

async function userOf(
  visit: ExplorerVisit,
  url: string,
): Promise<{ href: string; name: string; kind: string } | undefined> {
  const path = url.slice(visit.base.length)
  const [, name = ''] = /^\/api\/([a-z-]+)\//.exec(path) ?? []
  const { status, json } = await visit.ask(path)
  if (status !== 200) return undefined
  const kind = visit.kinds.get(name)
  return { href: kind.addressOf(json), name: kind.nameOf(json), kind: kind.one.toLowerCase() }
}

export async function remove(visit: ExplorerVisit, name: string): Promise<PageAnswer> {
  const form = await visit.form()
  const [cascade] = form.get('cascade') ?? []
  const asked = await visit.ask(`${apiPath(visit, name)}${cascade === 'true' ? '?cascade=true' : ''}`, {
    method: 'DELETE',
    ifMatch: etagOfForm(form),
  })
  if (asked.status === 200 || asked.status === 204) return { location: `/${name}/`, message: removed(visit, name) }
  if (asked.status === 409) return await askToRemove(visit, name, { inUse: asked.json })
  if (asked.status === 412) return await askToRemove(visit, name, { hasChanged: true })
  return failure(visit, asked)
}

function removed({ places }: ExplorerVisit, resource: string): Message {
  return { code: 'deleted', place: { resource, id: Number(places['id']) } }
}

function apiPath({ places }: ExplorerVisit, name: string): string {
  return `/api/${name}/${encodeURIComponent(places['id']!)}/`
}

function backTo({ path }: ExplorerVisit): string {
  return path.replace(/delete\/$/, '')
}

function failure(visit: ExplorerVisit, { status, json }: { status: number; json: unknown }): PageAnswer {
  const { path, visitor } = visit
  const back = status === 404 ? undefined : backTo(visit)
  return { status, page: renderError({ status, json, here: path, user: visitor?.name, back }, visit.kinds) }
}
