/** What a page is made from: responses of the API, and the time. They say how long the page may be cached. */
import type { Answer, Keep, Span } from '../exchange/message.ts'
import type { Timed } from './page-routes.ts'

export class PageSources {
  readonly #now: Date
  readonly #resources = new Set<string>()
  #isOfAll = false
  #isPassing = false
  #from = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY

  constructor(now: Date) {
    this.#now = now
  }

  byClock<T>(show: (now: Date) => Timed<T>): T {
    const { value, until } = show(this.#now)
    this.#narrow([this.#now.getTime(), until])
    return value
  }

  add({ status, headers, keep }: Answer): void {
    // What the server had no time for, it may have next time; and chance has no second time.
    if (status === 429 || status >= 500 || /no-store/.test(String(headers['Cache-Control'] ?? ''))) {
      this.#isPassing = true
    }
    if (!keep || keep.of === 'all') this.#isOfAll = true
    else for (const name of keep.of) this.#resources.add(name)
    // A page shows nothing of the headers.
    const span = keep?.bodyDuring ?? keep?.during
    if (span && span !== 'always') this.#narrow(span)
  }

  /** Undefined if the page must not be cached. */
  get keep(): Keep | undefined {
    if (this.#isPassing) return undefined
    const isTimed = this.#from > Number.NEGATIVE_INFINITY || this.#until < Number.POSITIVE_INFINITY
    return {
      of: this.#isOfAll ? 'all' : [...this.#resources],
      ...(isTimed ? { during: [this.#from, this.#until] } : {}),
    }
  }

  #narrow([from, until]: Span): void {
    this.#from = Math.max(this.#from, from)
    this.#until = Math.min(this.#until, until)
  }
}
