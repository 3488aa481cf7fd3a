/** Who hears of requests that were answered: the figures of staff, metrics, traces and the log. */
import type { SiteMetrics } from '../metrics/measured-parts.ts'
import { isHealthCheck } from '../routes/health.ts'
import type { Figures } from '../staff/figures.ts'
import type { RequestSpans } from '../tracing/request-spans.ts'
import type { AccessLog } from './parts.ts'

/** Undefined if nobody wants to know. Health checks are in no trace. */
export function answeredBy(
  log: AccessLog['answered'],
  metrics?: SiteMetrics,
  spans?: RequestSpans,
  figures?: Figures,
): AccessLog['answered'] {
  if (!metrics && !spans && !figures) return log
  return (request, asked) => {
    figures?.answered(request)
    metrics?.answered(request)
    const traced = spans && !isHealthCheck(request.url) ? spans.answered(request, asked) : asked
    log?.(request, traced)
  }
}
