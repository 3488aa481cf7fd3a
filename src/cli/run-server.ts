/** Runs the server until it is told to stop. */
import { MetricsPort } from '../http/index.ts'
import type { Gathered } from './config/gather.ts'
import { openLog } from './log.ts'
import { ServiceManager } from './service-manager.ts'
import type { Settings } from './settings.ts'
import { openSite } from './site.ts'
import { toldToStop } from './told-to-stop.ts'

export async function runServer(settings: Settings, { warnings }: Pick<Gathered, 'warnings'>): Promise<void> {
  const log = openLog(settings.logLevel)
  for (const warning of warnings) log.warn(warning)
  const { server, store, metrics, close } = await openSite(settings, log)
  const manager = new ServiceManager(log)
  const port = metrics && new MetricsPort(() => metrics.asText())
  try {
    if (port && settings.metrics) log.info(`metrics are at ${await port.listen(settings.metrics)}`)
    log.info(`Nymdex is at ${server.url}`)
    manager.ready()
    const reason = await Promise.race([toldToStop(), store.outdated])
    if (typeof reason !== 'string') {
      log.error(reason.message)
      await server.stop()
      throw reason
    }
    log.info(`${reason}: finishing the running requests`)
    manager.stopping()
    // Ctrl-C at a terminal means now; SIGTERM comes from tools that also move the traffic elsewhere.
    await server.stop({ drainMs: reason === 'SIGTERM' ? settings.drainSeconds * 1000 : 0 })
    log.info('stopped')
  } finally {
    await port?.close()
    await close()
  }
}
