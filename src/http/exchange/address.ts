/**
 * Client addresses as the rate limits count them. One client can write its IPv4 address in several ways, and usually
 * has a whole IPv6 network to itself.
 */

/** The network that an address counts as: itself for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  return network(address, 64)
}

/** A wider network: the /48 that a site or a customer usually gets. Undefined for IPv4. */
export function wideNetworkOf(address: string): string | undefined {
  const plain = plainAddress(address)
  return plain.includes(':') ? network(plain, 48) : undefined
}

/** Without a zone or a port; an IPv4 address written as IPv6 (`::ffff:192.0.2.1`) becomes plain IPv4. */
export function plainAddress(address: string): string {
  const bare = withoutPort(address).replace(/%.*$/s, '')
  const groups = groupsOf(bare)
  if (!groups) return bare
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join('.') : bare
}

function network(address: string, bits: number): string {
  const plain = plainAddress(address)
  const groups = groupsOf(plain)
  if (!groups) return plain
  const kept = groups.slice(0, bits / 16).map((group) => group.toString(16))
  return `${kept.join(':')}::/${bits}`
}

/** Some proxies add the client's port: `192.0.2.1:5000`, `[2001:db8::1]:5000`. */
function withoutPort(address: string): string {
  const [, bracketed, dotted] = /^(?:\[(.*)\](?::\d+)?|([\d.]+):\d+)$/s.exec(address) ?? []
  return bracketed ?? dotted ?? address
}

/** The eight groups of an IPv6 address; undefined for anything else. */
function groupsOf(address: string): number[] | undefined {
  if (!address.includes(':')) return undefined
  const hex = address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    return `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`
  })
  const [start = '', end, ...more] = hex.split('::')
  const parts = (text: string) => (text === '' ? [] : text.split(':'))
  const [head, tail] = [parts(start), parts(end ?? '')]
  const missing = 8 - head.length - tail.length
  if (more.length > 0 || (end === undefined ? missing !== 0 : missing < 0)) return undefined
  const all = [...head, ...Array<string>(missing).fill('0'), ...tail]
  return all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? all.map((group) => Number.parseInt(group, 16))
    : undefined
}
