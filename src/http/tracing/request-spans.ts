/** The spans of requests, with the names that OpenTelemetry has for HTTP. Addresses are left out: routes say enough. */
import type { Attributes, TraceSpan } from '../../store/index.ts'
import type { AnsweredRequest, Request } from '../exchange/message.ts'
import type { RouteNames } from '../metrics/route-names.ts'
import { traceIn } from '../request/trace-context.ts'
import type { Tracing } from './tracing.ts'

const SERVER_ERROR = 500

export class RequestSpans {
  readonly #tracing: Tracing
  readonly #routes: RouteNames

  constructor(tracing: Tracing, routes: RouteNames) {
    this.#tracing = tracing
    this.#routes = routes
  }

  begin({ method, headers }: Pick<Request, 'method' | 'headers'>): TraceSpan {
    const attributes = { 'http.request.method': method }
    return this.#tracing.begin(method, { kind: 'server', parent: traceIn(headers), attributes })
  }

  /** Of a request that one process has passed on to another. */
  beginPassed({ method, headers }: Pick<Request, 'method' | 'headers'>): TraceSpan {
    const attributes = { 'http.request.method': method }
    return this.#tracing.begin('writer', { kind: 'internal', parent: traceIn(headers), attributes })
  }

  /** Ends the span of a request; a response from the cache gets one now. Returns the request with its trace. */
  answered(request: AnsweredRequest): AnsweredRequest {
    const { id, method, url, headers, status, bytes, ms } = request
    const span =
      request.span ??
      this.#tracing.begin(method, {
        kind: 'server',
        parent: traceIn(headers),
        attributes: { 'http.request.method': method },
        ageMs: ms,
      })
    const route = this.#routes.of(url)
    span.rename(`${method} ${route}`)
    span.set({
      'http.route': route,
      'http.response.status_code': status,
      'http.response.body.size': bytes,
      'nymdex.request.id': id,
      'nymdex.cached': request.span === undefined,
    })
    span.end(status >= SERVER_ERROR ? String(status) : undefined)
    return { ...request, trace: span }
  }
}

/** Begins the trace of a message to a hook that belongs to no request. */
export function beginDelivery(tracing: Tracing) {
  return (name: string, attributes: Attributes): TraceSpan => tracing.begin(name, { kind: 'client', attributes })
}
