/** Other records named in a form: "door #1", a number, or a name that only one record has. */
import type { ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'

/** How a form writes a record; only the number counts. */
export function written({ name, nameOf }: Kind, record: Shown): string {
  return `${nameOf(record).replaceAll(/\s+/g, ' ')} #${record[`${name}_id`]}`
}

export type Resolved = { readonly record: Shown } | { readonly fault: string }

const NUMBER = /^(?:.*#)?\s*([1-9][0-9]{0,14})$/s
const SHOWN = 5

/** As many as the API looks up at once. */
const AT_ONCE = 100
/** Many records may have the same name. */
const MOST_PAGES = 4
/** Each suggestion takes a search. */
const MOST_SUGGESTIONS = 20

/** Each given text, and the record that it names. Records given by number or name are read together. */
export async function resolveAll(
  visit: ExplorerVisit,
  kind: string,
  given: readonly string[],
): Promise<ReadonlyMap<string, Resolved>> {
  const texts = new Set(given)
  const ids = new Map<string, string>()
  for (const text of texts) {
    const id = NUMBER.exec(text.trim())?.[1]
    if (id) ids.set(text, id)
  }
  const names = [...texts].filter((text) => !ids.has(text)).map((text) => text.trim())
  const byId = new Map<string, Shown>()
  for (const record of await readIn(visit, kind, 'id', [...ids.values()])) {
    byId.set(String(record[`${kind}_id`]), record)
  }
  const { nameMember } = visit.kinds.get(kind)
  const byName = Map.groupBy(
    await readIn(visit, kind, nameMember, names.filter(isPlainName)),
    (each) => each[nameMember],
  )
  const resolved = new Map<string, Resolved>()
  let suggestions = 0
  for (const text of texts) {
    const id = ids.get(text)
    const found = id ? byId.get(id) : undefined
    const named = id ? [] : (byName.get(text.trim()) ?? [])
    if (found) resolved.set(text, { record: found })
    else if (id) resolved.set(text, { fault: `There is no ${kind} ${id}.` })
    else if (named.length === 1) resolved.set(text, { record: named[0]! })
    else resolved.set(text, await resolveName(visit, kind, text.trim(), suggestions++ < MOST_SUGGESTIONS))
  }
  return resolved
}

/** The same as a list, in the given order. */
export async function resolveEach(visit: ExplorerVisit, kind: string, given: readonly string[]): Promise<Resolved[]> {
  const resolved = await resolveAll(visit, kind, given)
  return given.map((text) => resolved.get(text)!)
}

/** The same for one text. */
export async function resolve(visit: ExplorerVisit, kind: string, given: string): Promise<Resolved> {
  return (await resolveAll(visit, kind, [given])).get(given)!
}

/** A comma would split it into two names. */
function isPlainName(name: string): boolean {
  return !name.includes(',')
}

/** The records with these ids or names, in a few requests. If many records have a name, some may be missing. */
async function readIn(visit: ExplorerVisit, kind: string, by: string, values: readonly string[]): Promise<Shown[]> {
  const records: Shown[] = []
  const different = [...new Set(values)]
  for (let from = 0; from < different.length; from += AT_ONCE) {
    const some = different.slice(from, from + AT_ONCE)
    const query = `${by}__in=${encodeURIComponent(some.join(','))}&page_size=${AT_ONCE * SHOWN}`
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { status, json } = await visit.ask(`/api/${kind}/?${query}&page=${page}`)
      if (status === 200) records.push(...json.results)
      if (status !== 200 || json.next === null) break
    }
  }
  return records
}

async function resolveName(visit: ExplorerVisit, kind: string, name: string, suggests: boolean): Promise<Resolved> {
  const unknown = { fault: `There is no ${kind} named “${name}”.` }
  if (!suggests) return unknown
  const called = visit.kinds.get(kind)
  const exact = await visit.ask(`/api/${kind}/?${called.nameMember}=${encodeURIComponent(name)}&page_size=${SHOWN}`)
  const found: readonly Shown[] = exact.status === 200 ? exact.json.results : []
  if (found.length === 1) return { record: found[0]! }
  const choices = found.length > 0 ? found : await similar(visit, kind, name)
  if (choices.length === 0) return unknown
  const list = choices.map((each) => written(called, each)).join(', ')
  return { fault: `Which ${kind} is “${name}”? ${list}` }
}

async function similar(visit: ExplorerVisit, kind: string, name: string): Promise<readonly Shown[]> {
  if (!visit.kinds.get(kind).isSearched) return []
  const { status, json } = await visit.ask(`/api/${kind}/?search=${encodeURIComponent(name)}&page_size=${SHOWN}`)
  return status === 200 ? json.results : []
}
