/** /compare/: two to twenty sets next to each other, as a cross, a table, algebra, and what they repeat. */
import type { PageAnswer } from '../../../http/index.ts'
import { termAddress } from '../../addresses.ts'
import { COMPARE_STYLE, SHARE } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../../kinds/index.ts'
import { inPage } from '../../pictures/index.ts'
import { sharePanel } from '../../share/panel.ts'
import { inShort, type Shared } from '../../share/shared.ts'
import { visitPage } from '../../visit-page.ts'
import { algebraView } from './algebra-view.ts'
import { drawComparison, gistOf, titleOf } from './compare-picture.ts'
import {
  COMPARE,
  type CompareState,
  compareAddress,
  kindOf,
  readState,
  setsQuery,
  VIEWS,
  type View,
} from './compare-state.ts'
import { type Comparison, readComparison } from './comparison.ts'
import { convergenceView } from './convergence-view.ts'
import { somePairs } from './crossing-pairs.ts'
import { addSets, chosenSets, type NamedSet } from './picker.ts'
import { randomSetsPage } from './random-sets.ts'
import { tableView } from './table-view.ts'

const DOES = 'Choose two to twenty sets, and see what they share, what only one of them has, and how they relate.'

const TITLES: Readonly<Record<View, string>> = {
  cross: 'Cross',
  table: 'Table',
  algebra: 'Algebra',
  convergence: 'Convergence',
}

export function comparePages({ all }: Kinds): readonly ExplorerPage[] {
  return all.some(({ hasTerms }) => hasTerms) ? [{ path: COMPARE, title: 'Compare', GET: show }, randomSetsPage] : []
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const given = readState(visit)
  const { sets, comparison, faults } = await readComparison(visit, given)
  const state = { ...given, sets }
  const named = comparison?.sets ?? (await namesOf(visit, sets))
  const shared = comparison && sharedComparison(comparison, state)
  const [first] = named
  const title = comparison ? titleOf(comparison) : first ? `Compare ${first.name} with …` : 'Compare sets'
  const adding = await addSets(visit, named, state)
  const main = html`<p class="kind">Compare</p>
    <h1 class=${title.length > 40 ? 'long' : undefined} dir="auto">${title}</h1>
    <p class="does">${comparison ? inShort(gistOf(comparison)) : DOES}</p>
    ${faults.map((fault) => html`<p class="note bad" role="alert">${fault}</p>`)}
    ${chosenSets(visit, named, state)}
    ${comparison && html`${views(state)}<section class="compared-as" aria-label=${TITLES[state.view]}>${viewOf(comparison, state)}</section>`}
    <section id="add">
      <h2>${named.length === 0 ? 'Begin with a set' : 'Add a set'}</h2>
      ${adding}
    </section>
    ${named.length === 0 && (await somePairs(visit))}
    ${shared && html`<div id="data">${sharePanel({ base: visit.base, shared, links: dataLinks(sets) })}</div>`}`
  return {
    page: visitPage(visit, {
      title: comparison ? `${title} · Compare` : 'Compare',
      part: 'sets',
      description: shared?.alt ?? DOES,
      shared,
      styles: [COMPARE_STYLE],
      scripts: shared ? [SHARE] : [],
      main,
    }),
  }
}

/** A single set has nothing to be compared with yet. */
async function namesOf(visit: ExplorerVisit, sets: readonly string[]): Promise<readonly NamedSet[]> {
  const found = await Promise.all(
    sets.map(async (set): Promise<NamedSet[]> => {
      const known = kindOf(set, visit.kinds)
      if (!known) return []
      const { status, json } = await visit.ask(`/api/${known.kind.name}/${known.id}/`)
      return status === 200 ? [{ set, name: known.kind.nameOf(json) }] : []
    }),
  )
  return found.flat()
}

function views(state: CompareState): Content {
  return html`<nav class="chips" aria-label="Views">
    ${VIEWS.map(
      (view) =>
        html`<a class="btn" href=${compareAddress({ ...state, view, offset: 0 })} aria-current=${view === state.view ? 'page' : undefined}>${TITLES[view]}</a>`,
    )}
  </nav>`
}

function viewOf(comparison: Comparison, state: CompareState): Content {
  if (state.view === 'table') return tableView(comparison)
  if (state.view === 'algebra') return algebraView(comparison, state)
  if (state.view === 'convergence') return convergenceView(comparison)
  return html`<figure class="card picture crossing">${inPage(drawComparison(comparison, termAddress))}</figure>`
}

function sharedComparison(comparison: Comparison, { view }: CompareState): Shared {
  const sets = comparison.sets.map(({ set }) => set)
  return {
    address: compareAddress({ sets, view }),
    picture: `/compare.png?${setsQuery(sets)}`,
    alt: inShort(`${titleOf(comparison)}: ${gistOf(comparison)}`),
    text: inShort(`${titleOf(comparison)}: ${gistOf(comparison)}`, 1000),
    isEmbeddable: false,
  }
}

function dataLinks(sets: readonly string[]): Content {
  return html`<a href=${`/api/compare/?${setsQuery(sets)}&format=json`}>JSON</a>
    <a href=${`/compare.svg?${setsQuery(sets)}`}>SVG</a> <a href=${`/api/compare/?${setsQuery(sets)}`}>In the API</a>`
}
