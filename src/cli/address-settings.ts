/** Settings that are addresses: hosts, links, proxies. */
import { BlockList, isIP } from 'node:net'
import type { SiteSettings } from '../http/index.ts'
import { redactUrl } from '../store/index.ts'
import { BadSetting } from './bad-setting.ts'

/** `[::1]`, as in web addresses, is `::1`. */
export function readHost(value: string): string {
  const host = value.replace(/^\[([0-9a-f:.]+)\]$/i, '$1')
  if (!/^[^\s/\\@[\]]+$/.test(host)) {
    throw new BadSetting('HOST', value, 'an address or a host name, such as 127.0.0.1, ::1 or 0.0.0.0')
  }
  return host
}

export function readBaseUrl(value: string): string | undefined {
  if (value === '') return undefined
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new BadSetting('NYMDEX_BASE_URL', redactUrl(value), 'an address such as https://nymdex.example')
  }
  return url.origin
}

export function readFollow(value: string): string | undefined {
  if (value === '') return undefined
  if (/^https?:$/.test(URL.parse(value)?.protocol ?? '')) return value
  throw new BadSetting('NYMDEX_FOLLOW', redactUrl(value), 'an address such as https://nymdex.example/')
}

/** This machine alone, unless an address is given: the figures are for operators. */
export function readMetrics(value: string): { readonly host: string; readonly port: number } | undefined {
  if (value === 'off') return undefined
  const [, host = '127.0.0.1', port] = /^(?:([\w.-]+|\[[0-9a-f:.]+\]):)?([0-9]{1,5})$/i.exec(value) ?? []
  if (port === undefined || Number(port) > 65_535)
    throw new BadSetting('NYMDEX_METRICS', value, 'off, a port, or an address and a port such as 10.0.0.5:9464')
  return { host: readHost(host), port: Number(port) }
}

const POSTGRES = /^postgres(ql)?:\/\/./

export function readDatabaseUrl(value: string): string {
  // Each connection of a process, and each process, would have a database of its own in memory.
  if (/^sqlite:./.test(value) && value !== 'sqlite::memory:') return value
  if (POSTGRES.test(value)) {
    refuseParts('DATABASE_URL', value)
    return value
  }
  throw new BadSetting('DATABASE_URL', redactUrl(value), 'sqlite:PATH or postgres://...')
}

const TLS_MODES = ['disable', 'no-verify', 'prefer', 'require', 'verify-ca', 'verify-full']

/** The driver would say only "Invalid URL" of a wrong port, and take any other `sslmode` for `verify-full`. */
function refuseParts(name: string, url: string): void {
  // The driver also takes an address without a host.
  const parsed = URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'))
  if (!parsed)
    throw new BadSetting(name, redactUrl(url), 'an address such as postgres://user:password@host:5432/database')
  const mode = parsed.searchParams.get('sslmode')
  if (mode === null || TLS_MODES.includes(mode)) return
  throw new BadSetting(name, `sslmode=${mode}`, `one of ${TLS_MODES.join(', ')}`)
}

/** A comma inside an address is written as %2C. */
export function readReplicas(value: string): readonly string[] {
  const urls = value.split(/[\s,]+/).filter((each) => each !== '')
  for (const url of urls) {
    // Without a scheme, it may be a part of a password that has a comma.
    if (!POSTGRES.test(url))
      throw new BadSetting('NYMDEX_REPLICA_URLS', url.includes('://') ? redactUrl(url) : '...', 'postgres://...')
    refuseParts('NYMDEX_REPLICA_URLS', url)
  }
  return urls
}

/** Only PostgreSQL has replicas, and the primary is none. */
export function refuseReplicas(replicas: readonly string[], databaseUrl: string): void {
  const refuse = (url: string, wants: string) => {
    throw new BadSetting('NYMDEX_REPLICA_URLS', redactUrl(url), wants)
  }
  const [first] = replicas
  if (replicas.includes(databaseUrl)) refuse(databaseUrl, 'another server than that of DATABASE_URL')
  if (first !== undefined && databaseUrl.startsWith('sqlite:')) {
    refuse(first, `a copy of ${databaseUrl}: set DATABASE_URL to the primary server`)
  }
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']
const HOST_PATTERN = /^(?:\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/

export function readHosts(value: string, baseUrl: string | undefined): readonly string[] | undefined {
  if (value === '') return baseUrl === undefined ? undefined : [new URL(baseUrl).hostname, ...LOOPBACK]
  return value.split(',').map((each) => {
    const host = each.trim().toLowerCase().replace(/\.$/, '')
    if (!HOST_PATTERN.test(host)) {
      throw new BadSetting(
        'NYMDEX_HOSTS',
        each.trim(),
        'a host name without a port, such as nymdex.example or *.nymdex.example',
      )
    }
    return host
  })
}

export function readProxies(value: string): BlockList {
  const list = new BlockList()
  if (/^(off|false|no|0)$/i.test(value)) return list
  for (const entry of value.split(',').map((each) => each.trim())) {
    if (entry === 'loopback') {
      list.addSubnet('127.0.0.0', 8)
      list.addAddress('::1', 'ipv6')
      continue
    }
    const [address = '', prefix] = entry.split('/', 2)
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const most = family === 'ipv6' ? 128 : 32
    const bits = prefix === undefined ? most : Number(prefix)
    if (isIP(address) === 0 || !(Number.isInteger(bits) && bits >= 0 && bits <= most)) {
      throw new BadSetting('NYMDEX_TRUST_PROXY', entry, 'off, loopback, an address or a network such as 10.0.0.0/8')
    }
    list.addSubnet(address, bits, family)
  }
  return list
}

/** Links in mails begin with the base URL: otherwise a client could choose where they lead. */
export function readMail(url: string, from: string, baseUrl: string | undefined): SiteSettings['mail'] {
  if (url === '') return undefined
  const parsed = URL.parse(url)
  if (!parsed || !/^smtps?:$/.test(parsed.protocol) || parsed.hostname === '') {
    throw new BadSetting('NYMDEX_SMTP_URL', redactUrl(url), 'an address such as smtp://user:password@mail.example:587')
  }
  if (from === '') throw new BadSetting('NYMDEX_MAIL_FROM', from, 'an address such as nymdex@mail.example')
  if (baseUrl === undefined) throw new BadSetting('NYMDEX_BASE_URL', '', 'set, and NYMDEX_SMTP_URL needs it')
  return { url, from }
}
