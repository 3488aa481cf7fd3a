/** Where a request comes from and what links back to us begin with. Forwarded headers count only from trusted proxies. */
import type { BlockList } from 'node:net'
import { problems } from '../engine/index.ts'

export interface OriginSettings {
  /** What every absolute link begins with, whatever the request says. */
  readonly baseUrl: string | undefined
  readonly trustedProxies: BlockList
}

interface Connection {
  readonly remoteAddress: string
  /** For the old clients that send no Host header: where they reached us. */
  readonly localHost: string
  readonly needsHost: boolean
  /** Every Host header that was sent. */
  readonly hosts: readonly string[]
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const HOST = /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/

export function originOf(
  headers: Headers,
  connection: Connection,
  { baseUrl, trustedProxies }: OriginSettings,
): { readonly base: string; readonly address: string } {
  const remote = connection.remoteAddress
  const trusted = isTrusted(remote, trustedProxies)
  const forwarded = (name: string) => (trusted ? listOf(headers[name]).at(-1) : undefined)
  const host = forwarded('x-forwarded-host') ?? connection.hosts[0]
  if (host === undefined && connection.needsHost) throw problems.badRequest('The Host header is missing.')
  if (connection.hosts.length > 1 || (host !== undefined && !isHost(host)))
    throw problems.badRequest('The Host header is not valid.')
  const scheme = forwarded('x-forwarded-proto')?.toLowerCase() === 'https' ? 'https' : 'http'
  return {
    base: baseUrl ?? `${scheme}://${host ?? connection.localHost}`,
    address: trusted ? clientAddress(listOf(headers['x-forwarded-for']), remote, trustedProxies) : remote,
  }
}

function isHost(host: string): boolean {
  const match = HOST.exec(host)
  return match !== null && Number(match[1] ?? 0) <= 65535
}

/** Each proxy adds the address it was reached from; the client is the last one that is not a proxy of ours. */
function clientAddress(chain: readonly string[], remote: string, trusted: BlockList): string {
  return chain.findLast((address) => !isTrusted(address, trusted)) ?? chain[0] ?? remote
}

function isTrusted(address: string, trusted: BlockList): boolean {
  if (trusted.rules.length === 0) return false
  const plain = address.replace(/^::ffff:/i, '')
  return trusted.check(plain, plain.includes(':') ? 'ipv6' : 'ipv4')
}

function listOf(value: string | string[] | undefined): string[] {
  const joined = Array.isArray(value) ? value.join(',') : (value ?? '')
  return joined
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
