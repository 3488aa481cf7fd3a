/** The list of each kind: searched, filtered and ordered as its address says. */
import type { PageAnswer, Visit } from '../../http/index.ts'
import { hereOf, listAddress, queryWith } from '../addresses.ts'
import { TABLE } from '../assets.ts'
import { cardsOf } from '../cards.ts'
import { renderError } from '../error.ts'
import { inOurWords } from '../form-errors.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds } from '../kinds/index.ts'
import { titled } from '../kinds/titles.ts'
import { memberLabel } from '../label.ts'
import { layout } from '../layout.ts'
import { countFound, mayBeMore } from './count-found.ts'
import { type Facet, readFacets } from './facets.ts'
import { pager } from './pager.ts'
import { isTable, PAGE_ONLY, TABLE_SIZE, table, viewLinks } from './table.ts'

/** Fills rows of two, three and four. */
const PAGE_SIZE = 24
/** Chips are small. */
const CHIPS_SIZE = 100
const MOST_LINKS = 10

export function listPages({ all }: Kinds): readonly ExplorerPage[] {
  return all.map((kind) => ({
    path: `/${kind.name}/`,
    title: kind.many,
    GET: (visit) => show(visit, kind),
    ...(kind.list ? { POST: (visit) => take(visit, kind) } : {}),
  }))
}

/** A form above the list. */
async function take(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const answer = await kind.list?.POST(visit)
  if (answer && !('fault' in answer)) return answer
  const { page } = await show(visit, kind, answer?.fault)
  return { status: 400, page }
}

async function show(visit: ExplorerVisit, kind: Kind, fault?: string) {
  const { query, visitor } = visit
  const inTable = isTable(visit)
  const usual = inTable ? TABLE_SIZE : kind.shape === 'chips' ? CHIPS_SIZE : PAGE_SIZE
  const asked = queryWith(query, { ...PAGE_ONLY, page_size: query.get('page_size') || usual })
  const listing = visit.ask(`/api/${kind.name}/?${asked}`)
  const total = listing.then(
    ({ json }) => Number(json?.count ?? 0),
    () => 0,
  )
  const [list, facets] = await Promise.all([listing, readFacets(visit, kind, total)])
  const { status, json } = list
  if (status === 404) {
    const gone = { detail: `There is no such page of this list.` }
    return { status, page: renderError({ status, json: gone, here: hereOf(visit), user: visitor?.name }, visit.kinds) }
  }
  const wrong = status === 200 ? [] : Object.values(json as Record<string, string | string[]>).flat()
  const count: number = json.count ?? 0
  const [above, arranged, completed] = await Promise.all([
    kind.list?.above(visit, fault),
    count > 0 && !inTable ? kind.list?.arranged(visit, json.results) : undefined,
    count > 0 && !inTable ? kind.completed?.(visit, json.results) : undefined,
  ])
  const isMore = visit.query.get('search') !== undefined && mayBeMore(count)
  const main = html`<p class="kind">${status === 200 && countFound(count, isMore, kind.one.toLowerCase(), kind.many.toLowerCase())}</p>
    <h1>${kind.many}</h1>
    <p class="does">${kind.does}</p>
    ${above} ${narrowing(visit, kind, facets)} ${wrong.map((message) => html`<p class="note bad" role="alert">${inOurWords(message)}</p>`)}
    ${chosen(visit, kind)} ${count > 0 && viewLinks(visit)}
    <div class="beside">
      <div>
        ${count > 0 && html`<h2 class="unseen">The list</h2>`}
        ${count === 0 ? status === 200 && nothing(visit, kind) : inTable ? table(visit, kind, json.results) : (arranged ?? cardsOf(kind, completed ?? json.results))}
        ${count > 0 && pages(visit, json, usual)}
      </div>
      ${!inTable && facets.some(({ values }) => values.length > 1) && aside(visit, kind, facets)}
    </div>`
  return {
    status,
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: kind.many,
      user: visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: kind.part,
      description: kind.does,
      main,
      scripts: inTable ? [TABLE] : [],
    }),
  }
}

const ORDERS = { '': 'A to Z', '-likes': 'Most liked', '-id': 'Newest' } as const

/** Everything that a list can be asked for, as a form. */
function narrowing({ query, path }: Visit, kind: Kind, facets: readonly Facet[]): Content {
  const inForm = new Set(['search', 'ordering', 'page', 'wish', ...facets.map(({ member }) => member)])
  const ordering = query.get('ordering') ?? ''
  const orders = Object.entries(ORDERS).filter(([order]) => order !== '-likes' || kind.liked)
  const searched = Boolean(query.get('search')?.trim())
  const isOther = !orders.some(([order]) => order === ordering)
  return html`<form class="narrow" action=${path} role="search" aria-label=${kind.many}>
    ${query.pairs
      .filter(([name, value]) => !inForm.has(name) && value !== '')
      .map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
    ${
      kind.isSearched &&
      html`<input
      type="search"
      name="search"
      value=${query.get('search')}
      placeholder=${`Search ${kind.many.toLowerCase()}`}
      aria-label=${`Search ${kind.many.toLowerCase()}`}
    />`
    }
    ${facets.filter(({ values, chosen }) => values.length > 1 || chosen).map((facet) => select(kind, facet))}
    <select name="ordering" aria-label="Order">
      ${isOther && html`<option value=${ordering} selected>${orderInWords(ordering)}</option>`}
      ${orders.map(([order, label]) => html`<option value=${order} selected=${order === ordering}>${order === '' ? (searched ? 'Best first' : kind.order) : label}</option>`)}
    </select>
    <button class="btn" type="submit">Show</button>
  </form>`
}

/** An order that was chosen in a table: "Depth ↓". */
function orderInWords(ordering: string): string {
  return `${titled(ordering.replace(/^-/, ''))} ${ordering.startsWith('-') ? '↓' : '↑'}`
}

function select(kind: Kind, { member, label, chosen, values }: Facet): Content {
  const known = values.some(({ value }) => value === chosen)
  return html`<select name=${member} aria-label=${label}>
    <option value="">${label}: any</option>
    ${chosen !== undefined && !known && html`<option value=${chosen} selected>${inWords(kind, member, chosen)}</option>`}
    ${values.map(({ value, count }) => html`<option value=${value} selected=${value === chosen}>${`${inWords(kind, member, value)} (${count})`}</option>`)}
  </select>`
}

function inWords({ valueInWords }: Kind, member: string, value: string): string {
  return valueInWords?.(member, value) ?? value
}

const TIMES: Readonly<Record<string, string>> = { created: 'Added', changed: 'Changed' }
const TIME_LOOKUPS: Readonly<Record<string, string>> = { gte: 'since', gt: 'after', lte: 'until', lt: 'before' }

const LOOKUPS: Readonly<Record<string, string>> = {
  gte: 'at least',
  lte: 'at most',
  icontains: 'with',
  startswith: 'beginning with',
  in: 'one of',
  isnull: 'missing:',
}

/** The current filters, each with a link that removes it. */
function chosen({ query, path }: Visit, kind: Kind): Content {
  const known: Readonly<Record<string, string>> = {
    search: 'Search',
    term: 'Word',
    name: 'Name',
    likes: 'Likes',
    ...TIMES,
    ...kind.facets,
  }
  const chips = query.pairs.flatMap(([name, value]) => {
    const [, member = '', lookup] = /^(.+?)(?:__([a-z]+))?$/.exec(name) ?? []
    const label = Object.hasOwn(known, member) ? known[member] : undefined
    if (label === undefined || value === '') return []
    const lookups = Object.hasOwn(TIMES, member) ? TIME_LOOKUPS : LOOKUPS
    const said = `${label}${lookup ? ` ${lookups[lookup] ?? lookup}` : ':'} ${inWords(kind, member, value)}`
    const href = listAddress(path, query, { [name]: undefined })
    return [
      html`<li><a class="btn small off" href=${href}><span class="unseen">Without </span>${said}<span aria-hidden="true"> ×</span></a></li>`,
    ]
  })
  if (chips.length === 0) return undefined
  return html`<ul class="chips" aria-label="Filters">${chips}${chips.length > 1 && html`<li><a href=${path}>Clear all</a></li>`}</ul>`
}

function aside({ query, path }: Visit, kind: Kind, facets: readonly Facet[]): Content {
  return html`<aside class="facets" aria-label="Narrow the list">
    ${facets
      .filter(({ values }) => values.length > 1)
      .map(
        ({ member, label, chosen: now, values }) =>
          html`<section>
            <h2>${memberLabel(kind.name, member, label)}</h2>
            <ul>
              ${values.slice(0, MOST_LINKS).map(({ value, count }) => {
                const href = listAddress(path, query, { [member]: value === now ? undefined : value })
                return html`<li>
                  <a href=${href} aria-current=${value === now ? 'true' : undefined}>${inWords(kind, member, value)}</a> <span>${count}</span>
                </li>`
              })}
            </ul>
            ${chartLink(kind, member, label)}
          </section>`,
      )}
  </aside>`
}

function chartLink({ name, many, charts }: Kind, member: string, label: string): Content {
  const chart = charts[member]
  if (chart === undefined) return undefined
  const says = `${label} of all ${many.toLowerCase()} as a chart`
  return html`<p class="more"><a href=${`/charts/${chart}/?resource=${name}`} aria-label=${says}>As a chart</a></p>`
}

/** The position of the page among the others, from the API's response. */
function pages(
  { query, path }: Visit,
  { count, next, previous, results }: { [member: string]: any },
  usual: number,
): Content {
  const asked = Number(query.get('page_size'))
  const size = next ? results.length : asked >= 1 && asked <= 1000 ? asked : usual
  const total = previous === null && next === null ? 1 : Math.ceil(count / size)
  const wanted = query.get('page')?.trim()
  const page = wanted === 'last' ? total : Number(wanted || 1)
  return pager(page, total, (to) => listAddress(path, query, { page: to === 1 ? undefined : to }))
}

function nothing({ query, path }: Visit, { one, many, name, form, whyEmpty }: Kind): Content {
  const narrowed = query.pairs.some(
    ([name, value]) => value !== '' && !['page', 'page_size', 'ordering', ...Object.keys(PAGE_ONLY)].includes(name),
  )
  if (!narrowed) {
    return html`<div class="empty">
      <h2>There are no ${many.toLowerCase()} yet</h2>
      ${whyEmpty && html`<p class="soft">${whyEmpty}</p>`}
      ${
        form &&
        html`<p class="soft">Be the first to make one.</p>
      <p><a class="btn go" href=${`/make/${name}/`}>Make one</a></p>`
      }
    </div>`
  }
  const search = query.get('search')?.trim()
  return html`<div class="empty">
    <h2>Nothing matches</h2>
    <p class="soft">No ${one.toLowerCase()} matches all of this. Remove a filter, or start over.</p>
    <p class="chips">
      <a class="btn" href=${path}>All ${many.toLowerCase()}</a>
      ${search && html`<a class="btn" href=${`/find/?q=${encodeURIComponent(search)}`}>Look for “${search}” everywhere</a>`}
    </p>
  </div>`
}
