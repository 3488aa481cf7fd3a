/** A search box for sets, and what it finds: each result is a link to the next state of the page. */
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { shortened } from '../../texts/marked.ts'

/** Of each kind. */
const FOUND = 6

export type Next = (kind: Kind, record: Shown) => string

export interface SetFinder {
  /** The page that the form leads to. */
  readonly action: string
  /** What the page already knows, as parameters. */
  readonly kept?: readonly (readonly [name: string, value: string])[]
  readonly kinds: readonly Kind[]
  readonly label: string
  /** The state in which a set is chosen. */
  readonly next: Next
}

export async function findSets(
  visit: ExplorerVisit,
  { action, kept = [], kinds, label, next }: SetFinder,
): Promise<Content> {
  const q = visit.query.get('q')?.trim() ?? ''
  return html`<form class="narrow findsets" action=${action} role="search" aria-label="Sets">
      ${kept.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
      <input type="search" name="q" value=${q} aria-label=${label} placeholder=${`${label}, such as fire`} maxlength="200" autocomplete="off" />
      <button class="btn go" type="submit">Find</button>
    </form>
    ${q !== '' && (await found(visit, kinds, q, next))}`
}

async function found(visit: ExplorerVisit, kinds: readonly Kind[], q: string, next: Next): Promise<Content> {
  const asked = `search=${encodeURIComponent(q)}&page_size=${FOUND}`
  const lists = await Promise.all(kinds.map(({ name }) => visit.ask(`/api/${name}/?${asked}`)))
  const all = kinds.flatMap((kind, i): { kind: Kind; record: Shown }[] => {
    const list = lists[i]
    return list?.status === 200 ? list.json.results.map((record: Shown) => ({ kind, record })) : []
  })
  if (all.length === 0) return html`<p class="soft" role="status">No set has “${shortened(q, 60)}”.</p>`
  return html`<ul class="hits" aria-label="Found">
    ${all.map(({ kind, record }) => offer(kind, record, next, (kind.detailOf ?? kind.gistOf)(record)))}
  </ul>`
}

export function offer(kind: Kind, record: Shown, next: Next, note: string): Content {
  return html`<li>
    <a href=${next(kind, record)}>${shortened(kind.nameOf(record), 80)}</a>
    <span class="soft">${kind.one.toLowerCase()}, ${shortened(note, 120)}</span>
  </li>`
}
