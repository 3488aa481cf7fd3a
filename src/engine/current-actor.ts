/**
 * The user of a write, as the account is when the write begins. Between the check of credentials and the write, a body may
 * arrive slowly or a password may be hashed; meanwhile the password may change, or staff may block the account.
 */
import type { AccountRow, Store, Work } from '../store/index.ts'
import { type Actor, isOpen, type Proof } from './access.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

type Proved = Pick<Actor, 'id' | 'proof'>

/** Removal, loss of staff rights and a new password take effect at once. */
export function* currentActor({ store }: Engine, actor: Actor): Work<Actor> {
  const account = yield* store.accounts.current(actor.id)
  if (!account || !isOpen(account) || !(yield* isProved(store, account, actor.proof))) throw problems.notSignedIn()
  return actorOf(account, actor.proof)
}

/** For a write of credentials: they must not outlive the password, session or token that allowed them. */
export function* demandProof(store: Store, { id, proof }: Proved): Work<void> {
  if (!proof) return
  const account = yield* store.accounts.byId(id)
  const isCurrent = account && isOpen(account) && (yield* isProved(store, account, proof))
  const isInSession = proof.session === undefined || (yield* store.accounts.bySession(proof.session)) !== undefined
  if (!isCurrent || !isInSession) throw problems.notSignedIn()
}

/** A new password may leave the tokens as they are, and a token may end without one. */
function* isProved({ accounts }: Store, account: AccountRow, proof: Proof | undefined): Work<boolean> {
  if (proof?.token !== undefined) return yield* accounts.hasToken(account.id, proof.token)
  return !proof || proof.passwordHash === account.password
}

export function actorOf({ id, name, staff, joined }: AccountRow, proof: Proof | undefined): Actor {
  return { id, name, staff, joined, ...(proof ? { proof } : {}) }
}
