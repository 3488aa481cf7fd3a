/** The query of a request. Links repeat it in the spelling that Django REST framework's clients know. */

export class Query {
  /** As sent, without the question mark. */
  readonly raw: string
  /** Every parameter, in the order given. */
  readonly pairs: readonly (readonly [string, string])[]

  constructor(search: string) {
    this.raw = search
    // The first & keeps a question mark of the query's own from being taken for the one before it.
    this.pairs = [...new URLSearchParams(`&${search}`)]
  }

  /** Of a repeated parameter the last one counts. */
  get(name: string): string | undefined {
    return this.pairs.findLast(([key]) => key === name)?.[1]
  }

  /** Every value of a parameter. */
  all(name: string): string[] {
    return this.pairs.filter(([key]) => key === name).map(([, value]) => value)
  }

  /** The same query with one parameter set once; keys sorted, repeats and blanks kept. */
  with(name: string, value: string | number): string {
    const pairs = this.pairs.filter(([key]) => key !== name)
    return [...pairs, [name, String(value)] as const]
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, content]) => `${encode(key)}=${encode(content)}`)
      .join('&')
  }
}

/** Like Python's quote_plus: only letters, digits and _.-~ stay as they are. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}
