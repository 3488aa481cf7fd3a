/** /posters/: sets to print on a sheet of A4. */
import type { PageAnswer } from '../../../http/index.ts'
import { COMPARE_STYLE, SHARE } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Kinds } from '../../kinds/index.ts'
import { sharePanel } from '../../share/panel.ts'
import { inShort, recordPicture, type Shared } from '../../share/shared.ts'
import { visitPage } from '../../visit-page.ts'
import { findSets } from '../compare/find-sets.ts'
import { COLUMNS, DEPTHS, POSTERS, posterQuery, ROWS, sheetsUpTo } from './poster-state.ts'
import { type ReadPoster, readPoster } from './read-poster.ts'

const DOES =
  'A set as a poster to print: the words of a polynym as a pattern, a quadranym with its words opened, or many sets on one sheet.'

export function posterPages({ find }: Kinds): readonly ExplorerPage[] {
  return find('polynym') && find('quadranym')
    ? [
        { path: POSTERS, title: 'Posters', GET: show },
        { path: `${POSTERS}random/`, title: 'A random poster', GET: pick },
      ]
    : []
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const { kinds, base, query } = visit
  const wanted = query.get('set')?.trim() ?? ''
  const read = wanted === '' ? undefined : await readPoster(visit)
  const shared = read && sharedPoster(read)
  const finder = await findSets(visit, {
    action: POSTERS,
    kinds: kinds.all.filter(({ isCompared, draw }) => isCompared && draw),
    label: 'A set for a poster',
    next: (kind, record) => `${POSTERS}?set=${kind.name}:${record[`${kind.name}_id`]}`,
  })
  const title = read ? `${read.name}, a poster` : 'Posters'
  const main = html`<div class="posters">
    <p class="kind">${read ? html`<a href=${POSTERS}>Posters</a>` : 'Posters'}</p>
    <h1 class=${title.length > 40 ? 'long' : undefined} dir="auto">${title}</h1>
    <p class="does">${DOES}</p>
    ${wanted !== '' && !read && html`<p class="note bad" role="alert">There is no set ${wanted} to print.</p>`}
    ${read && html`<div class="postered">${poster(read)}${beside(read)}</div>`}
    <section>
      <h2>${read ? 'Another set' : 'Begin with a set'}</h2>
      ${finder}
      <p class="chips"><a class="btn" rel="nofollow" href=${`${POSTERS}random/`}>One at random</a></p>
    </section>
    ${!read && (await ofTheDay(visit))}
    ${shared && sharePanel({ base, shared })}
  </div>`
  return {
    page: visitPage(visit, {
      title: read ? title : 'Posters',
      part: 'sets',
      description: read ? inShort(read.label) : DOES,
      shared,
      styles: [COMPARE_STYLE],
      scripts: shared ? [SHARE] : [],
      main,
    }),
  }
}

/** One of each kind that has a shape of its own. */
const SAMPLED = ['polynym', 'quadranym', 'quadraset']

async function ofTheDay(visit: ExplorerVisit): Promise<Content> {
  const records = await Promise.all(SAMPLED.map((name) => visit.ask(`/api/${name}/daily/`, { isOptional: true })))
  const samples = SAMPLED.flatMap((name, at) => {
    const record = records[at]?.status === 200 ? records[at].json : undefined
    return record ? [{ kind: visit.kinds.get(name), record, set: `${name}:${record[`${name}_id`]}` }] : []
  })
  if (samples.length === 0) return undefined
  return html`<section>
    <h2>Posters of the day</h2>
    <ul class="sheets">
      ${samples.map(
        ({ kind, record, set }) => html`<li>
          <a href=${`${POSTERS}?set=${set}`}>
            <img src=${`/posters.svg?set=${set}`} alt="" loading="lazy" width="210" height="297" />
            <span dir="auto">${kind.nameOf(record)}</span>
          </a>
          <span class="soft">${kind.one.toLowerCase()}</span>
        </li>`,
      )}
    </ul>
  </section>`
}

function poster({ state, label, isLying }: ReadPoster): Content {
  const file = `/posters.svg?${posterQuery(state)}`
  return html`<figure class=${isLying ? 'poster lying' : 'poster'}><a href=${file}><img src=${file} alt=${inShort(label)} /></a></figure>`
}

/** What to do with it, and how it is drawn. */
function beside(read: ReadPoster): Content {
  const { kind, id } = read.state
  const file = `/posters.svg?${posterQuery(read.state)}`
  return html`<div>
    <p class="chips">
      <button class="btn go" type="button" data-print hidden>Print it</button>
      <a class="btn" href=${file} download=${`nymdex-${kind.name}-${id}.svg`}>Download the SVG</a>
      <a class="btn" href=${`/${kind.name}/${id}/`}>The ${kind.one.toLowerCase()}</a>
    </p>
    <p class="soft">If you print this page, only the poster is printed, on a sheet of A4.</p>
    ${settings(read)}
  </div>`
}

function settings({ state, sheets }: ReadPoster): Content {
  const { kind, id, columns, rows, isNamed, depth, sheet } = state
  const choices = [
    ...(kind.name === 'polynym'
      ? [choice('columns', 'Columns', COLUMNS, columns, asMany), choice('rows', 'Rows', ROWS, rows, asMany)]
      : []),
    ...(kind.name === 'quadranym' ? [choice('depth', 'Words opened', DEPTHS, depth, asSteps)] : []),
    ...(sheets > 1 ? [choice('sheet', 'Sheet', sheetsUpTo(sheets), sheet, (each) => `${each} of ${sheets}`)] : []),
    choice('name', 'The name above', ['yes', 'no'], isNamed ? 'yes' : 'no', String),
  ]
  return html`<form class="fields" action=${POSTERS}>
    <input type="hidden" name="set" value=${`${kind.name}:${id}`} />
    ${choices}
    <button class="btn" type="submit">Draw it</button>
  </form>`
}

function asMany(count: number): string {
  return count === 0 ? 'as many as words' : String(count)
}

function asSteps(count: number): string {
  return count === 0 ? 'none' : count === 1 ? 'once' : `${count} times`
}

function choice<T extends string | number>(
  name: string,
  label: string,
  values: readonly T[],
  chosen: T,
  text: (value: T) => string,
): Content {
  return html`<label for=${name}>${label}</label>
    <select id=${name} name=${name}>
      ${values.map((value) => html`<option value=${value} selected=${value === chosen}>${text(value)}</option>`)}
    </select>`
}

function sharedPoster({ state, label }: ReadPoster): Shared {
  return {
    address: `${POSTERS}?${posterQuery(state)}`,
    picture: recordPicture(state.kind.name, Number(state.id)),
    alt: inShort(label),
    text: inShort(label, 1000),
    isEmbeddable: false,
  }
}

async function pick(visit: ExplorerVisit): Promise<PageAnswer> {
  const kind = Math.random() < 0.5 ? 'polynym' : 'quadranym'
  const { status, json } = await visit.ask(`/api/${kind}/random/`)
  return { location: status === 200 ? `${POSTERS}?set=${kind}:${json[`${kind}_id`]}` : POSTERS }
}
