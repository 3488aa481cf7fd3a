/** What visitors get who may not use a form: a page that says why, and what they can do instead. */
import type { PageAnswer } from '../../../http/index.ts'
import { hereOf } from '../../addresses.ts'
import { renderError } from '../../error.ts'
import { ETAG } from '../../etag-field.ts'
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, MadeKind, Shown } from '../../kinds/index.ts'
import { visitPage } from '../../visit-page.ts'
import type { Refused } from './form-state.ts'
import type { Line } from './lines.ts'
import type { Opened } from './opened.ts'
import type { Values } from './values.ts'

export function failure(visit: ExplorerVisit, { status, json }: { status: number; json: unknown }): PageAnswer {
  return { status, page: renderError({ status, json, here: hereOf(visit), user: visit.visitor?.name }, visit.kinds) }
}

export function signInFirst(visit: ExplorerVisit, kind: MadeKind, record?: Shown): PageAnswer {
  const { title, about } = kind.form
  const next = encodeURIComponent(hereOf(visit))
  return state(visit, 401, kind, {
    title: record ? `Sign in to change it` : `Sign in to make a ${title.toLowerCase()}`,
    says: record ? 'Only its owner may change it.' : about,
    ways: html`<a class="btn go" href=${`/accounts/login/?next=${next}`}>Sign in</a>
      <a class="btn" href=${`/accounts/signup/?next=${next}`}>I need an account</a>`,
  })
}

export function notYours(visit: ExplorerVisit, kind: MadeKind, record: Shown): PageAnswer {
  const owner = kind.owner && record[kind.owner] ? `It belongs to ${record[kind.owner]}.` : 'Somebody else made it.'
  return state(visit, 403, kind, {
    title: 'You cannot change this',
    says: `${owner} You can make one of your own from it.`,
    ways: html`<a class="btn go" href=${`/make/${kind.name}/?from=${record[`${kind.name}_id`]}`}>Make one like it</a>
      <a class="btn" href=${kind.addressOf(record)}>Back to the record</a>`,
  })
}

function state(
  visit: ExplorerVisit,
  status: number,
  kind: MadeKind,
  view: { title: string; says: string; ways: Content },
): PageAnswer {
  const main = html`<div class="state">
    <p class="kind">${kind.form.title}</p>
    <h1>${view.title}</h1>
    <p>${view.says}</p>
    <p class="chips">${view.ways}</p>
  </div>`
  return {
    status,
    page: visitPage(visit, { title: view.title, part: 'make', main }),
  }
}

const LONGEST_ADDRESS = 6000

/** What the visitor has written. */
interface Written {
  readonly kind: MadeKind
  readonly values: Values
  readonly lines: readonly Line[] | undefined
  readonly opened?: Opened | undefined
}

/** The page keeps what was written, and so does the address to return to. */
export function refusal(
  visit: ExplorerVisit,
  { status, detail, isOthers }: Refused,
  { kind, values, lines = [], opened }: Written,
): Content {
  const written = lines.flatMap(({ phrase, quadranym }) => [
    ['line_phrase', phrase],
    ['line_quadranym', quadranym],
  ])
  const filled = [...Object.entries(values).filter(([, value]) => value !== ''), ...written]
  if (status !== 401) {
    const own = `/make/${kind.name}/?${new URLSearchParams(filled)}`
    return html`<p class="note bad" role="alert" data-signed-out=${isOthers}>
      ${inOurWords(detail)}
      ${isOthers && own.length <= LONGEST_ADDRESS && html`<a href=${own}>Make one of your own from it</a>`}
    </p>`
  }
  const version = opened ? [[ETAG, opened.etag]] : []
  const back = `${visit.path}?${new URLSearchParams([...filled, ...version])}`
  const next = encodeURIComponent(back.length <= LONGEST_ADDRESS ? back : visit.path)
  return html`<p class="note bad" role="alert" data-signed-out>
    You are no longer signed in; nothing is lost. <a href=${`/accounts/login/?next=${next}`}>Sign in and come back</a>
  </p>`
}
