/** What the pages of /tell/ have in common: their frame, their addresses, and boxes that find a phrase or a topic. */
import type { PageAnswer, Visit } from '../../../http/index.ts'
import { TELL, TELL_STYLE } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { openText } from '../../texts/marked.ts'
import { fourOf } from '../../texts/turn-panel.ts'
import { visitPage } from '../../visit-page.ts'
import { topicOf } from './choice.ts'

/** Pages that belong together, with links between them. */
export interface Section {
  readonly name: string
  /** What its links are, for those who hear them. */
  readonly ways: string
  readonly part: string
  readonly pages: readonly { readonly path: string; readonly title: string }[]
}

const TELLING: Section = {
  name: 'Tell',
  ways: 'Ways to tell',
  part: 'stories',
  pages: [
    { path: '/tell/', title: 'Grid' },
    { path: '/tell/verse/', title: 'Verse' },
    { path: '/tell/tale/', title: 'Tale' },
  ],
}

export type Pairs = readonly (readonly [name: string, value: string | number])[]

export function addressOf(path: string, pairs: Pairs): string {
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, String(value)]))
  return query.size === 0 ? path : `${path}?${query}`
}

/** The ids of records as parameters. */
export function idsOf(kind: string, records: readonly Shown[]): Pairs {
  return records.map((record) => [kind, record[`${kind}_id`]] as const)
}

/** 0 is the shuffle of the day, which needs no parameter. */
export function turnPair(turn: number): Pairs {
  return turn > 0 ? [['turn', turn]] : []
}

export function hiddenInputs(pairs: Pairs): Content {
  return pairs.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)
}

interface Frame {
  readonly title: string
  readonly does: string
  /** The beginning of the told text: what other sites show of the link. */
  readonly beginning: string | undefined
  readonly faults: readonly string[]
  readonly main: Content
  /** The address of the link that is this page; by default its path. */
  readonly here?: string
  readonly status?: number
}

export function tellPage(visit: ExplorerVisit, frame: Frame): PageAnswer {
  return sectionPage(visit, TELLING, frame)
}

export function sectionPage(visit: ExplorerVisit, section: Section, frame: Frame): PageAnswer {
  const { title, does, beginning, faults, main, here = visit.path, status = 200 } = frame
  const { name, ways, part, pages } = section
  const page = visitPage(visit, {
    title,
    part,
    description: beginning || does,
    styles: [TELL_STYLE],
    scripts: [TELL],
    main: html`<p class="kind">${name}</p>
      <h1>${title}</h1>
      <p class="does">${does}</p>
      <nav class="chips" aria-label=${ways}>
        ${pages.map(({ path, title: text }) => html`<a class="btn small" href=${path} aria-current=${path === here ? 'page' : undefined}>${text}</a>`)}
      </nav>
      ${faults.map((fault) => html`<p class="note bad">${fault}</p>`)}
      ${main}`,
  })
  return { status, page }
}

const FOUND = 8

interface Finder {
  readonly kind: 'phrase' | 'quadranym' | 'fable' | 'polynym'
  readonly label: string
  /** Everything that the page already knows. */
  readonly state: Pairs
  /** The visitor came to use it. */
  readonly isFocused?: true
  /** The state in which a record is chosen. */
  chosen(record: Shown): Pairs
}

/** A search box. With scripts it suggests while the visitor types; without, the next page shows what it finds. */
export async function finder(visit: Visit, { kind, label, state, isFocused, chosen }: Finder): Promise<Content> {
  const wanted = visit.query.get(`find_${kind}`)?.trim() ?? ''
  const found = wanted === '' ? undefined : await search(visit, kind, wanted)
  const field = `find-${kind}`
  // A script puts the id of what the visitor picks in the place of ID.
  const picked = addressOf(visit.path, chosen({ [`${kind}_id`]: 'ID' }))
  return html`<form class="finder" action=${visit.path} data-find=${kind} data-picked=${picked}>
      ${hiddenInputs(state)}
      <label class="unseen" for=${field}>${label}</label>
      <input type="search" id=${field} name=${`find_${kind}`} value=${wanted} placeholder=${label} data-key=${field} autofocus=${isFocused} autocomplete="off" />
      <button class="btn small" type="submit">Find</button>
    </form>
    ${found?.length === 0 && html`<p class="soft">Nothing has “${wanted}”.</p>`}
    ${
      found &&
      found.length > 0 &&
      html`<ul class="chips">
        ${found.map((record) => html`<li><a class="btn small" data-tip=${tipOf(kind, record)} href=${addressOf(visit.path, chosen(record))}>${record['name']}</a></li>`)}
      </ul>`
    }`
}

async function search(visit: Visit, kind: string, wanted: string): Promise<readonly Shown[]> {
  const { status, json } = await visit.ask(`/api/${kind}/?search=${encodeURIComponent(wanted)}&page_size=${FOUND}`)
  return status === 200 ? json.results : []
}

function tipOf(kind: string, record: Shown): string | undefined {
  return kind === 'quadranym' ? fourOf(topicOf(record)) : undefined
}

/** The beginning of a text with open topics, in words. */
export function gistOf({ qode }: Shown): Content {
  return openText(qode, 90)
}
