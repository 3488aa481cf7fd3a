/** Opens the port for metrics. */
import type { Logger } from 'pino'
import type { MetricsPort } from '../http/index.ts'
import type { Settings } from './settings.ts'

/** Does nothing if the metrics have no port of their own. */
export async function listenForMetrics(port: MetricsPort, { metrics }: Settings, log: Logger): Promise<void> {
  if (!metrics) return
  try {
    log.info(`metrics are at ${await port.listen(metrics)}`)
  } catch (error) {
    // The operator has to change this setting, and not PORT.
    throw error instanceof Error ? Object.assign(error, { setting: 'NYMDEX_METRICS' }) : error
  }
}
