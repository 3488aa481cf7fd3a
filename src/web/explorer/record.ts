/** A page for each record: its picture, what it says, where it is used; and what can be done with it. */
import type { ApiAnswer, PageAnswer, PageRoute, Visit } from '../../http/index.ts'
import { renderError } from '../error.ts'
import { html } from '../html.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import { layout } from '../layout.ts'
import { inPage } from '../pictures/index.ts'
import { hereOf } from './addresses.ts'
import { actions, head, mayChange } from './record/head.ts'
import { bodies } from './record/index.ts'
import { servePicture } from './record/picture.ts'
import { askToRemove, remove } from './record/remove.ts'
import { showUses, usedIn } from './record/uses.ts'
import { vote } from './record/vote.ts'

export const recordPages: readonly PageRoute[] = Object.entries(kinds).flatMap(([name, kind]): PageRoute[] => [
  { path: `/${name}/:id/`, title: kind.title, GET: (visit) => show(visit, name, kind) },
  {
    path: `/${name}/:id/delete/`,
    title: `Delete ${kind.title}`,
    GET: (visit) => askToRemove(visit, name),
    POST: (visit) => remove(visit, name),
  },
  ...(kind.liked
    ? [
        {
          path: `/${name}/:id/vote/`,
          title: `Like ${kind.title}`,
          GET: backToRecord,
          POST: (visit: Visit) => vote(visit, name),
        },
      ]
    : []),
  ...(kind.draw
    ? [
        {
          path: `/${name}/:id`,
          title: `${kind.title} Picture`,
          GET: (visit: Visit) => servePicture(visit, name, kind.draw!),
        },
      ]
    : []),
  ...(usedIn(name)
    ? [{ path: `/${name}/:id/uses/`, title: `${kind.title} Uses`, GET: (visit: Visit) => showUses(visit, name) }]
    : []),
])

/** Who comes back to the address of a form that was sent from here wants to see the record. */
function backToRecord({ path }: Visit): PageAnswer {
  return { location: path.slice(0, path.lastIndexOf('/', path.length - 2) + 1) }
}

async function show(visit: Visit, name: string, kind: Kind): Promise<PageAnswer> {
  const { places, visitor, path } = visit
  const asked: ApiAnswer = await visit.ask(`/api/${name}/${encodeURIComponent(places['id']!)}/`)
  const { status, json: record } = asked
  if (status !== 200) return { status, page: renderError({ status, json: record, here: path, user: visitor?.name }) }
  const [body, may] = await Promise.all([bodies[name]!(visit, record), mayChange(visit, name, record)])
  const drawing = kind.draw?.(record)
  const figure = body.figure !== false && drawing
  const main = html`<article class=${figure ? 'record pictured' : 'record'}>
    <div class="head">${head(name, kind, record)} ${actions(visit, name, kind, record, { may, drawing })}</div>
    ${figure && html`<figure class="card picture">${inPage(figure)}</figure>`}
    ${body.beside && html`<div class="said">${body.beside}</div>`}
    ${body.below && html`<div class="below">${body.below}</div>`}
  </article>`
  const title = kind.nameOf(record)
  return {
    page: layout({
      title: `${title} · ${kind.title}`,
      description: drawing?.label.slice(0, 300),
      user: visitor?.name,
      here: hereOf(visit),
      base: visit.base,
      part: kind.part,
      main,
      scripts: body.scripts ?? [],
    }),
  }
}
