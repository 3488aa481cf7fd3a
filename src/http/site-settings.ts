/** The settings of a web site on a catalogue. */
import type { HookSettings, MailSettings } from '../engine/index.ts'
import type { SignInSettings } from './request/signin-limits.ts'
import type { Limit } from './request/throttle.ts'
import type { WriteSettings } from './request/write-limits.ts'
import type { SharedCacheSettings } from './response/shared-cache.ts'
import type { ServerSettings } from './server/parts.ts'

/** How many bytes the caches of answers and of records may take; 0 turns a cache off. */
export interface CacheSettings {
  readonly answers: number
  readonly records: number
  /** Compares every cached response with a fresh one, to find bugs. */
  readonly check: boolean
}

export interface SiteSettings extends ServerSettings {
  /** How long a request waits for the database. */
  readonly databaseSeconds: number
  readonly pageSize: number
  readonly compress: boolean
  readonly signUpOpen: boolean
  /** Undefined if the server sends no mail. It needs a base URL. */
  readonly mail?: MailSettings | undefined
  /** How many live streams a process has at a time. */
  readonly streams: number
  readonly cache: CacheSettings
  /** Undefined if proxies may cache nothing. */
  readonly sharedCache?: SharedCacheSettings | undefined
  /** Undefined if the server delivers to no hooks. */
  readonly hooks?: HookSettings
  /** Undefined for no limit. */
  readonly limits: SignInSettings &
    WriteSettings & {
      readonly signUps: Limit | undefined
      readonly reads: Limit | undefined
    }
}
