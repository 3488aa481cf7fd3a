/**
 * JSON for people: coloured by type, folded if it is long, with a link for every address and id. It is written as text
 * with short elements: a list has thousands of values, and a page must stay small.
 */

/** Embedded records are folded at first if there are many. */
const OPEN_LEVELS = 3
const LONG_LIST = 12

/** HTML, in which every value is escaped. */
export function colouredJson(json: string): string {
  return `<code>${value(JSON.parse(json), undefined, 0)}</code>`
}

type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json }

function value(given: Json, member: string | undefined, level: number): string {
  if (given === null) return '<em>null</em>'
  if (isList(given)) return list(given, level)
  if (typeof given === 'object') return object(given, level)
  if (typeof given === 'string') return text(given)
  if (typeof given === 'boolean') return `<em>${given}</em>`
  const [, collection] = /^([a-z-]+)_id$/.exec(member ?? '') ?? []
  return collection ? `<a href="/api/${collection}/${given}/"><i>${given}</i></a>` : `<i>${given}</i>`
}

function isList(given: Json): given is readonly Json[] {
  return Array.isArray(given)
}

function text(given: string): string {
  const written = escaped(JSON.stringify(given))
  if (!/^https?:\/\/[^\s"\\]+$/.test(given)) return `<span>${written}</span>`
  const rel = given.includes('?') ? 'noopener nofollow' : 'noopener'
  return `<span>"<a href="${escaped(given).replaceAll('"', '&quot;')}" rel="${rel}">${written.slice(1, -1)}</a>"</span>`
}

/** For the content of an element, where quotes mean nothing. */
function escaped(given: string): string {
  return given.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function object(given: { readonly [member: string]: Json }, level: number): string {
  const members = Object.entries(given)
  if (members.length === 0) return '{}'
  const last = members.length - 1
  const inner = members.map(([member, held], i) => {
    const name = escaped(JSON.stringify(member))
    return `<div><b>${name}</b>: ${value(held, member, level + 1)}${i < last ? ',' : ''}</div>`
  })
  return folded('{', '}', level <= OPEN_LEVELS, { holds: `${members.length} members`, inner })
}

function list(given: readonly Json[], level: number): string {
  if (given.length === 0) return '[]'
  const isShort = given.every((each) => typeof each !== 'object') && given.length <= LONG_LIST
  const items = given.map((each) => value(each, undefined, level + 1))
  if (isShort) return `[${items.join(', ')}]`
  const isOpen = (level <= 1 || given.length <= LONG_LIST) && level <= OPEN_LEVELS
  const inner = items.map((item, i) => `<div>${item}${i < items.length - 1 ? ',' : ''}</div>`)
  return folded('[', ']', isOpen, { holds: `${given.length} items`, inner })
}

function folded(
  begin: string,
  end: string,
  isOpen: boolean,
  { holds, inner }: { readonly holds: string; readonly inner: readonly string[] },
): string {
  const summary = `<summary>${begin}<span class="j-holds"> ${holds} ${end}</span></summary>`
  return `<details${isOpen ? ' open' : ''}>${summary}<div class="j-inner">${inner.join('')}</div></details><span class="j-end">${end}</span>`
}
