/**
 * A polite client for another server: one request at a time, a pause after each, and retries when it is busy or away.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as timeout } from 'node:timers/promises'
import { codeOf } from '../store/index.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const LARGEST_ANSWER = 64 * 1024 * 1024
const MOST_REDIRECTS = 5
const MOST_RETRIES = 5
const SLOWEST_ANSWER = 60_000
const LONGEST_REST = 1000
const LONGEST_WAIT = 10 * 60_000
/** A follower tries for ever: a server that says 0 must not be asked without a pause. */
const SHORTEST_WAIT = 1000
/** The first wait before a retry; each further one is twice as long. */
const FIRST_WAIT = { away: 1000, busy: 5000 }
const IMPATIENT = { retries: MOST_RETRIES, longest: LONGEST_WAIT }
const LONGEST_DETAIL = 200

/** The one line for the operator when a walk cannot continue. */
export class Unreachable extends Error {}

export interface Answer {
  /** Its address after redirects, without the query. */
  readonly address: URL
  readonly status: number
  readonly headers: Headers
  /** Undefined if it is not JSON. */
  readonly json: unknown
}

/** How long to retry: how often, and the waits before the first and the last retries, in milliseconds. */
interface Patience {
  readonly retries: number
  readonly first: number
  readonly longest: number
}

export interface ClientOptions {
  readonly authorization?: string | undefined
  /** Milliseconds between requests; by default, as long as the last one took. */
  readonly pause?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Without it, the client gives up after some retries. */
  readonly patience?: Patience | undefined
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined
  readonly onNote?: ((line: string) => void) | undefined
}

/** Why a request is worth retrying. */
interface Setback {
  readonly reason: string
  readonly kind: keyof typeof FIRST_WAIT
  /** As the server asks. */
  readonly wait?: number | undefined
}

export class Client {
  readonly #options: ClientOptions
  #rest = 0

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Returns the server's response, even a 4xx; throws if it is unusable. */
  async get(address: URL): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      await this.#sleep(this.#rest)
      const outcome = await this.#follow(address)
      if ('status' in outcome) return outcome
      const { reason, kind } = outcome
      const { retries, first, longest } = this.#options.patience ?? { ...IMPATIENT, first: FIRST_WAIT[kind] }
      if (tries > retries) throw new Unreachable(`${address} ${reason}, ${tries} times`)
      const wait = outcome.wait ?? Math.min(longest, first * 2 ** (tries - 1))
      this.#options.onNote?.(`${address} ${reason}: trying again in ${Math.ceil(wait / 1000)} s`)
      this.#rest = 0
      await this.#sleep(wait)
    }
  }

  async #follow(address: URL): Promise<Answer | Setback> {
    let at = address
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const outcome = await this.#request(at)
      if (!(outcome instanceof URL)) return outcome
      if (!isSameHost(at, outcome)) {
        const other = outcome.origin + outcome.pathname
        throw new Unreachable(`${at} redirects to ${other}, which is another host: give that address instead`)
      }
      at = outcome
    }
    throw new Unreachable(`${address} redirects more than ${MOST_REDIRECTS} times`)
  }

  /** An address is the target of a redirect. */
  async #request(address: URL): Promise<Answer | Setback | URL> {
    const { authorization, pause, signal } = this.#options
    signal?.throwIfAborted()
    const limit = AbortSignal.timeout(SLOWEST_ANSWER)
    const begun = performance.now()
    try {
      const response = await fetch(address, {
        headers: {
          Accept: 'application/json',
          'User-Agent': `nymdex/${version}`,
          ...(authorization ? { Authorization: authorization } : {}),
        },
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      })
      const bytes = await readWhole(response, address)
      const { status, headers } = response
      const location = headers.get('location')
      if (status >= 300 && status < 400 && location !== null && URL.canParse(location, address.href)) {
        return new URL(location, address)
      }
      if (status === 429 || status === 503) {
        return { reason: `answered ${status}`, kind: 'busy', wait: retryAfter(headers.get('retry-after')) }
      }
      if (status >= 500) return { reason: `answered ${status}`, kind: 'away' }
      return { address: new URL(address.origin + address.pathname), status, headers, json: parsed(bytes) }
    } catch (error) {
      if (error instanceof Unreachable) throw error
      signal?.throwIfAborted()
      const reason = whyAway(error)
      // fetch refuses some ports; waiting would not help.
      if (reason.includes('bad port')) throw new Unreachable(`${address.origin}: ${reason}`)
      return { reason, kind: 'away' }
    } finally {
      this.#rest = pause ?? Math.min(performance.now() - begun, LONGEST_REST)
    }
  }

  async #sleep(milliseconds: number): Promise<void> {
    const { signal, sleep = (ms) => timeout(ms, undefined, signal ? { signal } : {}) } = this.#options
    if (milliseconds === 0) return
    try {
      await sleep(milliseconds, signal)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  }
}

/**
 * The address without its secrets, and those as a header. An unreadable address is never printed, because it may
 * contain a password.
 */
export function readAddress(given: string): { address: URL; authorization: string | undefined } {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Unreachable('give the address of a server, such as https://nymdex.example/')
  }
  const name = unescaped(url.username)
  const password = unescaped(url.password)
  const basic = Buffer.from(`${name}:${password}`).toString('base64')
  const path = url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`
  return { address: new URL(path, url.origin), authorization: name || password ? `Basic ${basic}` : undefined }
}

/** Describes an unexpected response in a few words. */
export function whatIs({ status, json }: Answer, wanted: string): string {
  const detail = typeof json === 'object' && json !== null && 'detail' in json ? json.detail : undefined
  const said = typeof detail === 'string' ? `: ${detail.replaceAll(/\p{C}/gu, ' ').slice(0, LONGEST_DETAIL)}` : ''
  if (status !== 200) return `answered ${status}${said}`
  return json === undefined ? 'returned something that is not JSON' : `returned JSON that is not ${wanted}`
}

/** The same server, or its https address, to which most servers redirect. */
function isSameHost(from: URL, to: URL): boolean {
  return (
    from.origin === to.origin ||
    (from.hostname === to.hostname && from.protocol === 'http:' && to.protocol === 'https:')
  )
}

async function readWhole(response: Response, address: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > LARGEST_ANSWER) throw new Unreachable(`${address} returned more than 64 MiB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined
  const wait = /^\d+$/.test(header)
    ? Number(header) * 1000
    : Date.parse(/ GMT$/.test(header) ? header : '') - Date.now()
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, SHORTEST_WAIT), LONGEST_WAIT)
}

function whyAway(error: unknown): string {
  if (!(error instanceof Error)) return `cannot be reached: ${error}`
  const { name, message, cause } = error
  if (name === 'TimeoutError') return `did not answer within ${SLOWEST_ANSWER / 1000} s`
  const code = codeOf(cause)
  const why = cause instanceof Error ? cause.message : ''
  if (code === 'ECONNREFUSED') return 'refuses the connection'
  if (code === 'ENOTFOUND') return 'has an unknown host name'
  return `cannot be reached: ${why || code || message}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
