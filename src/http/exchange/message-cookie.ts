/**
 * The word of success after a write: the redirect sets a cookie with a code, and the next page shows the code's text and
 * removes the cookie. A code is all that a cookie can say, so nobody can make a page show a text of their own.
 */
import { cookieOf, MESSAGE_COOKIE, newCookie } from './cookies.ts'
import { header, isRead, type Request } from './message.ts'

/** A record that the message is about. */
export interface MessagePlace {
  readonly resource: string
  readonly id: number
}

export interface Message {
  readonly code: string
  readonly place?: MessagePlace
}

const SECONDS = 60
const VALUE = /^([a-z-]{1,40})(?:\.([a-z-]{1,40})\.([1-9][0-9]{0,14}))?$/

/** Lines for Set-Cookie. A script that sends a form shows the message itself. */
export function messageCookies(
  request: Pick<Request, 'base' | 'headers'>,
  { code, place }: Message,
): readonly string[] {
  if (!isNavigation(request)) return []
  return [newCookie(request, MESSAGE_COOKIE, place ? `${code}.${place.resource}.${place.id}` : code, SECONDS)]
}

export function forgetMessage(request: Pick<Request, 'base'>): string {
  return newCookie(request, MESSAGE_COOKIE, '', 0)
}

/** For the page that a browser opens; what its scripts load shows no message. */
export function messageOf(request: Pick<Request, 'base' | 'headers' | 'method' | 'isInner'>): Message | undefined {
  if (request.isInner || !isRead(request)) return undefined
  const value = cookieOf(request, MESSAGE_COOKIE)
  if (value === undefined || !isNavigation(request)) return undefined
  const [, code, resource, id] = VALUE.exec(value) ?? []
  if (code === undefined) return undefined
  return resource === undefined ? { code } : { code, place: { resource, id: Number(id) } }
}

/** Old browsers do not say. */
function isNavigation(request: Pick<Request, 'headers'>): boolean {
  return (header(request, 'sec-fetch-mode') ?? 'navigate') === 'navigate'
}
