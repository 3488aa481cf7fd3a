/** Routes are data: a path of fixed words and named places, and what each method does and says of itself. */

import type { Schema } from '../../declare/index.ts'
import type { Outcome, Request } from '../exchange/message.ts'
import type { Operation } from '../openapi/operation.ts'
import type { Body } from '../request/body.ts'
import type { Identity } from '../request/identify.ts'
import type { OtherType, Rendering } from '../response/negotiate.ts'
import type { Offer } from './form-actions.ts'

export interface Call extends Request {
  /** What stands at the named places of the path. */
  readonly places: Readonly<Record<string, string>>
  readonly route: Route
  readonly identity: Identity
  /** What the client gets it as. */
  readonly rendering: Rendering
  /** The parsed body; parsed when first asked for. */
  readBody(): Promise<Body>
}

export type Handler = (call: Call) => Promise<Outcome> | Outcome

/** A method and what the OpenAPI document says of it; a method without either does not compile. */
export interface ListedMethod extends Operation {
  readonly handle: Handler
}

/** A method that the OpenAPI document does not list: OPTIONS, and what serves the pages alone. */
export interface UnlistedMethod {
  readonly unlisted: true
  readonly handle: Handler
}

export type Method = ListedMethod | UnlistedMethod

export function isListed(method: Method): method is ListedMethod {
  return !('unlisted' in method)
}

export interface Route {
  /** '/api/polynym/:id/' */
  readonly path: string
  /** What a person calls it. No two routes that are listed share a title. */
  readonly title: string
  /** The group it stands in. */
  readonly tag?: string
  readonly description?: string
  /** Sends bytes to whoever asks: nothing is negotiated, and nobody is identified. */
  readonly plain?: true
  /** A page for people, whatever the client accepts. */
  readonly visited?: true
  /** Can be had as plain text, too. */
  readonly hasText?: boolean
  /** Other types that it can be had as. Its handler answers in the one that is wanted. */
  readonly otherTypes?: readonly OtherType[]
  /** What its page offers to whoever looks at it. */
  readonly offers?: (call: Call) => Promise<Offer> | Offer
  readonly methods: Readonly<Record<string, Method>>
  /** Schemas that its methods refer to, by name. */
  readonly schemas?: Readonly<Record<string, Schema>>
}

export interface Match {
  readonly route: Route
  readonly places: Readonly<Record<string, string>>
}

const allows = new WeakMap<Route, string>()

/** What a route's Allow header says. HEAD is answered wherever GET is. */
export function allowed(route: Route): string {
  const known = allows.get(route)
  if (known) return known
  const methods = Object.keys(route.methods).filter((method) => method !== 'OPTIONS')
  if (methods.includes('GET')) methods.push('HEAD')
  if (route.methods['OPTIONS']) methods.push('OPTIONS')
  const allow = methods.join(', ')
  allows.set(route, allow)
  return allow
}

interface Branch {
  readonly words: Map<string, Branch>
  place?: { readonly name: string; readonly branch: Branch }
  route?: Route
}

export class Router {
  readonly #root: Branch = { words: new Map() }

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route)
  }

  /** Segments are compared after percent-decoding; a fixed word wins over a named place. */
  match(path: string): Match | undefined {
    if (!path.startsWith('/')) return undefined
    const places: Record<string, string> = {}
    let branch: Branch | undefined = this.#root
    for (const segment of path.split('/').slice(1)) {
      const word = decodeURIComponent(segment)
      const next: Branch | undefined = branch.words.get(word)
      if (!next && branch.place && word !== '') places[branch.place.name] = word
      branch = next ?? (word === '' ? undefined : branch.place?.branch)
      if (!branch) return undefined
    }
    return branch.route && { route: branch.route, places }
  }

  #add(route: Route): void {
    let branch = this.#root
    for (const segment of route.path.split('/').slice(1)) {
      if (segment.startsWith(':')) {
        branch.place ??= { name: segment.slice(1), branch: { words: new Map() } }
        branch = branch.place.branch
      } else {
        const next: Branch = branch.words.get(segment) ?? { words: new Map() }
        branch.words.set(segment, next)
        branch = next
      }
    }
    branch.route = route
  }
}
