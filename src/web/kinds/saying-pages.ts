/** Pages of sayings: the text with its tokens, other ways to tell it, and where its quadranyms lead. */
import type { ApiAnswer, PageAnswer } from '../../http/index.ts'
import { SHARE, TURN_PANEL } from '../assets.ts'
import { renderError } from '../error.ts'
import { etagField, etagOfForm } from '../etag-field.ts'
import { hideButton } from '../hide-button.ts'
import { lastChange } from '../history/last-change.ts'
import { missing } from '../history/missing.ts'
import { type Content, html } from '../html.ts'
import { label } from '../label.ts'
import { layout } from '../layout.ts'
import { byMaker, makerOf } from '../maker.ts'
import { sharePanel } from '../share/panel.ts'
import { sharedSaying } from '../share/record-shared.ts'
import { credited, sourceOf } from '../texts/author.ts'
import { SLOTS, type Topic, termOf } from '../texts/tokens.ts'
import { turnPanel } from '../texts/turn-panel.ts'
import { ownTopics } from '../texts/turning.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from './kind.ts'

/** A kind of sayings, and the other kind that its quadranyms lead to. */
interface SayingKind {
  readonly name: string
  readonly title: string
  readonly other: { readonly kind: string; readonly by: string }
}

/** Texts that share a quadranym: for how many quadranyms, and how many texts for each. */
const FOLLOWED = 1
const SHOWN = 3

export function sayingPages(kind: SayingKind): readonly ExplorerPage[] {
  const { name, title } = kind
  return [
    { path: `/${name}/:id/`, title, GET: (visit) => show(visit, kind) },
    {
      path: `/${name}/:id/delete/`,
      title: `Delete ${title}`,
      GET: (visit) => askToDelete(visit, name),
      POST: (visit) => remove(visit, name),
    },
  ]
}

function failure(visit: ExplorerVisit, { status, json }: { status: number; json: unknown }): PageAnswer {
  const { path, visitor } = visit
  const back = status !== 404 && path.endsWith('/delete/') ? path.replace(/delete\/$/, '') : undefined
  return { status, page: renderError({ status, json, here: path, user: visitor?.name, back }, visit.kinds) }
}

function apiPath({ places }: ExplorerVisit, kind: string): string {
  return `/api/${kind}/${encodeURIComponent(places['id']!)}/`
}

async function show(visit: ExplorerVisit, { name: kind, title: called, other }: SayingKind): Promise<PageAnswer> {
  const { visitor, query, path } = visit
  const asked = await visit.ask(apiPath(visit, kind))
  if (asked.status !== 200) return await missing(visit, kind, asked)
  const record: Shown = asked.json
  const own = ownTopics(record)
  const id = record[`${kind}_id`]
  const making = makerOf(visit, visit.kinds.get(kind), record)
  const [turned, mayEdit, elsewhere, changed, maker] = await Promise.all([
    turnPanel(visit, kind, record),
    mayChange(visit, kind),
    textsWith(visit, other, own.slice(0, FOLLOWED)),
    lastChange(visit, { resource: kind, id }, making),
    making,
  ])
  const here = query.raw ? `${path}?${query.raw}` : path
  const by = turned.attribution ?? ''
  const origin = sourceOf(record)
  const shared = sharedSaying(visit, kind, record, turned)
  const title = [shortened(turned.text), by].filter(Boolean).join(' · ')
  const main = html`<article class="telling">
      <div>
        <h1 class="kind">${label(kind, called)}</h1>
        ${turned.told}
        ${turned.attribution && html`<p class="by" data-turn="attribution">${credited(turned.attribution)}</p>`}
        ${!turned.attribution && origin && html`<p class="by">More from ${credited(origin)}</p>`}
        ${(maker || changed) && html`<p class="meta">${byMaker(maker)} ${changed}</p>`}
        ${turned.views} ${sharePanel({ base: visit.base, shared })}
      </div>
      ${turned.panel ?? html`<p class="soft">None of its words is marked yet. <a href=${`/annotate/?${kind}=${id}`}>Mark them</a></p>`}
    </article>
    <ul class="meta actions">
      ${
        mayEdit &&
        html`<li><a href=${`/annotate/?${kind}=${id}`}>Mark its words</a></li>
        <li><a href=${`/make/${kind}/${id}/`}>Edit</a></li>
        <li><a href=${`/${kind}/${id}/delete/`}>Delete</a></li>`
      }
      <li><a href=${`/make/${kind}/?from=${id}`}>Make another like it</a></li>
      <li><a href=${`/api/${kind}/${id}/?format=json`}>JSON</a></li>
      <li><a data-turn="plain" href=${`/api/${kind}/${id}/spin/?${turned.spun}format=txt`}>Plain text</a></li>
      <li><a href=${`/report/${kind}/${id}/`}>Report</a></li>
      ${visitor?.staff && html`<li>${hideButton(visit, { resource: kind, id }, { className: 'btn small' })}</li>`}
    </ul>
    ${own.length > 0 && html`<h2>Its ${label('topic', 'topics')}</h2><ul class="grid">${own.map(topicCard)}</ul>`}
    ${elsewhere}`
  return {
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title,
      description: [shortened(turned.text, 200), by].filter(Boolean).join(' -- '),
      user: visitor?.name,
      here,
      base: visit.base,
      part: 'texts',
      shared,
      main,
      scripts: [TURN_PANEL, SHARE],
    }),
  }
}

export function shortened(text: string, most = 60): string {
  const flat = text.replaceAll(/\s+/g, ' ').trim()
  const letters = [...flat]
  return letters.length <= most
    ? flat
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** The API says whether the visitor may: fortunes and quotes do not show their owner. */
async function mayChange(visit: ExplorerVisit, kind: string): Promise<boolean> {
  if (!visit.visitor) return false
  const { json } = await visit.ask(apiPath(visit, kind), { method: 'OPTIONS' })
  return json?.actions?.PUT !== undefined
}

function topicCard(topic: Topic): Content {
  return html`<li><div class="card">
    <h3><a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a></h3>
    <p class="terms">${['e', 'r', 'o', 's'].map((slot) => {
      const term = termOf(topic, slot)
      if (!/[^\s_]/.test(term)) return undefined
      return html`<a class=${slot} href=${`/word/${encodeURIComponent(term)}/`} data-tip=${SLOTS[slot]}>${term}</a> `
    })}</p>
  </div></li>`
}

/** From a fortune to quotes, from a quote to fortunes: the page of a quadranym has all of them. */
async function textsWith(
  visit: ExplorerVisit,
  { kind, by }: SayingKind['other'],
  topics: readonly Topic[],
): Promise<Content> {
  const found = await Promise.all(
    topics.map(({ quadranym_id }) => visit.ask(`/api/${kind}/?${by}=${quadranym_id}&page_size=${SHOWN}`)),
  )
  // A topic may have been deleted meanwhile.
  const lists = found.map(({ json }): readonly Shown[] => json.results ?? [])
  if (lists.every((texts) => texts.length === 0)) return undefined
  return html`<h2>Said with the same words</h2>
    ${topics.map(({ name, quadranym_id }, i) => {
      const texts = lists[i]!
      if (texts.length === 0) return undefined
      return html`<h3 class="of">with <a href=${`/quadranym/${quadranym_id}/`}>${name}</a></h3>
        <ul class="sayings">
          ${texts.map((text) => html`<li><a href=${`/${kind}/${text[`${kind}_id`]}/`}>${shortened(text['body'], 120)}</a>${text['src'] && html` <span class="soft">${credited(text['src'])}</span>`}</li>`)}
        </ul>`
    })}`
}

async function askToDelete(visit: ExplorerVisit, kind: string, refused?: ApiAnswer): Promise<PageAnswer> {
  const asked = await visit.ask(apiPath(visit, kind))
  if (asked.status !== 200) return failure(visit, asked)
  if (!visit.visitor) {
    return failure(visit, { status: 401, json: { detail: `Sign in to delete this ${kind}.` } })
  }
  if (!(await mayChange(visit, kind))) {
    return failure(visit, {
      status: 403,
      json: { detail: `This ${kind} belongs to someone else. Only its owner can delete it.` },
    })
  }
  const back = `/${kind}/${asked.json[`${kind}_id`]}/`
  const main = html`<div class="state">
    <p class="kind">Delete ${kind}</p>
    <h1>Delete it?</h1>
    ${refused && html`<p class="note bad" role="alert">${refused.json.detail}</p>`}
    <p class="text">${asked.json['body']}</p>
    <p>Its history stays, and you can bring it back from there.</p>
    <form class="chips" method="post" action=${visit.path}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} /> ${etagField(String(asked.headers['ETag']))}
      <button class="btn danger" type="submit">Delete</button>
      <a class="btn" href=${back}>Keep it</a>
    </form>
  </div>`
  return {
    status: refused?.status ?? 200,
    page: layout({
      kinds: visit.kinds,
      csrf: visit.csrf,
      title: `Delete ${kind}`,
      user: visit.visitor.name,
      here: visit.path,
      part: 'texts',
      main,
    }),
  }
}

async function remove(visit: ExplorerVisit, kind: string): Promise<PageAnswer> {
  const ifMatch = etagOfForm(await visit.form())
  const asked = await visit.ask(apiPath(visit, kind), { method: 'DELETE', ifMatch })
  if (asked.status === 204) {
    const place = { resource: kind, id: Number(visit.places['id']) }
    return { location: '/texts/', message: { code: 'deleted', place } }
  }
  if (asked.status === 409 || asked.status === 412) return await askToDelete(visit, kind, asked)
  return failure(visit, asked)
}

/** On the form of a saying. */
export function annotatorHint(): Content {
  return html` <a href="/annotate/">The annotator</a> marks words by click.`
}
