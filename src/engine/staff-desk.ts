/**
 * What staff see of accounts, and do about them. Staff do nothing to each other, and make nobody staff: only the
 * operator does, with `nymdex user`.
 */
import type { AccountRow, TokenRow, Work } from '../store/index.ts'
import { type Actor, demand } from './access.ts'
import { keyOfName } from './account-names.ts'
import { currentActor } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { placeOf, type WantedPage } from './page-place.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'
import { prepareReset } from './recovery-desk.ts'

export interface StaffView {
  readonly account: AccountRow
  readonly tokens: readonly TokenRow[]
  readonly sessions: number
}

export const STAFF_ACTIONS = ['sign-out', 'reset', 'revoke'] as const
export type StaffAction = (typeof STAFF_ACTIONS)[number]

export class StaffDesk {
  readonly #engine: Engine

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** The accounts whose names begin like this, in the order of their names. */
  async accounts(actor: Actor, beginning: string, wanted: WantedPage) {
    demand(actor.staff)
    const { store } = this.#engine
    const key = keyOfName(beginning)
    return await store.read(function* () {
      const count = yield* store.accounts.count(key)
      const { offset, ...place } = placeOf(count, wanted)
      return { count, ...place, rows: yield* store.accounts.page(key, wanted.size, offset) }
    })
  }

  async account(actor: Actor, name: string): Promise<StaffView> {
    demand(actor.staff)
    const { store, now } = this.#engine
    const time = now().toISOString()
    return await store.read(function* (): Work<StaffView> {
      const account = yield* store.accounts.byKey(keyOfName(name))
      if (!account) throw problems.notFound()
      const tokens = yield* store.accounts.tokens(account.id)
      return { account, tokens, sessions: (yield* store.accounts.sessions(account.id, time)).length }
    })
  }

  /** Ends all sessions; tokens stay. */
  async signOut(actor: Actor, name: string): Promise<void> {
    await this.#changing(actor, name, ({ id }) => this.#engine.store.accounts.endSessions(id))
  }

  /** Ends all sessions and tokens, and returns a code with which the user chooses a new password. */
  async reset(actor: Actor, name: string): Promise<string> {
    const { store } = this.#engine
    const { code, apply } = await prepareReset()
    await this.#changing(actor, name, function* ({ id, password }) {
      // The name of an imported record would become the account of the person who has the code.
      if (password === '') refuse({ action: ['This account has no password.'] })
      yield* apply(store, id)
    })
    return code
  }

  async revoke(actor: Actor, name: string, token: number): Promise<void> {
    const { store } = this.#engine
    await this.#changing(actor, name, function* ({ id }) {
      if (!(yield* store.accounts.deleteToken(id, token))) throw problems.notFound()
    })
  }

  async #changing(actor: Actor, name: string, change: (account: AccountRow) => Work<void>): Promise<void> {
    const engine = this.#engine
    const { store } = engine
    await store.write(function* () {
      demand((yield* currentActor(engine, actor)).staff)
      const account = yield* store.accounts.byKey(keyOfName(name))
      if (!account || account.removed) throw problems.notFound()
      if (account.staff) refuse({ action: ['The accounts of staff are changed by their owners and the operator.'] })
      yield* change(account)
    })
  }
}
