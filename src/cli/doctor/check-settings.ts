/** Checks the settings, each by itself and together. */
import { BlockList, isIP } from 'node:net'
import { type Gathered, gatherSettings, type Options } from '../config/gather.ts'
import { SETTINGS } from '../setting-list.ts'
import { BadSetting, type Given, readSettings, type Settings } from '../settings.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

interface Checked {
  readonly findings: readonly Finding[]
  readonly gathered: Gathered
  /** With the default in place of each invalid setting. */
  readonly settings: Settings
  readonly databaseKnown: boolean
}

export function checkSettings(options: Options): Checked {
  const gathered = gatherSettings(options)
  const { given, places, faults, warnings } = gathered
  const faultOf = (some: Given) => badSettingOf(some, (name) => places.get(name)?.where ?? name)
  const findings = faults.map(fail)
  const good: Record<string, string | undefined> = {}
  for (const { name } of SETTINGS) {
    // One at a time, because a start stops at the first invalid one.
    const fault = faultOf({ [name]: given[name] })
    // A fault of another setting says that this one needs it.
    if (fault?.setting === name) findings.push(fail(fault.message))
    else good[name] = given[name]
  }
  const together = faultOf(good)
  if (together) findings.push(fail(together.message))
  if (findings.length === 0) findings.push(ok('all settings are valid'))
  findings.push(...warnings.map(warn))
  const settings = readSettings(together ? { DATABASE_URL: good['DATABASE_URL'] } : good)
  return { findings, gathered, settings, databaseKnown: faults.length === 0 && 'DATABASE_URL' in good }
}

function badSettingOf(given: Given, where: (name: string) => string): BadSetting | undefined {
  try {
    readSettings(given, where)
    return undefined
  } catch (error) {
    if (error instanceof BadSetting) return error
    throw error
  }
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
