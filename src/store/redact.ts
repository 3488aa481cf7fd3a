/**
 * Database addresses without their secrets, for messages and logs. A misspelt address may have its password in
 * unexpected places, so only the scheme, a plain user name, the host and the database are shown.
 */

const HIDDEN = '...'
const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?(?:\/[A-Za-z0-9._-]*)?$/
const PLAIN = /^[A-Za-z0-9._-]+$/

/** `postgres://ada:secret@db.example/words?password=x` becomes `postgres://ada@db.example/words`. */
export function redactUrl(url: string): string {
  if (url.startsWith('sqlite:')) return url
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(url) ?? []
  // Without a scheme it may be a path, or anything, such as `host=db password=secret`.
  if (!scheme) return /^[\w./~-]+$/.test(url) ? url : HIDDEN
  const at = rest.lastIndexOf('@')
  const question = rest.indexOf('?')
  // If a question mark comes before the @, either may be part of a password.
  if (at >= 0 && question >= 0 && question < at) return `${scheme}://${HIDDEN}`
  const place = rest.slice(at + 1).replace(/[?#].*$/s, '')
  if (!HOST.test(place)) return `${scheme}://${HIDDEN}`
  const user = at < 0 ? '' : rest.slice(0, at).split(':', 1)[0]!
  return `${scheme}://${user !== '' && PLAIN.test(user) ? `${user}@` : ''}${place}`
}

/** A message without any possible secret of the address. */
export function withoutSecrets(message: string, url: string): string {
  const secrets = [...secretsIn(url)].filter((secret) => secret.length > 2).sort((a, b) => b.length - a.length)
  return secrets.reduce((text, secret) => text.replaceAll(secret, HIDDEN), message)
}

function* secretsIn(url: string): Generator<string> {
  const rest = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const [, password = ''] = /^[^:]*:(.*)@/s.exec(rest) ?? []
  const inQuery = Array.from(rest.matchAll(/password=([^&\s]*)/gi), ([, value = '']) => value)
  for (const secret of [password, ...password.split(/[@/?#:]/), ...inQuery]) {
    yield secret
    yield decoded(secret)
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
