/** Addresses as the log shows them: without secrets, and without the texts that people ask about. */

/**
 * Names of parameters that may hold a secret, such as the token of a link sent by mail. An address may also be encoded
 * in another one: pages add theirs to links to sign in.
 */
const SECRET =
  /(?:[?&;]|%3f|%26)(?:[\w-]*(?:token|password|passwd|secret|signature|api[_-]?key)|key|code|sig|auth|text)(?:=|%3d)/i
const SECRETS = new RegExp(`(${SECRET.source})[^&;#\\s]*`, 'gi')

export function withoutSecrets(url: string): string {
  return SECRET.test(url) ? url.replaceAll(SECRETS, '$1...') : url
}
