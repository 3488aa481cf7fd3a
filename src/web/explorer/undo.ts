/** Taking changes back: a page shows what would happen, or why it cannot, and asks first. */
import { type PageAnswer, WordDiff } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { renderError } from '../error.ts'
import { theRecord } from '../history/deeds.ts'
import { differences, type MemberChanges, shownValue, wantNames } from '../history/differences.ts'
import { labelOf } from '../history/member-words.ts'
import { type Entry, historyAddress, RecordNames } from '../history/record-names.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { layout } from '../layout.ts'

/** How many records the page shows. */
const MOST = 50

interface Undone extends Entry {
  readonly action: string
  readonly members?: MemberChanges
}

interface Conflict extends Entry {
  readonly detail: string
  readonly members: MemberChanges
  readonly errors?: Readonly<Record<string, unknown>>
  readonly used_by?: readonly string[]
}

/** The pages have the addresses of the API, without `/api`. */
export const undoPages: readonly ExplorerPage[] = ['/changes/:seq/undo/', '/changes/set/:set/undo/'].map((path) => ({
  path,
  title: 'Undo',
  GET: (visit) => askToUndo(visit),
  POST: (visit) => undo(visit),
}))

/** What is done to the records that go back. */
const DOES: Readonly<Record<string, string>> = {
  change: 'changes back',
  remove: 'is deleted',
  restore: 'comes back',
  vote: 'is liked again',
  unvote: 'is no longer liked',
}

async function askToUndo(visit: ExplorerVisit): Promise<PageAnswer> {
  const { status, json } = await visit.ask(`/api${visit.path}?dry_run=true`, { method: 'POST' })
  if (status === 409) return await refused(visit, json)
  if (status !== 200) return failure(visit, status, json)
  const all: readonly Undone[] = json.results
  const results = all.slice(0, MOST)
  const names = new RecordNames(visit)
  for (const each of results) {
    names.want(each.resource, [each.id])
    rememberName(names, each)
    wantNames(names, visit.kinds.find(each.resource), each.members ?? {})
  }
  await names.read()
  const diffs = new WordDiff()
  const isReturn = results.every(({ action }) => action === 'restore')
  const title = isReturn ? 'Bring it back?' : 'Undo this?'
  const [first] = results
  const main = html`<div class="state wide-state">
    <p class="kind">Undo</p>
    <h1 class="long">${title}</h1>
    <p>This is what happens. It is a change like any other, and can be undone too.</p>
    <ol class="timeline">${results.map((each) => step(visit, { names, diffs }, each))}</ol>
    ${all.length > results.length && html`<p class="soft">and ${counted(all.length - results.length, 'more change')}</p>`}
    <form class="chips" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      <button class="btn go" type="submit">${isReturn ? 'Bring back' : 'Undo'}</button>
      <a class="btn" href=${first ? historyAddress(first) : '/changes/'}>Leave it</a>
    </form>
  </div>`
  return page(visit, title, main)
}

/** A record that is not there now is known by what it is about to become. */
function rememberName(names: RecordNames, { members, ...entry }: Undone): void {
  const values = Object.entries(members ?? {}).map(([member, { was, became }]) => [member, became ?? was])
  names.remember(entry, Object.fromEntries(values))
}

/** For all records of a page. */
interface Shared {
  readonly names: RecordNames
  readonly diffs: WordDiff
}

function step({ kinds }: ExplorerVisit, { names, diffs }: Shared, undone: Undone): Content {
  const { action, resource, members = {} } = undone
  const kind = kinds.find(resource)
  const shown = Object.keys(members).length > 0 && differences(members, { kind, names, diffs })
  return html`<li class=${action}>
    <p class="did">${theRecord(undone, names, kinds, 'The')} ${DOES[action] ?? action}</p>
    ${action === 'change' ? shown : shown && html`<details><summary>All of it</summary>${shown}</details>`}
  </li>`
}

async function undo(visit: ExplorerVisit): Promise<PageAnswer> {
  const { status, json } = await visit.ask(`/api${visit.path}`, { method: 'POST' })
  if (status === 409) return await refused(visit, json)
  if (status === 401) return { location: `/accounts/login/?next=${encodeURIComponent(visit.path)}` }
  if (status !== 200) return failure(visit, status, json)
  const results: readonly Undone[] = json.results
  const [first] = results
  const isOne = first && results.every(({ resource, id }) => resource === first.resource && id === first.id)
  return { location: isOne ? historyAddress(first) : `/changes/set/${json.set}/`, message: { code: 'undone' } }
}

/** Something has changed since, or is in the way. */
async function refused(visit: ExplorerVisit, json: { detail: string; conflicts: readonly Conflict[]; count: number }) {
  const { conflicts, count } = json
  const names = new RecordNames(visit)
  for (const { resource, id, members, used_by = [] } of conflicts) {
    names.want(resource, [id])
    wantNames(names, visit.kinds.find(resource), members)
    for (const each of used_by.map((url) => entryAt(visit, url))) if (each) names.want(each.resource, [each.id])
  }
  await names.read()
  const [first] = conflicts
  const title = count === 0 ? 'There is nothing left to undo' : 'It cannot be undone'
  const main = html`<div class="state wide-state">
    <p class="kind">Undo</p>
    <h1 class="long">${title}</h1>
    <p role="alert">${count === 0 ? 'Everything is already as it was.' : json.detail}</p>
    ${count > 0 && html`<ol class="timeline">${conflicts.map((each) => obstacle(visit, names, each))}</ol>`}
    ${count > conflicts.length && html`<p class="soft">and ${count - conflicts.length} more</p>`}
    <p class="chips"><a class="btn go" href=${first ? historyAddress(first) : '/changes/'}>${first ? 'See the history' : 'Recent changes'}</a></p>
  </div>`
  return { ...page(visit, title, main), status: 409 }
}

function obstacle(visit: ExplorerVisit, names: RecordNames, conflict: Conflict): Content {
  const { kinds } = visit
  const { resource, detail, members, errors = {}, used_by = [] } = conflict
  const kind = kinds.find(resource)
  const cell = (member: string, value: unknown) =>
    value === undefined ? html`<i class="soft">not known</i>` : shownValue(member, value, { kind, names })
  const uses = used_by.flatMap((url) => entryAt(visit, url) ?? [])
  return html`<li>
    <p class="did">${theRecord(conflict, names, kinds, 'The')}: ${detail}</p>
    ${
      Object.keys(members).length > 0 &&
      html`<div class="wide">
        <table>
          <thead><tr><td></td><th scope="col">It was</th><th scope="col">It became</th><th scope="col">It is now</th></tr></thead>
          <tbody>
            ${Object.entries(members).map(
              ([member, { was, became, now }]) =>
                html`<tr>
                  <th scope="row">${labelOf(kind, member)}</th>
                  <td>${cell(member, was)}</td><td>${cell(member, became)}</td><td>${cell(member, now)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`
    }
    ${Object.entries(errors).map(([member, messages]) => html`<p class="wrong">${labelOf(kind, member)}: ${[messages].flat().join(' ')}</p>`)}
    ${uses.length > 0 && html`<ul class="hits">${uses.map((each) => html`<li>${names.link(each)}</li>`)}</ul>`}
  </li>`
}

/** The record of an address of the API. */
function entryAt({ base }: ExplorerVisit, url: string): Entry | undefined {
  const [, resource, id] = /^\/api\/([a-z-]+)\/([0-9]+)\/$/.exec(url.slice(base.length)) ?? []
  return resource === undefined ? undefined : { resource, id: Number(id) }
}

function failure(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: visit.path, user: visit.visitor?.name }, visit.kinds) }
}

function page(visit: ExplorerVisit, title: string, main: Content) {
  return {
    page: layout({ kinds: visit.kinds, csrf: visit.csrf, title, user: visit.visitor?.name, here: visit.path, main }),
  }
}
