/** What is wrong with a request: thrown anywhere, turned into a response in one place. Any other error is a bug. */
import type { Errors, JsonObject } from '../declare/index.ts'
import { Overloaded, ReadOnly, Unavailable } from '../store/index.ts'

export class Problem extends Error {
  readonly status: number
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, body: JsonObject, headers: Readonly<Record<string, string>> = {}) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The problem for an error; undefined if it is a bug. */
export function problemOf(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (error instanceof Overloaded) return problems.overloaded()
  if (error instanceof ReadOnly) return problems.readOnly()
  if (!(error instanceof Unavailable)) return undefined
  return error.mayBeWritten ? problems.perhapsSaved() : problems.unavailable()
}

const withDetail = (status: number, detail: string, headers?: Record<string, string>) =>
  new Problem(status, { detail }, headers)

const RETRY_SECONDS = 2

const busy = (detail: string) => withDetail(503, detail, { 'Retry-After': String(RETRY_SECONDS) })

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="api"' }

export const problems = {
  badRequest: (detail: string) => withDetail(400, detail),
  invalid: (errors: Errors) => new Problem(400, errors),
  notSignedIn: () => withDetail(401, 'Authentication credentials were not provided.', CHALLENGE),
  wrongCredentials: (detail: string) => withDetail(401, detail, CHALLENGE),
  forbidden: () => withDetail(403, 'You do not have permission to perform this action.'),
  forgery: (reason: string) => withDetail(403, `CSRF Failed: ${reason}`),
  notFound: () => withDetail(404, 'Not found.'),
  hidden: (at: string) => new Problem(404, { detail: 'Staff have hidden this record.', hidden: at }),
  deletedSince: () => withDetail(404, 'The record that this request created has been deleted since.'),
  invalidPage: () => withDetail(404, 'Invalid page.'),
  forgotten: (oldest: number) =>
    new Problem(410, { detail: 'The log does not go back that far. Read everything again, then continue.', oldest }),
  tooLongAgo: (oldest: number) =>
    new Problem(410, { detail: 'This moment is too many changes ago. Start again with as_of=latest.', oldest }),
  wrongMethod: (method: string) => withDetail(405, `Method "${method}" not allowed.`),
  notAcceptable: () => withDetail(406, 'Could not satisfy the request Accept header.'),
  stale: () => withDetail(412, 'The record has changed since it was read.'),
  tooLarge: (bytes: number) => withDetail(413, `The request body is larger than ${bytes} bytes.`),
  unsupported: (type: string) => withDetail(415, `Unsupported media type "${type}" in request.`),
  unsupportedEncoding: (encoding: string) => withDetail(415, `Unsupported content encoding "${encoding}" in request.`),
  otherBody: () => withDetail(422, 'This Idempotency-Key was used with another body.'),
  throttled: (seconds: number) =>
    withDetail(429, `Request was throttled. Expected available in ${seconds} second${seconds === 1 ? '' : 's'}.`, {
      'Retry-After': String(seconds),
    }),
  tooSlow: () => busy('The query takes too long. Ask for less, or for something that has an index.'),
  overloaded: () => busy('The server has too much to do. Try again in a moment.'),
  incomplete: () => busy('This server is a copy that is not complete yet. Try again later.'),
  unavailable: () => busy('The database cannot be used at the moment. Try again later.'),
  readOnly: () => busy('This server can only read at the moment: its database takes no changes.'),
  /** The connection broke while the change was being saved. */
  perhapsSaved: () =>
    busy(
      'The database did not say whether the change was saved. Look before you try again, or use an Idempotency-Key.',
    ),
  /** One process of the server takes the place of another. */
  replacing: () => busy('A part of the server is being restarted. Try again in a moment.'),
  /** The process that wrote has ended. */
  interrupted: () =>
    busy('The server did not say whether the change was saved. Look before you try again, or use an Idempotency-Key.'),
  serverError: () => withDetail(500, 'A server error occurred.'),
}
