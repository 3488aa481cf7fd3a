/** A worker or the writer: a process that `nymdex serve --workers` has started, until it is told to stop. */
import { Socket } from 'node:net'
import { type Following, HandedConnections, type ProcessFigures, WriterLink } from '../../http/index.ts'
import { OK } from '../../store/index.ts'
import { Mistake } from '../desk.ts'
import { endSoon } from '../end-soon.ts'
import { explain } from '../explain.ts'
import { openLog } from '../log.ts'
import { readSettings, type Settings } from '../settings.ts'
import { openSite, type RunningSite, type SiteRole } from '../site.ts'
import { type FromProcess, isToProcess, type ToProcess, type WriterState } from './messages.ts'
import { RemoteCounts } from './remote-counts.ts'

type Start = Extract<ToProcess, { kind: 'start' }>

/** How often the writer says what it knows. */
const TELL_EVERY_MS = 1000
/** How long staff wait for the figures of the workers. */
const FIGURES_MS = 3000

export async function runProcess(): Promise<void> {
  if (!process.send) throw new Mistake('this command is only for nymdex serve --workers')
  // Terminals and service managers signal all processes of a server: the supervisor decides what follows.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const part = new ServingPart()
  try {
    await part.run(readSettings(process.env))
  } catch (error) {
    await part.fail(explain(error))
    process.exitCode = 1
  } finally {
    part.leave()
    endSoon()
  }
}

class ServingPart {
  readonly #connections = new HandedConnections()
  readonly #counts = new RemoteCounts((message) => this.send(message))
  readonly #started = Promise.withResolvers<Start>()
  readonly #ending = Promise.withResolvers<'retire' | 'stop'>()
  /** Told to stop, maybe while it retires. */
  readonly #stopped = Promise.withResolvers<void>()
  #link: WriterLink | undefined
  #site: RunningSite | undefined
  #state: WriterState = { writes: OK }
  #isEnding = false
  #wantFigures: ((figures: readonly ProcessFigures[]) => void)[] = []

  constructor() {
    process.on('message', (message, handle) => {
      if (!isToProcess(message)) return
      if (message.kind === 'connection') this.#take(handle, message.number)
      else this.#hear(message)
    })
    process.once('disconnect', this.#orphaned)
  }

  send(message: FromProcess): void {
    // The supervisor may have ended: then there is nobody to tell.
    if (process.connected) process.send?.(message, undefined, undefined, () => {})
  }

  /** Resolves when the supervisor has the line. */
  fail(line: string): Promise<void> {
    const message: FromProcess = { kind: 'failed', line }
    return new Promise((sent) => {
      if (process.connected) process.send?.(message, undefined, undefined, () => sent())
      else sent()
    })
  }

  leave(): void {
    process.off('disconnect', this.#orphaned)
    if (process.connected) process.disconnect()
  }

  async run(settings: Settings): Promise<void> {
    const output = openLog(settings.logLevel, { isShared: true })
    const start = await this.#started.promise
    this.#state = start.state
    const site = await openSite(settings, output, {
      settingsInForce: start.settings,
      part: this.#roleOf(start, settings),
      others: () => this.#others(),
    })
    this.#site = site
    const telling = start.role === 'writer' ? await this.#tellState(site) : undefined
    if (start.role === 'worker') this.send({ kind: 'ready' })
    try {
      const reason = await Promise.race([this.#ending.promise, site.store.outdated])
      if (typeof reason !== 'string') this.send({ kind: 'outdated', line: reason.message })
      if (reason === 'retire') await Promise.race([site.server.retire(), this.#stopped.promise])
      await site.server.stop()
    } finally {
      clearInterval(telling)
      this.#link?.close()
      await site.close()
    }
  }

  #roleOf({ role, path, secret }: Start, { databaseSeconds }: Settings): SiteRole {
    const counts = this.#counts
    if (role === 'writer') return { role: { as: 'writer', path, secret, counts } }
    this.#link = new WriterLink(secret, databaseSeconds)
    this.#link.use(path === '' ? undefined : path)
    return {
      role: {
        as: 'worker',
        connections: this.#connections,
        writer: this.#link,
        counts,
        writes: () => this.#state.writes,
      },
      following: this.#followed(),
    }
  }

  #followed(): Following | undefined {
    const { following } = this.#state
    if (!following) return undefined
    const statusNow = () => this.#state.following?.status ?? following.status
    return {
      source: following.source,
      get status() {
        return statusNow()
      },
    }
  }

  #hear(message: Exclude<ToProcess, { kind: 'connection' }>): void {
    switch (message.kind) {
      case 'start':
        this.#started.resolve(message)
        break
      case 'writer':
        this.#link?.use(message.path)
        void this.#link?.hasSwitched().then(() => this.send({ kind: 'switched' }))
        break
      case 'state':
        this.#state = message.state
        break
      case 'verdict':
        this.#counts.hear(message.id, message.verdict)
        break
      case 'measure':
        void this.#measure()
        break
      case 'figures':
        for (const each of this.#wantFigures.splice(0)) each(message.figures)
        break
      case 'drain':
        this.#isEnding = true
        this.#site?.server.drain()
        break
      case 'retire':
        this.#ending.resolve('retire')
        break
      case 'stop':
        this.#stop()
        break
    }
  }

  async #measure(): Promise<void> {
    const metrics = (await this.#site?.metrics?.asJson()) ?? []
    this.send({ kind: 'measured', metrics, figures: this.#site?.server.figures() })
  }

  /** What the workers know; nothing if the supervisor is too busy to answer. */
  #others(): Promise<readonly ProcessFigures[]> {
    return new Promise((answered) => {
      this.#wantFigures.push(answered)
      setTimeout(answered, FIGURES_MS, []).unref()
      this.send({ kind: 'want-figures' })
    })
  }

  #take(handle: unknown, number: number): void {
    if (!(handle instanceof Socket)) return
    this.#connections.take(handle)
    this.send({ kind: 'taken', number })
  }

  #stop(): void {
    this.#isEnding = true
    this.#stopped.resolve()
    this.#ending.resolve('stop')
  }

  /** The supervisor has ended. A second signal ends it at once, and then this process too. */
  readonly #orphaned = (): void => {
    if (this.#isEnding || !this.#site) process.exit(1)
    this.#stop()
  }

  async #tellState(site: RunningSite): Promise<NodeJS.Timeout> {
    const stateNow = async (): Promise<WriterState> => {
      const { writes } = await site.store.health()
      const { following } = site
      return following ? { writes, following: { source: following.source, status: following.status } } : { writes }
    }
    const first = await stateNow()
    this.send({ kind: 'ready', state: first })
    let told = JSON.stringify(first)
    const tell = async () => {
      const state = await stateNow()
      if (JSON.stringify(state) === told) return
      told = JSON.stringify(state)
      this.send({ kind: 'state', state })
    }
    return setInterval(() => void tell().catch(() => {}), TELL_EVERY_MS).unref()
  }
}
