/** A request and an answer as the rest of http/ sees them, free of any server library. */
import type { Query } from './query.ts'

export interface Request {
  readonly id: string
  readonly method: string
  /** As sent: the path before the question mark. */
  readonly path: string
  readonly query: Query
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** Scheme and host, without a slash at the end: what absolute links begin with. */
  readonly base: string
  readonly address: string
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** What a handler gives: JSON, to be rendered as the client asked, or bytes that are sent as they are. */
export type Outcome =
  | { readonly status: number; readonly json: string; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number
      readonly bytes: string | Buffer
      readonly type: string
      readonly headers?: Readonly<Record<string, string>>
    }

/** One header as text; a repeated one joined as HTTP allows. */
export function header(request: Pick<Request, 'headers'>, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}
