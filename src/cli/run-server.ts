/** Runs the server until it is told to stop. */
import { catalogue, formsOf, services } from '../catalogue/index.ts'
import { engineOn, keepLogDaily } from '../engine/index.ts'
import { serve } from '../http/index.ts'
import { messageOf, openStore, refuseReadOnlyFile } from '../store/index.ts'
import { pagesFor } from '../web/index.ts'
import { refuseReplicas } from './address-settings.ts'
import { saidOf } from './compact.ts'
import { Mistake } from './desk.ts'
import { startFollowing } from './follow.ts'
import { openLog, siteLog } from './log.ts'
import { untilWritable } from './read-only.ts'
import { loadSample } from './sample.ts'
import { readSettings } from './settings.ts'

export async function runServer(environment: Readonly<Record<string, string | undefined>>): Promise<void> {
  const settings = readSettings(environment)
  const log = openLog(settings.logLevel)
  refuseReadOnlyFile(settings.databaseUrl)
  const { database, replicas } = settings
  refuseReplicas(replicas, database.url)
  const store = await openStore({ ...database, replicas, report: (line) => log.warn(line) }, catalogue)
  const engine = engineOn(store, catalogue, { formsOf, querySeconds: settings.querySeconds })
  let following: Awaited<ReturnType<typeof startFollowing>>
  let stopKeeping = async () => {}
  const stopping = new AbortController()
  const startKeeping = () => {
    if (stopping.signal.aborted) return
    stopKeeping = keepLogDaily(engine, settings.retention, {
      done: (kept) => log.info(saidOf(kept)),
      failed: (error) => log.warn(`the log of changes stays as it is until tomorrow: ${messageOf(error)}`),
    })
  }
  try {
    const waiting = await untilWritable(store, log, stopping.signal)
    if (waiting) {
      if (settings.follow) throw new Mistake('NYMDEX_FOLLOW needs a database that takes writes')
      void waiting.writable.then(startKeeping)
    } else {
      following = await startFollowing(engine, settings.follow, log)
      if (settings.sample && !following) {
        const loaded = await loadSample(engine)
        if (loaded > 0) log.info(`loaded the sample catalogue of ${loaded} records into the empty database`)
      }
      startKeeping()
    }
    const pages = pagesFor(catalogue)
    const parts = { engine, following, writable: waiting?.writable, services, pages, log: siteLog(log) }
    const server = await serve(parts, settings)
    log.info(`Nymdex is at ${server.url}`)
    const reason = await Promise.race([toldToStop(), store.outdated])
    if (typeof reason !== 'string') {
      log.error(reason.message)
      await server.stop()
      throw reason
    }
    log.info(`${reason}: finishing the running requests`)
    // Ctrl-C at a terminal means now; SIGTERM comes from tools that also move the traffic elsewhere.
    await server.stop({ drainMs: reason === 'SIGTERM' ? settings.drainSeconds * 1000 : 0 })
    log.info('stopped')
  } finally {
    stopping.abort()
    await following?.stop()
    await stopKeeping()
    await store.close()
  }
}

const LOOK_EVERY_MS = 200

/** A second signal ends the process at once. */
function toldToStop(): Promise<NodeJS.Signals> {
  return new Promise((told) => {
    const signals = ['SIGTERM', 'SIGINT'] as const
    const stop = (signal: NodeJS.Signals) => {
      for (const each of signals) process.off(each, stop)
      told(signal)
    }
    for (const signal of signals) process.on(signal, stop)
    if (!process.env['npm_command']) return
    // npm ends its shell on SIGTERM, and the shell does not pass the signal on: without this we would stay as an
    // orphan.
    const { ppid } = process
    const looking = setInterval(() => {
      if (process.ppid === ppid) return
      clearInterval(looking)
      told('SIGTERM')
    }, LOOK_EVERY_MS).unref()
  })
}
