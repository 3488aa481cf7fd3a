/** Starts the server in this process: for the command `nymdex serve`, and for programs that embed it. */
import { MetricsPort } from '../http/index.ts'
import type { SettingInForce } from './config/in-force.ts'
import { listenForMetrics } from './listen-for-metrics.ts'
import type { Output } from './log.ts'
import type { Settings } from './settings.ts'
import { openSite } from './site.ts'
import type { StartedServer } from './start-server.ts'

export async function startWith(
  settings: Settings,
  output: Output,
  settingsInForce: readonly SettingInForce[],
): Promise<StartedServer> {
  const { log } = output
  const { server, store, metrics, close } = await openSite(settings, output, { settingsInForce })
  const port = metrics && new MetricsPort(() => metrics.asText())
  const stop: StartedServer['close'] = async ({ drainMs = 0 } = {}) => {
    try {
      await server.stop({ drainMs })
    } finally {
      await port?.close()
      await close()
    }
  }
  try {
    if (port) await listenForMetrics(port, settings, log)
  } catch (error) {
    await stop()
    throw error
  }
  let stopped: Promise<void> | undefined
  return {
    address: server.url,
    outdated: store.outdated,
    close: (options) => {
      stopped ??= stop(options)
      return stopped
    },
  }
}
