/** What the worker knows about a hook, between and during its turns. */
import type { HookRow } from '../../store/index.ts'

export interface KnownHook {
  hook: HookRow
  /** Everything up to this number was delivered, or is not wanted. */
  position: number
  /** Something is, or may be, to deliver. */
  isDue: boolean
  isRunning: boolean
  /** Something that it wants was committed during its turn. */
  isBehind: boolean
  isSlow: boolean
  /** By the monotonic clock. */
  began: number
  notBefore: number
  leaseUntil: number
}

export const FRESH = {
  isDue: false,
  isRunning: false,
  isBehind: false,
  isSlow: false,
  began: 0,
  notBefore: 0,
  leaseUntil: 0,
}
