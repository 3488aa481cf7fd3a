/**
 * Clients write at random while the server, a follower and a listener are killed again and again. In the end, the log
 * has every acknowledged write once, the listener has heard every entry once, and the copy is exact.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { catalogue } from '../../src/catalogue/index.ts'
import { AccountDesk, accountNamed, type Engine, engineOn } from '../../src/engine/index.ts'
import { openStore, readFollowState } from '../../src/store/index.ts'
import { exportOrder, exportTogether } from '../../src/transfer/index.ts'
import { ended, listening } from '../support/command.ts'
import { Chance } from './chance.ts'

export interface ChaosOptions {
  readonly program: string
  /** Addresses of two empty databases. */
  readonly source: string
  readonly copy: string
  readonly writes: number
  readonly clients: number
  /** How often each of the three is killed. */
  readonly kills: number
  readonly seed: number
}

export interface ChaosReport {
  readonly acknowledged: number
  readonly unknown: number
  readonly entries: number
  readonly kills: Readonly<Record<Victim, number>>
  /** Until the last write was answered, and until the copy had it, in seconds. */
  readonly seconds: number
  readonly catchUpSeconds: number
}

type Victim = 'server' | 'follower' | 'listener'

export class FollowChaos {
  readonly #options: ChaosOptions
  readonly #chance: Chance
  readonly #agent = new Agent({ keepAlive: true })
  readonly #ids: { polynym: number[]; polyset: number[] } = { polynym: [], polyset: [] }
  readonly #created: string[] = []
  readonly #markers: string[] = []
  readonly #heard: number[] = []
  #tokens: string[] = []
  #server: ChildProcess | undefined
  #follower: ChildProcess | undefined
  #listener: AbortController | undefined
  #port = 0
  /** Resolves when the server runs. */
  #up: Promise<void> = Promise.resolve()
  #done = 0
  #unknown = 0
  #isOver = false

  constructor(options: ChaosOptions) {
    this.#options = options
    this.#chance = new Chance(options.seed)
  }

  async run(): Promise<ChaosReport> {
    const { clients, writes, kills } = this.#options
    this.#tokens = await this.#on(this.#options.source, (engine) => tokensOf(engine, clients))
    const killed = { server: 0, follower: 0, listener: 0 }
    try {
      await this.#startServer()
      this.#startFollower()
      const hearing = this.#listen()
      const started = performance.now()
      const working = this.#tokens.map((token) => this.#work(token))
      const victims: Victim[] = Array.from({ length: kills }, () => ['server', 'follower', 'listener'] as const).flat()
      const moments = victims.map(() => this.#chance.below(writes)).sort((a, b) => a - b)
      for (const [i, victim] of this.#chance.shuffle(victims).entries()) {
        await this.#reach(moments[i]!)
        await this.#kill(victim)
        killed[victim]++
      }
      await Promise.all(working)
      const finished = performance.now()
      const latest = ((await this.#get('/api/changes/?limit=1')) as any).latest
      await this.#copied(latest)
      const caughtUp = performance.now()
      this.#isOver = true
      this.#listener?.abort()
      await hearing
      await this.#hearRest(latest)
      await this.#check(latest)
      const seconds = (finished - started) / 1000
      const catchUpSeconds = (caughtUp - finished) / 1000
      return {
        acknowledged: this.#done,
        unknown: this.#unknown,
        entries: latest,
        kills: killed,
        seconds,
        catchUpSeconds,
      }
    } finally {
      this.#isOver = true
      this.#listener?.abort()
      for (const child of [this.#server, this.#follower]) child?.kill('SIGKILL')
      this.#agent.destroy()
    }
  }

  #spawn(args: readonly string[]): ChildProcess {
    const { program, source } = this.#options
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: source,
      PORT: String(this.#port),
      LOG_LEVEL: 'info',
      NYMDEX_SAMPLE: 'off',
      NYMDEX_WRITE_LIMIT: 'off',
      NYMDEX_NEW_ACCOUNT_LIMIT: 'off',
    }
    return spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async #startServer(): Promise<void> {
    const server = this.#spawn(['serve'])
    server.stderr!.resume()
    this.#server = server
    this.#port = Number(new URL(await listening(server)).port)
    server.stdout!.resume()
  }

  /** It is started again whenever it ends, as an operator's service manager does it. */
  #startFollower(): void {
    const follower = this.#spawn(['follow', `http://127.0.0.1:${this.#port}/`, '--into', this.#options.copy])
    this.#follower = follower
    ended(follower).then(({ code, err }) => {
      if (this.#isOver) return
      assert.equal(code, null, `the follower has ended: ${err}`)
      this.#startFollower()
    })
  }

  async #kill(victim: Victim): Promise<void> {
    if (victim === 'listener') return this.#listener?.abort()
    const child = victim === 'server' ? this.#server! : this.#follower!
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    if (victim === 'server') this.#up = gone.then(() => this.#startServer())
    await (victim === 'server' ? this.#up : gone)
  }

  /** Reads the log as it grows, and continues where it was when it is cut off. */
  async #listen(): Promise<void> {
    let since = 0
    while (!this.#isOver) {
      this.#listener = new AbortController()
      const { signal } = this.#listener
      try {
        const address = `http://127.0.0.1:${this.#port}/api/changes/?since=${since}&limit=1000&wait=5`
        const { results, next } = (await (await fetch(address, { signal })).json()) as any
        this.#heard.push(...results.map(({ seq }: any) => seq))
        since = next
      } catch {
        await this.#up
      }
    }
  }

  async #hearRest(latest: number): Promise<void> {
    for (let since = this.#heard.at(-1) ?? 0; since < latest; ) {
      const { results, next } = (await this.#get(`/api/changes/?since=${since}&limit=1000`)) as any
      this.#heard.push(...results.map(({ seq }: any) => seq))
      since = next
    }
  }

  #waiting: { readonly count: number; go(): void } | undefined

  /** Resolves when this many writes were answered. */
  #reach(count: number): Promise<void> {
    if (this.#done >= count) return Promise.resolve()
    return new Promise((go) => (this.#waiting = { count, go }))
  }

  async #work(token: string): Promise<void> {
    while (this.#done < this.#options.writes) {
      const { method, path, json, onDone } = this.#pick()
      const reply = await this.#ask(method, path, { token, json })
      if (reply === undefined) {
        this.#unknown++
        await this.#up
        continue
      }
      const { status, text } = reply
      assert.ok(status < 500 || status === 503, `${method} ${path}: ${status} ${text}`)
      if (status < 300) {
        this.#done++
        onDone?.(text)
      }
      if (this.#waiting && this.#done >= this.#waiting.count) {
        this.#waiting.go()
        this.#waiting = undefined
      }
    }
  }

  #number = 0

  #pick(): { method: string; path: string; json?: object; onDone?: (text: string) => void } {
    const name = `chaos ${++this.#number}`
    const { polynym, polyset } = this.#ids
    const kind = this.#chance.below(100)
    const some = () => polynym[this.#chance.below(polynym.length)]!
    if (polynym.length < 20 || kind < 30) {
      const json = { name, mode: 'part', p1: 'source', p2: 'mouth' }
      return { method: 'POST', path: '/api/polynym/', json, onDone: (text) => this.#made('polynym', text) }
    }
    if (kind < 40) {
      const polynyms = [...new Set([some(), some(), some()])]
      const json = { name, polynyms }
      return { method: 'POST', path: '/api/polyset/', json, onDone: (text) => this.#made('polyset', text) }
    }
    if (kind < 65) {
      const json = { wiki: name, ...(kind < 50 ? { name: `${name} again` } : {}) }
      return { method: 'PATCH', path: `/api/polynym/${some()}/`, json, onDone: () => this.#markers.push(name) }
    }
    if (kind < 72 && polyset.length > 0) {
      const id = polyset[this.#chance.below(polyset.length)]!
      return { method: 'PATCH', path: `/api/polyset/${id}/`, json: { polynyms: [...new Set([some(), some()])] } }
    }
    if (kind < 88) return { method: 'POST', path: `/api/polynym/${some()}/vote/` }
    if (kind < 94) return { method: 'DELETE', path: `/api/polynym/${some()}/vote/` }
    const place = this.#chance.below(polynym.length)
    const [id] = polynym.splice(place, 1)
    return { method: 'DELETE', path: `/api/polynym/${id}/?cascade=true` }
  }

  #made(resource: 'polynym' | 'polyset', text: string): void {
    const id = JSON.parse(text)[`${resource}_id`]
    this.#created.push(`${resource} ${id}`)
    this.#ids[resource].push(id)
  }

  /** Undefined if the connection broke: nobody knows whether the write was done. */
  #ask(
    method: string,
    path: string,
    { token, json }: { readonly token?: string; readonly json?: object | undefined } = {},
  ): Promise<{ readonly status: number; readonly text: string } | undefined> {
    const headers = {
      ...(token ? { authorization: `Token ${token}` } : {}),
      ...(json ? { 'content-type': 'application/json' } : {}),
    }
    const way = { host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent }
    return new Promise((answered) => {
      const sent = request(way, (reply) => {
        let text = ''
        reply.setEncoding('utf8')
        reply.on('data', (chunk) => (text += chunk))
        reply.on('error', () => answered(undefined))
        reply.on('end', () => answered({ status: reply.statusCode!, text }))
      })
      sent.on('error', () => answered(undefined))
      sent.end(json && JSON.stringify(json))
    })
  }

  async #get(path: string): Promise<unknown> {
    const reply = await this.#ask('GET', path)
    assert.equal(reply?.status, 200)
    return JSON.parse(reply!.text)
  }

  /** Resolves when the follower has this entry. */
  async #copied(latest: number): Promise<void> {
    await this.#on(this.#options.copy, async ({ store, watch }) => {
      for (;;) {
        const change = watch.next({ ms: 1000, signal: new AbortController().signal, isGone: () => false })
        const state = await store.read(readFollowState)
        if (state?.copying === '' && state.seq >= latest) return
        await change
      }
    })
  }

  async #check(latest: number): Promise<void> {
    const { source, copy } = this.#options
    const all = Array.from({ length: latest }, (_, i) => i + 1)
    assert.deepEqual(this.#heard, all, 'the listener heard every entry once')
    const [original, copied] = [await this.#on(source, whole), await this.#on(copy, whole)]
    assert.deepEqual(copied.log, original.log, 'the copy has every entry once')
    assert.equal(copied.records, original.records, 'the copy is exact')
    const entries: any[] = original.log
    const records = original.records.split('\n').slice(0, -1)
    const creations = entries.filter(({ action }) => action === 'create').map(({ resource, id }) => `${resource} ${id}`)
    assertOnce(this.#created, creations, 'every acknowledged creation is in the log once')
    // What a change has written is what the next one finds, or the record has it now.
    const texts = [...entries.map(({ old }) => old?.wiki), ...records.map((line) => JSON.parse(line).wiki)]
    assertOnce(this.#markers, texts, 'every acknowledged change is in the log once')
  }

  async #on<T>(url: string, work: (engine: Engine) => Promise<T>): Promise<T> {
    const store = await openStore(url, catalogue)
    try {
      return await work(engineOn(store, catalogue))
    } finally {
      await store.close()
    }
  }
}

function assertOnce(wanted: readonly string[], found: readonly string[], message: string): void {
  const counts = new Map<string, number>()
  for (const each of found) counts.set(each, (counts.get(each) ?? 0) + 1)
  assert.deepEqual(
    wanted.filter((each) => counts.get(each) !== 1),
    [],
    message,
  )
}

/** They are staff, so that they may change everything. */
async function tokensOf(engine: Engine, count: number): Promise<string[]> {
  const { store } = engine
  const tokens: string[] = []
  for (let i = 0; i < count; i++) {
    const account = await store.write(function* () {
      const made = yield* accountNamed(engine, `client${i}`)
      yield* store.accounts.setStaff(made.id, true)
      return made
    })
    tokens.push((await new AccountDesk(engine).createToken(account, 'chaos')).key)
  }
  return tokens
}

/** All records and the whole log, with names in place of accounts. */
async function whole(engine: Engine): Promise<{ records: string; log: object[] }> {
  const { store } = engine
  const texts: string[] = []
  const sink = { write: (text: string) => void texts.push(text) }
  await exportTogether(engine, exportOrder(engine, engine.catalogue), 'ndjson', sink)
  const log = await store.read(function* () {
    const names = new Map((yield* store.accounts.all()).map(({ id, name }) => [id, name]))
    const entries = yield* store.changes.entries({ since: 0, until: Number.MAX_SAFE_INTEGER }, 1_000_000)
    return entries.map(({ account = 0, old = 'null', ...entry }) => {
      const parsed = JSON.parse(old)
      if (parsed?.user) parsed.user = names.get(parsed.user)
      if (parsed?.voters) parsed.voters = parsed.voters.map((id: number) => names.get(id))
      return { ...entry, user: names.get(account), old: parsed }
    })
  })
  return { records: texts.join(''), log }
}
