/**
 * Copies the catalogue of any server with the same interface into a folder, one NDJSON file for each collection: page
 * by page, from one host only, and so that an interrupted walk can resume.
 */
import { type Answer, Client, type ClientOptions, readAddress, Unreachable, whatIs } from './client.ts'
import { type Walked, WalkFolder } from './walked.ts'

export interface WalkProgress {
  readonly collection: string
  readonly records: number
  readonly count: number
  readonly pages: number
}

export interface WalkOptions extends Omit<ClientOptions, 'authorization'> {
  /** The wanted collections, in this order, each with its views, which are never requested. */
  readonly collections: readonly { readonly name: string; readonly views: readonly string[] }[]
  /** If given, only these of them. */
  readonly only?: readonly string[] | undefined
  /** Records per page; a server without page_size decides itself. */
  readonly pageSize?: number | undefined
  readonly onPage?: ((progress: WalkProgress) => void) | undefined
}

export interface WalkedCollection extends Walked {
  readonly file: string
}

const PAGE_SIZE = 100
/** A catalogue that grows during the walk repeats some records, but not page after page of them. */
const MOST_STALE_PAGES = 100
const AN_INDEX = 'an index of collections'

export async function walkCatalogue(url: string, folder: string, options: WalkOptions): Promise<WalkedCollection[]> {
  const { address, authorization } = readAddress(url)
  const names = wantedNames(options)
  try {
    const known = options.collections.map(({ name }) => name)
    const walked = new WalkFolder(folder, address.href, known, (line) => options.onNote?.(line))
    const client = new Client({ ...options, authorization })
    const results: WalkedCollection[] = []
    for (const place of await findPlaces(address, names, client, options)) {
      const result = walked.done(place.name) ?? (await walkCollection(place, walked, client, options))
      const { collection, records, count } = result
      results.push({ collection, file: walked.file(collection), records, count })
    }
    return results
  } catch (error) {
    // Errors of the disk are for the operator too.
    if (error instanceof Error && 'syscall' in error) throw new Unreachable(`${folder}: ${error.message}`)
    throw error
  }
}

function wantedNames({ collections, only }: WalkOptions): string[] {
  const names = collections.map(({ name }) => name)
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Unreachable(`no collection is called ${unknown}: there are ${names.join(', ')}`)
  return names.filter((name) => only?.includes(name) ?? true)
}

interface Place {
  readonly name: string
  readonly address: URL
}

/** The last part of the address says whether it is one collection. */
async function findPlaces(
  address: URL,
  names: readonly string[],
  client: Client,
  { collections, onNote }: WalkOptions,
): Promise<Place[]> {
  const last = address.pathname.split('/').at(-2)!
  const owner = collections.find(({ name, views }) => name === last || views.includes(last))
  if (owner && owner.name !== last) {
    const whole = new URL(`../${owner.name}/`, address)
    throw new Unreachable(`${address} shows only a part of its records: give ${whole} instead`)
  }
  if (owner) {
    if (!names.includes(last)) throw new Unreachable(`${address} is ${last}, which --collection excludes`)
    return [{ name: last, address }]
  }
  const { root, index } = await findIndex(address, client)
  const known = new Set(collections.flatMap(({ name, views }) => [name, ...views]))
  const unknown = Object.keys(index).filter((name) => !known.has(name))
  if (unknown.length > 0) onNote?.(`not copied, because this catalogue does not know them: ${unknown.join(', ')}`)
  const missing = names.filter((name) => !Object.hasOwn(index, name))
  if (missing.length === names.length) throw new Unreachable(`${root} lists none of ${names.join(', ')}`)
  if (missing.length > 0) onNote?.(`skipped, because the server does not have them: ${missing.join(', ')}`)
  // The index may name a view instead of a collection; the walk uses the collection itself.
  return names
    .filter((name) => Object.hasOwn(index, name))
    .map((name) => ({ name, address: new URL(`${name}/`, root) }))
}

async function findIndex(
  address: URL,
  client: Client,
): Promise<{ root: URL; index: Readonly<Record<string, string>> }> {
  const given = await client.get(address)
  if (given.status === 200 && isIndex(given.json)) return { root: asFolder(given.address), index: given.json }
  if (isPage(given.json)) throw new Unreachable(`${address} is a collection that this catalogue does not know`)
  // If this is forbidden, so is everything below, and each try with a wrong password counts.
  if (given.status === 401 || address.pathname.endsWith('/api/'))
    throw new Unreachable(`${address} ${whatIs(given, AN_INDEX)}`)
  const below = await client.get(new URL(`${address.pathname}api/`, given.address.origin))
  if (below.status === 200 && isIndex(below.json)) return { root: asFolder(below.address), index: below.json }
  throw new Unreachable(`${given.address} ${whatIs(given, AN_INDEX)}, and ${below.address} ${whatIs(below, AN_INDEX)}`)
}

function isIndex(json: unknown): json is Readonly<Record<string, string>> {
  const addresses = isObject(json) ? Object.values(json) : []
  return addresses.length > 0 && addresses.every((each) => typeof each === 'string' && /^(https?:)?\//.test(each))
}

function asFolder({ origin, pathname }: URL): URL {
  return new URL(pathname.endsWith('/') ? pathname : `${pathname}/`, origin)
}

async function walkCollection(
  { name, address: first }: Place,
  folder: WalkFolder,
  client: Client,
  { pageSize = PAGE_SIZE, onPage, onNote }: WalkOptions,
): Promise<Walked> {
  let progress = folder.begin(name, `?page_size=${pageSize}`)
  const idMember = `${name}_id`
  const ids = await folder.ids(idMember)
  const asked = new Set<string>()
  let address = first
  let stale = 0
  let nameless = 0
  for (let query = progress.next; query !== null; query = progress.next) {
    asked.add(query)
    const at = new URL(query, address)
    const answer = await client.get(at)
    // The last page is gone if records were deleted meanwhile; any other missing page is an error.
    const isGone = answer.status === 404 && progress.pages > 0 && progress.count - progress.records <= pageSize
    if (isGone) onNote?.(`${at} is gone: ${name} shrank during the walk`)
    const page = isGone ? { count: progress.count, next: null, results: [] } : pageOf(answer)
    if (!page) throw new Unreachable(`${at} ${whatIs(answer, 'a page of a collection')}`)
    address = answer.address

    let lines = ''
    let records = progress.records
    for (const record of page.results) {
      const id = record[idMember]
      if (typeof id !== 'number') nameless++
      else if (ids.has(id)) continue
      else ids.add(id)
      lines += lineOf(record, at)
      records++
    }
    stale = lines === '' ? stale + 1 : 0
    if (stale > MOST_STALE_PAGES) throw new Unreachable(`${at} and ${stale - 1} pages before it have nothing new`)
    const next = page.next === null ? null : nextQuery(page.next, at, pageSize)
    if (next !== null && asked.has(next)) {
      throw new Unreachable(
        `${at} leads back to ${new URL(next, address)}, which was already walked: this would never end`,
      )
    }
    progress = { next, records, count: page.count, pages: progress.pages + (isGone ? 0 : 1) }
    folder.save(lines, progress)
    const { count, pages } = progress
    if (!isGone) onPage?.({ collection: name, records, count, pages })
  }
  const { records, count } = progress
  if (nameless > 0) onNote?.(`${nameless} records of ${name} have no ${idMember}`)
  if (records < count) {
    onNote?.(
      `${records} of ${count} records of ${name} arrived, because it changed during the walk: to get all of them, walk again into an empty folder`,
    )
  }
  return { collection: name, records, count }
}

interface Page {
  readonly count: number
  readonly next: string | null
  readonly results: readonly Readonly<Record<string, unknown>>[]
}

function isPage(json: unknown): json is Page {
  if (!isObject(json)) return false
  const { count, next = null, results } = json
  return (
    Number.isSafeInteger(count) &&
    (next === null || typeof next === 'string') &&
    Array.isArray(results) &&
    results.every(isObject)
  )
}

function pageOf({ status, json }: Answer): Page | undefined {
  return status === 200 && isPage(json)
    ? { count: json.count, next: json.next ?? null, results: json.results }
    : undefined
}

function lineOf(record: object, at: URL): string {
  try {
    return `${JSON.stringify(record)}\n`
  } catch (error) {
    if (error instanceof RangeError) throw new Unreachable(`${at} holds a record that is nested too deep`)
    throw error
  }
}

/**
 * Only the query of a link counts: behind a proxy its scheme and host may be wrong, and the walk asks no other host.
 * The page size stays the same, or pages would overlap.
 */
function nextQuery(link: string, at: URL, pageSize: number): string {
  if (!URL.canParse(link, at.href)) throw new Unreachable(`${at} names a next page that is not an address`)
  const { search, searchParams } = new URL(link, at)
  if (search === '') return at.search
  return searchParams.has('page_size') ? search : `${search}&page_size=${pageSize}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
