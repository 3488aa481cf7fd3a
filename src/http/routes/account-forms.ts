/** Shared by the account pages: the signed-in user, forms with a CSRF token, cookies, and redirects. */
import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../declare/index.ts'
import { type AccountDesk, type Actor, problems, SESSION_SECONDS } from '../../engine/index.ts'
import { CSRF_COOKIE, cookieOf, newCookie, SESSION_COOKIE } from '../exchange/cookies.ts'
import { type FormView, header, type Outcome } from '../exchange/message.ts'
import { messageCookies } from '../exchange/message-cookie.ts'
import { browserInWords } from '../request/browser-words.ts'
import { csrfToken } from '../request/identify.ts'
import type { Call } from '../routing/router.ts'

/** Nothing about an account may be cached on the way. */
export const NEVER_KEPT = { 'Cache-Control': 'no-store' }

export function signedIn({ identity }: Call): Actor {
  if (!identity.actor) throw problems.notSignedIn()
  return identity.actor
}

/** Redirects people who are not signed in to the sign-in page, and back again. */
export function forTheSignedIn(show: (call: Call) => Promise<Outcome> | Outcome) {
  return (call: Call): Promise<Outcome> | Outcome => {
    if (call.identity.actor || !isForPeople(call)) return show(call)
    return seeOther(`/accounts/login/?next=${encodeURIComponent(call.path)}`)
  }
}

/** A page whose forms carry a token made from the session, or from a new cookie. */
export function page(call: Call, json: object, view: Omit<FormView, 'csrf'>, status = 200): Outcome {
  const known = call.identity.session ?? cookieOf(call, CSRF_COOKIE)
  const secret = known ?? randomBytes(32).toString('base64url')
  const headers = known
    ? NEVER_KEPT
    : { ...NEVER_KEPT, 'Set-Cookie': [newCookie(call, CSRF_COOKIE, secret, SESSION_SECONDS)] }
  return { status, json: JSON.stringify(json), headers, form: { ...view, csrf: csrfToken(secret) } }
}

export interface NewSession {
  readonly secret: string
  /** Lines for Set-Cookie. */
  readonly cookies: readonly string[]
}

/** A new session for the browser. */
export async function openSession(call: Call, desk: AccountDesk, actor: Actor): Promise<NewSession> {
  const secret = await desk.sessions.open(actor, browserInWords(header(call, 'user-agent')))
  return { secret, cookies: [newCookie(call, SESSION_COOKIE, secret, SESSION_SECONDS)] }
}

interface Done {
  /** The page that people are redirected to. */
  readonly next: string
  /** The code of the message that it shows. */
  readonly message: string
  readonly cookies?: readonly string[]
}

/** People are redirected to a page; programs get JSON. */
export function done(
  call: Call,
  status: number,
  json: object | undefined,
  { next, message, cookies = [] }: Done,
): Outcome {
  if (isForPeople(call)) {
    return seeOther(next, { ...NEVER_KEPT, 'Set-Cookie': [...cookies, ...messageCookies(call, { code: message })] })
  }
  const headers = { ...NEVER_KEPT, ...(cookies.length > 0 ? { 'Set-Cookie': cookies } : {}) }
  return { status, json: json ? JSON.stringify(json) : '', headers }
}

function seeOther(location: string, headers: object = NEVER_KEPT): Outcome {
  return {
    status: 303,
    json: JSON.stringify({ detail: `See ${location}` }),
    headers: { ...headers, Location: location },
  }
}

export function isForPeople(call: Call): boolean {
  return (header(call, 'accept') ?? '').includes('text/html')
}

/** Only to a page of this site. */
export function localPath(given: unknown): string | undefined {
  return typeof given === 'string' && /^\/(?![/\\])[!-[\]-~]*$/.test(given) ? given : undefined
}

/** A boolean member; false by default. */
export function flag(members: JsonObject, name: string): boolean {
  const given = members[name] ?? false
  const word = typeof given === 'boolean' || typeof given === 'string' ? String(given).toLowerCase() : '?'
  if (/^(true|on|1)$/.test(word)) return true
  if (/^(false|off|0|)$/.test(word)) return false
  throw problems.invalid({ [name]: ['Must be a valid boolean.'] })
}

/** Required texts, not trimmed: a password may begin with a space. */
export function texts<Name extends string>(members: JsonObject, names: readonly Name[]): Record<Name, string> {
  const errors: Record<string, string[]> = {}
  for (const name of names) {
    const given = members[name]
    if (given === undefined) errors[name] = ['This field is required.']
    else if (given === null) errors[name] = ['This field may not be null.']
    else if (typeof given !== 'string') errors[name] = ['Not a valid string.']
    else if (given === '') errors[name] = ['This field may not be blank.']
  }
  if (Object.keys(errors).length > 0) throw problems.invalid(errors)
  return members as Record<Name, string>
}
