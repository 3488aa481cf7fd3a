/** Runs the server until it is told to stop. */
import type { Gathered } from './config/gather.ts'
import { settingsInForce } from './config/in-force.ts'
import { endSoon } from './end-soon.ts'
import { openLog } from './log.ts'
import { ServiceManager } from './service-manager.ts'
import type { Settings } from './settings.ts'
import { startWith } from './start-with.ts'
import { toldToStop } from './told-to-stop.ts'

export async function runServer(settings: Settings, { given, places, warnings }: Gathered): Promise<void> {
  const output = openLog(settings.logLevel)
  const { log } = output
  for (const warning of warnings) log.warn(warning)
  const manager = new ServiceManager(log)
  const server = await startWith(settings, output, settingsInForce(given, places))
  // From a terminal, it means that the terminal was closed.
  if (!process.stdout.isTTY)
    process.on('SIGHUP', () => log.warn('SIGHUP: nothing is reloaded; restart the server, or start it with --workers'))
  log.info(`Nymdex is at ${server.address}`)
  manager.ready()
  const reason = await Promise.race([toldToStop(), server.outdated])
  try {
    if (typeof reason !== 'string') {
      log.error(reason.message)
      await server.close()
      throw reason
    }
    log.info(`${reason}: finishing the running requests`)
    manager.stopping()
    // Ctrl-C at a terminal means now; SIGTERM comes from tools that also move the traffic elsewhere.
    await server.close({ drainMs: reason === 'SIGTERM' ? settings.drainSeconds * 1000 : 0 })
    log.info('stopped')
  } finally {
    endSoon()
  }
}
