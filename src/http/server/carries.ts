/** What a request has, judging by its headers. */
import type { IncomingMessage } from 'node:http'
import { MESSAGE_COOKIE, SESSION_COOKIE } from '../exchange/cookies.ts'
import type { Request } from '../exchange/message.ts'

export function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Credentials have to be checked, even if the answer is the same for everybody. A message is for one visitor, too. */
export function hasCredentials({ authorization, cookie }: Request['headers']): boolean {
  if (authorization !== undefined) return true
  const sent = cookie === undefined ? '' : String(cookie)
  return sent.includes(SESSION_COOKIE) || sent.includes(MESSAGE_COOKIE)
}

/** A password has to be checked by the process that counts the tries. */
export function hasPassword({ authorization }: Request['headers']): boolean {
  return authorization !== undefined && /^\s*basic\b/i.test(String(authorization))
}
