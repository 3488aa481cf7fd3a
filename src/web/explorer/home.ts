/** The front page: the day's saying, and the ways in. */
import type { PageRoute, Visit } from '../../http/index.ts'
import { type Content, html } from '../html.ts'
import { kinds, type Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { addressOf } from './addresses.ts'
import { card } from './cards.ts'
import { BRIEFLY } from './facets.ts'
import { counted, main as mainKinds } from './listed.ts'
import { markedBody, topicsOf } from './marked.ts'

const DOES =
  'Words come in sets: the poles of a topic, the parts of a thing, the steps of a process. Here they are collected, drawn, and put to work in sayings.'

export const home: PageRoute = {
  path: '/',
  title: 'Nymdex',
  async GET(visit) {
    const [saying, counts, liked, newest, areas, realms] = await Promise.all([
      sayingOf(visit),
      Promise.all(mainKinds.map(({ kind }) => countOf(visit, kind))),
      cardsOf(visit, 'ordering=-likes', 'quadranym', 'polynym'),
      cardsOf(visit, 'ordering=-id', 'polynym', 'quadranym'),
      valuesOf(visit, 'polynym', 'area'),
      valuesOf(visit, 'quadranym', 'realm'),
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
      <ul class="ways">${mainKinds.map((kind, i) => html`<li><a href=${`/${kind.kind}/`}><b>${kind.many}</b> <span class="number">${counts[i]!.toLocaleString('en')}</span><small>${kind.does}</small></a></li>`)}</ul>
      ${section('Most liked', '/quadranym/?ordering=-likes', liked)} ${section('New here', '/polynym/?ordering=-id', newest)}
      ${chips('Realms of life', 'quadranym', 'realm', realms)} ${chips('Areas', 'polynym', 'area', areas)}
      <div class="doors">
        <a class="card" href="/annotate/"><h3>Annotate a text</h3><p>Paste a saying. See which of its words are terms of quadranyms, mark them, and save it to be flipped.</p></a>
        <a class="card" href="/make/"><h3>Make something</h3><p>A quadranym, a polynym, a set of them, a story: fill in the words and watch the picture grow.</p></a>
      </div>`
    return {
      page: layout({
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
  readonly kind: string
  readonly record: Shown
}

/** The day's quote and the day's fortune take turns. */
async function sayingOf(visit: Visit): Promise<Saying | undefined> {
  const day = Math.floor(visit.now.getTime() / 86_400_000)
  const quote = ['/api/quote/daily/?width__gte=2', '/api/quote/daily/'].map((address) => ({ kind: 'quote', address }))
  const fortune = [{ kind: 'fortune', address: '/api/fortune/daily/?depth__gte=1' }]
  for (const { kind, address } of day % 2 === 0 ? [...quote, ...fortune] : [...fortune, ...quote]) {
    const { status, json } = await visit.ask(address)
    if (status === 200) return { kind, record: json }
  }
  return undefined
}

function today({ kind, record }: Saying): Content {
  const href = addressOf(kind, record)
  const [topic] = topicsOf(record)
  return html`<section class="today" aria-label=${`${kind === 'quote' ? 'Quote' : 'Fortune'} of the day`}>
    <div>
      <p class="kind">${kind === 'quote' ? 'Quote' : 'Fortune'} of the day</p>
      <p class="text">${markedBody(record)}</p>
      ${record['src'] && html`<p class="by">${record['src']}</p>`}
      <p class="chips"><a class="btn go" href=${href}>Flip it</a><a class="btn" href="/random/">Something by chance</a></p>
    </div>
    ${
      topic &&
      html`<figure>
        ${kinds['quadranym']?.picture?.(topic)}
        <figcaption>Told through <a href=${addressOf('quadranym', topic)}>${topic.name}</a></figcaption>
      </figure>`
    }
  </section>`
}

async function countOf(visit: Visit, kind: string): Promise<number> {
  const { json } = await visit.ask(`/api/${kind}/?page_size=1`)
  return json.count
}

/** Some of one kind and some of another. */
async function cardsOf(visit: Visit, query: string, ...of: readonly string[]): Promise<Content[]> {
  const lists = await Promise.all(of.map((kind) => visit.ask(`/api/${kind}/?${query}&page_size=4`, BRIEFLY)))
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

async function valuesOf(visit: Visit, kind: string, member: string): Promise<Value[]> {
  const { status, json } = await visit.ask(`/api/${kind}/facets/?by=${member}`, BRIEFLY)
  return status !== 200 ? [] : json.facets[member].filter(({ value }: Value) => value !== '').slice(0, 18)
}

function chips(title: string, kind: string, member: string, values: readonly Value[]): Content {
  if (values.length === 0) return undefined
  return html`<h2>${title}</h2>
    <ul class="chips">
      ${values.map(({ value, count }) => html`<li><a class="btn small" href=${`/${kind}/?${member}=${encodeURIComponent(value)}`} title=${counted(count, kind)}>${value} <span class="soft">${count}</span></a></li>`)}
    </ul>`
}
