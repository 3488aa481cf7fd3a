/** Servers that share one database, each with its own store and caches, and a client for them. */
import { Agent, request as httpRequest } from 'node:http'
import { BlockList } from 'node:net'
import {
  basesOf,
  charts,
  formsOf,
  games,
  honours,
  searchLanguage,
  services,
  catalogue as wholeCatalogue,
} from '../../src/catalogue/index.ts'
import type { AnyResource } from '../../src/declare/index.ts'
import { AccountDesk, accountNamed, type Engine, engineOn } from '../../src/engine/index.ts'
import { type RunningServer, type SiteSettings, serve } from '../../src/http/index.ts'
import {
  type Database,
  type GivenSettings,
  migrate,
  openDatabase,
  type Store,
  storeOn,
  type Work,
} from '../../src/store/index.ts'
import { pagesFor } from '../../src/web/index.ts'
import type { Reply, Sent } from './site.ts'

/** The caches of a server, whatever the whole suite is run with. */
export const KEEPS = {
  everything: { answers: 2 ** 24, records: 2 ** 24, check: false },
  records: { answers: 0, records: 2 ** 24, check: false },
  nothing: { answers: 0, records: 0, check: false },
  /** Every read is answered from the cache and without it; a difference is a bug. */
  checked: { answers: 2 ** 24, records: 2 ** 24, check: true },
} as const

export interface ServedOptions {
  readonly keeps: keyof typeof KEEPS
  readonly settings?: Partial<SiteSettings>
  readonly catalogue?: readonly AnyResource[]
  readonly mostInBlock?: number
  readonly now?: () => Date
  /** The clock of rate limits. */
  readonly monotonic?: () => number
  /** Wraps the database, to watch it. */
  readonly watch?: (database: Database) => Database
}

export interface BytesReply extends Reply {
  readonly bytes: Buffer
}

/** The beginning of links: the same for all servers. */
export const HOST = 'nymdex.example'

export class Served {
  readonly engine: Engine
  readonly bugs: unknown[] = []
  /** Why requests could not be answered: the database was down. */
  readonly outages: string[] = []
  readonly #agent = new Agent({ keepAlive: true })
  readonly #tokens = new Map<string, Promise<string>>()
  #server: RunningServer | undefined

  private constructor(store: Store, options: ServedOptions) {
    const { catalogue = wholeCatalogue, now = () => new Date(), monotonic = () => performance.now() } = options
    // A part of the limit is for optional parts of pages, which a busy machine must not leave out of a test.
    this.engine = engineOn(store, catalogue, {
      charts,
      games,
      honours,
      formsOf,
      basesOf,
      querySeconds: 60,
      now,
      monotonic,
    })
  }

  static async on(database: string | GivenSettings, options: ServedOptions): Promise<Served> {
    const { watch = (database) => database, catalogue = wholeCatalogue, mostInBlock, settings, keeps } = options
    const opened = await openDatabase(database)
    await migrate(opened, catalogue)
    const store = storeOn(watch(opened), {
      language: searchLanguage,
      ...(mostInBlock === undefined ? {} : { mostInBlock }),
    })
    const served = new Served(store, options)
    const { engine, bugs, outages } = served
    const log = {
      answered: undefined,
      unsendable: (error: unknown) => bugs.push(error),
      bug: (error: unknown, { path, query }: { path: string; query: { raw: string } }) =>
        bugs.push(new Error(`${path}?${query.raw}: ${error}`, { cause: error })),
      held: () => {},
      outage: (error: Error) => outages.push(error.message),
      background: (error: unknown) => bugs.push(error),
    }
    const parts = {
      engine,
      services: catalogue === wholeCatalogue ? services : [],
      pages: pagesFor(catalogue, engine.honours.levels),
      log,
    }
    served.#server = await serve(parts, { ...DEFAULTS, cache: KEEPS[keeps], ...settings })
    return served
  }

  get store(): Store {
    return this.engine.store
  }

  get port(): number {
    return Number(new URL(this.#server!.url).port)
  }

  async stop(): Promise<void> {
    this.#agent.destroy()
    await this.#server!.stop()
    await this.store.close()
  }

  /** The token of an account of that name, which is created if needed; names that begin with "staff" are staff. */
  tokenOf(name: string): Promise<string> {
    const token = this.#tokens.get(name) ?? this.#makeToken(name)
    this.#tokens.set(name, token)
    return token
  }

  async #makeToken(name: string): Promise<string> {
    const { engine, store } = this
    const account = await store.write(function* () {
      const made = yield* accountNamed(engine, name)
      if (name.startsWith('staff')) yield* store.accounts.setStaff(made.id, true)
      return made
    })
    return (await new AccountDesk(engine).createToken(account, 'test')).key
  }

  /** Nothing is followed, unpacked or normalised: the reply is what was sent. */
  async ask(path: string, { as, ...sent }: Sent = {}): Promise<BytesReply> {
    const token = as && (await this.tokenOf(as))
    return await send(path, sent, { port: this.port, agent: this.#agent, token })
  }
}

interface Connected {
  readonly port: number
  readonly agent: Agent
  readonly token?: string | undefined
}

/** Asks a server of this machine, by the name that all of them have. */
export function send(
  path: string,
  { method = 'GET', json, body, headers: given }: Omit<Sent, 'as'>,
  { port, agent, token }: Connected,
): Promise<BytesReply> {
  const headers = {
    host: HOST,
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    ...(token === undefined ? {} : { authorization: `Token ${token}` }),
    ...given,
  }
  return new Promise((answered, failed) => {
    const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, (reply) => {
      const chunks: Buffer[] = []
      reply.on('data', (chunk: Buffer) => chunks.push(chunk))
      reply.on('error', failed)
      reply.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const isJson = reply.headers['content-type'] === 'application/json' && !reply.headers['content-encoding']
        const text = bytes.toString('utf8')
        const parsed = isJson && text !== '' ? JSON.parse(text) : undefined
        answered({ status: reply.statusCode!, headers: reply.headers, text, bytes, json: parsed })
      })
    })
    request.on('error', failed)
    request.end(json === undefined ? body : JSON.stringify(json))
  })
}

const DEFAULTS: SiteSettings = {
  host: '127.0.0.1',
  port: 0,
  baseUrl: undefined,
  trustedProxies: new BlockList(),
  holdMs: 60_000,
  queueMs: 60_000,
  databaseSeconds: 60,
  pageSize: 20,
  compress: false,
  signUpOpen: true,
  streams: 2000,
  cache: KEEPS.nothing,
  limits: { signIns: undefined, signUps: undefined, writes: undefined, reads: undefined },
}

/** What must be the same on two servers: everything except the time, and what identifies a request. */
export function said({ status, headers, text }: Reply): object {
  const { date: _, 'x-request-id': __, ...others } = headers
  return { status, headers: others, text }
}

/** One statement, unchanged; the test is responsible for what it changes. */
export function* statement(sql: string): Work<readonly Record<string, unknown>[]> {
  return yield { sql, parameters: [], isTold: true }
}
