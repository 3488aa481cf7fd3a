/**
 * `Expect: 100-continue`: the client sends its body only when the server asks for it. The server asks when a handler
 * first reads the body, so a request that its headers rule out (no credentials, a wrong token, too long a body) is
 * refused without it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './carries.ts'

const waiting = new WeakSet<IncomingMessage>()

/** For Node's event `checkContinue`. */
export function expectBody(message: IncomingMessage): void {
  if (hasBody(message.headers)) waiting.add(message)
}

/** Call it before the body is read. */
export function askForBody(message: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(message)) response.writeContinue()
}

/** Whether the client is still waiting. It may or may not send the body, so the connection cannot be reused. */
export function isBodyUnasked(message: IncomingMessage): boolean {
  return waiting.has(message)
}
