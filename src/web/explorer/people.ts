/** Those who made the records: everybody, and each with what is theirs. */
import type { PageRoute, Visit } from '../../http/index.ts'
import { counted } from '../../language/index.ts'
import { renderError } from '../error.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { hereOf, personAddress } from './addresses.ts'
import { cardsOf } from './cards.ts'
import { type Listed, listed, listedAs } from './listed.ts'

const SOME = 6
const OWNED = listed.filter(({ owned, kind }) => owned && kind !== 'winner')
const VOTED = OWNED.filter(({ liked }) => liked)

export const peoplePage: PageRoute = {
  path: '/people/',
  title: 'People',
  async GET(visit) {
    const people = await readPeople(visit)
    const main = html`<p class="kind">${counted(people.length, 'person', 'people')}</p>
      <h1>People</h1>
      <p class="does">Those who made what is here.</p>
      <h2 class="unseen">Everybody</h2>
      <ul class="grid people">
        ${people.map(
          ({ name, count, kinds }) =>
            html`<li>
              <article class="card">
                <h3><a class="open" href=${personAddress(name)}>${name}</a></h3>
                <p class="gist">${counted(count, 'record')}</p>
                <p class="members">${kinds.join(', ')}</p>
              </article>
            </li>`,
        )}
      </ul>
      <p class="more"><a href="/winner/">Who won the games</a></p>`
    return {
      page: layout({
        title: 'People',
        user: visit.visitor?.name,
        here: hereOf(visit),
        base: visit.base,
        part: 'people',
        main,
      }),
    }
  },
}

interface Person {
  readonly name: string
  readonly count: number
  readonly kinds: readonly string[]
}

async function readPeople(visit: Visit): Promise<Person[]> {
  const asked = await Promise.all(OWNED.map(({ kind }) => visit.ask(`/api/${kind}/facets/?by=user`)))
  const people = new Map<string, { count: number; kinds: string[] }>()
  asked.forEach(({ json }, i) => {
    for (const { value, count } of json.facets.user as { value: string; count: number }[]) {
      const known = people.get(value) ?? { count: 0, kinds: [] }
      const { one, many } = OWNED[i]!
      known.kinds.push(counted(count, one.toLowerCase(), many.toLowerCase()))
      people.set(value, { ...known, count: known.count + count })
    }
  })
  return Array.from(people, ([name, known]) => ({ name, ...known })).sort(
    (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
  )
}

export const personPage: PageRoute = {
  path: '/people/:name/',
  title: 'Person',
  async GET(visit) {
    const { visitor } = visit
    const name = visit.places['name']!
    const own = visitor?.name.toLowerCase() === name.toLowerCase()
    const wanted = `user=${encodeURIComponent(name)}`
    const [scores, lists, liked] = await Promise.all([
      visit.ask(`/api/winner/?${wanted}`),
      Promise.all(
        OWNED.map(({ kind, liked }) =>
          visit.ask(`/api/${kind}/?${wanted}&ordering=${liked ? '-likes' : '-id'}&page_size=${SOME}`),
        ),
      ),
      Promise.all(
        VOTED.map(({ kind }) => visit.ask(`/api/${kind}/?voters=${encodeURIComponent(name)}&page_size=${SOME}`)),
      ),
    ])
    const votes = VOTED.map((kind, i) => ({ kind, ...pageOf(liked[i]!.json) })).filter(({ count }) => count > 0)
    const parts = OWNED.map((kind, i) => ({ kind, ...pageOf(lists[i]!.json) })).filter(({ count }) => count > 0)
    const games = pageOf(scores.json)
    if (parts.length + votes.length === 0 && games.count === 0 && !own) {
      const json = { detail: `Nobody called ${name} has made anything here.` }
      return { status: 404, page: renderError({ status: 404, json, here: hereOf(visit), user: visitor?.name }) }
    }
    const shown: string = parts[0]?.results[0]?.['user'] ?? games.results[0]?.['user'] ?? visitor?.name ?? name
    const main = html`<p class="kind">${own ? 'You' : 'Person'}</p>
      <h1>${shown}</h1>
      <p class="meta">
        ${parts.map(({ kind, count }) => html`<a href=${`#${kind.kind}`}>${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a>`)}
      </p>
      ${own && yourOwn()}
      ${
        parts.length === 0 &&
        own &&
        html`<div class="empty">
        <h2>Nothing of yours yet</h2>
        <p class="soft">What you make and what you annotate will stand here.</p>
        <p class="chips"><a class="btn go" href="/make/">Make something</a><a class="btn" href="/annotate/">Annotate a text</a></p>
      </div>`
      }
      ${parts.map((part) => section(shown, part))}
      ${
        votes.length > 0 &&
        html`<section id="liked"><h2>Liked</h2>
          ${votes.map(
            ({ kind, count, results }) =>
              html`<h3>
                  <a href=${`/${kind.kind}/?voters=${encodeURIComponent(shown)}`}>${kind.many}</a>
                  <span class="soft">${count.toLocaleString('en')}</span>
                </h3>
                ${cardsOf(kind, results)}`,
          )}
        </section>`
      }
      ${games.count > 0 && html`<section id="winner"><h2>Games</h2>${cardsOf(listedAs('winner'), games.results)}</section>`}`
    return {
      page: layout({ title: shown, user: visitor?.name, here: hereOf(visit), base: visit.base, part: 'people', main }),
    }
  },
}

/** A name that cannot be one is refused; nobody has it. */
function pageOf(json: Shown): { count: number; results: readonly Shown[] } {
  return { count: json['count'] ?? 0, results: json['results'] ?? [] }
}

function yourOwn(): Content {
  return html`<p class="chips">
    <a class="btn" href="/make/">Make something</a><a class="btn" href="/annotate/">Annotate a text</a>
    <a class="btn" href="/accounts/">Account</a><a class="btn" href="/accounts/tokens/">Tokens</a>
    <a class="btn" href="/accounts/password/">Password</a>
  </p>`
}

function section(name: string, part: { kind: Listed; count: number; results: readonly Shown[] }): Content {
  const { kind, count, results } = part
  const all = `/${kind.kind}/?user=${encodeURIComponent(name)}`
  return html`<section id=${kind.kind}>
    <h2><a href=${all}>${kind.many}</a> <span class="soft">${count.toLocaleString('en')}</span></h2>
    ${cardsOf(kind, results)}
    ${count > results.length && html`<p class="more"><a href=${all}>All ${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a></p>`}
  </section>`
}
