/**
 * The cookies: the session, the CSRF secret of forms before there is a session, the message of the next page, and the
 * token of a player without an account. Over https their names begin with `__Host-`, so browsers accept them only over
 * https and only from this host, and no other host of the same domain can set one.
 */
import { header, isHttps, type Request } from './message.ts'

export const SESSION_COOKIE = 'nymdex_session'
export const CSRF_COOKIE = 'nymdex_csrf'
export const MESSAGE_COOKIE = 'nymdex_message'
export const PLAYER_COOKIE = 'nymdex_player'
type CookieName = typeof SESSION_COOKIE | typeof CSRF_COOKIE | typeof MESSAGE_COOKIE | typeof PLAYER_COOKIE

/** The cookies that the client sent; a cookie with the other scheme's name does not count. */
export function cookieOf(request: Pick<Request, 'base' | 'headers'>, name: CookieName): string | undefined {
  const sent = header(request, 'cookie')
  if (!sent) return undefined
  const pairs = sent.split(';').map((pair) => pair.split(/=(.*)/s))
  const values = new Map(pairs.map(([name = '', value = '']) => [name.trim(), value.trim()]))
  return values.get(nameFor(request, name)) || undefined
}

/** A line for Set-Cookie. */
export function newCookie(request: Pick<Request, 'base'>, name: CookieName, value: string, seconds: number): string {
  const secure = isHttps(request) ? '; Secure' : ''
  return `${nameFor(request, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`
}

function nameFor(request: Pick<Request, 'base'>, name: CookieName): string {
  return isHttps(request) ? `__Host-${name}` : name
}
