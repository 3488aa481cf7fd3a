/** The programs of docs/clients.md: by the file that the first line of each names. */
import { readFileSync } from 'node:fs'

export function recipes(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8')
  const blocks = Array.from(text.matchAll(/^```(?:python|ts|js)\n((?:#|\/\/) ([\w.-]+): .*?)^```$/gms))
  return new Map(blocks.map(([, source, name]) => [name!, source!]))
}
