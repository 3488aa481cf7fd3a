/** What metrics know of a server. */
import type { HookLoad } from '../../engine/index.ts'
import type { Store } from '../../store/index.ts'
import type { AnsweredRequest } from '../exchange/message.ts'
import type { AnswerCache } from '../response/answer-cache.ts'
import type { RouteNames } from './route-names.ts'

export interface MeasuredParts {
  readonly routes: RouteNames
  readonly store: Pick<Store, 'generations' | 'health' | 'load'>
  /** Undefined if no responses are cached. */
  readonly answers: Pick<AnswerCache, 'lookups' | 'madeAhead'> | undefined
  /** How many streams are open. */
  readers(): number
  /** Undefined if this process delivers to none. */
  hooks(): HookLoad | undefined
}

/** The backups that this process makes. */
export interface MeasuredBackups {
  /** How many tries have failed, or found damage, since the start. */
  failures(): number
  measure(): Promise<{
    readonly lastGood: { readonly at: string; readonly bytes: number; readonly seconds: number } | undefined
    readonly good: number
    readonly damaged: number
  }>
}

export interface SiteMetrics {
  answered(request: AnsweredRequest): void
  watch(parts: MeasuredParts): void
}
