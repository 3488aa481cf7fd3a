/** A whole server for a test, on SQLite and on PostgreSQL, and a client that shows exactly what came over the wire. */
import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import {
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import { BlockList } from 'node:net'
import { after, before, describe } from 'node:test'
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
import { type RunningServer, type SiteMetrics, type SiteSettings, serve } from '../../src/http/index.ts'
import { type Database, type GivenSettings, migrate, openDatabase, type Store, storeOn } from '../../src/store/index.ts'
import { pagesFor } from '../../src/web/index.ts'
import { ENGINES, type EngineName, freshDatabase } from './databases.ts'
import { type Exchange, Validator } from './openapi.ts'
import { DOCUMENT, noteExercised, noteOperations } from './operations.ts'

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly json: any
}

export interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer
  /** A body as JSON, or as a form (a list is sent by repeating the name). */
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string | readonly string[]>>
  /** Whose token to send: an account of that name is created if needed; names that begin with "staff" are staff. */
  readonly as?: string
}

export interface SiteOptions {
  readonly catalogue?: readonly AnyResource[]
  /** Whether it has the sample catalogue; true by default. */
  readonly sample?: boolean
  readonly settings?: Partial<SiteSettings>
  readonly database?: Partial<GivenSettings>
  /** The time limit of a narrowed list. */
  readonly querySeconds?: number
  /** The address at which the server reaches the database, if it is not the database's own. */
  readonly through?: (url: string) => Promise<string>
  /** Wraps the database, to watch it. */
  readonly watch?: (database: Database) => Database
  readonly metrics?: SiteMetrics
}

/** How the whole suite can be run: `NYMDEX_TEST_CACHE=check npm test`. */
const CACHES = {
  on: { answers: 2 ** 24, records: 2 ** 24, check: false },
  off: { answers: 0, records: 0, check: false },
  /** Only the last entry of each kind is cached. */
  one: { answers: 1, records: 1, check: false },
  check: { answers: 2 ** 24, records: 2 ** 24, check: true },
}
const cacheMode = (process.env['NYMDEX_TEST_CACHE'] ?? 'on') as keyof typeof CACHES

export class Site {
  readonly database: EngineName
  readonly #options: SiteOptions
  #server: RunningServer | undefined
  #store: Store | undefined
  #engine: Engine | undefined
  /** The time, if a test has set it. */
  clock: Date | undefined
  /** Milliseconds of the monotonic clock, which rate limits use, if a test has set them. */
  ticks: number | undefined
  #drop: () => Promise<void> = async () => {}
  readonly #tokens = new Map<string, string>()
  readonly bugs: unknown[] = []
  /** Why requests could not be answered: the database was down. */
  readonly outages: string[] = []
  /** Requests that blocked the event loop for too long. */
  readonly holds: any[] = []
  /** Responses that do not match the OpenAPI document, by the id of the request. */
  readonly mismatches: { readonly id: string; readonly message: string }[] = []
  #validator: Validator | undefined
  readonly accessLog: any[] = []
  /** What staff did. */
  readonly staffLog: unknown[] = []

  constructor(engine: EngineName, options: SiteOptions = {}) {
    this.database = engine
    this.#options = options
  }

  async start(): Promise<void> {
    const { catalogue = wholeCatalogue, sample = true, settings, metrics, watch = (given) => given } = this.#options
    // A part of the limit is for optional parts of pages, which a busy machine must not leave out of a test.
    const { querySeconds = 60 } = this.#options
    const { url, drop } = await freshDatabase(this.database, { sample, tables: catalogue === wholeCatalogue })
    this.#drop = drop
    const { through = async () => url } = this.#options
    const database = await openDatabase({ url: await through(url), ...this.#options.database })
    await migrate(database, catalogue)
    this.#store = storeOn(watch(database), { language: searchLanguage })
    const log = {
      answered: (line: unknown) => this.accessLog.push(line),
      unsendable: (error: unknown) => this.bugs.push(error),
      bug: (error: unknown) => this.bugs.push(error),
      held: (line: unknown) => this.holds.push(line),
      outage: (error: Error) => this.outages.push(error.message),
      background: (error: unknown) => this.bugs.push(error),
      staff: (act: unknown) => this.staffLog.push(act),
    }
    this.#engine = engineOn(this.#store, catalogue, {
      charts: chartsOf(catalogue),
      ...gamesOf(catalogue),
      formsOf,
      basesOf,
      querySeconds,
      now: () => this.clock ?? new Date(),
      monotonic: () => this.ticks ?? performance.now(),
    })
    this.#validator = await validatorOf(catalogue, url)
    const parts = {
      engine: this.#engine,
      services: servicesOf(catalogue),
      pages: pagesFor(catalogue, this.#engine.honours.levels),
      metrics,
      log,
    }
    this.#server = await serve(parts, { ...DEFAULTS, ...settings })
    sites.set(this.port, this)
  }

  /** Also fails if any response did not match the OpenAPI document. */
  async stop(): Promise<void> {
    if (this.#server) sites.delete(this.port)
    await this.#server?.stop()
    await this.#store?.close()
    await this.#drop()
    if (this.mismatches.length > 0) throw new Error(this.mismatches.map(({ message }) => message).join('\n'))
  }

  validate(exchange: Exchange): void {
    const { operation, faults } = this.#validator!.check(exchange)
    if (operation) noteExercised(operation)
    const { method, target, status, headers } = exchange
    const id = String(headers['X-Request-Id'])
    for (const fault of faults) {
      this.mismatches.push({ id, message: `${method} ${target}, answered ${status}: ${fault}` })
    }
  }

  /** The engine of the server, to insert what a test needs. */
  get engine(): Engine {
    return this.#engine!
  }

  get port(): number {
    return Number(new URL(this.#server!.url).port)
  }

  /** Tokens work at once; passwords would take argon2's time. Tests of passwords sign up over HTTP. */
  async tokenOf(name: string): Promise<string> {
    const known = this.#tokens.get(name)
    if (known) return known
    const { engine } = this
    const { store } = engine
    const account = await store.write(function* () {
      const made = yield* accountNamed(engine, name)
      if (name.startsWith('staff')) yield* store.accounts.setStaff(made.id, true)
      return made
    })
    const { key } = await new AccountDesk(engine).createToken(account, 'test')
    this.#tokens.set(name, key)
    return key
  }

  /** The beginning of absolute links. */
  get base(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The page at an address, as a browser asks for it. */
  async page(path: string, as?: string): Promise<Reply> {
    return await this.ask(path, { headers: { accept: 'text/html' }, ...(as ? { as } : {}) })
  }

  /** Nothing is followed, unpacked or normalised: the reply is what was sent. */
  async ask(path: string, sent: Sent = {}): Promise<Reply> {
    const { method = 'GET', as } = sent
    const { body, type } = bodyOf(sent)
    const headers = {
      ...(type ? { 'content-type': type } : {}),
      ...(as ? { authorization: `Token ${await this.tokenOf(as)}` } : {}),
      ...sent.headers,
    }
    const reply: Reply = await new Promise((answered, failed) => {
      const sent = httpRequest({ host: '127.0.0.1', port: this.port, path, method, headers, agent: false }, (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('error', failed)
        reply.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8')
          answered({ status: reply.statusCode!, headers: reply.headers, text, json: parsed(text, reply.headers) })
        })
      })
      sent.on('error', failed)
      sent.end(body)
    })
    const unlike = this.mismatches.find(({ id }) => id === reply.headers['x-request-id'])
    if (unlike) throw new Error(unlike.message)
    return reply
  }
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
  cache: CACHES[cacheMode],
  limits: { signIns: undefined, signUps: undefined, writes: undefined, reads: undefined },
}

/** They mention records that only the whole catalogue has; so do charts. */
const servicesOf = (catalogue: readonly AnyResource[]) => (catalogue === wholeCatalogue ? services : [])

const chartsOf = (catalogue: readonly AnyResource[]) => (catalogue === wholeCatalogue ? charts : [])
const gamesOf = (catalogue: readonly AnyResource[]) => (catalogue === wholeCatalogue ? { games, honours } : {})

const validators = new Map<readonly AnyResource[], Promise<Validator>>()

/** By the document that a server of this catalogue serves; requested once, when no test watches or counts. */
function validatorOf(catalogue: readonly AnyResource[], url: string): Promise<Validator> {
  const known = validators.get(catalogue)
  if (known) return known
  const made = documentOf(catalogue, url).then((document) => new Validator(document))
  validators.set(catalogue, made)
  if (catalogue === wholeCatalogue) made.then(({ operations }) => noteOperations(operations))
  return made
}

/**
 * The document of the whole catalogue is the same in all processes of a run: the first one stores it for the others.
 */
async function documentOf(catalogue: readonly AnyResource[], url: string): Promise<object> {
  const file = catalogue === wholeCatalogue ? process.env[DOCUMENT] : undefined
  if (file && existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const document = await readDocument(catalogue, url)
  if (file) {
    const mine = `${file}.${process.pid}`
    writeFileSync(mine, JSON.stringify(document))
    renameSync(mine, file)
  }
  return document
}

async function readDocument(catalogue: readonly AnyResource[], url: string): Promise<object> {
  const store = storeOn(await openDatabase(url), { language: searchLanguage })
  const shout = (error: unknown) => console.error(error)
  const log = { answered: () => {}, unsendable: shout, bug: shout, held: () => {}, outage: shout }
  const parts = {
    engine: engineOn(store, catalogue, { charts: chartsOf(catalogue), ...gamesOf(catalogue), formsOf, basesOf }),
    services: servicesOf(catalogue),
    pages: pagesFor(catalogue),
    log,
  }
  const server = await serve(parts, DEFAULTS)
  try {
    const reply = await fetch(`${server.url}api/schema/`, { headers: { connection: 'close' } })
    return (await reply.json()) as object
  } finally {
    await server.stop()
    await store.close()
  }
}

/** By port. */
const sites = new Map<number, Site>()

/**
 * Every response of every site is checked against its document, whether a test, a browser or a bare socket sent the
 * request.
 */
subscribe('http.server.response.created', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
  const site = sites.get(request.socket.localPort ?? 0)
  if (!site) return
  const { writeHead, write, end } = response
  const pieces: Buffer[] = []
  let head: { readonly status: number; readonly headers: OutgoingHttpHeaders } | undefined
  Object.assign(response, {
    writeHead(status: number, headers: OutgoingHttpHeaders | string[]) {
      head = { status, headers: Array.isArray(headers) ? byName(headers) : headers }
      return writeHead.call(response, status, headers)
    },
    write(piece: string | Buffer) {
      pieces.push(bytesOf(piece, 'utf8'))
      return write.call(response, piece, 'utf8')
    },
    end(body: string | Buffer = '', encoding: BufferEncoding = 'utf8') {
      // A form of our pages may mean another method, which the request line does not show.
      if (!isPageForm(request)) {
        const whole = Buffer.concat([...pieces, bytesOf(body, encoding)])
        site.validate({ method: request.method!, target: request.url!, ...head!, body: whole })
      }
      return end.call(response, body, encoding)
    },
  })
})

/** From name, value, name, value. */
function byName(lines: readonly string[]): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (let i = 0; i < lines.length; i += 2) headers[lines[i]!] = lines[i + 1]
  return headers
}

function bytesOf(body: string | Buffer, encoding: BufferEncoding): Buffer {
  return typeof body === 'string' ? Buffer.from(body, encoding) : body
}

function isPageForm({ method, headers }: IncomingMessage): boolean {
  const isForm = (headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
  return method === 'POST' && isForm && (headers.accept ?? '').includes('text/html')
}

function bodyOf({ body, json, form }: Sent): { body?: string | Buffer; type?: string } {
  if (json !== undefined) return { body: JSON.stringify(json), type: 'application/json' }
  if (form === undefined) return body === undefined ? {} : { body }
  const pairs = Object.entries(form).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, each as string]),
  )
  return { body: new URLSearchParams(pairs).toString(), type: 'application/x-www-form-urlencoded' }
}

/** Defines the same tests for both engines; a difference between them is a bug. */
export function onEachEngine(title: string, options: SiteOptions, define: (site: Site) => void): void {
  for (const engine of ENGINES) {
    describe(`${title} (${engine})`, () => {
      const site = new Site(engine, options)
      before(() => site.start())
      after(() => site.stop())
      define(site)
    })
  }
}

function parsed(text: string, headers: IncomingHttpHeaders): unknown {
  return headers['content-type'] === 'application/json' && text !== '' ? JSON.parse(text) : undefined
}
