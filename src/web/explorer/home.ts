/** The front page: what the site is, a saying to turn, and links into the catalogue. */
import type { Visit } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { TURN } from '../assets.ts'
import { card } from '../cards.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { label } from '../label.ts'
import { layout } from '../layout.ts'
import { BRIEFLY } from './facets.ts'
import { type Latest, latestOf, newestOf, newList } from './newest.ts'
import { toyOf } from './toy.ts'

const DOES =
  'Nymdex is a catalogue of word sets: the parts of a thing, the steps of a process, the four sides of a topic. See them as pictures, and tell sayings with other words.'

/** How many records of a kind are shown as liked most, and how many values of a member are offered. */
const LIKED = 4
const OFFERED = 18

export const home: ExplorerPage = {
  path: '/',
  title: 'Nymdex',
  async GET(visit) {
    const mainKinds = visit.kinds.all.filter(({ isMain }) => isMain)
    const likedKinds = mainKinds.slice(0, 2).filter(({ liked }) => liked)
    const latest = Promise.all(mainKinds.map((kind) => latestOf(visit, kind)))
    const [toy, counts, newest, liked, offers] = await Promise.all([
      toyOf(visit),
      latest,
      latest.then((lists) => newestOf(visit, lists)),
      Promise.all(likedKinds.map((kind) => likedOf(visit, kind))),
      Promise.all(mainKinds.map((kind) => offersOf(visit, kind))),
    ])
    const isEmpty = counts.every(({ count }) => count === 0)
    const main = html`${hero(visit)} ${toy?.content} ${isEmpty ? undefined : today(visit)}
      ${isEmpty ? emptyState() : ways(counts)} ${likedCards(likedKinds, liked.flat())}
      ${newList(visit, newest)} ${offers} ${doors(visit)}`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: toy?.title ?? 'Nymdex',
        user: visit.visitor?.name,
        base: visit.base,
        description: toy?.title ?? DOES,
        isFront: true,
        main,
        scripts: toy ? [TURN] : [],
      }),
    }
  },
}

function hero({ kinds }: ExplorerVisit): Content {
  return html`<div class="hero">
    <div>
      <h1>Words in sets</h1>
      <p class="does">${DOES}${kinds.find('quadranym') && html` <a href="/learn/">What is a quadranym?</a>`}</p>
    </div>
    <form class="find big" action="/find/" role="search" aria-label="Everything">
      <input type="search" name="q" aria-label="Find a word, a set or a text" placeholder="Find a word, a set, a text" autocomplete="off" />
    </form>
  </div>`
}

function emptyState(): Content {
  return html`<div class="empty">
    <h2>Nothing here yet</h2>
    <p class="soft">
      The catalogue is empty. <a href="/learn/">Learn what it collects</a>, and <a href="/make/">make the first entry</a>.
    </p>
  </div>`
}

/** The board of the day has a page of its own: which day it is depends on where the visitor is. */
function today({ kinds }: ExplorerVisit): Content {
  if (!kinds.find('winner') || !kinds.find('polynym')) return undefined
  return html`<h2><a href="/play/sets/">Sets of the day</a></h2>
    <div class="chips">
      <a class="btn go" href="/play/sets/">Play today’s board</a>
      <span class="soft">Sixteen words hide four sets of four. Can you find them?</span>
    </div>`
}

/** A kind without records has nothing to show yet. */
function ways(latest: readonly Latest[]): Content {
  return html`<h2>Ways in</h2>
    <ul class="ways">
      ${latest.map(
        ({ kind, count }) =>
          count > 0 &&
          html`<li>
            <a href=${`/${kind.name}/`}><b>${kind.many}</b> <span class="number">${count.toLocaleString('en')}</span><small>${kind.does}</small></a>
          </li>`,
      )}
    </ul>`
}

interface Liked {
  readonly kind: Kind
  readonly record: Shown
}

async function likedOf(visit: Visit, kind: Kind): Promise<Liked[]> {
  const { json } = await visit.ask(`/api/${kind.name}/?ordering=-likes&page_size=${LIKED}`, BRIEFLY)
  const records: readonly Shown[] = json.results ?? []
  return records.map((record) => ({ kind, record }))
}

function likedCards([first]: readonly Kind[], liked: readonly Liked[]): Content {
  if (!first || liked.length === 0) return undefined
  return html`<h2><a href=${`/${first.name}/?ordering=-likes`}>Most liked</a></h2>
    <ul class="grid some">${liked.map(({ kind, record }) => html`<li>${card(kind, record)}</li>`)}</ul>`
}

interface Value {
  readonly value: string
  readonly count: number
}

/** The values of the member that a kind offers, as links to its filtered list. */
async function offersOf(visit: Visit, { name, offered }: Kind): Promise<Content> {
  if (!offered) return undefined
  const { title, member } = offered
  const { status, json } = await visit.ask(`/api/${name}/facets/?by=${member}`, BRIEFLY)
  const all: readonly Value[] = status === 200 ? json.facets[member] : []
  const values = all.filter(({ value }) => value !== '').slice(0, OFFERED)
  if (values.length === 0) return undefined
  return html`<h2>${label(member, title)}</h2>
    <ul class="chips">
      ${values.map(({ value, count }) => html`<li><a class="btn small" href=${`/${name}/?${member}=${encodeURIComponent(value)}`} title=${counted(count, name)}>${value} <span class="soft">${count.toLocaleString('en')}</span></a></li>`)}
    </ul>`
}

function doors({ kinds }: ExplorerVisit): Content {
  const makes = kinds.find('quadranym')
    ? 'A quadranym, a polynym, a story: fill in the words and watch the picture grow.'
    : 'Add a record of your own.'
  const explores = kinds.find('polynym')
    ? 'Compare sets, open words inside words, print a poster, see it all in charts.'
    : 'See what there is to do here.'
  return html`<div class="doors">
    ${
      kinds.canAnnotate &&
      html`<a class="card" href="/annotate/"><h3>Mark a text</h3><p>Paste a saying. See which of its words belong to a topic, mark them, and turn it.</p></a>`
    }
    <a class="card" href="/make/"><h3>Make something</h3><p>${makes}</p></a>
    <a class="card" href="/explore/"><h3>Explore</h3><p>${explores}</p></a>
  </div>`
}
