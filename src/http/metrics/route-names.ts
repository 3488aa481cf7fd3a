/** The route of an address, such as /api/polynym/:id/: metrics count by route, because addresses are endless. */
import { localTarget } from '../exchange/message.ts'
import { type Route, Router } from '../routing/router.ts'

const MOST_REMEMBERED = 5000
/** What no route answers. */
const NONE = 'none'

/** A client may send any word as its method: others than these are counted together. */
export const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

export class RouteNames {
  readonly #routes: () => readonly Route[]
  #router: Router | undefined
  readonly #remembered = new Map<string, string>()

  /** The routes are wanted when the first request has come. */
  constructor(routes: () => readonly Route[]) {
    this.#routes = routes
  }

  of(url: string): string {
    const end = url.indexOf('?')
    const path = end < 0 ? url : url.slice(0, end)
    const known = this.#remembered.get(path)
    if (known !== undefined) return known
    const name = this.#find(path)
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(path, name)
    return name
  }

  #find(path: string): string {
    try {
      this.#router ??= new Router(this.#routes())
      return this.#router.match(localTarget(path))?.route.path ?? NONE
    } catch {
      // An address that cannot be decoded.
      return NONE
    }
  }
}
