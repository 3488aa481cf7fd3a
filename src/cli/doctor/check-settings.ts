/** Checks the settings, each by itself and together. */
import { BlockList, isIP } from 'node:net'
import { SETTINGS } from '../setting-list.ts'
import { BadSetting, type Given, readSettings, type Settings } from '../settings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

interface Checked {
  readonly findings: readonly Finding[]
  /** With the default in place of each invalid setting. */
  readonly settings: Settings
  readonly databaseKnown: boolean
}

export function checkSettings(given: Given): Checked {
  const findings: Finding[] = []
  const good: Record<string, string | undefined> = {}
  for (const { name } of SETTINGS) {
    try {
      // One at a time, because a start stops at the first invalid one.
      readSettings({ [name]: given[name] })
      good[name] = given[name]
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error
      findings.push(fail(error.message))
    }
  }
  if (findings.length === 0) findings.push(ok('all settings are valid'))
  return { findings, settings: readSettings(good), databaseKnown: 'DATABASE_URL' in good }
}

/** Settings that work, but may not be what the operator means. */
export function* checkExposure(settings: Settings): Generator<Finding> {
  const { host, signUpOpen, baseUrl, hosts, trustedProxies, hooks } = settings
  const proxies = trustedProxies.rules.length > 0
  if (signUpOpen && !isLoopback(host)) {
    yield warn(
      `anyone who reaches ${host} can create an account: NYMDEX_SIGNUP=closed prevents it, nymdex user add creates accounts`,
    )
  }
  if (signUpOpen && hooks?.allowsPrivate && !isLoopback(host)) {
    yield warn(
      'anyone who signs up can make the server connect to private addresses: NYMDEX_HOOKS=on prevents it, or NYMDEX_SIGNUP=closed',
    )
  }
  if (everybody.every((address) => trustedProxies.check(address))) {
    yield warn(
      'NYMDEX_TRUST_PROXY trusts every address, so anyone can pretend to be another client: name the address of the proxy',
    )
  } else if (proxies && !hosts) {
    yield warn(
      'links use any host that a request names: set NYMDEX_BASE_URL, such as https://nymdex.example, or NYMDEX_HOSTS',
    )
  }
  if (baseUrl && !proxies && new URL(baseUrl).protocol === 'https:') {
    yield warn(
      'behind a proxy that NYMDEX_TRUST_PROXY does not name, all clients have the same address and share its limits',
    )
  }
}

/** Two addresses that have nothing in common except being outside. */
const everybody = ['8.8.8.8', '203.0.113.7']

export function isLoopback(host: string): boolean {
  const loopback = new BlockList()
  loopback.addSubnet('127.0.0.0', 8)
  loopback.addAddress('::1', 'ipv6')
  return host === 'localhost' || (isIP(host) > 0 && loopback.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4'))
}
