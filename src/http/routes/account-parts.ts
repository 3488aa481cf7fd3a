/** What the account pages are made from. */
import type { AccountDesk, RecoveryDesk, RoundDesk } from '../../engine/index.ts'
import type { SignInLimits } from '../request/signin-limits.ts'
import type { Throttle } from '../request/throttle.ts'
import type { LikeWishes } from './like-wish.ts'
import type { AccountMail } from './mail-routes.ts'

export interface AccountParts {
  readonly desk: AccountDesk
  readonly recovery: RecoveryDesk
  readonly signIns: SignInLimits
  readonly signUps: Throttle
  readonly signUpOpen: boolean
  readonly likes: LikeWishes
  /** Undefined if the catalogue has no games. */
  readonly rounds: RoundDesk | undefined
  /** Undefined if the operator has set no SMTP server. */
  readonly mail: AccountMail | undefined
}
