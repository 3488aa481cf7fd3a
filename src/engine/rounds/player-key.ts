/** Who a round belongs to: an account, or the client that has a token. */
import { randomBytes } from 'node:crypto'
import type { RoundRow, Work } from '../../store/index.ts'
import type { Actor } from '../access.ts'
import type { Engine } from '../engine.ts'
import { problems } from '../problem.ts'
import { hashOfSecret } from '../session-desk.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How long rounds of players without an account are kept. */
export const TOKEN_DAYS = 30
const DROPPED_AT_ONCE = 100

/** An account, or the client that has the token. */
export interface Player {
  readonly actor: Actor | undefined
  readonly token: string | undefined
}

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export const newRoundId = () => randomBytes(16).toString('base64url')

export const keyOfAccount = (id: number) => `user ${id}`
export const keyOfToken = (token: string) => `token ${hashOfSecret(token)}`

export function keyOf(player: Player & { readonly token: string }): string
export function keyOf(player: Player): string | undefined
export function keyOf({ actor, token }: Player): string | undefined {
  if (actor) return keyOfAccount(actor.id)
  return token === undefined ? undefined : keyOfToken(token)
}

/** The round of another player does not exist for this one. */
export function* ownRound({ store }: Engine, player: Player, game: string, id: string): Work<RoundRow> {
  const row = yield* store.rounds.byId(id)
  if (!row || row.game !== game || row.player !== keyOf(player)) throw problems.notFound()
  return row
}

/** Some rounds of players without an account who have not come back. */
export function* dropOldRounds({ store, now }: Engine): Work<void> {
  yield* store.rounds.dropOld(new Date(now().getTime() - TOKEN_DAYS * DAY_MS).toISOString(), DROPPED_AT_ONCE)
}
