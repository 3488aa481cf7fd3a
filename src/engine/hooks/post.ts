/**
 * Sends a POST to an address that a user chose, and trusts nothing: it connects only to addresses that it has checked
 * itself, follows no redirect, and limits the time and what it reads.
 */
import { promises as dns, type LookupAddress } from 'node:dns'
import https from 'node:https'
import { isIP } from 'node:net'
import { type Attributes, codeOf, type Trace, type TraceSpan } from '../../store/index.ts'
import { http } from '../node-http.ts'
import { printable } from '../printable.ts'
import { addressIn, isPublicAddress } from './public-address.ts'

/** Finds the addresses of a name. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>

export interface PostSettings {
  /** Whether private and loopback addresses are allowed. */
  readonly allowsPrivate: boolean
  /** For one try as a whole. */
  readonly timeoutMs?: number
  /** Begins the trace of a message that belongs to none. Undefined if nobody collects traces. */
  readonly beginTrace?: ((name: string, attributes: Attributes) => TraceSpan) | undefined
  /** Instead of the DNS. */
  readonly resolve?: Resolve
}

/** A response, or why there was none. */
export interface PostResult {
  readonly status: number | undefined
  readonly error: string | undefined
  /** In milliseconds, if the response says so. */
  readonly retryAfter: number | undefined
  readonly ms: number
}

const TIMEOUT_MS = 20_000
const DNS_MS = 5000
const MOST_BODY = 16 * 1024
const MOST_ADDRESSES = 8
const LONGEST_ERROR = 200
const SWITCHED = 101
const SPAN_NAME = 'POST hook'

class Refused extends Error {}

/** Keeps its connection for the next message, until it is closed. */
export class Poster {
  readonly #settings: PostSettings
  readonly #agents = {
    'http:': new http.Agent({ keepAlive: true, maxSockets: 1 }),
    'https:': new https.Agent({ keepAlive: true, maxSockets: 1 }),
  }

  constructor(settings: PostSettings) {
    this.#settings = settings
  }

  /** Never throws. `now` is for a Retry-After that names a date. */
  async post(url: string, headers: Record<string, string>, body: string, options: PostOptions): Promise<PostResult> {
    const span = this.#beginSpan(new URL(url), options.trace)
    const trace = span ?? options.trace
    const result = await this.#post(url, { ...headers, ...trace?.headers }, body, options)
    if (result.status !== undefined) span?.set({ 'http.response.status_code': result.status })
    const isSuccess = result.status !== undefined && result.status < 400
    span?.end(isSuccess ? undefined : String(result.status ?? 'no response'))
    return result
  }

  /** The path and the query may have secrets of the receiver. */
  #beginSpan({ hostname, port, protocol }: URL, trace: Trace | undefined): TraceSpan | undefined {
    const attributes = {
      'http.request.method': 'POST',
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    if (!trace) return this.#settings.beginTrace?.(SPAN_NAME, attributes)
    return trace.begin?.(SPAN_NAME, { kind: 'client', attributes })
  }

  async #post(url: string, headers: Record<string, string>, body: string, options: PostOptions): Promise<PostResult> {
    const started = performance.now()
    const { timeoutMs = TIMEOUT_MS } = this.#settings
    const over = new AbortController()
    const end = () => over.abort()
    const late = setTimeout(end, timeoutMs)
    options.signal?.addEventListener('abort', end)
    const send = () => this.#send(new URL(url), headers, body, over.signal)
    let reply: Reply
    try {
      reply = await send().catch((error: unknown) => {
        // The receiver closed a connection that was idle.
        if (error instanceof ClosedIdle && !over.signal.aborted) return send()
        throw error
      })
    } catch (error) {
      const reason = over.signal.aborted ? `no response within ${timeoutMs / 1000} seconds` : reasonOf(error)
      return { status: undefined, error: reason, retryAfter: undefined, ms: since(started) }
    } finally {
      clearTimeout(late)
      options.signal?.removeEventListener('abort', end)
    }
    const { status, retryAfter } = reply
    return { status, error: undefined, retryAfter: readRetryAfter(retryAfter, options.now), ms: since(started) }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  #send(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<Reply> {
    return new Promise((answered, failed) => {
      const { allowsPrivate } = this.#settings
      const literal = addressIn(url.hostname)
      // Node looks up names only.
      if (literal !== undefined && !this.#isAllowed(literal)) throw new Refused(PRIVATE)
      const isHttps = url.protocol === 'https:'
      const agent = this.#agents[isHttps ? 'https:' : 'http:']
      const length = String(Buffer.byteLength(body))
      const request = (isHttps ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': length },
        agent,
        signal,
        lookup: (name, { all }, found) => {
          this.#resolve(name).then(
            (addresses) => {
              const [{ address, family } = NO_ADDRESS] = addresses
              if (all) found(null, [...addresses])
              else found(null, address, family)
            },
            (error: Error) => found(error, []),
          )
        },
      })
      request.on('socket', (socket) => {
        // What was checked is what is connected; if it were not, nothing more would be sent.
        const check = () => {
          if (!allowsPrivate && !isPublicAddress(socket.remoteAddress ?? '')) request.destroy(new Refused(PRIVATE))
        }
        if (socket.connecting) socket.once('connect', check)
        else check()
      })
      let reply: Reply | undefined
      request.on('response', (response) => {
        reply = { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }
        let bytes = 0
        response.on('data', (chunk: Buffer) => {
          bytes += chunk.length
          if (bytes > MOST_BODY) response.destroy()
        })
        response.on('error', () => {})
      })
      // A 101 is not a response for Node.
      request.on('upgrade', (_, socket) => {
        reply = { status: SWITCHED, retryAfter: undefined }
        socket.destroy()
      })
      let fault: NodeJS.ErrnoException | undefined
      request.on('error', (error) => {
        fault = error
      })
      // Comes in any case, and last. The status counts, whatever happens to the body.
      request.on('close', () => {
        if (reply) answered(reply)
        else failed(request.reusedSocket && fault?.code === 'ECONNRESET' ? new ClosedIdle() : fault)
      })
      request.end(body)
    })
  }

  #isAllowed(address: string): boolean {
    return this.#settings.allowsPrivate || isPublicAddress(address)
  }

  async #resolve(name: string): Promise<readonly LookupAddress[]> {
    const { resolve = this.#settings.allowsPrivate ? resolveAsSystem : resolveByDns } = this.#settings
    const found = await resolve(name)
    const allowed = found.filter(({ address }) => this.#isAllowed(address)).slice(0, MOST_ADDRESSES)
    if (found.length === 0) throw new Refused('the host name has no address')
    if (allowed.length === 0) throw new Refused(PRIVATE)
    return allowed
  }
}

export interface PostOptions {
  readonly now: Date
  /** Aborts the try. */
  readonly signal?: AbortSignal | undefined
  /** The trace that the message belongs to. */
  readonly trace?: Trace | undefined
}

interface Reply {
  readonly status: number
  readonly retryAfter: string | undefined
}

class ClosedIdle extends Error {}

const NO_ADDRESS: LookupAddress = { address: '', family: 0 }
const PRIVATE = 'the address is private'

/**
 * Not by the function of the system: it blocks one of Node's few threads until it has an answer, so that a slow name
 * server would delay others.
 */
async function resolveByDns(name: string): Promise<readonly LookupAddress[]> {
  if (/^(.+\.)?localhost\.?$/i.test(name)) return [{ address: '127.0.0.1', family: 4 }]
  const resolver = new dns.Resolver({ timeout: DNS_MS, tries: 2 })
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : [])).map(addressOf)
}

/** Also knows the names of the operator's own network. */
async function resolveAsSystem(name: string): Promise<readonly LookupAddress[]> {
  return await dns.lookup(name, { all: true })
}

function addressOf(address: string): LookupAddress {
  return { address, family: isIP(address) }
}

function since(started: number): number {
  return Math.round(performance.now() - started)
}

/** In milliseconds: seconds, or a date. */
function readRetryAfter(given: string | undefined, now: Date): number | undefined {
  if (given === undefined) return undefined
  if (/^[0-9]{1,9}$/.test(given)) return Number(given) * 1000
  const date = Date.parse(given)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime())
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name has no address',
  EAI_AGAIN: 'the host name cannot be looked up',
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return 'unknown'
  return printable(REASONS[codeOf(error)] ?? error.message).slice(0, LONGEST_ERROR)
}
