/** Opens the metrics of a process, and puts those of several processes together. It loads the library when it is needed. */
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { PrometheusMetrics } from './site-metrics.ts'

export type MetricsOfProcess = readonly MetricObjectWithValues<MetricValue<string>>[]

export async function openMetrics(version: string): Promise<PrometheusMetrics> {
  const metrics = await import('./site-metrics.ts')
  return new metrics.PrometheusMetrics(version)
}

/** In the text format of Prometheus. Counters are added up, and gauges as each of them says. */
export async function metricsOfAll(processes: readonly MetricsOfProcess[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  return await AggregatorRegistry.aggregate(processes.map((each) => [...each])).metrics()
}
