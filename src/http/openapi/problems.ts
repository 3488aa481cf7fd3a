/**
 * Error responses. All operations share one, `4XX`; operations also list those with their own shape or condition by
 * status.
 */
import type { Schema } from '../../declare/index.ts'
import { CROSS_ORIGIN, EVERYWHERE, type HeaderComponents, PREFLIGHT, RENDERED } from './headers.ts'
import { ADDRESS, BASE, exactly, ID, listOf, means, type ProblemStatus, schemaRef, TEXT } from './operation.ts'

interface Kind {
  readonly says: string
  readonly schema?: Schema
  readonly example: object
  /** Operations list this status in addition to `4XX`. */
  readonly listed?: true
}

const detail = (text: string) => ({ detail: text })

const KINDS: Readonly<Record<ProblemStatus, Kind>> = {
  400: {
    says: 'The server cannot read the request, or a member or parameter is wrong.',
    example: { name: ['This field is required.'] },
  },
  401: { says: 'Credentials are missing or wrong.', example: detail('Authentication credentials were not provided.') },
  403: {
    says: 'The user may not do this, or the request may be forged.',
    example: detail('You do not have permission to perform this action.'),
  },
  404: { says: 'There is no such record, page, address or format, or nothing matches.', example: detail('Not found.') },
  406: {
    says: 'The server has nothing that the Accept header asks for.',
    example: detail('Could not satisfy the request Accept header.'),
  },
  409: {
    says: 'Other records use the record.',
    listed: true,
    example: { detail: 'Cannot be deleted: 1 other record uses it.', count: 1, used_by: [`${BASE}/api/`] },
    schema: exactly({
      detail: means(TEXT, 'The problem, in a sentence.'),
      count: means({ type: 'integer', minimum: 1 }, 'The number of records that use it.'),
      used_by: means({ ...listOf(ADDRESS), minItems: 1, maxItems: 20 }, 'The addresses of the first of them.'),
    }),
  },
  410: {
    says: 'The log, or `as_of`, does not go back that far, or the log was replaced.',
    listed: true,
    example: { detail: 'The log does not go back that far. Read everything again, then continue.', oldest: 1 },
    schema: exactly({
      detail: means(TEXT, 'The problem, in a sentence.'),
      oldest: means(ID, 'The lowest number that can be asked for.'),
    }),
  },
  412: {
    says: 'If-Match: the record has changed since it was read.',
    example: detail('The record has changed since it was read.'),
  },
  413: { says: 'The body is too large.', example: detail('The request body is larger than 1048576 bytes.') },
  415: {
    says: 'The server does not take bodies of this type.',
    example: detail('Unsupported media type "text/plain" in request.'),
  },
  422: {
    says: 'The Idempotency-Key was used with another body.',
    example: detail('This Idempotency-Key was used with another body.'),
  },
  429: {
    says: 'Too many requests; try again after Retry-After seconds.',
    example: detail('Request was throttled. Expected available in 42 seconds.'),
  },
  500: { says: 'A bug. The log has it under the X-Request-Id.', example: detail('A server error occurred.') },
  503: {
    says: 'The database cannot be used, the query takes too long, or the server has too much to do.',
    example: detail('The database cannot be used at the moment. Try again later.'),
  },
}

/** Statuses that any request may get, and that no route declares. */
const REFUSED = [
  '- 405: The address does not have the method.',
  '- 408, 417, 431: The server refuses the request before it looks at the address.',
]

/** Headers that any response may have. The document lists them once, with the errors. */
const COMMON = [
  ...EVERYWHERE,
  'Vary',
  ...RENDERED.filter((name) => name !== 'Vary' && !EVERYWHERE.includes(name)),
  ...CROSS_ORIGIN,
  ...PREFLIGHT,
].map((name) => (EVERYWHERE.includes(name) || name === 'Vary' ? name : `${name.replace(/\?$/, '')}?`))

/** The error responses of an operation, by status. */
export class Problems {
  readonly #any: object
  readonly #one = new Map<ProblemStatus, object>()

  constructor(headers: HeaderComponents) {
    this.#any = anyOf(headers)
  }

  of(statuses: readonly ProblemStatus[]): Record<string, object> {
    const listed = statuses.filter((status) => KINDS[status].listed)
    return { ...Object.fromEntries(listed.map((status) => [status, this.#get(status)])), '4XX': this.#any }
  }

  #get(status: ProblemStatus): object {
    const known = this.#one.get(status) ?? oneOf(status)
    this.#one.set(status, known)
    return known
  }
}

function oneOf(status: ProblemStatus): object {
  const { says, schema = schemaRef('problem'), example } = KINDS[status]
  return { description: says, content: { 'application/json': { schema, examples: { sample: { value: example } } } } }
}

/** `4XX` also describes 500 and 503, which any operation may return. */
function anyOf(headers: HeaderComponents): object {
  const list = Object.entries(KINDS).map(([status, { says }]) => `- ${status}: ${says}`)
  return {
    description: ['What went wrong.\n', ...list, ...REFUSED].join('\n'),
    headers: headers.use([...COMMON, 'Location?', 'WWW-Authenticate?', 'Retry-After?', 'Set-Cookie?']),
    content: {
      'application/json': {
        schema: { anyOf: [schemaRef('problem'), schemaRef('faults')] },
        examples: { problem: { value: KINDS[404].example }, faults: { value: KINDS[400].example } },
      },
    },
  }
}
