/** What a request has, judging by its headers. */
import type { IncomingMessage } from 'node:http'
import { SESSION_COOKIE } from '../exchange/cookies.ts'
import type { Request } from '../exchange/message.ts'

export function isReading({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

export function hasBody(headers: IncomingMessage['headers']): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Credentials have to be checked, even if the answer is the same for everybody. */
export function hasCredentials({ authorization, cookie }: Request['headers']): boolean {
  return authorization !== undefined || (cookie !== undefined && String(cookie).includes(SESSION_COOKIE))
}

/** A password has to be checked by the process that counts the tries. */
export function hasPassword({ authorization }: Request['headers']): boolean {
  return authorization !== undefined && /^\s*basic\b/i.test(String(authorization))
}
