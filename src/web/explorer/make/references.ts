/** Other records named in a form: a name that only one record has, "door: open / close", a number, or "door #1". */
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { labelAmong, labelsOf } from '../../record-labels.ts'

export type Resolved = { readonly record: Shown } | { readonly fault: string }

const NUMBER = /^(?:.*#)?\s*([1-9][0-9]{0,14})$/s
const SHOWN = 5

/** As many as the API looks up at once. */
const AT_ONCE = 100
/** Many records may have the same name. */
const MOST_PAGES = 4
/** Each suggestion takes a search. */
const MOST_SUGGESTIONS = 20

/** How a form writes each record: the shortest label that names it alone. */
export async function written(visit: ExplorerVisit, kind: string, records: readonly Shown[]): Promise<string[]> {
  const { nameMember } = visit.kinds.get(kind)
  const nameOf = (record: Shown) => String(record[nameMember])
  const named = Map.groupBy(await readNamed(visit, kind, records.map(nameOf)), nameOf)
  return records.map((record) => labelAmong(record, named.get(nameOf(record)) ?? [], kind))
}

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
  const names = [...texts].filter((text) => !ids.has(text)).flatMap((text) => namesIn(text.trim()))
  const byId = new Map<string, Shown>()
  for (const record of await readIn(visit, kind, 'id', [...ids.values()])) {
    byId.set(String(record[`${kind}_id`]), record)
  }
  const { nameMember } = visit.kinds.get(kind)
  const byName = Map.groupBy(await readNamed(visit, kind, names), (each) => String(each[nameMember]))
  const resolved = new Map<string, Resolved>()
  let suggestions = 0
  for (const text of texts) {
    const id = ids.get(text)
    const found = id ? byId.get(id) : undefined
    const candidates = namesIn(text.trim()).flatMap((name) => byName.get(name) ?? [])
    const named = candidates.filter((each) => labelsOf(each, kind).includes(text.trim()))
    if (found) resolved.set(text, { record: found })
    else if (named.length === 1 && named[0]) resolved.set(text, { record: named[0] })
    else if (id) resolved.set(text, { fault: `There is no ${kind} ${id}.` })
    else resolved.set(text, await whichOf(visit, kind, text.trim(), named, suggestions++ < MOST_SUGGESTIONS))
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

/** "door: open / close" is the name "door" with words, unless a record has all of it as its name. */
function namesIn(text: string): string[] {
  const end = text.indexOf(': ')
  return end > 0 ? [text, text.slice(0, end)] : [text]
}

async function readNamed(visit: ExplorerVisit, kind: string, names: readonly string[]): Promise<Shown[]> {
  const { nameMember } = visit.kinds.get(kind)
  const records = await readIn(visit, kind, nameMember, names.filter(isPlainName))
  for (const name of new Set(names.filter((each) => !isPlainName(each)).slice(0, MOST_SUGGESTIONS))) {
    const { status, json } = await visit.ask(`/api/${kind}/?${nameMember}=${encodeURIComponent(name)}`)
    if (status === 200) records.push(...json.results)
  }
  return records
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

/** Why a text names no record, or more than one. */
async function whichOf(
  visit: ExplorerVisit,
  kind: string,
  text: string,
  named: readonly Shown[],
  suggests: boolean,
): Promise<Resolved> {
  const similar = named.length > 0 || !suggests ? named : await similarTo(visit, kind, text)
  if (similar.length === 0) return { fault: `There is no ${kind} named “${text}”.` }
  const choices = await written(visit, kind, similar.slice(0, SHOWN))
  return { fault: `Which ${kind} is “${text}”? ${choices.join('; ')}` }
}

async function similarTo(visit: ExplorerVisit, kind: string, name: string): Promise<readonly Shown[]> {
  if (!visit.kinds.get(kind).isSearched) return []
  const { status, json } = await visit.ask(`/api/${kind}/?search=${encodeURIComponent(name)}&page_size=${SHOWN}`)
  return status === 200 ? json.results : []
}
