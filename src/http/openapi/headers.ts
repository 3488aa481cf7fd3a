/**
 * Response headers. `?` after a name marks a header that is not always present; the part after a colon tells headers
 * with the same name apart.
 */
import type { Schema } from '../../declare/index.ts'

interface Header {
  readonly description: string
  readonly schema: Schema
}

const text = (description: string, rules: Schema = {}): Header => ({
  description,
  schema: { type: 'string', ...rules },
})

const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': text('The id of the request in the server log.', { pattern: '^[A-Za-z0-9._-]{1,64}$' }),
  'X-Content-Type-Options': text('Browsers must not guess another Content-Type.', { const: 'nosniff' }),
  Vary: text('The request headers that the response depends on.', {
    pattern: '^Accept(, Cookie)?(, Accept-Encoding)?(, Authorization)?$|^Accept-Encoding$',
  }),
  Allow: text('The methods of the address.'),
  'Access-Control-Allow-Origin': text('Scripts of all sites may read this.', { const: '*' }),
  'Access-Control-Expose-Headers': text('The headers that such scripts may read.'),
  'Access-Control-Allow-Methods': text('The methods that such scripts may use.'),
  'Access-Control-Allow-Headers': text('The headers that such scripts may send.'),
  'Access-Control-Max-Age': {
    description: 'How many seconds the browser may cache this.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: text('A hash of the response, on JSON and text that may be cached.', { pattern: '^"[A-Za-z0-9_-]+"$' }),
  'Last-Modified': text('When the record was last changed, at its own address.'),
  Link: text('The first, previous, next and last page.', { pattern: '^<[^>]+>; rel="first"' }),
  'Link:following': text('Where the next request continues, on NDJSON.', { pattern: '^<[^>]+>; rel="next"$' }),
  'Nymdex-Seq': text('With `as_of`: the number of the change.', { pattern: '^[0-9]+$' }),
  'Content-Location': text('Where GET returns the same record with the same ETag, on JSON.', { format: 'uri' }),
  'Link:services': text('The OpenAPI document and its page.', { pattern: '^</api/schema/>; rel="service-desc"' }),
  'Content-Disposition': text('A file name, on a whole list.'),
  'Nymdex-Log': text('The id of the log; it changes when the database is restored.', { pattern: '^[0-9a-f]{12}$' }),
  Location: text('The address of the record or page.', { format: 'uri-reference' }),
  'Retry-After': { description: 'When to try again, in seconds.', schema: { type: 'integer', minimum: 1 } },
  'WWW-Authenticate': text('How to sign in.', { const: 'Basic realm="api"' }),
  'Cache-Control': text('How long the response may be cached, and by whom.'),
  'X-Accel-Buffering': text('`no` on a live stream: proxies must not hold it back.', { const: 'no' }),
  'Content-Encoding': text('How the response is compressed.', { enum: ['br', 'gzip'] }),
  'Content-Security-Policy': text('What the page may load, on HTML.'),
  'Permissions-Policy': text('What the page may not use, on HTML.'),
  'Strict-Transport-Security': text('Over https: browsers must use only https.', { pattern: '^max-age=[0-9]+$' }),
  'Referrer-Policy': text('Which referrer the browser sends, on HTML.', { const: 'same-origin' }),
  'Set-Cookie': text('The session, or the CSRF cookie of forms.'),
}

/** RFC 8631: where clients find the description of the interface. The index itself lists collections only. */
export const SERVICE_LINKS =
  '</api/schema/>; rel="service-desc"; type="application/vnd.oai.openapi+json", </api/docs/>; rel="service-doc"; type="text/html"'

/** The headers of a document by name, as many as are used. */
export class HeaderComponents {
  readonly components: Record<string, object> = {}

  /** References to these headers, for a response. */
  use(names: readonly string[]): Record<string, { $ref: string }> {
    return Object.fromEntries(names.map((name) => this.#reference(name)))
  }

  #reference(given: string): [string, { $ref: string }] {
    const kind = given.replace(/\?$/, '')
    const [name = '', variant] = kind.split(':')
    const component = [name, ...(variant ? [variant] : []), ...(kind === given ? [] : ['optional'])].join('.')
    this.components[component] ??= { ...HEADERS[kind]!, ...(kind === given ? { required: true } : {}) }
    return [name, { $ref: `#/components/headers/${component}` }]
  }
}

export const EVERYWHERE = ['X-Request-Id', 'X-Content-Type-Options', 'Strict-Transport-Security?']
/** Of responses that are rendered as the client prefers. */
export const RENDERED = [
  ...EVERYWHERE,
  'Vary',
  'Allow',
  'Cache-Control?',
  'Content-Security-Policy?',
  'Referrer-Policy?',
  'ETag?',
  'Link?',
  'Last-Modified?',
  'Content-Location?',
  'Content-Disposition?',
  'Permissions-Policy?',
  'Content-Encoding?',
  'Nymdex-Seq?',
]
export const CROSS_ORIGIN = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers']
export const PREFLIGHT = ['Access-Control-Allow-Methods', 'Access-Control-Allow-Headers', 'Access-Control-Max-Age']
