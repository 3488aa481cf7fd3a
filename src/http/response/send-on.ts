/** A copy accepts no writes: clients are sent on to its source. */
import { header, type Outcome, type Request } from '../exchange/message.ts'

/** What this server is a copy of, if it is one. */
export interface Following {
  /** The address of the source, with a slash at the end. */
  readonly source: string
  /** How far the copy is. */
  readonly status: {
    /** Whether the first copy is complete. */
    readonly isWhole: boolean
    /** Changes that the source has and the copy does not; undefined if that is not known. */
    readonly behind: number | undefined
  }
}

/**
 * 307: programs send the same request to the source. The form of a page belongs to a session here, so people get the
 * page of the source instead.
 */
export function sentOn({ source }: Following, request: Request): Outcome {
  const { path, query } = request
  const location = source + path.slice(1) + (query.raw ? `?${query.raw}` : '')
  const headers = { Location: location, 'Cache-Control': 'no-store' }
  return { status: isForm(request) ? 303 : 307, json: JSON.stringify({ detail: `See ${location}` }), headers }
}

function isForm(request: Request): boolean {
  const type = header(request, 'content-type') ?? ''
  return /^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)
}
