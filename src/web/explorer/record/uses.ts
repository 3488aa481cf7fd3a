/**
 * Where a record is used. What many kinds may hold has a page for it, which record.js brings into the record's own:
 * to look through all of them first would make everybody wait.
 */
import type { PageAnswer } from '../../../http/index.ts'
import { recordAddress } from '../../addresses.ts'
import { renderError } from '../../error.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kinds, Shown } from '../../kinds/index.ts'
import { layout } from '../../layout.ts'
import { card, cardsOf } from '../cards.ts'
import { addressIn } from './head.ts'

/** A kind that holds others, and the members by which it does. */
interface Use {
  readonly kind: string
  readonly by: readonly string[]
}

interface Uses {
  readonly by: readonly Use[]
  /** What is found there, in words; without them it stands on the record's page at once. */
  readonly found?: string
}

const USES: Readonly<Record<string, Uses>> = {
  polynym: {
    by: [
      { kind: 'polyset', by: ['polynyms'] },
      { kind: 'vectornym', by: ['v'] },
      { kind: 'polymap', by: ['pa', 'pb'] },
    ],
    found: 'Polysets, vectornyms and polymaps with it',
  },
  quadranym: {
    by: [
      { kind: 'quadraset', by: ['quadranyms'] },
      { kind: 'quote', by: ['quadranym'] },
      { kind: 'fortune', by: ['q1', 'q2'] },
      { kind: 'storyline', by: ['quadranym'] },
      { kind: 'taleline', by: ['quadranym'] },
    ],
    found: 'Sets, texts, stories and tales with it',
  },
  phrase: { by: [{ kind: 'storyline', by: ['phrase'] }] },
  fable: { by: [{ kind: 'tale', by: ['fable'] }] },
}

const MANY = 20

export function usedIn(name: string): boolean {
  return name in USES
}

interface Found {
  readonly use: Use
  readonly count: number
  readonly records: readonly Shown[]
}

async function find(visit: ExplorerVisit, use: Use, id: number, most: number): Promise<Found> {
  const answers = await Promise.all(
    use.by.map((member) => visit.ask(`/api/${use.kind}/?${member}=${id}&page_size=${most}`)),
  )
  // A record that holds it twice is one record.
  const records = answers.flatMap(({ json }): Shown[] => json.results)
  const once = [...new Map(records.map((record) => [record[`${use.kind}_id`], record])).values()]
  const counted = answers.reduce((sum, { json }) => sum + json.count, 0)
  return { use, count: counted - (records.length - once.length), records: once }
}

/** For the record's own page. */
export async function usesOf(visit: ExplorerVisit, name: string, record: Shown): Promise<Content> {
  const { kinds } = visit
  const { by, found } = USES[name]!
  const all = `${addressIn(name, record)}uses/`
  if (found) {
    return html`<section id="uses" data-later=${all}>
      <h2>Where it is used</h2>
      <p><a href=${all}>${found}</a></p>
    </section>`
  }
  return (await Promise.all(by.map((use) => find(visit, use, record[`${name}_id`], MANY)))).map((found) =>
    section(found, kinds),
  )
}

/** The page that tells all of it. */
export async function showUses(visit: ExplorerVisit, name: string): Promise<PageAnswer> {
  const { visitor, path } = visit
  const { status, json: record } = await visit.ask(`/api/${name}/${encodeURIComponent(visit.places['id']!)}/`)
  if (status !== 200)
    return { status, page: renderError({ status, json: record, here: path, user: visitor?.name }, visit.kinds) }
  const found = await Promise.all(USES[name]!.by.map((use) => find(visit, use, record[`${name}_id`], MANY)))
  const kind = visit.kinds.get(name)
  const title = `Where “${record.name}” is used`
  const main = html`<article class="record">
    <p class="kind"><a href=${addressIn(name, record)}>${kind.one} ${record.name}</a></p>
    <h1 class="long">${title}</h1>
    ${found.every(({ count }) => count === 0) && html`<div class="empty"><h2>Nowhere yet</h2><p>No set, text or story holds it.</p></div>`}
    <section id="uses">${found.map((each) => section(each, visit.kinds))}</section>
  </article>`
  return {
    page: layout({
      kinds: visit.kinds,
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
    ${count > records.length && html`<p class="soft">and ${count - records.length} more</p>`}
  </section>`
}

const TITLES: Readonly<Record<string, string>> = { storyline: 'In stories', taleline: 'In tales' }

function title({ use: { kind }, count }: Found, kinds: Kinds): Content {
  const called = TITLES[kind] ?? `In ${kinds.get(kind).many.toLowerCase()}`
  return html`<h2>${called} <span class="soft">${count}</span></h2>`
}

function shown({ use: { kind }, records }: Found, kinds: Kinds): Content {
  if (kind === 'storyline') return parents('story', records)
  if (kind === 'taleline') return parents('tale', records)
  const list = kinds.get(kind)
  if (list.shape === 'rows') return cardsOf(list, records)
  return html`<ul class="grid">${records.map((record) => html`<li>${card(list, record)}</li>`)}</ul>`
}

/** Lines are shown by what they are lines of, each once. */
function parents(kind: string, lines: readonly Shown[]): Content {
  const owners = new Map(lines.map((line) => [line[kind][`${kind}_id`], line[kind]]))
  return html`<ul class="hits">
    ${Array.from(owners.values(), (owner) => html`<li><a href=${recordAddress(kind, owner)}>${owner.name}</a></li>`)}
  </ul>`
}
