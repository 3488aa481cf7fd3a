/** /feel/: which term of a polynym is nearest to a text, and why; or, for a list of things, to each of them. */
import type { PageAnswer } from '../../../http/index.ts'
import { wordAddress } from '../../addresses.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { recordLink } from '../../links.ts'
import { readByIds } from '../tell/choice.ts'
import { addressOf, finder, hiddenInputs, idsOf, type Pairs, sectionPage } from '../tell/frame.ts'
import { FEELING, fewWords, textForm } from './feel-section.ts'

const PATH = '/feel/'
/** Sets that people often ask for, if the catalogue has them. */
const WELL_KNOWN = [
  ...['Emotions', 'Moods', 'Temperaments', 'Humours', 'Elements'],
  ...['Seasons', 'Senses', 'Virtues', 'Deadly sins'],
]
const MOST_OFFERED = 9
const MOST_THINGS = 12
/** A longer thing in a list is a sentence. */
const LONGEST_THING = 4
const DOES =
  'Type a text, and see which term of a set is nearest to it: a mood, a temperament, an element. Three words with commas between them are placed one by one.'

export const feelPage: ExplorerPage = { path: PATH, title: 'Feel', GET: show }

interface Near {
  readonly term: string
  readonly nearness: number
  readonly because: readonly { readonly word: string; readonly says: string }[]
}

interface Felt {
  readonly imported: boolean
  readonly terms: readonly Near[]
}

interface Refused {
  readonly status: number
  readonly faults: readonly string[]
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const text = visit.query.get('text')?.trim() ?? ''
  const id = visit.query.get('polynym')?.trim() ?? ''
  const [named, offered] = await Promise.all([readByIds(visit, 'polynym', [id]), someSets(visit)])
  const set = named.get(id) ?? offered[0]
  const faults = id !== '' && !named.has(id) ? [`There is no polynym ${id}.`] : []
  const kept: Pairs = text === '' ? [] : [['text', text]]
  const box = await finder(visit, {
    kind: 'polynym',
    label: 'Another set',
    state: kept,
    chosen: (record) => [...idsOf('polynym', [record]), ...kept],
  })
  const answer = set && text !== '' ? await answered(visit, text, set) : undefined
  return sectionPage(visit, FEELING, {
    title: 'What is it near to?',
    does: DOES,
    beginning: answer?.says,
    faults: [...faults, ...(answer?.faults ?? [])],
    status: answer?.status ?? 200,
    main: html`${textForm(PATH, text, set ? hiddenInputs(idsOf('polynym', [set])) : undefined)}
      <section class="sets" data-turn="sets" aria-label="Sets">
        <p class="chips">
          ${chips(different([set, ...offered]), set, kept)}
        </p>
        ${box}
      </section>
      <div data-turn="answer">${answer?.content}</div>`,
  })
}

/** Sets of the same name are told apart by their first words. */
function chips(sets: readonly Shown[], chosen: Shown | undefined, kept: Pairs): Content {
  return sets.map((each) => {
    const id = each['polynym_id']
    const isOnly = sets.every(({ polynym_id: other, name }) => other === id || name !== each['name'])
    const label = isOnly ? each['name'] : `${each['name']}: ${termsOf(each).slice(0, 2).join(', ')} …`
    return html`<a class="btn small" data-swap data-key=${`set-${id}`} aria-current=${id === chosen?.['polynym_id'] ? 'true' : undefined} data-tip=${termsOf(each).join(', ')} href=${addressOf(PATH, [...idsOf('polynym', [each]), ...kept])}>${label}</a>`
  })
}

function different(records: readonly (Shown | undefined)[]): Shown[] {
  const known = records.filter((each) => each !== undefined)
  return [...new Map(known.map((each) => [each['polynym_id'], each])).values()].slice(0, MOST_OFFERED)
}

async function someSets(visit: ExplorerVisit): Promise<readonly Shown[]> {
  const query = `name__in=${WELL_KNOWN.map(encodeURIComponent).join(',')}&page_size=${2 * MOST_OFFERED}`
  const { status, json } = await visit.ask(`/api/polynym/?${query}`)
  const known: readonly Shown[] = status === 200 ? json.results : []
  const inOrder = known.toSorted((a, b) => WELL_KNOWN.indexOf(a['name']) - WELL_KNOWN.indexOf(b['name']))
  if (inOrder.length > 0) return inOrder
  const others = await visit.ask('/api/polynym/random/?n=6&seed=feel')
  return others.status === 200 ? others.json.results : []
}

function termsOf(set: Shown): string[] {
  const terms = Array.from({ length: Number(set['depth']) }, (_, i) => String(set[`p${i + 1}`] ?? ''))
  return terms.filter((term) => /[\p{L}\p{N}]/u.test(term))
}

interface Answer {
  readonly content: Content
  readonly says?: string
  readonly status?: number
  readonly faults: readonly string[]
}

async function answered(visit: ExplorerVisit, text: string, set: Shown): Promise<Answer> {
  const things = thingsIn(text)
  const asked = things.length > 1 ? things : [text]
  const felt = await Promise.all(asked.map((each) => ask(visit, each, termsOf(set))))
  const refused = felt.find((each) => 'faults' in each)
  if (refused) return { content: undefined, ...refused }
  const found = felt.filter((each) => 'terms' in each)
  const isImported = found.every(({ imported }) => imported)
  if (things.length > 1) {
    const placed = placeAll(things, found)
    const says = placed.map(({ thing, near }) => `${thing}: ${near?.term ?? 'nothing'}`).join('; ')
    return { content: html`${list(placed, set)} ${!isImported && fewWords()}`, says, faults: [] }
  }
  const terms = found[0]?.terms ?? []
  const says = sentence(terms)
  return { content: html`${bars(terms, says, set)} ${!isImported && fewWords()}`, says, faults: [] }
}

/** Things of a list: short parts between commas or on lines of their own. */
function thingsIn(text: string): string[] {
  const parts = text.split(/[,;\n]+/).map((part) => part.trim())
  const things = parts.filter((part) => part !== '')
  const isList = things.every((thing) => thing.split(/\s+/).length <= LONGEST_THING)
  return isList && things.length <= MOST_THINGS ? things : []
}

async function ask(visit: ExplorerVisit, text: string, terms: readonly string[]): Promise<Felt | Refused> {
  const pairs: Pairs = [['text', text], ...terms.map((term) => ['term', term] as const)]
  const { status, json } = await visit.ask(addressOf('/api/feel/', pairs))
  return status === 200 ? json : { status, faults: Object.values(json).flat().map(String) }
}

function sentence(terms: readonly Near[]): string {
  const [first, second] = terms
  if (!first || first.nearness === 0) return 'Nothing in this text is near to one of the terms.'
  const isClose = second && second.nearness > 0.9 * first.nearness
  return isClose
    ? `It is nearest to ${first.term}, and almost as near to ${second.term}.`
    : `It is nearest to ${first.term}.`
}

function bars(terms: readonly Near[], says: string, set: Shown): Content {
  return html`<h2 data-say="true">${says}</h2>
    <p class="soft">Of the set ${recordLink('polynym', set)}.</p>
    <ol class="nearness">
      ${terms.map(
        ({ term, nearness, because }) => html`<li>
          <p><a href=${wordAddress(term)}>${term}</a> <span class="soft">${percent(nearness)}</span></p>
          ${bar(nearness)}
          ${because.length > 0 && html`<ul>${because.map(({ says: reason }) => html`<li>${reason}</li>`)}</ul>`}
        </li>`,
      )}
    </ol>`
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`
}

/** The length says the same as the number next to it. */
function bar(share: number): Content {
  return html`<svg class="near-bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
    <path d="M0 0h100v4H0z" /><path d=${`M0 0h${Math.round(100 * share)}v4H0z`} />
  </svg>`
}

interface Placed {
  readonly thing: string
  readonly near: Near | undefined
}

/** The closest pair first; no term twice while there are others. */
function placeAll(things: readonly string[], felt: readonly Felt[]): Placed[] {
  const pairs = things
    .flatMap((thing, i) => (felt[i]?.terms ?? []).map((near) => ({ thing: i, near, name: thing })))
    .filter(({ near }) => near.nearness > 0)
    .sort((a, b) => b.near.nearness - a.near.nearness)
  const placed = new Map<number, Near>()
  const taken = new Set<string>()
  for (const { thing, near } of pairs) {
    if (placed.has(thing) || taken.has(near.term)) continue
    placed.set(thing, near)
    taken.add(near.term)
  }
  for (const { thing, near } of pairs) if (!placed.has(thing)) placed.set(thing, near)
  return things.map((thing, i) => ({ thing, near: placed.get(i) }))
}

function list(placed: readonly Placed[], set: Shown): Content {
  return html`<h2>Each in its place</h2>
    <p class="soft">In the set ${recordLink('polynym', set)}.</p>
    <ul class="nearness">
      ${placed.map(
        ({ thing, near }) => html`<li>
          <p data-say="true">${thing}: ${near ? html`<a href=${wordAddress(near.term)}>${near.term}</a>` : 'near to none of the terms'} ${near && html`<span class="soft">${percent(near.nearness)}</span>`}</p>
          ${near && bar(near.nearness)}
          ${near && html`<ul>${near.because.map(({ says }) => html`<li>${says}</li>`)}</ul>`}
        </li>`,
      )}
    </ul>`
}
