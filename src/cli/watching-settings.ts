/** The settings of metrics, traces and logs. */
import { ACCESS_LOG_FORMATS } from './access-log-settings.ts'
import { SAMPLERS } from './samplers.ts'
import { address, choice, number, numberOrText, type SettingEntry, share, text } from './setting-kinds.ts'

export const WATCHING_SETTINGS = [
  {
    name: 'NYMDEX_METRICS',
    is: numberOrText('off, a port, or an address and a port such as 10.0.0.5:9464'),
    option: 'metrics',
    byDefault: 'off',
    does: 'off, or a port, or an address and a port such as 10.0.0.5:9464, where Prometheus finds /metrics',
  },
  {
    name: 'NYMDEX_TRACES',
    is: address('off or the address of a collector, such as http://127.0.0.1:4318'),
    option: 'traces',
    byDefault: '',
    does: 'where a collector takes traces, such as http://127.0.0.1:4318 (OTLP over HTTP), or off (default: OTEL_EXPORTER_OTLP_ENDPOINT, or off)',
  },
  {
    name: 'OTEL_SERVICE_NAME',
    is: text('a name'),
    option: 'service-name',
    byDefault: 'nymdex',
    does: 'the name of this service in traces',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    is: choice(...SAMPLERS),
    option: 'traces-sampler',
    byDefault: 'parentbased_always_on',
    does: 'which traces are collected: always_on, always_off, traceidratio, or these with parentbased_ before, to follow the caller',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    is: share,
    option: 'traces-sampler-arg',
    byDefault: '1',
    does: 'the share of traces that traceidratio collects, 0 to 1',
  },
  {
    name: 'NYMDEX_ACCESS_LOG',
    is: choice(...ACCESS_LOG_FORMATS),
    option: 'access-log',
    byDefault: 'json',
    does: 'json, combined (the format of Apache) or off: how the log has a line for each request',
  },
  {
    name: 'NYMDEX_ACCESS_LOG_SHARE',
    is: share,
    option: 'access-log-share',
    byDefault: '1',
    does: 'the share of successful requests that get a line, 0 to 1; those that fail always do',
  },
  {
    name: 'NYMDEX_SLOW_QUERY_MS',
    is: number(0, 60_000, 'off'),
    option: 'slow-query-ms',
    byDefault: 'off',
    does: 'off, or log statements that take this many milliseconds or more, 0 to 60000, without their values',
  },
  {
    name: 'LOG_LEVEL',
    is: choice('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    option: 'log-level',
    byDefault: 'info',
    does: 'fatal, error, warn, info, debug, trace or silent',
  },
] as const satisfies readonly SettingEntry[]
