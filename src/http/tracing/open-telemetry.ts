/**
 * Spans for a collector that speaks OTLP. They are sent in the background, from a queue of limited length: a collector
 * that is slow or away costs spans, but never a request.
 */
import {
  type Context,
  createTraceState,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { type Attributes, codeOf, type SpanOptions, type TraceHeaders, type TraceSpan } from '../../store/index.ts'
import type { NewSpan, Tracing, TracingSettings } from './tracing.ts'

const MOST_QUEUED = 2048
const MOST_AT_ONCE = 512
const SEND_EVERY_MS = 1000
const EXPORT_MS = 10_000
/** How long the last spans may take when the server stops. */
const CLOSE_MS = 2000
const WARN_EVERY_MS = 60_000

export class OpenTelemetry implements Tracing {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer

  constructor(settings: TracingSettings, warn: (line: string) => void) {
    const { url, serviceName, version } = settings
    const named = resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })
    const processor = new BatchSpanProcessor({
      exporter: withWarnings(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), warn),
      maxQueueSize: MOST_QUEUED,
      maxExportBatchSize: MOST_AT_ONCE,
      scheduledDelayMillis: SEND_EVERY_MS,
      exportTimeoutMillis: EXPORT_MS,
    })
    this.#provider = new TracerProvider({
      // What OTEL_RESOURCE_ATTRIBUTES adds.
      resource: defaultResource()
        .merge(detectResources({ detectors: [envDetector] }))
        .merge(named),
      sampler: samplerOf(settings),
      spanProcessors: [processor],
    })
    this.#tracer = this.#provider.getTracer('nymdex', version)
  }

  begin(name: string, { kind, parent, attributes = {}, ageMs = 0 }: NewSpan): TraceSpan {
    const remote = parent && {
      traceId: parent.id,
      spanId: parent.parent,
      traceFlags: parent.isSampled ? 1 : 0,
      isRemote: true,
      traceState: createTraceState(parent.headers.tracestate),
    }
    const context = remote ? trace.setSpanContext(ROOT_CONTEXT, remote) : ROOT_CONTEXT
    const startTime = Date.now() - ageMs
    const span = this.#tracer.startSpan(name, { kind: KINDS[kind], attributes: { ...attributes }, startTime }, context)
    return new OpenSpan(this.#tracer, span, context)
  }

  async close(): Promise<void> {
    let late: NodeJS.Timeout | undefined
    const patience = new Promise<void>((over) => {
      late = setTimeout(over, CLOSE_MS)
    })
    await Promise.race([this.#provider.shutdown().catch(() => {}), patience])
    clearTimeout(late)
  }
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

class OpenSpan implements TraceSpan {
  readonly id: string
  readonly headers: TraceHeaders
  readonly #tracer: Tracer
  readonly #span: Span
  readonly #context: Context

  constructor(tracer: Tracer, span: Span, parent: Context) {
    this.#tracer = tracer
    this.#span = span
    this.#context = trace.setSpan(parent, span)
    const { traceId, spanId, traceFlags, traceState } = span.spanContext()
    const traceparent = `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
    const tracestate = traceState?.serialize()
    this.id = traceId
    this.headers = tracestate ? { traceparent, tracestate } : { traceparent }
  }

  begin(name: string, { kind = 'internal', attributes = {} }: SpanOptions = {}): TraceSpan {
    // Of a trace that is not collected, no part is.
    if (!this.#span.isRecording() && !this.#isSampled) return this
    const options = { kind: KINDS[kind], attributes: { ...attributes } }
    return new OpenSpan(this.#tracer, this.#tracer.startSpan(name, options, this.#context), this.#context)
  }

  get #isSampled(): boolean {
    return (this.#span.spanContext().traceFlags & 1) === 1
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes })
  }

  rename(name: string): void {
    this.#span.updateName(name)
  }

  end(error?: unknown): void {
    if (error !== undefined) {
      this.#span.setAttribute('error.type', kindOf(error))
      this.#span.setStatus({ code: SpanStatusCode.ERROR })
    }
    this.#span.end()
  }
}

function kindOf(error: unknown): string {
  const name = error instanceof Error ? error.name : String(error)
  return codeOf(error) || name
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const [, isByParent, name] = /^(parentbased_)?(.*)$/.exec(sampler) ?? []
  const root =
    name === 'traceidratio'
      ? new TraceIdRatioBasedSampler(ratio)
      : name === 'always_off'
        ? new AlwaysOffSampler()
        : new AlwaysOnSampler()
  return isByParent ? new ParentBasedSampler({ root }) : root
}

/** Says now and then that spans were lost. */
function withWarnings(exporter: SpanExporter, warn: (line: string) => void): SpanExporter {
  let lost = 0
  let warnedAt = Number.NEGATIVE_INFINITY
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error) {
          lost += spans.length
          if (performance.now() - warnedAt > WARN_EVERY_MS) {
            warnedAt = performance.now()
            warn(`the collector of traces did not take ${lost} spans: ${result.error.message}`)
            lost = 0
          }
        }
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => await exporter.forceFlush?.(),
  }
}
