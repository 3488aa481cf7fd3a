/** The server that is followed: its log, and its records as they were after an entry of the log. */
import { isList, isObject, type Json, type JsonObject, type Row } from '../../declare/index.ts'
import { Client, type ClientOptions, readAddress, Unreachable, whatIs } from '../client.ts'

export interface SourceEntry {
  readonly seq: number
  readonly set: number
  readonly at: string
  readonly user: string | undefined
  readonly action: string
  readonly resource: string
  readonly id: number
  readonly old: JsonObject | undefined
  readonly forgotten: boolean
}

export interface SourceEntries {
  readonly next: number
  readonly latest: number
  readonly oldest: number
  readonly results: readonly SourceEntry[]
}

export interface SourceRecord {
  readonly id: number
  readonly owner: string
  readonly columns: Row
  readonly links: Readonly<Record<string, readonly number[]>>
  /** Oldest vote first. */
  readonly voters: readonly string[]
}

export interface SourceRecords {
  readonly log: string
  readonly catalogue: string
  readonly seq: number
  readonly highest: number
  readonly count: number
  readonly next: number | undefined
  readonly results: readonly SourceRecord[]
}

/** The log of the source is another one, or does not go back far enough. */
export class Gone extends Error {}

/** It keeps trying: the source may be away for long. */
const PATIENCE = { retries: Number.POSITIVE_INFINITY, first: 250, longest: 30_000 }
const MOST_IDS = 400

interface Wanted {
  /** The id of the log. */
  readonly log: string
  readonly since: number
  readonly limit: number
  /** In seconds. */
  readonly wait?: number
}

interface Past {
  readonly log: string
  readonly resource: string
  readonly ids: readonly number[]
  /** The number of an entry. */
  readonly until: number
}

export class Source {
  /** Without a password. */
  readonly address: string
  readonly #client: Client

  constructor(url: string, options: ClientOptions) {
    const { address, authorization } = readAddress(url)
    this.address = address.href
    this.#client = new Client({ pause: 0, patience: PATIENCE, ...options, authorization })
  }

  /** How things are, and how many records a collection has. */
  look(resource: string): Promise<SourceRecords> {
    return this.#records({ resource, limit: 1 })
  }

  async entries({ log, since, limit, wait }: Wanted): Promise<SourceEntries> {
    const query = { log, since, limit, hidden: true, ...(wait ? { wait } : {}) }
    const { json } = await this.#get('api/changes/', query, 'a log of changes')
    return {
      next: numberIn(json, 'next'),
      latest: numberIn(json, 'latest'),
      oldest: numberIn(json, 'oldest'),
      results: objectsIn(json, 'results').map(entryIn),
    }
  }

  /** Records of a collection after an id, as they are now. */
  page(log: string, resource: string, after: number): Promise<SourceRecords> {
    return this.#records({ log, resource, after })
  }

  /** Records as they were after an entry; those that did not exist are left out. */
  async past({ log, resource, ids, until }: Past): Promise<SourceRecord[]> {
    const found: SourceRecord[] = []
    for (let i = 0; i < ids.length; i += MOST_IDS) {
      const some = ids.slice(i, i + MOST_IDS).join(',')
      for (let after: number | undefined = 0; after !== undefined; ) {
        const page: SourceRecords = await this.#records({ log, resource, ids: some, until, after })
        found.push(...page.results)
        after = page.next
      }
    }
    return found
  }

  async #records(query: Query): Promise<SourceRecords> {
    const { log, json } = await this.#get('api/changes/records/', query, 'a page of records')
    return {
      log,
      catalogue: textIn(json, 'catalogue'),
      seq: numberIn(json, 'seq'),
      highest: numberIn(json, 'highest'),
      count: numberIn(json, 'count'),
      next: json['next'] === null ? undefined : numberIn(json, 'next'),
      results: objectsIn(json, 'results').map(recordIn),
    }
  }

  async #get(path: string, query: Query, wanted: string): Promise<{ log: string; json: JsonObject }> {
    const address = new URL(path, this.address)
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value))
    const answer = await this.#client.get(address)
    const { json } = answer
    // A site that was closed also answers 410.
    if (answer.status === 410 && isJsonObject(json) && typeof json['oldest'] === 'number') throw new Gone()
    if (answer.status === 404) throw new Unreachable(`${this.address} is no Nymdex that can be followed`)
    const log = answer.headers.get('nymdex-log')
    if (answer.status !== 200 || !isJsonObject(json) || log === null) {
      throw new Unreachable(`${this.address} cannot be followed: ${answer.address} ${whatIs(answer, wanted)}`)
    }
    return { log, json }
  }
}

type Query = Readonly<Record<string, string | number | boolean>>

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function entryIn(json: JsonObject): SourceEntry {
  const old = json['old']
  return {
    seq: numberIn(json, 'seq'),
    set: numberIn(json, 'set'),
    at: textIn(json, 'at'),
    user: json['user'] === null ? undefined : textIn(json, 'user'),
    action: textIn(json, 'action'),
    resource: textIn(json, 'resource'),
    id: numberIn(json, 'id'),
    old: isObject(old) ? old : undefined,
    forgotten: json['forgotten'] === true,
  }
}

function recordIn(json: JsonObject): SourceRecord {
  const [columns, links] = [json['columns'], json['links']]
  return {
    id: numberIn(json, 'id'),
    owner: textIn(json, 'owner'),
    columns: Object.fromEntries(
      Object.entries(isObject(columns) ? columns : {}).map(([name, cell]) => [name, cellOf(cell)]),
    ),
    links: Object.fromEntries(
      Object.entries(isObject(links) ? links : {}).map(([key, ids]) => [key, isList(ids) ? ids.map(Number) : []]),
    ),
    voters: listIn(json, 'voters').map(String),
  }
}

function cellOf(value: Json): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

function objectsIn(json: JsonObject, member: string): JsonObject[] {
  return listIn(json, member).filter(isObject)
}

function listIn(json: JsonObject, member: string): readonly Json[] {
  const value = json[member]
  return isList(value) ? value : strange(member)
}

function numberIn(json: JsonObject, member: string): number {
  const value = json[member]
  return typeof value === 'number' ? value : strange(member)
}

function textIn(json: JsonObject, member: string): string {
  const value = json[member]
  return typeof value === 'string' ? value : strange(member)
}

function strange(member: string): never {
  throw new Unreachable(`the source returned a ${member} that this version does not understand`)
}
