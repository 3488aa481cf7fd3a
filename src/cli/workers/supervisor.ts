/**
 * `nymdex serve --workers`: starts one writer and several workers, hands connections to the workers, replaces processes
 * that die, and all of them one after the other on SIGHUP. It serves no requests itself, so that nothing can end it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Distributor, MachineCounts, MetricsPort, metricsOfAll, type Verdict } from '../../http/index.ts'
import { messageOf, OK } from '../../store/index.ts'
import type { Gathered } from '../config/gather.ts'
import { type SettingInForce, settingsInForce } from '../config/in-force.ts'
import { Mistake } from '../desk.ts'
import { endSoon } from '../end-soon.ts'
import { listenForMetrics } from '../listen-for-metrics.ts'
import { openLog } from '../log.ts'
import { ServiceManager } from '../service-manager.ts'
import type { Given, Settings } from '../settings.ts'
import { toldToStop } from '../told-to-stop.ts'
import type { FromProcess, Role, WriterState } from './messages.ts'
import { ServingProcess } from './serving-process.ts'
import { SocketFolder } from './socket-folder.ts'

export async function supervise(settings: Settings, gathered: Gathered): Promise<void> {
  const { log } = openLog(settings.logLevel, { isShared: true })
  for (const warning of gathered.warnings) log.warn(warning)
  const supervisor = new Supervisor(settings, gathered, log)
  const manager = new ServiceManager(log)
  // From now on, what has been started is ended, and the folder of the sockets removed.
  const told = toldToStop()
  try {
    const reload = () => void supervisor.reload()
    // From a terminal, it means that the terminal was closed.
    if (!process.stdout.isTTY) process.on('SIGHUP', reload)
    const url = await Promise.race([supervisor.start(), told.then(() => undefined)])
    if (url === undefined) return log.info(`${await told}: stopped before it was ready`)
    log.info(`Nymdex is at ${url}`)
    manager.ready()
    const reason = await Promise.race([told, supervisor.outdated])
    if (typeof reason !== 'string') {
      log.error(reason.message)
      await supervisor.stop(0)
      throw reason
    }
    log.info(`${reason}: finishing the running requests`)
    manager.stopping()
    await supervisor.stop(reason === 'SIGTERM' ? settings.drainSeconds * 1000 : 0)
    log.info('stopped')
  } finally {
    supervisor.close()
    endSoon()
  }
}

/** A process that ends sooner than this did not begin well: the next one waits, each time longer. */
const SOON_MS = 10_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** How long a process may take to end, and a worker whose clients stay to retire. */
const STOP_MS = 15_000
const RETIRE_MS = 120_000
/** How long a writer that is replaced waits for the workers to say that they use the other one. */
const SWITCH_MS = 30_000
const REPLACING = 'the process that writes is being restarted'

/** What there is always one of. */
interface Place {
  readonly role: Role
  process: ServingProcess | undefined
  /** How often in a row its process ended soon. */
  failures: number
  /** One process at a time is started for it. */
  filling: Promise<unknown>
}

const emptyPlace = (role: Role): Place => ({ role, process: undefined, failures: 0, filling: Promise.resolve() })

class Supervisor {
  readonly #settings: Settings
  readonly #environment: Given
  readonly #inForce: readonly SettingInForce[]
  readonly #log: Logger
  readonly #distributor = new Distributor((connections) =>
    this.#log.warn({ connections }, 'no worker has taken connections; is the limit of open files (ulimit -n) too low?'),
  )
  readonly #counts: MachineCounts
  readonly #sockets = new SocketFolder()
  readonly #secret = randomBytes(32).toString('base64url')
  readonly #writer = emptyPlace('writer')
  readonly #workers: Place[]
  /** All that have not ended. */
  readonly #all = new Set<ServingProcess>()
  readonly #outdated = Promise.withResolvers<Error>()
  readonly #metrics = new MetricsPort(() => this.#measure())
  #state: WriterState = { writes: OK }
  #isStarted = false
  #isStopping = false
  #reloading: Promise<void> | undefined

  constructor(settings: Settings, { given, places }: Gathered, log: Logger) {
    this.#settings = settings
    this.#environment = { ...process.env, ...given }
    this.#inForce = settingsInForce(given, places)
    this.#log = log
    const { limits, streams, workers } = settings
    this.#counts = new MachineCounts({ reads: limits.reads, streams }, () => performance.now())
    this.#workers = Array.from({ length: workers }, () => emptyPlace('worker'))
  }

  /** A newer program has migrated the database. */
  get outdated(): Promise<Error> {
    return this.#outdated.promise
  }

  /** Returns the address of the server. */
  async start(): Promise<string> {
    // The writer migrates the database and loads the sample before anybody reads.
    await this.#fill(this.#writer)
    await Promise.all(this.#workers.map((worker) => this.#fill(worker)))
    await listenForMetrics(this.#metrics, this.#settings, this.#log)
    const url = await this.#distributor.listen(this.#settings)
    this.#isStarted = true
    return url
  }

  /** Replaces all processes, one after the other. While that happens, or the server starts or stops, it does nothing. */
  async reload(): Promise<void> {
    if (!this.#isStarted || this.#isStopping) return
    this.#reloading ??= this.#reload()
      .catch((error: unknown) => this.#log.error(`the processes that run are kept: ${messageOf(error)}`))
      .finally(() => {
        this.#reloading = undefined
      })
    await this.#reloading
  }

  async stop(drainMs: number): Promise<void> {
    this.#isStopping = true
    const workers = this.#each('worker')
    for (const worker of workers) worker.send({ kind: 'drain' })
    await sleep(drainMs)
    await this.#distributor.close()
    await this.#end(this.#each('worker'))
    // Workers pass requests on to it until they end.
    await this.#end(this.#each('writer'))
    await this.#metrics.close()
  }

  close(): void {
    this.#isStopping = true
    for (const each of this.#all) each.kill()
    this.#sockets.remove()
  }

  /** Of all processes together. */
  async #measure(): Promise<string> {
    const measured = await Promise.all([...this.#all].map((each) => each.measure()))
    return await metricsOfAll(measured.map(({ metrics }) => metrics))
  }

  /** Staff ask the writer, which knows only itself. */
  async #tellFigures(writer: ServingProcess): Promise<void> {
    const measured = await Promise.all(this.#each('worker').map((each) => each.measure()))
    writer.send({ kind: 'figures', figures: measured.flatMap(({ figures }) => figures ?? []) })
  }

  async #reload(): Promise<void> {
    this.#log.info('SIGHUP: replacing all processes')
    await this.#replace(this.#writer)
    for (const worker of this.#workers) await this.#replace(worker)
    this.#log.info('all processes are replaced')
  }

  /** The process before ends when the new one serves, and when its own work is done. */
  async #replace(place: Place): Promise<void> {
    const before = await inTurn(place, async () => {
      const { process } = place
      await this.#fill(place)
      return process
    })
    if (!before) return
    if (place.role === 'worker') {
      this.#distributor.retire(before)
      before.send({ kind: 'retire' })
      this.#killAfter(RETIRE_MS, before)
    } else {
      before.send({ kind: 'stop' })
      this.#killAfter(STOP_MS, before)
    }
  }

  /** Starts a process for the place. */
  async #fill(place: Place): Promise<void> {
    const { role } = place
    const path = role === 'writer' ? this.#sockets.next() : (this.#writer.process?.path ?? '')
    const started = new ServingProcess(role, path, this.#environment)
    this.#all.add(started)
    started.onMessage = (message) => this.#hear(started, message)
    void started.ended.then((how) => this.#onEnded(started, how))
    started.send({ kind: 'start', role, path, secret: this.#secret, state: this.#state, settings: this.#inForce })
    await started.ready
    if (this.#isStopping) {
      await this.#end([started])
      return
    }
    place.process = started
    this.#log.info(`a ${role} serves, with process id ${started.pid}`)
    if (role === 'writer') await this.#useWriter(started)
    else {
      // There may be another writer since it was started.
      void started.useWriter(this.#writer.process?.path)
      started.send({ kind: 'state', state: this.#state })
      this.#distributor.add(started)
    }
  }

  /** Resolves when the workers send nothing more to the writer before. */
  async #useWriter(writer: ServingProcess | undefined): Promise<void> {
    this.#tell(writer?.state ?? { ...this.#state, writes: REPLACING })
    const switched = this.#each('worker').map((worker) => worker.useWriter(writer?.path))
    await Promise.race([Promise.all(switched), sleep(SWITCH_MS, undefined, { ref: false })])
  }

  #tell(state: WriterState): void {
    this.#state = state
    for (const worker of this.#each('worker')) worker.send({ kind: 'state', state })
  }

  #hear(from: ServingProcess, message: FromProcess): void {
    switch (message.kind) {
      case 'taken':
        this.#distributor.taken(from, message.number)
        break
      case 'ask':
        from.send({ kind: 'verdict', id: message.id, verdict: this.#verdict(message) })
        break
      case 'stream':
        from.streams.set(message.network, (from.streams.get(message.network) ?? 0) + message.change)
        this.#counts.countStream(message.network, message.change)
        break
      case 'state':
        from.state = message.state
        if (from === this.#writer.process) this.#tell(message.state)
        break
      case 'want-figures':
        void this.#tellFigures(from)
        break
      case 'outdated':
        this.#outdated.resolve(new Mistake(message.line))
        break
    }
  }

  #verdict({ about, network }: Extract<FromProcess, { kind: 'ask' }>): Verdict {
    return about === 'read' ? this.#counts.takeRead(network) : this.#counts.demandStream(network)
  }

  #onEnded(ended: ServingProcess, how: string): void {
    this.#all.delete(ended)
    this.#distributor.lose(ended)
    for (const [network, count] of ended.streams) {
      for (let i = 0; i < count; i++) this.#counts.countStream(network, -1)
    }
    const place = [this.#writer, ...this.#workers].find(({ process }) => process === ended)
    if (!place || this.#isStopping) return
    place.process = undefined
    this.#log.warn(`the ${ended.role} with process id ${ended.pid} has ended (${how}): starting another one`)
    if (ended.role === 'writer') void this.#useWriter(undefined)
    if (performance.now() - ended.startedAt > SOON_MS) place.failures = 0
    void this.#fillAgain(place)
  }

  async #fillAgain(place: Place): Promise<void> {
    for (;;) {
      // The first time at once.
      const pause = place.failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (place.failures - 1))
      place.failures++
      await sleep(pause, undefined, { ref: false })
      try {
        // A reload may have filled it meanwhile.
        await inTurn(place, async () => (this.#isStopping || place.process ? undefined : await this.#fill(place)))
        return
      } catch (error) {
        this.#log.error(`the ${place.role} cannot start: ${messageOf(error)}`)
      }
    }
  }

  #each(role: Role): ServingProcess[] {
    return [...this.#all].filter((each) => each.role === role)
  }

  async #end(processes: readonly ServingProcess[]): Promise<void> {
    for (const each of processes) {
      each.send({ kind: 'stop' })
      this.#killAfter(STOP_MS, each)
    }
    await Promise.all(processes.map(({ ended }) => ended))
  }

  #killAfter(ms: number, process: ServingProcess): void {
    const late = setTimeout(() => process.kill(), ms).unref()
    void process.ended.then(() => clearTimeout(late))
  }
}

function inTurn<T>(place: Place, task: () => Promise<T>): Promise<T> {
  const done = place.filling.then(task)
  place.filling = done.catch(() => {})
  return done
}
