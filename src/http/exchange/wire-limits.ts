/** Limits of size and time for clients. Tests set them lower. */
export const LIMITS = {
  headerBytes: 16 * 1024,
  headers: 200,
  bodyBytes: 1024 * 1024,
  /** Of a form or a query, counted before it is parsed, because parsers may take quadratic time. */
  members: 1000,
  /** Levels of nested arrays and objects in a JSON body. */
  jsonDepth: 64,
  /** From the first byte to the end of the headers, and to the end of the body. */
  headersMs: 15_000,
  requestMs: 60_000,
  /** Longer than the idle time of common proxies, so that the proxies close the connection. */
  idleMs: 65_000,
  /** How long a client may read no byte of its response. */
  takeMs: 60_000,
  /** How often a live stream looks after its client, and how long the client may take for what was sent. */
  beatMs: 5000,
  stallMs: 10_000,
  /** How long the process that writes may take for a request: longer than a slow client and a slow database together. */
  writerMs: 150_000,
  /** How long a refused connection stays open so that its client can read why. */
  lingerMs: 1000,
  /** How long running requests may take after the server was told to stop. */
  stopMs: 10_000,
  sweepMs: 50,
  /** How long a connection without a request stays open while the server stops. */
  firstMs: 1000,
}

/** What clients learn about connections that stay open. */
export const keepAlive = () => `timeout=${Math.floor(LIMITS.idleMs / 1000)}`

/** Whether the text contains the mark more than this many times. */
export function holdsMore(text: string | Buffer, mark: string, count: number): boolean {
  let at = -1
  for (let found = 0; found <= count; found++) {
    at = text.indexOf(mark, at + 1)
    if (at < 0) return false
  }
  return true
}
