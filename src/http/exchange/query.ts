/** The query of a request. Links repeat it in the spelling that Django REST framework's clients know. */
import { problems } from '../../engine/index.ts'
import { holdsMore, LIMITS } from './wire-limits.ts'

export class Query {
  /** As sent, without the question mark. */
  readonly raw: string
  /** Every parameter, in the order given. */
  readonly pairs: readonly (readonly [string, string])[]

  constructor(search: string) {
    if (holdsMore(search, '&', LIMITS.members - 1)) {
      throw problems.badRequest(`The query has more than ${LIMITS.members} parameters.`)
    }
    this.raw = search
    this.pairs = search === '' ? [] : readPairs(search)
  }

  /** If a parameter is repeated, the last one counts. */
  get(name: string): string | undefined {
    return this.pairs.findLast(([key]) => key === name)?.[1]
  }

  /** Every value of a parameter. */
  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value)
  }

  /** The same query with one parameter set once; keys sorted, repeats and blanks kept. */
  with(name: string, value: string | number): string {
    return this.withEach(name)(value)
  }

  /** The same for several values. */
  withEach(name: string): (value: string | number) => string {
    const pairs = this.pairs
      .filter(([key]) => key !== name)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, content]) => ({ key, text: `${encode(key)}=${encode(content)}` }))
    const place = pairs.findIndex(({ key }) => key > name)
    const [before, after] = place < 0 ? [pairs, []] : [pairs.slice(0, place), pairs.slice(place)]
    const start = before.map(({ text }) => `${text}&`).join('') + encode(name)
    const end = after.map(({ text }) => `&${text}`).join('')
    return (value) => `${start}=${encode(String(value))}${end}`
  }
}

function readPairs(search: string): (readonly [string, string])[] {
  // The first & keeps a question mark inside the query from being taken for the one before it.
  const pairs = [...new URLSearchParams(`&${search}`)]
  return MAY_BE_BROKEN.test(search) ? pairs.map(withBreaks(search)) : pairs
}

const MAY_BE_BROKEN = /%(?![0-7][0-9a-f])/i
const REPLACED = '\ufffd'
/** No valid text contains half a surrogate pair, so readers of the value refuse it; links show its replacement. */
const BROKEN = '\ud800'

/** Marks values that are not percent-encoded UTF-8; a value that is never read does no harm. */
function withBreaks(search: string) {
  const pieces = search.split('&').filter((piece) => piece !== '')
  return ([name, value]: [string, string], i: number): [string, string] => {
    const [, ...values] = (pieces[i] ?? '').split('=')
    try {
      for (const each of values) decodeURIComponent(each)
      return [name, value]
    } catch {
      return [name, value.includes(REPLACED) ? value.replaceAll(REPLACED, BROKEN) : value + BROKEN]
    }
  }
}

/** Like Python's quote_plus: only letters, digits and _.-~ stay as they are. */
function encode(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
