/** Recent changes of the whole catalogue, by request; and a page for each request. */
import type { PageAnswer } from '../../http/index.ts'
import { hereOf, listAddress } from '../addresses.ts'
import { CHANGES } from '../assets.ts'
import { renderError } from '../error.ts'
import type { Change, ChangeSet } from '../history/deeds.ts'
import type { RecordNames } from '../history/record-names.ts'
import { namesIn, setBlock } from '../history/set-block.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { today } from '../today.ts'

const PAGE_SIZE = 20
/** How many changes the page of one set shows. */
const MOST_OF_SET = 100

export const changesPages: readonly ExplorerPage[] = [
  { path: '/changes/', title: 'Recent changes', GET: (visit) => show(visit) },
  { path: '/changes/set/:set/', title: 'Changes', GET: (visit) => showSet(visit) },
]

/** The filters of the page as parameters of the API. */
export function filtersIn({ query }: ExplorerVisit, limit?: number): string {
  const wanted = { resource: query.get('kind'), user: query.get('user'), before: query.get('before'), limit }
  const given = Object.entries(wanted).flatMap(([name, value]) => (value ? [[name, String(value).trim()]] : []))
  return new URLSearchParams(given).toString()
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { query, path, visitor } = visit
  const { status, json } = await visit.ask(`/api/changes/recent/?${filtersIn(visit, PAGE_SIZE)}`)
  if (status !== 200) return failure(visit, status, json)
  const sets: readonly ChangeSet[] = json.results
  const names = await namesIn(visit, sets)
  const before = query.get('before')
  const isNarrowed = Boolean(query.get('kind') || query.get('user'))
  const live = before ? undefined : `/api/changes/?${filtersIn(visit)}`
  const main = html`<p class="kind">The whole catalogue</p>
    <h1>Recent changes</h1>
    <p class="does">What was made, changed, deleted and liked, newest first. <a href=${feedAddress(visit)}>Atom feed</a></p>
    ${form(visit)}
    <p class="fresh" id="fresh" role="status"></p>
    <div id="changes" data-live=${live} data-since=${json.latest}>${days(visit, sets, names)}</div>
    ${sets.length === 0 && nothing(isNarrowed, json.next)}
    ${
      (before || json.next !== null) &&
      html`<nav class="pager" aria-label="Pages">
        ${before && html`<a href=${listAddress(path, query, { before: undefined })}>Newest</a>`}
        ${json.next !== null && html`<a rel="next" href=${listAddress(path, query, { before: json.next })}>Older</a>`}
      </nav>`
    }`
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: 'Recent changes',
      user: visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      main,
      feed: feedAddress(visit),
      scripts: [CHANGES],
    }),
  }
}

function feedAddress({ query }: ExplorerVisit): string {
  return listAddress('/changes.atom', query, { before: undefined })
}

function form({ query, path, kinds }: ExplorerVisit): Content {
  const kind = query.get('kind')
  return html`<form class="narrow" action=${path} role="search" aria-label="Recent changes">
    <select name="kind" aria-label="Kind">
      <option value="">Kind: any</option>
      ${kinds.all.map(({ name, many }) => html`<option value=${name} selected=${name === kind}>${many}</option>`)}
    </select>
    <input name="user" value=${query.get('user')} placeholder="By anybody" aria-label="Person" autocomplete="off" />
    <button class="btn" type="submit">Show</button>
  </form>`
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' })

/** The blocks, under the days on which they were done. */
function days(visit: ExplorerVisit, sets: readonly ChangeSet[], names: RecordNames): Content {
  const dayOf = ({ changes }: ChangeSet) => DAY.format(new Date(changes[0]?.at ?? 0))
  const currentDay = DAY.format(visit.byClock(today))
  return Array.from(
    Map.groupBy(sets, dayOf),
    ([day, some]) =>
      html`<section>
        <h2>${day === currentDay ? 'Today' : day}</h2>
        <ol class="timeline">${some.map((set) => setBlock(visit, set, names))}</ol>
      </section>`,
  )
}

function nothing(isNarrowed: boolean, next: number | null): Content {
  return html`<div class="empty">
    <h2>${next === null ? 'No changes' : 'No changes among the last 10,000'}</h2>
    <p class="soft">
      ${next !== null ? 'There may be older ones.' : isNarrowed ? 'Nothing matches these filters.' : 'Nothing has changed since the log began.'}
    </p>
  </div>`
}

async function showSet(visit: ExplorerVisit): Promise<PageAnswer> {
  const { visitor, kinds, csrf } = visit
  const given = visit.places['set'] ?? ''
  const number = /^[1-9][0-9]{0,14}$/.test(given) ? Number(given) : undefined
  const [found, entries] = await Promise.all([
    visit.ask(`/api/changes/recent/?before=${(number ?? 0) + 1}&limit=1`),
    visit.ask(`/api/changes/?since=${(number ?? 1) - 1}&limit=${MOST_OF_SET}`),
  ])
  const sets: readonly ChangeSet[] = found.json.results ?? []
  const set = sets.find((each) => each.set === number)
  if (!set) return failure(visit, 404, { detail: 'There are no such changes.' })
  const all: readonly Change[] = entries.json.results ?? []
  const whole = { ...set, changes: all.filter((each) => each.set === number) }
  const names = await namesIn(visit, [whole], MOST_OF_SET)
  const title = set.count === 1 ? 'A change' : 'Changes made together'
  const main = html`<p class="kind"><a href="/changes/">Recent changes</a></p>
    <h1 class="long">${title}</h1>
    <ol class="timeline">${setBlock(visit, whole, names, { most: MOST_OF_SET, isAlone: true })}</ol>`
  return { page: layout({ kinds, csrf, title, user: visitor?.name, here: hereOf(visit), base: visit.base, main }) }
}

function failure(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds) }
}
