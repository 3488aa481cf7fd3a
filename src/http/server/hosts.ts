/**
 * The hosts that requests may name. Links are made from the Host header, so without such a list anybody can make the
 * server link to a host of their own, and a cache in between may keep the answer.
 */
export type AllowsHost = (host: string) => boolean

const ANY: AllowsHost = () => true

/** `*.example.org` stands for every host below example.org, and `*` for all; without a list all are allowed. */
export function hostFilter(hosts: readonly string[] | undefined): AllowsHost {
  if (!hosts || hosts.includes('*')) return ANY
  const exact = new Set(hosts.map((each) => each.toLowerCase()))
  const endings = [...exact].filter((each) => each.startsWith('*.')).map((each) => each.slice(1))
  return (host) => {
    const name = host
      .toLowerCase()
      .replace(/:[0-9]+$/, '')
      .replace(/\.$/, '')
    return exact.has(name) || endings.some((ending) => name.endsWith(ending) && name.length > ending.length)
  }
}
