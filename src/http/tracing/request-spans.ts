/** The spans of requests, with the names that OpenTelemetry has for HTTP. Addresses are left out: routes say enough. */
import type { Attributes, TraceSpan } from '../../store/index.ts'
import type { AnsweredRequest, AskedBefore, Request } from '../exchange/message.ts'
import { METHODS, type RouteNames } from '../metrics/route-names.ts'
import { traceIn } from '../request/trace-context.ts'
import type { Tracing } from './tracing.ts'

const BAD_REQUEST = 400
const SERVER_ERROR = 500

export class RequestSpans {
  readonly #tracing: Tracing
  readonly #routes: RouteNames

  constructor(tracing: Tracing, routes: RouteNames) {
    this.#tracing = tracing
    this.#routes = routes
  }

  begin({ method, headers }: Pick<Request, 'method' | 'headers'>, ageMs = 0): TraceSpan {
    const attributes = { 'http.request.method': known(method) }
    return this.#tracing.begin(known(method), { kind: 'server', parent: traceIn(headers), attributes, ageMs })
  }

  /** Of a request that one process has passed on to another. */
  beginPassed({ method, headers }: Pick<Request, 'method' | 'headers'>): TraceSpan {
    const attributes = { 'http.request.method': known(method) }
    return this.#tracing.begin('writer', { kind: 'internal', parent: traceIn(headers), attributes })
  }

  /** Ends the span of a request. One that was answered at once gets its span now. */
  answered({ id, method, url, status, bytes, ms }: AnsweredRequest, asked: AskedBefore = UNREAD): AskedBefore {
    const { headers, httpVersion } = asked
    const span = asked.span ?? this.begin({ method, headers }, ms)
    const route = this.#routes.of(url)
    span.rename(`${known(method)} ${route}`)
    span.set({
      'http.route': route,
      'http.response.status_code': status,
      'http.response.body.size': bytes,
      'nymdex.request.id': id,
      // Refusals come at once, too.
      'nymdex.cached': asked.span === undefined && status < BAD_REQUEST,
    })
    span.end(status >= SERVER_ERROR ? String(status) : undefined)
    return { headers, httpVersion, trace: span }
  }
}

const UNREAD: AskedBefore = { headers: {}, httpVersion: '' }

/** A client may send any word as its method. */
const known = (method: string) => (METHODS.has(method) ? method : '_OTHER')

/** Begins the trace of a message to a hook that belongs to no request. */
export function beginDelivery(tracing: Tracing) {
  return (name: string, attributes: Attributes): TraceSpan => tracing.begin(name, { kind: 'client', attributes })
}
