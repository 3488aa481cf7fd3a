/** Opens tracing. The packages of OpenTelemetry are optional, and loaded only if the operator wants traces. */
import { codeOf } from '../../store/index.ts'
import type { Tracing, TracingSettings } from './tracing.ts'

/** Undefined if the packages are not installed. `warn` is called with lines for the operator. */
export async function openTracing(
  settings: TracingSettings,
  warn: (line: string) => void,
): Promise<Tracing | undefined> {
  try {
    const { OpenTelemetry } = await import('./open-telemetry.ts')
    return new OpenTelemetry(settings, warn)
  } catch (error) {
    if (codeOf(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    warn(
      `there are no traces, because they need packages that are not installed: npm install ${settings.packages.join(' ')}`,
    )
    return undefined
  }
}
