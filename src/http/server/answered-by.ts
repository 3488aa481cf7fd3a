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
): Pick<AccessLog, 'answered' | 'cached'> {
  if (!metrics && !spans && !figures) return { answered: log }
  const answered: AccessLog['answered'] = (request, asked) => {
    figures?.answered(request)
    metrics?.answered(request)
    const traced = spans && !isHealthCheck(request.url) ? spans.answered(request, asked) : asked
    log?.(request, traced)
  }
  const isFiguresAlone = figures && !metrics && !spans && !log
  return { answered, ...(isFiguresAlone ? { cached: (status) => figures.cached(status) } : {}) }
}
