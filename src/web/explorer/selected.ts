/** What can be done with several records that were selected in a table: take them away as a file, or delete them. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { hereOf, personAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { shortened } from '../texts/marked.ts'

/** The API takes this many ids in one filter. */
const MOST = 100
const LONGEST_NAME = 90

export function selectedPages({ all }: Kinds): readonly ExplorerPage[] {
  return all.map((kind) => ({
    path: `/${kind.name}/selected/`,
    title: `Selected ${kind.many.toLowerCase()}`,
    GET: (visit) => choose(visit, kind),
    POST: (visit) => removeAll(visit, kind),
  }))
}

function idsIn(values: readonly string[]): number[] {
  return [...new Set(values.map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0)
}

/** Only a list of this kind can be returned to. */
function backOf(kind: Kind, given: string | undefined): string {
  const list = `/${kind.name}/`
  return given?.startsWith(`${list}?`) ? given : `${list}?view=table`
}

async function choose(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const ids = idsIn(visit.query.all('id'))
  const back = backOf(kind, visit.query.get('back'))
  const fault = faultOf(ids)
  if (fault) return state(visit, kind, { title: fault, ways: backLink(back), status: 400 })
  const filter = `id__in=${ids.join(',')}`
  switch (visit.query.get('do')) {
    case 'csv':
      return { location: `/api/${kind.name}.csv?${filter}` }
    case 'delete':
      return await askToRemove(visit, kind, ids, back)
    default:
      return { location: `/api/${kind.name}/?format=json&${filter}&page_size=${MOST}` }
  }
}

function faultOf(ids: readonly number[]): string | undefined {
  if (ids.length === 0) return 'Select at least one record'
  return ids.length > MOST ? `Select at most ${MOST} records` : undefined
}

interface Mine {
  readonly all: readonly Shown[]
  /** Those that the visitor may delete. */
  readonly mine: readonly Shown[]
}

async function recordsOf(visit: ExplorerVisit, kind: Kind, ids: readonly number[]): Promise<Mine> {
  const { visitor } = visit
  const path = `/api/${kind.name}/?id__in=${ids.join(',')}&page_size=${MOST}`
  const all: readonly Shown[] = (await visit.ask(path)).json.results
  if (!visitor || visitor.staff) return { all, mine: visitor ? all : [] }
  if (kind.owner === undefined) return { all, mine: [] }
  const own = await visit.ask(`${path}&${kind.owner}=${encodeURIComponent(visitor.name)}`)
  return { all, mine: own.json.results }
}

async function askToRemove(
  visit: ExplorerVisit,
  kind: Kind,
  ids: readonly number[],
  back: string,
): Promise<PageAnswer> {
  if (!visit.visitor) return signInFirst(visit, kind)
  const { all, mine } = await recordsOf(visit, kind, ids)
  const others = all.length - mine.length
  if (mine.length === 0) {
    const title = 'None of them is yours'
    const says = 'You can delete records that you made.'
    return state(visit, kind, { title, says, ways: backLink(back), status: 403 })
  }
  return state(visit, kind, {
    title: `Delete ${named(kind, mine.length)}?`,
    says: html`${others > 0 && `${counted(others, 'other')} of the selected ${others === 1 ? 'belongs' : 'belong'} to somebody else and ${others === 1 ? 'stays' : 'stay'}. `}Their
      history stays, and you can bring them back from there.`,
    list: mine.map((record) => linkTo(kind, record)),
    ways: html`<form method="post" action=${visit.path}>
        <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
        <input type="hidden" name="back" value=${back} />
        ${mine.map((record) => html`<input type="hidden" name="id" value=${record[`${kind.name}_id`]} />`)}
        <button class="btn danger" type="submit">Delete ${mine.length === 1 ? 'it' : 'them'}</button>
      </form>
      <a class="btn" href=${back}>Keep ${mine.length === 1 ? 'it' : 'them'}</a>`,
  })
}

/** One by one: one that others use stays, and the page says so. */
async function removeAll(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const form = await visit.form()
  const ids = idsIn(form.get('id') ?? [])
  const back = backOf(kind, form.get('back')?.at(-1))
  const fault = faultOf(ids)
  if (fault) return state(visit, kind, { title: fault, ways: backLink(back), status: 400 })
  const { visitor } = visit
  if (!visitor) return signInFirst(visit, kind)
  const { all } = await recordsOf(visit, kind, ids)
  const kept: Content[] = []
  let deleted = 0
  for (const record of all) {
    const path = `/api/${kind.name}/${record[`${kind.name}_id`]}/`
    const { status, json } = await visit.ask(path, { method: 'DELETE' })
    if (status === 204 || status === 200) deleted++
    else kept.push(html`${linkTo(kind, record)}: ${json?.detail ?? 'It could not be deleted.'}`)
  }
  return state(visit, kind, {
    title: `Deleted ${named(kind, deleted)}`,
    says:
      kept.length > 0
        ? `${named(kind, kept.length)} could not be deleted:`
        : 'You can bring them back from your changes.',
    list: kept,
    ways: html`<a class="btn go" href=${back}>Back to the table</a>
      <a class="btn" href=${`/changes/?user=${encodeURIComponent(visitor.name)}`}>Your changes</a>
      <a class="btn" href=${personAddress(visitor.name)}>Your page</a>`,
    status: deleted > 0 || kept.length === 0 ? 200 : 409,
  })
}

function named({ one, many }: Kind, count: number): string {
  return counted(count, one.toLowerCase(), many.toLowerCase())
}

function linkTo(kind: Kind, record: Shown): Content {
  return html`<a href=${kind.addressOf(record)}>${shortened(kind.nameOf(record), LONGEST_NAME)}</a>`
}

function backLink(back: string): Content {
  return html`<a class="btn" href=${back}>Back to the table</a>`
}

function signInFirst(visit: ExplorerVisit, kind: Kind): PageAnswer {
  const next = encodeURIComponent(hereOf(visit))
  const ways = html`<a class="btn go" href=${`/accounts/login/?next=${next}`}>Sign in</a>`
  return state(visit, kind, { title: 'Sign in to delete records', ways, status: 401 })
}

interface State {
  readonly title: string
  readonly says?: Content
  readonly list?: readonly Content[]
  readonly ways: Content
  readonly status?: number
}

function state(visit: ExplorerVisit, kind: Kind, { title, says, list = [], ways, status = 200 }: State): PageAnswer {
  const main = html`<div class="state">
    <p class="kind">${kind.many}</p>
    <h1>${title}</h1>
    ${says && html`<p>${says}</p>`}
    ${list.length > 0 && html`<ul class="picked">${list.map((each) => html`<li>${each}</li>`)}</ul>`}
    <div class="chips">${ways}</div>
  </div>`
  return {
    status,
    page: layout({
      kinds: visit.kinds,
      title,
      user: visit.visitor?.name,
      csrf: visit.csrf,
      here: hereOf(visit),
      base: visit.base,
      part: kind.part,
      main,
    }),
  }
}
