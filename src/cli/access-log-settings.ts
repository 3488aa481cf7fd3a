/** How requests are logged. */

export const ACCESS_LOG_FORMATS = ['json', 'combined', 'off'] as const

export interface AccessLogSettings {
  readonly format: (typeof ACCESS_LOG_FORMATS)[number]
  /** The share of requests that get a line, 0 to 1. Those that fail always do. */
  readonly share: number
}
