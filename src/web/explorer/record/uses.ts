/**
 * Where a record is used. If many kinds may contain it, the uses have their own page, which record.js loads into the
 * record's page: searching all of them first would make every visitor wait.
 */
import type { PageAnswer } from '../../../http/index.ts'
import { recordAddress } from '../../addresses.ts'
import { cardsOf } from '../../cards.ts'
import { renderError } from '../../error.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kind, Kinds, Shown, Use } from '../../kinds/index.ts'
import { label } from '../../label.ts'
import { layout } from '../../layout.ts'

const MANY = 20

interface Found {
  readonly use: Use
  readonly count: number
  readonly records: readonly Shown[]
}

async function find(visit: ExplorerVisit, use: Use, id: number, most: number): Promise<Found> {
  const answers = await Promise.all(
    use.by.map((member) => visit.ask(`/api/${use.kind}/?${member}=${id}&page_size=${most}`)),
  )
  // If it was deleted meanwhile, nothing uses it. A record that holds it twice is one record.
  const records = answers.flatMap(({ json }): Shown[] => json.results ?? [])
  const once = [...new Map(records.map((record) => [record[`${use.kind}_id`], record])).values()]
  const counted = answers.reduce((sum, { json }) => sum + (json.count ?? 0), 0)
  return { use, count: counted - (records.length - once.length), records: once }
}

/** For the record's own page. */
export async function usesOf(visit: ExplorerVisit, kind: Kind, record: Shown): Promise<Content> {
  if (kind.uses.length === 0) return undefined
  const all = `${recordAddress(kind.name, record)}uses/`
  if (kind.usesLink) {
    return html`<section id="uses" data-later=${all}>
      <h2>Where it is used</h2>
      <p><a href=${all}>${kind.usesLink}</a></p>
    </section>`
  }
  return (await findAll(visit, kind, record)).map((found) => section(found, visit.kinds))
}

function findAll(visit: ExplorerVisit, { name, uses }: Kind, record: Shown): Promise<Found[]> {
  return Promise.all(uses.map((use) => find(visit, use, record[`${name}_id`], MANY)))
}

/** The page with all uses. */
export async function showUses(visit: ExplorerVisit, kind: Kind): Promise<PageAnswer> {
  const { visitor, path } = visit
  const { name } = kind
  const { status, json: record } = await visit.ask(`/api/${name}/${encodeURIComponent(visit.places['id']!)}/`)
  if (status !== 200)
    return { status, page: renderError({ status, json: record, here: path, user: visitor?.name }, visit.kinds) }
  const found = await findAll(visit, kind, record)
  const title = `Where “${kind.nameOf(record)}” is used`
  const main = html`<article class="record">
    <p class="kind"><a href=${recordAddress(name, record)}>${kind.one} ${kind.nameOf(record)}</a></p>
    <h1 class="long">${title}</h1>
    ${found.every(({ count }) => count === 0) && html`<div class="empty"><h2>Nowhere yet</h2><p>No set, saying or story uses it.</p></div>`}
    <section id="uses">${found.map((each) => section(each, visit.kinds))}</section>
  </article>`
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title,
      user: visitor?.name,
      here: path,
      base: visit.base,
      part: kind.part,
      main,
    }),
  }
}

function section(found: Found, kinds: Kinds): Content {
  const { count, records } = found
  if (count === 0) return undefined
  return html`<section>
    ${title(found, kinds)} ${shown(found, kinds)}
    ${count > records.length && html`<p class="soft">and ${(count - records.length).toLocaleString('en')} more</p>`}
  </section>`
}

function title({ use, count }: Found, kinds: Kinds): Content {
  const kind = kinds.get(use.kind)
  const { name, many } = kind.lineOf ? kinds.get(kind.lineOf.kind) : kind
  return html`<h2>In ${label(name, many.toLowerCase())} <span class="soft">${count.toLocaleString('en')}</span></h2>`
}

function shown({ use, records }: Found, kinds: Kinds): Content {
  const kind = kinds.get(use.kind)
  return kind.lineOf ? parents(kinds.get(kind.lineOf.kind), kind.lineOf.member, records) : cardsOf(kind, records)
}

/** Lines are shown by the record they belong to, each once. */
function parents(kind: Kind, member: string, lines: readonly Shown[]): Content {
  const owners = new Map(lines.map((line) => [line[member][`${kind.name}_id`], line[member]]))
  return html`<ul class="hits">
    ${Array.from(owners.values(), (owner) => html`<li><a href=${kind.addressOf(owner)}>${kind.nameOf(owner)}</a></li>`)}
  </ul>`
}
