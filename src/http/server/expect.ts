/**
 * `Expect: 100-continue`: the client sends its body only when the server asks for it. The server asks when the body is first
 * read, so a request that its headers rule out (no credentials, a wrong token, too long a body) is refused without it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { hasBody } from './carries.ts'

const waiting = new WeakSet<IncomingMessage>()

/** For Node's event `checkContinue`. */
export function expectBody(message: IncomingMessage): void {
  if (hasBody(message.headers)) waiting.add(message)
}

/** To be called before the body is read. */
export function askForBody(message: IncomingMessage, response: ServerResponse): void {
  if (waiting.delete(message)) response.writeContinue()
}

/** Is the client still waiting? It may send the body or not, so the connection cannot be used any longer. */
export function isBodyUnasked(message: IncomingMessage): boolean {
  return waiting.has(message)
}
