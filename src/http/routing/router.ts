/** Routes are data: a path of fixed words and named places, and each method's handler and description. */

import type { Schema } from '../../declare/index.ts'
import type { Outcome, Request } from '../exchange/message.ts'
import type { Operation } from '../openapi/operation.ts'
import type { Body } from '../request/body.ts'
import type { Identity } from '../request/identify.ts'
import type { OtherType, Rendering } from '../response/negotiate.ts'
import type { Offer } from './form-actions.ts'

export interface Call extends Request {
  /** The values at the named places of the path. */
  readonly places: Readonly<Record<string, string>>
  readonly route: Route
  readonly identity: Identity
  /** The rendering that the client gets. */
  readonly rendering: Rendering
  /** The parsed body; parsed when first needed. */
  readBody(): Promise<Body>
}

export type Handler = (call: Call) => Promise<Outcome> | Outcome

/** A method and its OpenAPI description; a method without either does not compile. */
export interface ListedMethod extends Operation {
  readonly handle: Handler
  /** Its transaction looks again at who the user is, so the request need not ask the database for it before. */
  readonly checksUser?: true
}

/** A method that the OpenAPI document does not list: OPTIONS, and methods only for pages or staff. */
export interface UnlistedMethod {
  readonly unlisted: true
  readonly handle: Handler
  /** Answers in place of `handle` if one of our pages sent a CSRF token that is no longer valid. It writes nothing. */
  readonly showAgain?: Handler
}

export type Method = ListedMethod | UnlistedMethod

export function isListed(method: Method): method is ListedMethod {
  return !('unlisted' in method)
}

export interface Route {
  /** '/api/polynym/:id/' */
  readonly path: string
  /** Its title for people. No two listed routes share a title. */
  readonly title: string
  /** Its group in the document. */
  readonly tag?: string
  readonly description?: string
  /** Sends bytes to any client: there is no negotiation and no authentication. */
  readonly plain?: true
  /** It stands for several addresses in the OpenAPI document; other routes answer them. */
  readonly isOnlyListed?: true
  /** A page for people, whatever the client accepts. */
  readonly visited?: true
  /** Its methods store nothing, so a copy of another server responds itself. */
  readonly isStateless?: true
  /** Whether plain text is available too. */
  readonly hasText?: boolean
  /** Other available types. Its handler returns the one that is wanted. */
  readonly otherTypes?: readonly OtherType[]
  /** What its page offers to the visitor. */
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

/** The value of a route's Allow header. HEAD is available wherever GET is. */
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
    for (const route of routes) if (!route.isOnlyListed) this.#add(route)
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
