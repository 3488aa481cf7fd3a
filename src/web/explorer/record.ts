/** A page for each record: its picture, its text, where it is used, and what can be done with it. */
import type { ApiAnswer, PageAnswer } from '../../http/index.ts'
import { hereOf, termAddress } from '../addresses.ts'
import { RECORD, SHARE } from '../assets.ts'
import { lastChange } from '../history/last-change.ts'
import { missing } from '../history/missing.ts'
import { html } from '../html.ts'
import type { ExplorerPage, ExplorerVisit, Kind, Kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { makerOf } from '../maker.ts'
import { inPage } from '../pictures/index.ts'
import { sharedRecord } from '../share/record-shared.ts'
import { actions, head, mayChange } from './record/head.ts'
import { askToRemove, remove } from './record/remove.ts'
import { showUses, usesOf } from './record/uses.ts'
import { vote } from './record/vote.ts'

const pagesOf = (name: string, kind: Kind): ExplorerPage[] => [
  { path: `/${name}/:id/`, title: kind.one, GET: (visit) => show(visit, name, kind) },
  {
    path: `/${name}/:id/delete/`,
    title: `Delete ${kind.one}`,
    GET: (visit) => askToRemove(visit, name),
    POST: (visit) => remove(visit, name),
  },
  ...(kind.liked
    ? [
        {
          path: `/${name}/:id/vote/`,
          title: `Like ${kind.one}`,
          GET: backToRecord,
          POST: (visit: ExplorerVisit) => vote(visit, name),
        },
      ]
    : []),
  ...(kind.uses.length > 0
    ? [{ path: `/${name}/:id/uses/`, title: `${kind.one} Uses`, GET: (visit: ExplorerVisit) => showUses(visit, kind) }]
    : []),
]

export function recordPages({ all }: Kinds): readonly ExplorerPage[] {
  return all.flatMap((kind) => (kind.lineOf ? [linePage(kind)] : (kind.pages ?? pagesOf(kind.name, kind))))
}

/** A line is shown on the page of the record that it belongs to. */
function linePage(kind: Kind): ExplorerPage {
  return {
    path: `/${kind.name}/:id/`,
    title: kind.one,
    async GET(visit) {
      const asked = await visit.ask(`/api/${kind.name}/${encodeURIComponent(visit.places['id']!)}/`)
      if (asked.status !== 200) return await missing(visit, kind.name, asked)
      return { location: `${kind.addressOf(asked.json)}#lines` }
    },
  }
}

/** A visitor who returns to the address of a form that was sent from here wants to see the record. */
function backToRecord({ path }: ExplorerVisit): PageAnswer {
  return { location: path.slice(0, path.lastIndexOf('/', path.length - 2) + 1) }
}

async function show(visit: ExplorerVisit, name: string, kind: Kind): Promise<PageAnswer> {
  const { places, visitor } = visit
  const asked: ApiAnswer = await visit.ask(`/api/${name}/${encodeURIComponent(places['id']!)}/`)
  const { status, json: record } = asked
  if (status !== 200) return await missing(visit, name, asked)
  const uses = usesOf(visit, kind, record)
  const making = makerOf(visit, kind, record)
  const [body, may, changed, maker] = await Promise.all([
    kind.body(visit, record, uses),
    mayChange(visit, name, record),
    lastChange(visit, { resource: name, id: record[`${name}_id`] }, making),
    making,
    uses,
  ])
  const drawing = kind.draw?.(record, termAddress)
  const figure = body.figure !== false && drawing
  const shared = sharedRecord(visit, kind, record, { drawing, told: body.told })
  const main = html`<article class=${figure ? 'record pictured' : 'record'}>
    <div class="head">${head(name, kind, record, changed, maker)} ${actions(visit, name, kind, record, { may, shared })}</div>
    ${figure && html`<figure class="card picture">${inPage(figure)}</figure>`}
    ${body.beside && html`<div class="said">${body.beside}</div>`}
    ${body.below && html`<div class="below">${body.below}</div>`}
  </article>`
  const title = kind.nameOf(record)
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: `${title} · ${kind.one}`,
      description: shared.alt,
      shared,
      user: visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: kind.part,
      main,
      scripts: [...new Set([...(body.scripts ?? []), ...(visitor && kind.liked ? [RECORD] : []), SHARE])],
    }),
  }
}
