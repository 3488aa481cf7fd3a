/** What is answered when a request will not do: one shared answer for each status and sort of address. */
import type { Schema } from '../../declare/index.ts'
import { CROSS_ORIGIN, EVERYWHERE, type HeaderComponents, PREFLIGHT, RENDERED } from './headers.ts'
import { ADDRESS, BASE, exactly, listOf, type ProblemStatus, schemaRef, TEXT } from './operation.ts'

interface Kind {
  readonly name: string
  readonly says: string
  readonly schema?: Schema
  readonly headers?: readonly string[]
  readonly example: object
}

const detail = (text: string) => ({ detail: text })

const KINDS: Readonly<Record<ProblemStatus, Kind>> = {
  400: {
    name: 'bad-request',
    example: { name: ['This field is required.'] },
    says: 'The request cannot be read, or what it holds will not do.',
    schema: { anyOf: [schemaRef('problem'), schemaRef('faults')] },
  },
  401: {
    name: 'not-signed-in',
    example: detail('Authentication credentials were not provided.'),
    says: 'Credentials are missing, or wrong.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'forbidden',
    example: detail('You do not have permission to perform this action.'),
    says: 'Whoever is signed in may not do this, or the request may be forged.',
  },
  404: { name: 'not-found', example: detail('Not found.'), says: 'There is no such record, page or format.' },
  406: {
    name: 'not-acceptable',
    example: detail('Could not satisfy the request Accept header.'),
    says: 'Nothing that the Accept header asks for can be had.',
  },
  409: {
    name: 'in-use',
    example: { detail: 'Cannot be deleted: 1 other record uses it.', count: 1, used_by: [`${BASE}/api/`] },
    says: 'Other records use it: how many, and the addresses of the first twenty.',
    schema: exactly({
      detail: TEXT,
      count: { type: 'integer', minimum: 1 },
      used_by: { ...listOf(ADDRESS), minItems: 1, maxItems: 20 },
    }),
  },
  412: {
    name: 'stale',
    example: detail('The record has changed since it was read.'),
    says: 'The record has changed since it was read.',
  },
  413: {
    name: 'too-large',
    example: detail('The request body is larger than 1048576 bytes.'),
    says: 'The body is too large.',
  },
  415: {
    name: 'unsupported',
    example: detail('Unsupported media type "text/plain" in request.'),
    says: 'The type of the body is none that is taken.',
  },
  422: {
    name: 'other-body',
    example: detail('This Idempotency-Key was used with another body.'),
    says: 'The Idempotency-Key was used with another body.',
  },
  429: {
    name: 'throttled',
    example: detail('Request was throttled. Expected available in 42 seconds.'),
    says: 'Too many requests.',
    headers: ['Retry-After'],
  },
  500: {
    name: 'server-error',
    example: detail('A server error occurred.'),
    says: 'A bug. The log of the server has it under the X-Request-Id.',
  },
  503: {
    name: 'unavailable',
    example: detail('The database cannot be used at the moment. Try again later.'),
    says: 'The database cannot be used, the query takes too long, or the server has too much to do.',
    headers: ['Retry-After'],
  },
}

const REFUSED =
  'Refused before the address was looked at: 400 (no usable Host), 408 (too slow to arrive), 417 (Expect), 431 (headers too large).'

/** Where an answer comes from decides which headers it has, and what it can be had as. */
export interface Place {
  readonly api: boolean
  readonly hasText: boolean
}

export function contentOf(schema: Schema, { hasText }: Pick<Place, 'hasText'>, json: object = {}): object {
  return {
    'application/json': { schema, ...json },
    'text/html': { schema: TEXT },
    ...(hasText ? { 'text/plain': { schema: TEXT } } : {}),
  }
}

export function headersAt({ api }: Pick<Place, 'api'>): string[] {
  return [...RENDERED, ...(api ? CROSS_ORIGIN : [])]
}

export class ProblemComponents {
  readonly components: Record<string, object> = {}
  readonly #headers: HeaderComponents

  constructor(headers: HeaderComponents) {
    this.#headers = headers
  }

  use(status: ProblemStatus, place: Place): { $ref: string } {
    const { name, says, schema = schemaRef('problem'), headers = [], example } = KINDS[status]
    const component = `${name}${place.hasText ? '-or-text' : ''}${place.api ? '' : '-apart'}`
    // A Host header that cannot be used, an answer that cannot be sent, and too many requests are answered before the
    // address is known.
    const all = status === 400 || status === 500 || status === 503 ? relaxed(headersAt(place)) : headersAt(place)
    this.components[component] ??= {
      description: says,
      headers: this.#headers.use([
        ...all,
        ...headers,
        ...(place.api ? PREFLIGHT.map((each) => `${each}?`) : ['Set-Cookie?']),
      ]),
      content: contentOf(schema, place, { example }),
    }
    return { $ref: `#/components/responses/${component}` }
  }

  /** Of any other status. */
  useRefused(): { $ref: string } {
    this.components['refused'] ??= {
      description: REFUSED,
      headers: this.#headers.use(relaxed(headersAt({ api: true }))),
      content: { 'application/json': { schema: schemaRef('problem') } },
    }
    return { $ref: '#/components/responses/refused' }
  }
}

function relaxed(headers: readonly string[]): string[] {
  const always = [...EVERYWHERE, 'Vary']
  return headers.map((each) => (always.includes(each) ? each : `${each.replace(/\?$/, '')}?`))
}
