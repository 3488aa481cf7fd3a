/** Who plays: the signed-in user, or the client that has a player's token, in `Authorization: Player` or in a cookie. */
import { type Player, problems, type RoundDesk, TOKEN_DAYS } from '../../engine/index.ts'
import { cookieOf, newCookie, PLAYER_COOKIE } from '../exchange/cookies.ts'
import { header, type Request } from '../exchange/message.ts'
import type { Call } from '../routing/router.ts'

const TOKEN_SECONDS = TOKEN_DAYS * 24 * 60 * 60

/** A token that the server does not know is wrong, unless it is in a cookie, which may be older than its rounds. */
export async function playerOf(call: Call, desk: RoundDesk): Promise<Player> {
  const { actor } = call.identity
  if (actor) return { actor, token: undefined }
  const { token, isNamed } = tokenIn(call)
  if (token === undefined || (await desk.isKnown(token))) return { actor, token }
  if (isNamed) throw problems.wrongCredentials('Invalid token.')
  return { actor, token: undefined }
}

function tokenIn(request: Request): { readonly token: string | undefined; readonly isNamed: boolean } {
  const [, named] = /^player\s+(\S+)\s*$/i.exec(header(request, 'authorization') ?? '') ?? []
  return { token: named ?? cookieOf(request, PLAYER_COOKIE), isNamed: named !== undefined }
}

export function playerCookie(call: Call, token: string): string {
  return newCookie(call, PLAYER_COOKIE, token, TOKEN_SECONDS)
}

/** Moves rounds that the visitor played before signing in to the account. Returns lines for Set-Cookie. */
export async function claimRounds(
  call: Call,
  desk: RoundDesk | undefined,
  actor: NonNullable<Player['actor']>,
): Promise<readonly string[]> {
  const { token } = tokenIn(call)
  if (!desk || token === undefined) return []
  await desk.claim(actor, token)
  return cookieOf(call, PLAYER_COOKIE) === undefined ? [] : [newCookie(call, PLAYER_COOKIE, '', 0)]
}
