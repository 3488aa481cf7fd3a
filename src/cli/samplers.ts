/** Which traces are collected, as OTEL_TRACES_SAMPLER names it. */
import type { TracingSettings } from '../http/index.ts'

export const SAMPLERS: readonly TracingSettings['sampler'][] = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
]
