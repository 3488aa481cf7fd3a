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
  readonly answers: Pick<AnswerCache, 'lookups'> | undefined
  /** How many streams are open. */
  readers(): number
  /** Undefined if this process delivers to none. */
  hooks(): HookLoad | undefined
}

export interface SiteMetrics {
  answered(request: AnsweredRequest): void
  watch(parts: MeasuredParts): void
}
