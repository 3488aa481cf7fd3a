/**
 * What proxies and CDNs may cache, if the operator lets them: answers that are the same for everyone, and pages for
 * visitors who are not signed in. Browsers ask each time, so that writers see their own changes.
 */
import { type Answer, type Headers, keptLines } from '../exchange/message.ts'

export interface SharedCacheSettings {
  readonly seconds: number
  /** How much longer an old response may be sent while a cache asks for a new one. */
  readonly staleSeconds: number
}

export class SharedCaching {
  readonly #lasting: string
  /** Answers of our own cache are sent again and again. */
  readonly #known = new WeakMap<Answer, Answer>()

  constructor({ seconds, staleSeconds }: SharedCacheSettings) {
    const stale = staleSeconds > 0 ? `, stale-while-revalidate=${staleSeconds}` : ''
    this.#lasting = `public, max-age=0, s-maxage=${seconds}${stale}`
  }

  /** The answer to a request without credentials, with headers that let others cache it if they may. */
  share(answer: Answer): Answer {
    const known = this.#known.get(answer)
    if (known) return known
    const { status, headers, lines, length } = answer
    if (!answer.keep?.isPublic || headers['Set-Cookie']) return answer
    const open = this.#opened(headers)
    if (!lines) return { ...answer, headers: open }
    const shared = { ...answer, headers: open, lines: keptLines(open, status === 304 ? undefined : length) }
    this.#known.set(answer, shared)
    return shared
  }

  #opened(headers: Headers): Headers {
    const isPage = String(headers['Content-Type']).startsWith('text/html')
    // A page names the visitor, however that visitor is signed in. JSON is the same for all, and its Vary is fixed.
    const vary = isPage ? { Vary: `${headers['Vary']}, Authorization` } : {}
    return { ...headers, 'Cache-Control': this.#lasting, ...vary }
  }
}
