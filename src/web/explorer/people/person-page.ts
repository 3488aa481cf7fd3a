/** /people/<name>/: what a person has made, likes, has achieved and did last. */
import { counted } from '../../../language/index.ts'
import { hereOf, personAddress } from '../../addresses.ts'
import { cardsOf } from '../../cards.ts'
import { renderError } from '../../error.ts'
import type { ChangeSet } from '../../history/deeds.ts'
import { namesIn, setBlock } from '../../history/set-block.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { whatIs } from '../../label.ts'
import { layout } from '../../layout.ts'
import { makerOf } from '../../maker.ts'

const SOME = 6
const ownedIn = ({ kinds }: ExplorerVisit) => kinds.all.filter(({ owner }) => owner !== undefined)

export const personPage: ExplorerPage = {
  path: '/people/:name/',
  title: 'Person',
  async GET(visit) {
    const { visitor } = visit
    const name = visit.places['name']!
    const own = visitor?.name.toLowerCase() === name.toLowerCase()
    const wanted = `=${encodeURIComponent(name)}`
    const owned = ownedIn(visit)
    const about = visit.kinds.all.filter(({ ofPeople }) => ofPeople)
    const voted = owned.filter(({ liked }) => liked)
    const [scores, lists, liked, changes] = await Promise.all([
      Promise.all(about.map(({ name, ofPeople }) => visit.ask(`/api/${name}/?${ofPeople!.by}${wanted}`))),
      Promise.all(
        owned.map(({ name, owner, liked }) =>
          visit.ask(`/api/${name}/?${owner}${wanted}&ordering=${liked ? '-likes' : '-id'}&page_size=${SOME}`),
        ),
      ),
      Promise.all(voted.map((kind) => visit.ask(`/api/${kind.name}/?voters${wanted}&page_size=${SOME}`))),
      latestChanges(visit, name),
    ])
    const votes = voted.map((kind, i) => ({ kind, ...pageOf(liked[i]!.json) })).filter(({ count }) => count > 0)
    const parts = owned.map((kind, i) => ({ kind, ...pageOf(lists[i]!.json) })).filter(({ count }) => count > 0)
    const games = about.map((kind, i) => ({ kind, ...pageOf(scores[i]!.json) })).filter(({ count }) => count > 0)
    if (parts.length + votes.length + games.length === 0 && !own) {
      const json = { detail: `Nobody called ${name} has made anything here.` }
      return {
        status: 404,
        page: renderError({ status: 404, json, here: hereOf(visit), user: visitor?.name }, visit.kinds),
      }
    }
    const spelled = nameIn(parts[0]) ?? nameIn(games[0]) ?? (own ? visitor?.name : undefined)
    const shown = spelled ?? (parts[0] && (await makerOf(visit, parts[0].kind, parts[0].results[0] ?? {}))) ?? name
    const main = html`<p class="kind">${own ? 'You' : 'Person'}</p>
      <h1>${shown}</h1>
      <p class="meta">
        ${parts.map(({ kind, count }) => html`<a href=${`#${kind.name}`}>${counted(count, kind.one.toLowerCase(), kind.many.toLowerCase())}</a>`)}
      </p>
      ${own && yourOwn(visit)}
      ${visitor?.staff && !own && html`<p class="chips"><a class="btn small" href=${`${personAddress(shown)}block/`}>Block …</a></p>`}
      ${
        parts.length === 0 &&
        own &&
        html`<div class="empty">
        <h2>Nothing of yours yet</h2>
        <p class="soft">What you make and annotate will be listed here.</p>
        <p class="chips"><a class="btn go" href="/make/">Make something</a>${annotateLink(visit)}</p>
      </div>`
      }
      ${parts.map((part) => section(shown, part))}
      ${
        votes.length > 0 &&
        html`<section id="liked"><h2>Liked</h2>
          ${votes.map(
            ({ kind, count, results }) =>
              html`<h3>
                  <a href=${`/${kind.name}/?voters=${encodeURIComponent(shown)}`}>${kind.many}</a> <span class="soft">${count.toLocaleString('en')}</span>
                </h3>
                ${cardsOf(kind, results)}`,
          )}
        </section>`
      }
      ${changes}
      ${games.map(({ kind, results }) => html`<section id=${kind.name}><h2>${kind.ofPeople!.title}</h2>${cardsOf(kind, results)}</section>`)}`
    return {
      page: layout({
        kinds: visit.kinds,
        csrf: visit.csrf,
        title: shown,
        user: visitor?.name,
        here: hereOf(visit),
        base: visit.base,
        part: 'people',
        main,
      }),
    }
  },
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

/** The name as its owner spells it. */
function nameIn(part: { kind: Kind; results: readonly Shown[] } | undefined): string | undefined {
  return part?.results[0]?.[part.kind.ofPeople?.by ?? part.kind.owner ?? '']
}

/** An error has no results: the API refuses texts that cannot be a name, and nobody has such a name. */
function pageOf(json: Shown): { count: number; results: readonly Shown[] } {
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
    ${visit.visitor?.staff && html`<a class="btn" href="/reports/">Reports</a>`}
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
