/** What the server needs of a collector of spans. */
import type { Attributes, TraceSpan } from '../../store/index.ts'
import type { GivenTrace } from '../request/trace-context.ts'

export interface TracingSettings {
  /** Where the collector takes traces. */
  readonly url: string
  readonly serviceName: string
  readonly version: string
  /** As OTEL_TRACES_SAMPLER names it. */
  readonly sampler: `${'' | 'parentbased_'}${'always_on' | 'always_off' | 'traceidratio'}`
  /** The share of traces that samplers with a ratio collect, 0 to 1. */
  readonly ratio: number
  /** What has to be installed, for npm. */
  readonly packages: readonly string[]
}

export interface NewSpan {
  readonly kind: 'server' | 'client' | 'internal'
  /** Undefined if it begins a trace. */
  readonly parent?: GivenTrace | undefined
  readonly attributes?: Attributes
  /** How many milliseconds ago it has begun. */
  readonly ageMs?: number
}

export interface Tracing {
  begin(name: string, span: NewSpan): TraceSpan
  /** Sends what is not sent yet, if the collector takes it in time. */
  close(): Promise<void>
}
