/** CORS: which addresses scripts of other sites may use, never with a visitor's cookies. */

import { allowed, type Route } from '../routing/router.ts'
import type { Request } from './message.ts'

const READABLE = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Link, Location, Nymdex-Log, Nymdex-Seq, Retry-After, X-Request-Id',
}
const PREFLIGHT = {
  'Access-Control-Allow-Headers':
    'Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Requested-With',
  'Access-Control-Max-Age': '86400',
}
/** The API, and what a script needs to get and manage its token. All other account addresses use cookies. */
const SHARED = ['/api/', '/api-token-auth/', '/accounts/tokens/']

export function isShared(path: string): boolean {
  return SHARED.some((start) => path.startsWith(start))
}

export function corsHeaders({ method, path }: Request, route: Route | undefined): Record<string, string> {
  // The route's own path, if there is one: the request may percent-encode it.
  if (!isShared(route?.path ?? path)) return {}
  if (method !== 'OPTIONS' || !route) return READABLE
  return { ...READABLE, ...PREFLIGHT, 'Access-Control-Allow-Methods': allowed(route) }
}
