/** JSON for people: coloured by type, folded if it is long, with a link for every address and id. */
import { type Content, html } from '../html.ts'

/** Embedded records are folded at first if there are many. */
const OPEN_LEVELS = 3
const LONG_LIST = 12

export function colouredJson(json: string): Content {
  return html`<code>${value(JSON.parse(json), undefined, 0)}</code>`
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

function value(given: Json, member: string | undefined, level: number): Content {
  if (given === null) return html`<span class="j-null">null</span>`
  if (Array.isArray(given)) return list(given, level)
  if (typeof given === 'object') return object(given as { readonly [member: string]: Json }, level)
  if (typeof given === 'string') return text(given)
  const shown = html`<span class=${typeof given === 'number' ? 'j-number' : 'j-null'}>${String(given)}</span>`
  const [, collection] = /^([a-z-]+)_id$/.exec(member ?? '') ?? []
  return collection && typeof given === 'number' ? html`<a href=${`/api/${collection}/${given}/`}>${shown}</a>` : shown
}

function text(given: string): Content {
  const written = JSON.stringify(given)
  if (!/^https?:\/\/[^\s"\\]+$/.test(given)) return html`<span class="j-text">${written}</span>`
  return html`<span class="j-text">"<a href=${given} rel="noopener">${written.slice(1, -1)}</a>"</span>`
}

function object(given: { readonly [member: string]: Json }, level: number): Content {
  const members = Object.entries(given)
  if (members.length === 0) return '{}'
  return folded('{', '}', level <= OPEN_LEVELS, `${members.length} members`, () =>
    members.map(
      ([member, inner], i) =>
        html`<div>
          <span class="j-member">"${member}"</span>: ${value(inner, member, level + 1)}${i < members.length - 1 ? ',' : ''}
        </div>`,
    ),
  )
}

function list(given: readonly Json[], level: number): Content {
  if (given.length === 0) return '[]'
  const isShort = given.every((each) => typeof each !== 'object') && given.length <= LONG_LIST
  if (isShort) {
    return html`[${given.map((each, i) => html`${i > 0 ? ', ' : ''}${value(each, undefined, level + 1)}`)}]`
  }
  const open = level <= 1 || given.length <= LONG_LIST
  return folded('[', ']', open && level <= OPEN_LEVELS, `${given.length} items`, () =>
    given.map((each, i) => html`<div>${value(each, undefined, level + 1)}${i < given.length - 1 ? ',' : ''}</div>`),
  )
}

function folded(begin: string, end: string, open: boolean, holds: string, inner: () => Content): Content {
  return html`<details open=${open}>
      <summary>${begin}<span class="j-holds"> ${holds} ${end}</span></summary>
      <div class="j-inner">${inner()}</div>
    </details><span class="j-end">${end}</span>`
}
