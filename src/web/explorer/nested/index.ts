/** /nested/: a quadranym whose words are opened in place, as deep as there are quadranyms of these names. */
import type { PageAnswer } from '../../../http/index.ts'
import { COMPARE_STYLE, SHARE } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds, Shown } from '../../kinds/index.ts'
import { drawNest, inPage, isBlank, NEST_SLOTS, type Nest, POLES } from '../../pictures/index.ts'
import { sharePanel } from '../../share/panel.ts'
import { inShort, type Shared } from '../../share/shared.ts'
import { dayNumber } from '../../today.ts'
import { visitPage } from '../../visit-page.ts'
import { findSets } from '../compare/find-sets.ts'
import { NESTED, type NestedState, nestedAddress, nestedQuery, readNestedState } from './nested-state.ts'
import { type ReadNest, readNest } from './read-nest.ts'

const DOES =
  'A word of a quadranym may be the topic of another one. Press a word with a plus, and that quadranym opens in its place.'

export function nestedPages({ find }: Kinds): readonly ExplorerPage[] {
  return find('quadranym')
    ? [
        { path: NESTED, title: 'Nested quadranyms', GET: show },
        { path: `${NESTED}random/`, title: 'A random nested quadranym', GET: pick },
      ]
    : []
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { kinds, base } = visit
  const given = readNestedState(visit)
  const read = given.id === '' ? undefined : await readNest(visit, given)
  const sample = read ? undefined : await nestAmong(visit, `n=${TRIES}&seed=${visit.byClock(dayNumber)}`)
  const shared = read && sharedNest(read)
  const finder = await findSets(visit, {
    action: NESTED,
    kinds: [kinds.get('quadranym')],
    label: 'A quadranym to open',
    next: (_, record) => nestedAddress({ id: String(record['quadranym_id']), opened: new Map() }),
  })
  const title = read ? `Inside ${read.nest.name}` : 'Nested quadranyms'
  const main = html`<p class="kind">Nested quadranyms</p>
    <h1 class=${title.length > 40 ? 'long' : undefined} dir="auto">${title}</h1>
    <p class="does">${DOES}</p>
    ${given.id !== '' && !read && html`<p class="note bad" role="alert">There is no quadranym ${given.id}.</p>`}
    ${read && picture(read)}
    <section>
      <h2>${read ? 'Open another one' : 'Begin with a quadranym'}</h2>
      ${finder}
      <p class="chips"><a class="btn" rel="nofollow" href=${`${NESTED}random/`}>One at random</a></p>
    </section>
    ${sample && ofTheDay(sample)}
    ${shared && sharePanel({ base, shared })}`
  return {
    page: visitPage(visit, {
      title: read ? `${title} · Nested` : 'Nested',
      part: 'sets',
      description: shared?.alt ?? DOES,
      shared,
      styles: [COMPARE_STYLE],
      scripts: shared ? [SHARE] : [],
      main,
    }),
  }
}

function picture({ nest, state, all }: ReadNest): Content {
  const { id, opened } = state
  return html`<figure id="picture" class="card picture nest" role="group" tabindex="0" aria-label="The picture">${inPage(drawNest(nest, true))}</figure>
    <p class="chips">
      ${all.opened.size > opened.size && html`<a class="btn" href=${nestedAddress(all)}>Open all words</a>`}
      ${opened.size > 0 && html`<a class="btn" href=${nestedAddress({ id, opened: new Map() })}>Close all</a>`}
      <a class="btn" href=${`/posters/?set=quadranym:${id}`}>Print a poster</a>
      <a class="btn" href=${`/quadranym/${id}/`}>The quadranym ${nest.name}</a>
    </p>
    <details class="aslist">
      <summary>As a list</summary>
      ${asList(nest)}
    </details>`
}

function ofTheDay({ nest, state }: ReadNest): Content {
  return html`<section>
    <h2>Today: <a href=${nestedAddress(state)} dir="auto">inside ${nest.name}</a></h2>
    <figure class="card picture nest" role="group" tabindex="0" aria-label="The picture of the day">${inPage(drawNest(nest, true))}</figure>
  </section>`
}

/** The same in words, for readers who cannot use the picture. */
function asList({ name, words }: Nest): Content {
  return html`<p><b>${name}</b></p>
    <ul>
      ${NEST_SLOTS.map((slot) => {
        const { term, inside, opens, closes } = words[slot]
        if (isBlank(term)) return undefined
        return html`<li>
          <span class="soft">${POLES[slot]}</span> ${inside ? asList(inside) : html`<span class=${slot}>${term}</span>`}
          ${opens && html` <a href=${opens} aria-label=${`Open ${term}`}>open</a>`}
          ${closes && html`<a href=${closes} aria-label=${`Close ${term}`}>close</a>`}
        </li>`
      })}
    </ul>`
}

function sharedNest({ nest, state }: ReadNest): Shared {
  const { label } = drawNest(nest)
  return {
    address: `${NESTED}?${nestedQuery(state)}`,
    picture: `/nested.png?${nestedQuery(state)}`,
    alt: inShort(label),
    text: inShort(label, 1000),
    isEmbeddable: false,
  }
}

/** Not every quadranym has a word that is a topic. */
const TRIES = 40

async function pick(visit: ExplorerVisit): Promise<PageAnswer> {
  const read = await nestAmong(visit, `n=${TRIES}`)
  return { location: read ? nestedAddress(read.state) : NESTED }
}

/** The first of some quadranyms that has words to open, with all of them opened; if none has, the first. */
async function nestAmong(visit: ExplorerVisit, asked: string): Promise<ReadNest | undefined> {
  const { json } = await visit.ask(`/api/quadranym/random/?${asked}`, { isOptional: true })
  const found: readonly Shown[] = json?.results ?? []
  const states = found.map((record): NestedState => ({ id: String(record['quadranym_id']), opened: new Map() }))
  for (const state of states) {
    const read = await readNest(visit, state)
    if (read && read.all.opened.size > 0) return readNest(visit, read.all)
  }
  return states[0] && readNest(visit, states[0])
}
