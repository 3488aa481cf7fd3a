/** The history of a record, also of a deleted one: who changed what, and when. Its owner and staff can take changes back. */
import type { PageAnswer } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { hereOf, listAddress } from '../addresses.ts'
import { renderError } from '../error.ts'
import { actedOn, personLink } from '../history/deeds.ts'
import { differences, type MemberChanges, wantNames } from '../history/differences.ts'
import { namedMembers } from '../history/member-words.ts'
import { RecordNames } from '../history/record-names.ts'
import { when } from '../history/when.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { shortened } from '../texts/marked.ts'
import { pager } from './pager.ts'
import { mayChange } from './record/head.ts'

const PAGE_SIZE = 20
const LONGEST_NAME = 80

interface HistoryEntry {
  readonly seq: number
  readonly set: number
  readonly at: string
  readonly user: string | null
  readonly action: string
  readonly members: MemberChanges
  /** Whether the operator has deleted old values. */
  readonly forgotten?: true
}

export function historyPages({ all }: Kinds): readonly ExplorerPage[] {
  return all.map((kind) => ({
    path: `/${kind.name}/:id/history/`,
    title: `${kind.one} History`,
    GET: (visit) => show(visit, kind),
  }))
}

/** What the page knows, besides its entries. */
interface Context {
  readonly visit: ExplorerVisit
  readonly kind: Kind
  readonly names: RecordNames
  /** Undefined if it was deleted. */
  readonly record: Shown | undefined
  /** Whether the visitor may change the record. */
  readonly may: boolean
}

async function show(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const { visitor, query, path } = visit
  const address = `/api/${kind.name}/${encodeURIComponent(visit.places['id'] ?? '')}/`
  const page = Number(query.get('page') || 1)
  const [asked, now] = await Promise.all([
    visit.ask(`${address}history/?page_size=${PAGE_SIZE}&page=${encodeURIComponent(query.get('page') || 1)}`),
    visit.ask(address),
  ])
  const { status, json } = asked
  if (status !== 200)
    return { status, page: renderError({ status, json, here: hereOf(visit), user: visitor?.name }, visit.kinds) }
  const entries: readonly HistoryEntry[] = json.results
  const record: Shown | undefined = now.status === 200 ? now.json : undefined
  const names = new RecordNames(visit)
  for (const { members } of entries) wantNames(names, kind, members)
  const [may] = await Promise.all([
    record ? mayChange(visit, kind.name, record) : mayRestore(visit, kind, entries),
    names.read(),
  ])
  const title = `History of ${shortened(record ? kind.nameOf(record) : formerName(kind, entries, visit), LONGEST_NAME)}`
  const context = { visit, kind, names, record, may }
  const main = html`<p class="kind">
      ${record ? html`<a href=${kind.addressOf(record)}>${kind.one}</a>` : html`Deleted ${kind.one.toLowerCase()}`}
    </p>
    <h1 class="long">${title}</h1>
    <p class="meta">
      <span>${json.count === 0 ? 'No changes recorded' : counted(json.count, 'change')}</span>
      ${json.created && html`<span>created ${when(json.created, visit)}</span>`}
      ${record && html`<a href=${kind.addressOf(record)}>Back to it</a>`}
    </p>
    ${!record && deleted(context, entries, page)}
    ${json.count === 0 && html`<p class="does">It is older than the log of changes, and has not changed since.</p>`}
    <ol class="timeline">${entries.map((entry) => item(context, entry))}</ol>
    ${pager(page, Math.ceil(json.count / PAGE_SIZE), (to) => listAddress(path, query, { page: to === 1 ? undefined : to }))}`
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title,
      user: visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: kind.part,
      main,
    }),
  }
}

/** The visitor deleted it, or owned it. Staff may restore everything. */
function mayRestore({ visitor }: ExplorerVisit, { owner = '' }: Kind, entries: readonly HistoryEntry[]): boolean {
  if (!visitor) return false
  const [last] = entries
  return visitor.staff || last?.user === visitor.name || last?.members[owner]?.was === visitor.name
}

function formerName(kind: Kind, entries: readonly HistoryEntry[], { places }: ExplorerVisit): string {
  const known = entries.map(({ members }) => members[kind.nameMember]).find((each) => each !== undefined)
  const name = known && (known.was ?? known.became)
  return typeof name === 'string' ? name : `${kind.one.toLowerCase()} ${places['id']}`
}

/** Only the first page has the entry that deleted it. */
function deleted({ visit, may }: Context, [last]: readonly HistoryEntry[], page: number): Content {
  if (!last || page !== 1) return undefined
  return html`<div class="note bad">
    <p>${last.user === null ? 'It was deleted' : html`${personLink(last.user)} deleted it`} ${when(last.at, visit)}.</p>
    ${may && html`<p class="chips"><a class="btn go" href=${`/changes/set/${last.set}/undo/`}>Bring back</a></p>`}
  </div>`
}

function item(context: Context, entry: HistoryEntry): Content {
  const { visit, kind, names } = context
  const { seq, at, user, action, members } = entry
  const changed = Object.keys(members)
  return html`<li id=${`change-${seq}`} class=${action}>
    <p class="did">
      ${personLink(user)} ${actedOn(action, action === 'change' ? namedMembers(kind, changed) : 'it')}
${' '}<span class="soft">${when(at, visit)}</span>
    </p>
    ${action === 'change' && differences(members, { kind, names })}
    ${
      action !== 'change' &&
      changed.length > 0 &&
      html`<details>
        <summary>${action === 'remove' ? 'What it was' : 'What it was like then'}</summary>
        ${differences(members, { kind, names })}
      </details>`
    }
    ${entry.forgotten && html`<p class="soft">Old values were deleted from the log.</p>`}
    ${undoLink(context, entry)}
  </li>`
}

/** A record that was created with lines goes with them. */
function undoLink({ visit, kind, record, may }: Context, entry: HistoryEntry): Content {
  const { visitor } = visit
  const { seq, set, user, action } = entry
  const isVote = action === 'vote' || action === 'unvote'
  const mayUndo = isVote ? visitor?.staff || (visitor && visitor.name === user) : may
  // A deleted record comes back as a whole.
  if (!mayUndo || action === 'remove' || !record) return undefined
  const isWhole = action !== 'change' && (kind.form?.lineKinds.length ?? 0) > 0
  const address = isWhole && !isVote ? `/changes/set/${set}/undo/` : `/changes/${seq}/undo/`
  return html`<p class="chips"><a class="btn small" href=${address} aria-label=${`Undo change ${seq}`}>Undo</a></p>`
}
