/** What is wrong with a request, thrown anywhere and answered in one place. Any other error is a bug. */
import type { Errors, JsonObject } from '../declare/index.ts'

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

const withDetail = (status: number, detail: string, headers?: Record<string, string>) =>
  new Problem(status, { detail }, headers)

export const problems = {
  badRequest: (detail: string) => withDetail(400, detail),
  invalid: (errors: Errors) => new Problem(400, errors),
  notSignedIn: () =>
    withDetail(401, 'Authentication credentials were not provided.', { 'WWW-Authenticate': 'Basic realm="api"' }),
  notFound: () => withDetail(404, 'Not found.'),
  invalidPage: () => withDetail(404, 'Invalid page.'),
  wrongMethod: (method: string) => withDetail(405, `Method "${method}" not allowed.`),
  notAcceptable: () => withDetail(406, 'Could not satisfy the request Accept header.'),
  serverError: () => withDetail(500, 'A server error occurred.'),
}
