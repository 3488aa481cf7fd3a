/** The values of settings, checked. An invalid one is refused with a clear line. */
import { BlockList, isIP } from 'node:net'
import type { CacheSettings, Limit } from '../http/index.ts'
import { redactUrl } from '../store/index.ts'

export class BadSetting extends Error {
  constructor(name: string, value: string, wants: string) {
    super(`${name}: "${value}" is not ${wants}`)
  }
}

/** `[::1]`, as in web addresses, is `::1`. */
export function readHost(value: string): string {
  const host = value.replace(/^\[([0-9a-f:.]+)\]$/i, '$1')
  if (!/^[^\s/\\@[\]]+$/.test(host)) {
    throw new BadSetting('HOST', value, 'an address or a host name, such as 127.0.0.1, ::1 or 0.0.0.0')
  }
  return host
}

export function readNumber(name: string, value: string, from: number, to: number): number {
  const number = Number(value)
  if (!/^[0-9]+$/.test(value) || number < from || number > to) {
    throw new BadSetting(name, value, `a whole number from ${from} to ${to}`)
  }
  return number
}

const MOST_DAYS = 36_500

export function readDays(name: string, value: string): number | undefined {
  if (value === 'off') return undefined
  const days = Number(value)
  if (!/^[0-9]+$/.test(value) || days < 1 || days > MOST_DAYS)
    throw new BadSetting(name, value, `off or a whole number from 1 to ${MOST_DAYS}`)
  return days
}

export function readSwitch(name: string, value: string): boolean {
  if (/^(on|true|yes|1)$/i.test(value)) return true
  if (/^(off|false|no|0)$/i.test(value)) return false
  throw new BadSetting(name, value, 'on or off')
}

/** One of two words; true for the first. */
export function readChoice(name: string, value: string, yes: string, no: string): boolean {
  if (value === yes || value === no) return value === yes
  throw new BadSetting(name, value, `${yes} or ${no}`)
}

/** Half of the memory for responses, half for the records they are built from. */
export function readCache(way: string, megabytes: number): CacheSettings {
  const half = megabytes * 512 * 1024
  if (way === 'off') return { answers: 0, records: 0, check: false }
  if (way === 'on' || way === 'check') return { answers: half, records: half, check: way === 'check' }
  if (way === 'records') return { answers: 0, records: half, check: false }
  throw new BadSetting('NYMDEX_CACHE', way, 'on, off, records or check')
}

const SECONDS = { second: 1, minute: 60, hour: 3600, day: 86_400 }

export function readLimit(name: string, value: string): Limit | undefined {
  if (value === 'off') return undefined
  const [, count, period] = /^([1-9][0-9]{0,8})\/(second|minute|hour|day)$/.exec(value) ?? []
  if (!count) throw new BadSetting(name, value, 'off or a rate such as 10/minute')
  return { count: Number(count), seconds: SECONDS[period as keyof typeof SECONDS] }
}

export function readDatabaseUrl(value: string): string {
  if (/^sqlite:./.test(value) || /^postgres(ql)?:\/\/./.test(value)) return value
  throw new BadSetting('DATABASE_URL', redactUrl(value), 'sqlite:PATH or postgres://...')
}

export function readBaseUrl(value: string): string | undefined {
  if (value === '') return undefined
  const url = URL.parse(value)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new BadSetting('NYMDEX_BASE_URL', redactUrl(value), 'an address such as https://nymdex.example')
  }
  return url.origin
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

export function readLevel(value: string): string {
  if (/^(fatal|error|warn|info|debug|trace|silent)$/.test(value)) return value
  throw new BadSetting('LOG_LEVEL', value, 'one of fatal, error, warn, info, debug, trace and silent')
}
