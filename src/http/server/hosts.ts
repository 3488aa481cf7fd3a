/**
 * The hosts that requests may name. Links are made from the Host header, so without such a list anyone can make the
 * server link to a host of their own, and a shared cache may store the response.
 */
export type AllowsHost = (host: string) => boolean

const ANY: AllowsHost = () => true

/** `*.example.org` matches every host under example.org, and `*` all hosts; without a list all are allowed. */
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
