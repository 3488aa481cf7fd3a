/** /people/<name>/: what a person has made, likes, has achieved and did last. */
import { counted } from '../../../language/index.ts'
import { personAddress } from '../../addresses.ts'
import { PLAY_STYLE } from '../../assets.ts'
import { cardsOf, chipsOf } from '../../cards.ts'
import { failure } from '../../failure.ts'
import type { ChangeSet } from '../../history/deeds.ts'
import { namesIn, setBlock } from '../../history/set-block.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { whatIs } from '../../label.ts'
import { visitPage } from '../../visit-page.ts'
import { gameTable, type PersonView, standing } from './standing.ts'

const SOME = 3
/** The two kinds that a person likes most are shown with names. */
const KINDS_NAMED = 2
const NAMED = 6
const ownedIn = ({ kinds }: ExplorerVisit) => kinds.all.filter(({ owner }) => owner !== undefined)

export const personPage: ExplorerPage = {
  path: '/people/:name/',
  title: 'Person',
  async GET(visit) {
    const { visitor } = visit
    const name = visit.places['name'] ?? ''
    const own = visitor?.name.toLowerCase() === name.toLowerCase()
    const wanted = `=${encodeURIComponent(name)}`
    // Its numbers tell which lists are not empty.
    const { status, json } = await visit.ask(`/api/user/${encodeURIComponent(name)}/`)
    const person: PersonView | undefined = status === 200 ? json : undefined
    if (!person && !own) return failure(visit, 404, { detail: `Nobody called ${name} has made anything here.` })
    const owned = ownedIn(visit).filter((kind) => person?.entries[kind.name])
    const voted = ownedIn(visit)
      .flatMap((kind) => ({ kind, count: (kind.liked && person?.liked[kind.name]) || 0 }))
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
    const [lists, liked, changes] = await Promise.all([
      Promise.all(
        owned.map(({ name, owner, liked }) =>
          visit.ask(`/api/${name}/?${owner}${wanted}&ordering=${liked ? '-likes' : '-id'}&page_size=${SOME}`),
        ),
      ),
      Promise.all(
        voted
          .slice(0, KINDS_NAMED)
          .map(({ kind }) => visit.ask(`/api/${kind.name}/?voters${wanted}&page_size=${NAMED}`)),
      ),
      latestChanges(visit, name),
    ])
    const votes = voted.map((each, i) => ({ ...each, results: pageOf(liked[i]?.json).results }))
    const parts = owned.map((kind, i) => ({ kind, ...pageOf(lists[i]?.json) }))
    const shown = person?.user ?? visitor?.name ?? name
    const main = html`<p class="kind">${own ? 'You' : 'Person'}</p>
      <h1>${shown}</h1>
      <p class="meta">
        ${parts.map(({ kind, count }) => html`<a href=${`#${kind.name}`}>${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a>`)}
      </p>
      ${person && standing(person)} ${own && yourOwn(visit)}
      ${visitor?.staff && !own && html`<p class="chips"><a class="btn small" href=${`${personAddress(shown)}block/`}>Block …</a> <a class="btn small" href=${`/staff/people/${encodeURIComponent(shown)}/`}>Account …</a></p>`}
      ${
        parts.length === 0 &&
        own &&
        html`<div class="empty">
        <h2>Nothing of yours yet</h2>
        <p class="soft">What you make and annotate will be listed here.</p>
        <p class="chips"><a class="btn go" href="/make/">Make something</a>${annotateLink(visit)}</p>
      </div>`
      }
      ${gameTable('Games', person?.games ?? [])} ${parts.map((part) => section(shown, part))}
      ${likedSection(shown, votes)} ${changes}`
    return {
      page: visitPage(visit, { title: shown, part: 'people', styles: [PLAY_STYLE], main }),
    }
  },
}

interface Liked {
  readonly kind: Kind
  readonly count: number
  readonly results: readonly Shown[]
}

function likedSection(name: string, votes: readonly Liked[]): Content {
  if (votes.length === 0) return undefined
  const addressOf = (kind: Kind) => `/${kind.name}/?voters=${encodeURIComponent(name)}`
  const rest = votes.slice(KINDS_NAMED)
  return html`<section id="liked">
    <h2>Liked</h2>
    ${votes.slice(0, KINDS_NAMED).map(
      ({ kind, count, results }) =>
        html`<h3><a href=${addressOf(kind)}>${kind.many}</a> <span class="soft">${count.toLocaleString('en')}</span></h3>
          ${chipsOf(kind, results)}`,
    )}
    ${
      rest.length > 0 &&
      html`<p class="meta">
        ${rest.map(({ kind, count }) => html`<a href=${addressOf(kind)}>${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a>`)}
      </p>`
    }
  </section>`
}

/** What the person did last. */
async function latestChanges(visit: ExplorerVisit, name: string): Promise<Content> {
  const user = encodeURIComponent(name)
  const { json } = await visit.ask(`/api/changes/recent/?user=${user}&limit=${SOME}`, { isOptional: true })
  const sets: readonly ChangeSet[] = json.results ?? []
  if (sets.length === 0) return undefined
  const names = await namesIn(visit, sets)
  const all = `/changes/?user=${user}`
  return html`<section id="changes">
    <h2><a href=${all}>Latest changes</a></h2>
    <ol class="timeline">${sets.map((set) => setBlock(visit, set, names))}</ol>
    <p class="more"><a href=${all}>All changes</a></p>
  </section>`
}

/** A list that was not found in time has no results. */
function pageOf(json: Shown = {}): { count: number; results: readonly Shown[] } {
  return { count: json['count'] ?? 0, results: json['results'] ?? [] }
}

function annotateLink({ kinds }: ExplorerVisit): Content {
  return kinds.canAnnotate && html`<a class="btn" href="/annotate/">Annotate a text</a>`
}

function yourOwn(visit: ExplorerVisit): Content {
  return html`<p class="chips">
    <a class="btn" href="/make/">Make something</a>${annotateLink(visit)}
    <a class="btn" href="/accounts/">Account</a><a class="btn" href="/accounts/tokens/">Tokens</a>
    <a class="btn" href="/accounts/password/">Password</a>
    ${visit.visitor?.staff && html`<a class="btn" href="/reports/">Reports</a> <a class="btn" href="/staff/">Staff</a>`}
  </p>`
}

function section(name: string, part: { kind: Kind; count: number; results: readonly Shown[] }): Content {
  const { kind, count, results } = part
  const all = `/${kind.name}/?${kind.owner}=${encodeURIComponent(name)}`
  return html`<section id=${kind.name}>
    <h2><a href=${all}>${kind.many}</a> <span class="soft">${count.toLocaleString('en')}</span> ${whatIs(kind.name)}</h2>
    ${cardsOf(kind, results)}
    ${count > results.length && html`<p class="more"><a href=${all}>All ${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a></p>`}
  </section>`
}
