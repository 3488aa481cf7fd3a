/** How much, and how long, a client may take. Tests set them lower. */
export const LIMITS = {
  headerBytes: 16 * 1024,
  headers: 200,
  bodyBytes: 1024 * 1024,
  /** Of a form or a query, counted before it is parsed: parsers may take quadratic time. */
  members: 1000,
  /** Levels of arrays and objects inside each other in a JSON body. */
  jsonDepth: 64,
  /** From the first byte to the end of the headers, and to the end of the body. */
  headersMs: 15_000,
  requestMs: 60_000,
  /** Longer than the idle time of the usual proxies, so that it is they who hang up. */
  idleMs: 65_000,
  /** How long a client may take no byte of its answer. */
  takeMs: 60_000,
  /** How long a connection that was refused stays open for its client to read why. */
  lingerMs: 1000,
  /** How long running requests may take after the server was told to stop. */
  stopMs: 10_000,
  sweepMs: 50,
  /** How long a connection on which nothing was asked yet stays open while the server stops. */
  firstMs: 1000,
}

/** What clients are told about connections that stay. */
export const keepAlive = () => `timeout=${Math.floor(LIMITS.idleMs / 1000)}`

/** Does the text hold the mark more than so many times? */
export function holdsMore(text: string | Buffer, mark: string, count: number): boolean {
  let at = -1
  for (let found = 0; found <= count; found++) {
    at = text.indexOf(mark, at + 1)
    if (at < 0) return false
  }
  return true
}
