/** Permissions: anyone reads; a signed-in user creates and votes; the owner or staff change and delete. */
import type { AnyResource } from '../declare/index.ts'
import { problems } from './problem.ts'

/** Who a record belongs to. */
export interface Owner {
  readonly id: number
  readonly name: string
}

/** The signed-in user. */
export interface Actor {
  readonly id: number
  readonly name: string
  readonly staff: boolean
  /** When the account was made, in UTC. */
  readonly joined?: string
  /** Undefined if the program itself acts for the user. */
  readonly proof?: Proof
}

/** What showed who a user is. A request may be slow, so a write looks again whether it is still valid. */
export interface Proof {
  /** The hash of the password at that time: a new password ends what was proved before. */
  readonly passwordHash: string
  /** The hash of the session. */
  readonly session?: string
  /** The hash of the token. */
  readonly token?: string
  /** The token was valid when this process last looked. */
  readonly isAssumed?: true
}

/** Whether the owner of an account may use it. */
export function isOpen({ removed, blocked }: { readonly removed: boolean; readonly blocked: boolean }): boolean {
  return !removed && !blocked
}

export function mayCreate(resource: AnyResource, actor: Actor): boolean {
  return actor.staff || !resource.staffOnly
}

export function mayChange(resource: AnyResource, owner: number, actor: Actor): boolean {
  return actor.staff || (!resource.staffOnly && owner === actor.id)
}

export function demand(allowed: boolean): void {
  if (!allowed) throw problems.forbidden()
}
