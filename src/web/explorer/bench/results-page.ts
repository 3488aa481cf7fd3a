/** /bench/results/: what people say, by phrase, quadranym and realm; the pairs of a phrase lead to its editor. */
import type { PageAnswer } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { listAddress } from '../../addresses.ts'
import { renderError } from '../../error.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { label } from '../../label.ts'
import { recordLink } from '../../links.ts'
import { tokens } from '../../texts/tokens.ts'
import { pager } from '../pager.ts'
import { type BookLine, tellVerse } from '../tell/book.ts'
import { readByIds, topicOf } from '../tell/choice.ts'
import { gistOf, sectionPage } from '../tell/frame.ts'
import { BENCH, type Counts, countsBar, percent, RESULTS } from './section.ts'

const PAGE_SIZE = 50
const DOES = 'What reads worst comes first; few judgements count less.'

export const benchResultsPage: ExplorerPage = { path: RESULTS, title: 'Fit results', GET: show }

interface Result extends Counts {
  readonly phrase?: number
  readonly quadranym?: number
  readonly realm?: string
  readonly pairs?: number
  readonly agreement?: number | null
}

interface Found {
  readonly count: number
  readonly results: readonly Result[]
}

const TITLES: Readonly<Record<string, string>> = {
  phrase: 'Phrases by fit',
  quadranym: 'Quadranyms by fit',
  realm: 'Realms by fit',
  me: 'Your judgements',
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { query } = visit
  for (const kind of ['phrase', 'quadranym'] as const) {
    const id = query.get(kind)?.trim()
    if (id) return await showPairs(visit, kind, id)
  }
  const wanted = query.get('by')?.trim() ?? 'phrase'
  const by = Object.hasOwn(TITLES, wanted) ? wanted : 'phrase'
  if (by === 'me') return await showMine(visit)
  const [found, all] = await Promise.all([read(visit, `by=${by}`), read(visit, 'by=all')])
  if ('refused' in found) return found.refused
  const records = by === 'realm' ? new Map<string, Shown>() : await recordsOf(visit, by, found.results)
  const total = 'refused' in all ? undefined : all.results[0]
  return sectionPage(visit, BENCH, {
    title: TITLES[by] ?? '',
    does: DOES,
    beginning: undefined,
    here: by === 'phrase' ? RESULTS : `${RESULTS}?by=${by}`,
    faults: [],
    main: html`${total && totals(total)}
      ${found.results.length === 0 ? nothing() : resultTable(by, found.results, records)}
      ${pages(visit, found.count)} ${exports(`by=${by}`)}`,
  })
}

async function read(visit: ExplorerVisit, what: string): Promise<Found | { readonly refused: PageAnswer }> {
  const page = visit.query.get('page') ?? ''
  const path = `/api/fit/results/?${what}&page_size=${PAGE_SIZE}${what === 'by=all' ? '' : `&page=${encodeURIComponent(page)}`}`
  const { status, json } = await visit.ask(path)
  if (status === 200) return json
  return { refused: failure(visit, status, json) }
}

function failure(visit: ExplorerVisit, status: number, json: unknown): PageAnswer {
  return { status, page: renderError({ status, json, here: visit.path, user: visit.visitor?.name }, visit.kinds) }
}

function recordsOf(visit: ExplorerVisit, kind: string, results: readonly Result[]) {
  const ids = results.flatMap(({ phrase, quadranym }) => (kind === 'phrase' ? phrase : quadranym) ?? [])
  return readByIds(visit, kind, ids.map(String))
}

function totals({ yes, no, pairs, agreement }: Result): Content {
  return html`<p class="by">
    ${counted(yes + no, 'judgement')} of ${counted(pairs ?? 0, 'pair')}: ${countsBar({ yes, no })}.
    ${agreement === null ? 'No two people have judged the same pair yet.' : `Two people who judged the same pair agree in ${percent(agreement)} of the cases.`}
  </p>`
}

function nothing(): Content {
  return html`<div class="empty"><h2>Nothing is judged yet</h2><p class="chips"><a class="btn go" href="/bench/">Be the first</a></p></div>`
}

function resultTable(by: string, results: readonly Result[], records: ReadonlyMap<string, Shown>): Content {
  const heading = by === 'phrase' ? 'Phrase' : by === 'quadranym' ? 'Quadranym' : 'Realm'
  return html`<div class="wide">
    <table class="fits">
      <thead>
        <tr>
          <th scope="col">${label(by, heading)}</th>
          <th scope="col">Reads well</th>
          <th scope="col" class="number">Pairs</th>
          <th scope="col" class="number">Agreement</th>
        </tr>
      </thead>
      <tbody>
        ${results.map((result) => {
          const record = records.get(String(by === 'phrase' ? result.phrase : result.quadranym))
          return html`<tr>
            <th scope="row">${nameOf(by, result, record)}</th>
            <td>${countsBar(result)}</td>
            <td class="number">${result.pairs}</td>
            <td class="number">${percent(result.agreement)}</td>
          </tr>`
        })}
      </tbody>
    </table>
  </div>`
}

function nameOf(by: string, { realm, phrase, quadranym }: Result, record: Shown | undefined): Content {
  if (by === 'realm')
    return realm === '' ? 'no realm' : html`<a href=${`/bench/?realm=${encodeURIComponent(realm ?? '')}`}>${realm}</a>`
  const id = by === 'phrase' ? phrase : quadranym
  return html`<a href=${`${RESULTS}?${by}=${id}`}>${record?.['name'] ?? id}</a>
    ${by === 'phrase' && record && html` <span class="soft">${gistOf(record)}</span>`}`
}

/** The pairs of one phrase or one quadranym, told, those that read worst first. */
async function showPairs(visit: ExplorerVisit, kind: 'phrase' | 'quadranym', id: string): Promise<PageAnswer> {
  const record = (await readByIds(visit, kind, [id])).get(id)
  if (!record) return failure(visit, 404, { detail: `There is no ${kind} ${id}.` })
  const found = await read(visit, `by=pair&${kind}=${id}`)
  if ('refused' in found) return found.refused
  const other = kind === 'phrase' ? 'quadranym' : 'phrase'
  const others = [...(await recordsOf(visit, other, found.results)).values()]
  const [phrases, topics] = kind === 'phrase' ? [[record], others] : [others, [record]]
  const told = await tellVerse(visit, { phrases, topics, by: 'phrase' })
  const lines = new Map(
    ('stanzas' in told ? told.stanzas.flat() : []).map((line) => [
      String((kind === 'phrase' ? line.topic : line.phrase)[`${other}_id`]),
      line,
    ]),
  )
  const name = String(record['name'])
  const misfits = found.results.filter(({ yes, no }) => no > yes).length
  return sectionPage(visit, BENCH, {
    title: name,
    does:
      kind === 'phrase'
        ? 'The phrase, told with each quadranym that people judged it with.'
        : 'Each phrase that people judged, told with it.',
    beginning: undefined,
    here: '',
    faults: [],
    main: html`${kind === 'phrase' && html`<p class="text">${gistOf(record)}</p>`}
      <p class="chips">
        ${kind === 'phrase' && html`<a class="btn go" href=${`/make/phrase/${id}/`}>${misfits > 0 ? 'Edit it, so that it reads better' : 'Edit the phrase'}</a>`}
        <a class="btn" href=${`/bench/?${kind}=${id}`}>Judge it with others</a>
        <a class="btn" href=${`/${kind}/${id}/`}>${kind === 'phrase' ? 'The phrase' : 'The quadranym'}</a>
      </p>
      ${found.results.length === 0 ? nothing() : pairTable(found.results, lines, other)}
      ${pages(visit, found.count)} ${exports(`by=pair&${kind}=${id}`)}`,
  })
}

function pairTable(results: readonly Result[], lines: ReadonlyMap<string, BookLine>, other: string): Content {
  return html`<div class="wide">
    <table class="fits">
      <thead><tr><th scope="col">Told</th><th scope="col">With</th><th scope="col">Reads well</th></tr></thead>
      <tbody>
        ${results.map((result) => {
          const line = lines.get(String(other === 'phrase' ? result.phrase : result.quadranym))
          return (
            line &&
            html`<tr>
              <td class="sentence">${tokens(line.text, line.spans, () => topicOf(line.topic))}</td>
              <td>${recordLink(other, other === 'phrase' ? line.phrase : line.topic)} <span class="soft">${line.topic['realm']}</span></td>
              <td>${countsBar(result)}</td>
            </tr>`
          )
        })}
      </tbody>
    </table>
  </div>`
}

async function showMine(visit: ExplorerVisit): Promise<PageAnswer> {
  const here = `${RESULTS}?by=me`
  if (!visit.visitor) return { location: `/accounts/login/?next=${encodeURIComponent(here)}` }
  const [{ json: own }, { status, json }] = await Promise.all([
    visit.ask('/api/fit/results/?by=me'),
    visit.ask(`/api/fit/?page_size=${PAGE_SIZE}&page=${encodeURIComponent(visit.query.get('page') ?? '')}`),
  ])
  if (status !== 200) return failure(visit, status, json)
  const judged: readonly { phrase: number; quadranym: number; fits: boolean }[] = json.results
  const [phrases, topics] = await Promise.all([
    readByIds(
      visit,
      'phrase',
      judged.map(({ phrase }) => String(phrase)),
    ),
    readByIds(
      visit,
      'quadranym',
      judged.map(({ quadranym }) => String(quadranym)),
    ),
  ])
  const [mine]: readonly Result[] = own.results
  return sectionPage(visit, BENCH, {
    title: TITLES['me'] ?? '',
    does: 'Only you see these. Others see how many people say yes or no.',
    beginning: undefined,
    here,
    faults: [],
    main: html`<p class="by">
        ${counted(json.count, 'judgement')}${mine && html`: ${countsBar(mine)}. ${mine.agreement === null ? 'Nobody else has judged the same pairs yet.' : `Others agree with you in ${percent(mine.agreement)} of the cases.`}`}
      </p>
      ${json.count === 0 && nothing()}
      <ul class="hits">
        ${judged.map(({ phrase, quadranym, fits }) => {
          const [one, other] = [phrases.get(String(phrase)), topics.get(String(quadranym))]
          return (
            one &&
            other &&
            html`<li>
              ${recordLink('phrase', one)} <span class="soft">told with</span> ${recordLink('quadranym', other)}
              <b class=${fits ? 'fine' : 'bad'}>${fits ? 'reads well' : 'does not'}</b>
              <a class="soft" href=${`/bench/?phrase=${phrase}&quadranym=${quadranym}&at=${phrase}-${quadranym}`}>Change</a>
            </li>`
          )
        })}
      </ul>
      ${pages(visit, json.count)}
      <p class="meta">As a file: <a href="/api/fit/?format=csv">CSV</a> <a href="/api/fit/?format=ndjson">NDJSON</a></p>`,
  })
}

function pages(visit: ExplorerVisit, count: number): Content {
  const last = Math.ceil(count / PAGE_SIZE)
  const page = Math.max(1, Number(visit.query.get('page')) || 1)
  return pager(page, last, (to) => listAddress(RESULTS, visit.query, { page: to }))
}

function exports(what: string): Content {
  return html`<p class="meta">
    As a file: <a href=${`/api/fit/results/?${what}&format=csv`}>CSV</a> <a href=${`/api/fit/results/?${what}&format=ndjson`}>NDJSON</a>
    All pairs: <a href="/api/fit/results/?by=pair&format=csv">CSV</a>
  </p>`
}
