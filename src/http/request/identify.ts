/** Authentication: Basic, Token or Bearer credentials, or a session cookie. Wrong ones fail, whatever the request. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AccountDesk, type Actor, problems } from '../../engine/index.ts'
import { cookieOf, SESSION_COOKIE } from '../exchange/cookies.ts'
import { header, type Request } from '../exchange/message.ts'
import type { SignInLimits } from './signin-limits.ts'

export const CSRF_MEMBER = 'csrfmiddlewaretoken'

export interface Identity {
  readonly actor: Actor | undefined
  readonly by: 'nobody' | 'basic' | 'token' | 'session'
  /** The id of the token that authenticated the request. */
  readonly token?: number
  /** Set if a cookie authenticated the request: a write must then show that it comes from our own pages. */
  readonly session: string | undefined
}

export const NOBODY: Identity = { actor: undefined, by: 'nobody', session: undefined }

interface Checking {
  readonly desk: AccountDesk
  readonly signIns: SignInLimits
  /** The handler writes, and its transaction looks again at who the user is: the database need not be asked for it now. */
  readonly mayAssume?: boolean | undefined
}

export async function identify(request: Request, { desk, signIns, mayAssume }: Checking): Promise<Identity> {
  const given = header(request, 'authorization')
  const [, scheme = '', rest = ''] = given ? (/^(\S+)\s*(.*)$/s.exec(given.trim()) ?? []) : []
  switch (scheme.toLowerCase()) {
    case 'basic':
      return { actor: await byBasic(rest, request, desk, signIns), by: 'basic', session: undefined }
    case 'token':
    case 'bearer':
      return { ...(await byToken(rest, desk, mayAssume)), by: 'token', session: undefined }
    default: {
      const session = cookieOf(request, SESSION_COOKIE)
      const actor = session ? await desk.sessions.find(session) : undefined
      return actor ? { actor, by: 'session', session } : NOBODY
    }
  }
}

async function byBasic(
  credentials: string,
  request: Request,
  desk: AccountDesk,
  signIns: SignInLimits,
): Promise<Actor> {
  const { username, password } = readBasic(credentials)
  const actor = await desk.verify(username, password, () => signIns.take(request, username))
  if (!actor) throw problems.wrongCredentials('Invalid username/password.')
  return actor
}

function readBasic(credentials: string): { username: string; password: string } {
  const wrong = (why: string) => problems.wrongCredentials(`Invalid basic header. ${why}`)
  if (credentials === '') throw wrong('No credentials provided.')
  if (/\s/.test(credentials)) throw wrong('Credentials string should not contain spaces.')
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials) ? Buffer.from(credentials, 'base64') : undefined
  const text = bytes && decodeText(bytes)
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0) throw wrong('Credentials not correctly base64 encoded.')
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** Clients send UTF-8, and older ones Latin-1. */
function decodeText(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

async function byToken(
  key: string,
  desk: AccountDesk,
  mayAssume?: boolean,
): Promise<{ readonly actor: Actor; readonly token: number }> {
  if (key === '') throw problems.wrongCredentials('Invalid token header. No credentials provided.')
  if (/\s/.test(key)) throw problems.wrongCredentials('Invalid token header. Token string should not contain spaces.')
  const found = await desk.byToken(key, { mayAssume })
  if (!found) throw problems.wrongCredentials('Invalid token.')
  return found
}

/** The CSRF token that our forms send back: made from the session, or before there is one from its own cookie. */
export function csrfToken(secret: string): string {
  return createHmac('sha256', secret).update('csrf').digest('base64url')
}

/** A write authenticated by a cookie must come from one of our pages and carry that page's token. */
export function demandOwnPage(request: Request, secret: string | undefined, given: unknown): void {
  demandOwnOrigin(request)
  const token = header(request, 'x-csrftoken') ?? given
  if (typeof token !== 'string' || token === '' || !secret) throw problems.forgery('CSRF token missing.')
  if (!same(token, csrfToken(secret))) throw problems.forgery('CSRF token incorrect.')
}

/** Browsers say where a request comes from; programs do not. */
export function demandOwnOrigin(request: Request): void {
  const origin = originOf(request)
  if (origin !== undefined && origin !== ownOrigin(request)) {
    throw problems.forgery(`Origin checking failed - ${origin} does not match any trusted origins.`)
  }
}

/** Whether the browser says that one of our pages sent the request. */
export function isFromOwnPage(request: Request): boolean {
  const origin = originOf(request)
  return origin !== undefined && origin === ownOrigin(request)
}

/** The address of our page that sent the request, if the browser says it. */
export function sendingPage(request: Request): string | undefined {
  const referer = URL.parse(header(request, 'referer') ?? '')
  return referer && referer.origin === ownOrigin(request) ? `${referer.pathname}${referer.search}` : undefined
}

function ownOrigin({ base }: Request): string | undefined {
  return URL.parse(base)?.origin
}

function originOf(request: Request): string | undefined {
  return header(request, 'origin') ?? originOfReferer(header(request, 'referer'))
}

function originOfReferer(referer: string | undefined): string | undefined {
  return referer === undefined ? undefined : (URL.parse(referer)?.origin ?? 'null')
}

function same(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
