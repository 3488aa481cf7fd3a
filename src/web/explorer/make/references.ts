/** Other records named in a form: "door #1", a number, or a name that only one record has. */
import type { Visit } from '../../../http/index.ts'
import type { Shown } from '../../kinds/index.ts'

/** How a form writes a record down; the number is what counts. */
export function written(kind: string, record: Shown): string {
  const name = String(record['name'] ?? record['body'] ?? kind).replaceAll(/\s+/g, ' ')
  return `${name} #${record[`${kind}_id`]}`
}

export type Resolved = { readonly record: Shown } | { readonly fault: string }

const NUMBER = /^(?:.*#)?\s*([1-9][0-9]{0,14})$/s
const SHOWN = 5

export async function resolve(visit: Visit, kind: string, given: string): Promise<Resolved> {
  const id = NUMBER.exec(given.trim())?.[1]
  if (id) {
    const { status, json } = await visit.ask(`/api/${kind}/${id}/`)
    return status === 200 ? { record: json } : { fault: `There is no ${kind} ${id}.` }
  }
  const exact = await visit.ask(`/api/${kind}/?name=${encodeURIComponent(given.trim())}&page_size=${SHOWN}`)
  const found: readonly Shown[] = exact.status === 200 ? exact.json.results : []
  if (found.length === 1) return { record: found[0]! }
  const choices = found.length > 0 ? found : await similar(visit, kind, given)
  if (choices.length === 0) return { fault: `There is no ${kind} named “${given.trim()}”.` }
  const list = choices.map((each) => written(kind, each)).join(', ')
  return { fault: `Which ${kind} is “${given.trim()}”? ${list}` }
}

async function similar(visit: Visit, kind: string, given: string): Promise<readonly Shown[]> {
  const { status, json } = await visit.ask(
    `/api/${kind}/?search=${encodeURIComponent(given.trim())}&page_size=${SHOWN}`,
  )
  return status === 200 ? json.results : []
}
