/** Settings of traces. They have the names that operators know from OpenTelemetry, apart from our own for the address. */
import type { TracingSettings } from '../http/index.ts'
import { redactUrl } from '../store/index.ts'
import { BadSetting } from './bad-setting.ts'
import { SAMPLERS } from './samplers.ts'
import type { SettingName } from './setting-list.ts'
import { TRACING_PACKAGES, VERSION } from './version.ts'

/** Variables of OpenTelemetry that say whether and where to send traces; only the environment has them. */
export const ALSO_READ = [
  'OTEL_SDK_DISABLED',
  'OTEL_TRACES_EXPORTER',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
]

type Given = Readonly<Record<string, string | undefined>>

/** Undefined if nobody wants traces. */
export function readTracing(read: (name: SettingName) => string, given: Given): TracingSettings | undefined {
  const url = collectorIn(read('NYMDEX_TRACES'), given)
  const asked = read('OTEL_TRACES_SAMPLER')
  const sampler = SAMPLERS.find((each) => each === asked)
  if (url === undefined || !sampler) return undefined
  const ratio = Number(read('OTEL_TRACES_SAMPLER_ARG'))
  const serviceName = read('OTEL_SERVICE_NAME')
  return { url, serviceName, version: VERSION, sampler, ratio, packages: TRACING_PACKAGES }
}

function collectorIn(value: string, given: Given): string | undefined {
  if (value === 'off') return undefined
  if (value !== '') return tracesAt('NYMDEX_TRACES', value)
  if (/^true$/i.test(given['OTEL_SDK_DISABLED']?.trim() ?? '') || given['OTEL_TRACES_EXPORTER'] === 'none')
    return undefined
  const exact = given['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']?.trim()
  if (exact) return checked('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', exact).href
  const endpoint = given['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim()
  return endpoint ? tracesAt('OTEL_EXPORTER_OTLP_ENDPOINT', endpoint) : undefined
}

/** A collector takes other signals too, at other paths. */
function tracesAt(name: string, value: string): string {
  const url = checked(name, value)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

function checked(name: string, value: string): URL {
  const url = URL.parse(value)
  if (url && /^https?:$/.test(url.protocol)) return url
  throw new BadSetting(name, redactUrl(value), 'off or the address of a collector, such as http://127.0.0.1:4318')
}
