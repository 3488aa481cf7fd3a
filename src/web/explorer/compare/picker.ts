/** The sets of a comparison, and ways to add one: by search, by what crosses a set, at random. */
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { shortened } from '../../texts/marked.ts'
import { COMPARE, type CompareState, compareAddress, kindOf, letterOf, MOST_SETS, setsQuery } from './compare-state.ts'
import type { ComparedSet } from './comparison.ts'
import { findSets, type Next, offer } from './find-sets.ts'

const CROSSING = 10

export type NamedSet = Pick<ComparedSet, 'set' | 'name'> & Partial<Pick<ComparedSet, 'terms'>>

/** Each with its letter, a link to its page, and a way to leave it out. */
export function chosenSets({ kinds }: ExplorerVisit, sets: readonly NamedSet[], state: CompareState): Content {
  if (sets.length === 0) return undefined
  const codes = sets.map(({ set }) => set)
  return html`<ul class="chosensets" aria-label="The sets">
    ${sets.map(({ set, name }, i) => {
      const known = kindOf(set, kinds)
      const others = codes.filter((each) => each !== set)
      return html`<li>
        <b>${letterOf(i)}</b>
        ${known ? html`<a href=${`/${known.kind.name}/${known.id}/`}>${shortened(name, 60)}</a> <span class="soft">${known.kind.one.toLowerCase()}${namesakeWords(sets, i)}</span>` : name}
        ${known?.kind.hasTerms && html`<a class="small" href=${`${compareAddress({ ...state, sets: codes, near: set, offset: 0 })}#add`}>what crosses it</a>`}
        <a class="btn small" href=${compareAddress({ ...state, sets: others, near: '', offset: 0 })} aria-label=${`Leave ${name} out`} title="Leave it out">×</a>
      </li>`
    })}
  </ul>`
}

/** The first words of a set, if another one has the same name. */
function namesakeWords(sets: readonly NamedSet[], place: number): string | undefined {
  const { name, terms = [] } = sets[place] ?? {}
  const isAlone = sets.filter((other) => other.name === name).length === 1
  return isAlone || terms.length === 0 ? undefined : `: ${shortened(terms.join(', '), 40)}`
}

/** Without scripts, too: each way is a link or a form that leads to the next state. */
export async function addSets(visit: ExplorerVisit, sets: readonly NamedSet[], state: CompareState): Promise<Content> {
  const codes = sets.map(({ set }) => set)
  if (codes.length >= MOST_SETS) return html`<p class="soft">These are as many sets as can be compared at once.</p>`
  const next: Next = (kind, record) =>
    compareAddress({ ...state, sets: [...codes, `${kind.name}:${record[`${kind.name}_id`]}`], near: '', offset: 0 })
  const view = state.view === 'cross' ? [] : [['view', state.view] as const]
  const [found, crossing] = await Promise.all([
    findSets(visit, {
      action: COMPARE,
      kept: [...codes.map((set) => ['set', set] as const), ...view],
      kinds: visit.kinds.all.filter(({ isCompared }) => isCompared),
      label: 'A set to add',
      next,
    }),
    crossings(visit, sets, state, next),
  ])
  return html`${found} ${crossing}
    <p class="chips">
      <a class="btn" rel="nofollow" href=${`${COMPARE}random/${codes.length > 0 ? `?${setsQuery(codes)}` : ''}`}>${codes.length > 0 ? 'Add one at random' : 'Two at random'}</a>
      ${
        codes.length === 0 &&
        html`<a class="btn" rel="nofollow" href=${`${COMPARE}random/?crossing=yes`}>Two that cross</a>
          <a class="btn" rel="nofollow" href=${`${COMPARE}random/?n=5`}>Five at random</a>`
      }
    </p>`
}

/** Sets that share words with one of the sets, and are not among them. */
async function crossings(
  visit: ExplorerVisit,
  sets: readonly NamedSet[],
  { near }: CompareState,
  next: Next,
): Promise<Content> {
  const crossed = sets.filter(({ set }) => kindOf(set, visit.kinds)?.kind.hasTerms)
  const chosen = crossed.find(({ set }) => set === near) ?? crossed.at(-1)
  const known = chosen && kindOf(chosen.set, visit.kinds)
  if (!known) return undefined
  const size = CROSSING + sets.length
  const { status, json } = await visit.ask(`/api/crossings/?${known.kind.name}=${known.id}&page_size=${size}`)
  const codes = new Set(sets.map(({ set }) => set))
  const results: readonly Shown[] = status === 200 ? json.results : []
  const others = results.filter(({ resource, record }) => !codes.has(`${resource}:${record[`${resource}_id`]}`))
  return html`<h3>Sets that cross ${shortened(chosen.name, 60)}</h3>
    ${
      others.length === 0
        ? html`<p class="soft">No other set shares a word with it.</p>`
        : html`<ul class="hits">
            ${others.slice(0, CROSSING).map(({ resource, record, shared }) => offer(visit.kinds.get(resource), record, next, `shares ${shared.join(', ')}`))}
          </ul>`
    }`
}
