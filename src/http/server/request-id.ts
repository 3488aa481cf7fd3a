/** Request ids, which connect log lines with responses. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A proxy's own id is kept, so that its log and ours can be read together. */
export function givenId(message: IncomingMessage): string | undefined {
  const given = message.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given) ? given : undefined
}

/** Unique in all processes. */
export function requestIds(): () => string {
  const process = randomBytes(6).toString('base64url')
  let count = 0
  return () => `${process}-${(++count).toString(36)}`
}
