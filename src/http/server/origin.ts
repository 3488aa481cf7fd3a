/**
 * The client's address, and the beginning of links to this server. Forwarded headers count only from trusted proxies.
 */
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { problems } from '../../engine/index.ts'
import { plainAddress } from '../exchange/address.ts'
import { isHealthCheck } from '../routes/health.ts'
import { type AllowsHost, hostFilter } from './hosts.ts'

export interface OriginSettings {
  /** The beginning of every absolute link, whatever the request says. */
  readonly baseUrl: string | undefined
  readonly trustedProxies: BlockList
  /** The hosts that requests may name, as parsed by hosts.ts; any by default. */
  readonly hosts?: readonly string[] | undefined
  /** Whether the X-Forwarded-Host of a trusted proxy counts. Many proxies pass on what a client sends. */
  readonly forwardedHost?: boolean
}

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/

export interface Origin {
  readonly base: string
  readonly address: string
}

const MOST_HOSTS = 1000

export class OriginReader {
  readonly #settings: OriginSettings
  readonly #isAllowed: AllowsHost
  readonly #hasProxies: boolean
  /** Base by host, for the many requests that come with the same one. */
  readonly #bases = new Map<string, string>()

  constructor(settings: OriginSettings) {
    this.#settings = settings
    this.#isAllowed = hostFilter(settings.hosts)
    this.#hasProxies = settings.trustedProxies.rules.length > 0
  }

  /** Throws a problem if the request names no host that can be used. */
  read(message: IncomingMessage): Origin {
    const host = this.#hasProxies || !message.url!.startsWith('/') ? undefined : onlyHost(message)
    if (host === undefined) return this.#readHeaders(message)
    const known = this.#bases.get(host)
    if (known !== undefined) return { base: known, address: message.socket.remoteAddress ?? '' }
    const origin = this.#readHeaders(message)
    if (this.#bases.size < MOST_HOSTS && this.#isAllowed(host)) this.#bases.set(host, origin.base)
    return origin
  }

  #readHeaders(message: IncomingMessage): Origin {
    const hosts = hostsOf(message)
    const { baseUrl, trustedProxies, forwardedHost = false } = this.#settings
    const { socket, headers } = message
    const remote = socket.remoteAddress ?? ''
    const trusted = isTrusted(remote, trustedProxies)
    const forwarded = (name: string) => (trusted ? listOf(headers[name]).at(-1) : undefined)
    const named = forwardedHost ? forwarded('x-forwarded-host') : undefined
    const sent = named ?? hosts[0]
    if (sent === undefined && message.httpVersion !== '1.0') throw problems.badRequest('The Host header is missing.')
    if (hosts.length > 1 || (sent !== undefined && !isHost(sent)))
      throw problems.badRequest('The Host header is not valid.')
    const target = targetHost(message)
    if (target !== undefined && !isHost(target)) throw problems.badRequest('The host of the request line is not valid.')
    // A whole address in the request line counts more than the Host header (RFC 9112, 3.2.2).
    const host = named ?? target ?? sent
    // Load balancers use the address, whatever the name of the site.
    if (host !== undefined && !this.#isAllowed(host) && !isHealthCheck(message.url ?? ''))
      throw problems.badRequest('The Host header names a host that this server does not serve.')
    const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
    return {
      // For old clients that send no Host header: the address they reached.
      base: baseUrl ?? `${scheme}://${host ?? hostOf(socket.localAddress ?? '', socket.localPort)}`,
      address: trusted ? clientAddress(listOf(headers['x-forwarded-for']), remote, trustedProxies) : remote,
    }
  }
}

/** `GET http://host/path HTTP/1.1`, as clients send it to proxies. */
function targetHost({ url = '' }: IncomingMessage): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]
}

/** Every Host header that was sent. */
function hostsOf({ rawHeaders }: IncomingMessage): string[] {
  const hosts: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (isHostHeader(rawHeaders[i]!)) hosts.push(rawHeaders[i + 1]!)
  }
  return hosts
}

/** The Host header, if there is exactly one. */
function onlyHost({ rawHeaders }: IncomingMessage): string | undefined {
  let only: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!isHostHeader(rawHeaders[i]!)) continue
    if (only !== undefined) return undefined
    only = rawHeaders[i + 1]
  }
  return only
}

function isHostHeader(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host'
}

function hostOf(address: string, port: number | undefined): string {
  const plain = address.replace(/^::ffff:/i, '')
  return `${plain.includes(':') ? `[${plain}]` : plain}:${port}`
}

function isHost(host: string): boolean {
  const match = HOST.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65535
}

/** Each proxy adds the address that connected to it; the client is the last one that is not a trusted proxy. */
function clientAddress(chain: readonly string[], remote: string, trusted: BlockList): string {
  return chain.findLast((address) => !isTrusted(address, trusted)) ?? chain[0] ?? remote
}

function isTrusted(address: string, trusted: BlockList): boolean {
  if (trusted.rules.length === 0) return false
  const plain = plainAddress(address)
  return trusted.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

function listOf(value: string | string[] | undefined): string[] {
  const joined = Array.isArray(value) ? value.join(',') : (value ?? '')
  return joined
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
