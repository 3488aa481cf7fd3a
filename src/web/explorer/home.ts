/** The front page: the saying of the day, and links into the catalogue. */
import type { Visit } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { card } from '../cards.ts'
import { type Content, html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { drawQuadranym, inPage } from '../pictures/index.ts'
import { markedBody, topicsOf } from '../texts/marked.ts'
import { dayNumber } from '../today.ts'
import { BRIEFLY } from './facets.ts'

const DOES =
  'Words come in sets: the poles of a topic, the parts of a thing, the steps of a process. Here they are collected, drawn, and put to work in sayings.'

export const home: ExplorerPage = {
  path: '/',
  title: 'Nymdex',
  async GET(visit) {
    const mainKinds = visit.kinds.all.filter(({ isMain }) => isMain)
    const [first, second = first] = mainKinds
    const two = mainKinds.slice(0, 2)
    const [saying, counts, liked, newest, offers] = await Promise.all([
      sayingOf(visit),
      Promise.all(mainKinds.map(({ name }) => countOf(visit, name))),
      cardsOf(
        visit,
        'ordering=-likes',
        two.filter((kind) => kind.liked),
      ),
      cardsOf(visit, 'ordering=-id', two.toReversed()),
      Promise.all(mainKinds.map((kind) => offersOf(visit, kind))),
    ])
    const body = html`<div class="hero">
        <h1>Words keep company</h1>
        <p class="does">${DOES}</p>
        <form class="find big" action="/find/" role="search" aria-label="Everything">
          <input type="search" name="q" aria-label="Find a word, a set or a text" placeholder="Find a word, a set, a text" autocomplete="off" />
        </form>
      </div>
      ${saying && today(saying)}
      <h2>Ways in</h2>
      <ul class="ways">${mainKinds.map((kind, i) => html`<li><a href=${`/${kind.name}/`}><b>${kind.many}</b> <span class="number">${counts[i]!.toLocaleString('en')}</span><small>${kind.does}</small></a></li>`)}</ul>
      ${section('Most liked', `/${first?.name}/?ordering=-likes`, liked)} ${section('New here', `/${second?.name}/?ordering=-id`, newest)}
      ${offers}
      <div class="doors">
        ${
          visit.kinds.canAnnotate &&
          html`<a class="card" href="/annotate/"><h3>Annotate a text</h3><p>Paste a saying. See which of its words are terms of quadranyms, mark them, and save it, ready to flip.</p></a>`
        }
        <a class="card" href="/make/"><h3>Make something</h3><p>${visit.kinds.find('quadranym') ? 'A quadranym, a polynym, a set of them, a story: fill in the words and watch the picture grow.' : 'Add a record of your own.'}</p></a>
      </div>`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: 'Nymdex',
        user: visit.visitor?.name,
        base: visit.base,
        description: DOES,
        isFront: true,
        main: body,
      }),
    }
  },
}

interface Saying {
  readonly kind: Kind
  readonly record: Shown
}

/** The kinds that have a saying of the day take turns. */
async function sayingOf(visit: ExplorerVisit): Promise<Saying | undefined> {
  const sayings = visit.kinds.all.flatMap((kind) => (kind.ofTheDay ? [{ kind, filters: kind.ofTheDay }] : []))
  const turn = (visit.byClock(dayNumber) + 1) % Math.max(sayings.length, 1)
  for (const { kind, filters } of [...sayings.slice(turn), ...sayings.slice(0, turn)]) {
    for (const filter of filters) {
      const { status, json } = await visit.ask(`/api/${kind.name}/daily/${filter && `?${filter}`}`)
      if (status === 200) return { kind, record: json }
    }
  }
  return undefined
}

function today({ kind, record }: Saying): Content {
  const href = kind.addressOf(record)
  const [topic] = topicsOf(record)
  return html`<section class="today" aria-label=${`${kind.one} of the day`}>
    <div>
      <p class="kind">${kind.one} of the day</p>
      <p class="text">${markedBody(record)}</p>
      ${record['src'] && html`<p class="by">${record['src']}</p>`}
      <p class="chips"><a class="btn go" href=${href}>Flip it</a><a class="btn" href="/random/">Something by chance</a></p>
    </div>
    ${
      topic &&
      html`<figure>
        ${inPage(drawQuadranym(topic))}
        <figcaption>Told through <a href=${recordAddress('quadranym', topic)}>${topic.name}</a></figcaption>
      </figure>`
    }
  </section>`
}

async function countOf(visit: Visit, kind: string): Promise<number> {
  const { json } = await visit.ask(`/api/${kind}/?page_size=1`)
  return json.count
}

/** Some records of one kind and some of another. */
async function cardsOf(visit: ExplorerVisit, query: string, of: readonly Kind[]): Promise<Content[]> {
  const lists = await Promise.all(of.map(({ name }) => visit.ask(`/api/${name}/?${query}&page_size=4`, BRIEFLY)))
  return lists.flatMap(({ json }, i) => (json.results ?? []).slice(0, 4).map((record: Shown) => card(of[i]!, record)))
}

function section(title: string, href: string, cards: readonly Content[]): Content {
  if (cards.length === 0) return undefined
  return html`<h2><a href=${href}>${title}</a></h2>
    <ul class="grid some">${cards.map((each) => html`<li>${each}</li>`)}</ul>`
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
  const values = all.filter(({ value }) => value !== '').slice(0, 18)
  if (values.length === 0) return undefined
  return html`<h2>${title}</h2>
    <ul class="chips">
      ${values.map(({ value, count }) => html`<li><a class="btn small" href=${`/${name}/?${member}=${encodeURIComponent(value)}`} title=${counted(count, name)}>${value} <span class="soft">${count}</span></a></li>`)}
    </ul>`
}
