/**
 * Which addresses the whole internet can reach. A hook must not make the server connect to others: they may belong to
 * the server itself, to its network, or to its provider's metadata service.
 */
import { BlockList, isIP } from 'node:net'

/** The special-purpose addresses of RFC 6890 and its registry. */
const NOT_PUBLIC_4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // Multicast, reserved and broadcast.
  ['224.0.0.0', 3],
] as const

/** All public addresses of IPv6 are in here; loopback, private, mapped and NAT64 addresses are not. */
const GLOBAL_6 = ['2000::', 3] as const
const NOT_PUBLIC_6 = [
  // Teredo, benchmarks, ORCHID.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4: contains an address of IPv4.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const

const notPublic = new BlockList()
for (const [net, bits] of NOT_PUBLIC_4) notPublic.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of NOT_PUBLIC_6) notPublic.addSubnet(net, bits, 'ipv6')
const global6 = new BlockList()
global6.addSubnet(...GLOBAL_6, 'ipv6')

export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic.check(address, 'ipv4')
  // A zone names an interface of this machine.
  return family === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** The address, if the host of a URL is one and not a name. */
export function addressIn(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) > 0 ? bare : undefined
}
