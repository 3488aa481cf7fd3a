/** A request that carries an Idempotency-Key is carried out once; repeated, it gets the kept answer. */
import { createHash } from 'node:crypto'
import type { Json } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

const KEPT_MS = 24 * 60 * 60 * 1000

interface KeyedRequest {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: Json
}

/** The answer is kept in the work's own transaction: both are there, or neither. */
export function* once<Answer extends object>(
  engine: Engine,
  actor: Actor,
  { key, method, path, body }: KeyedRequest,
  work: () => Work<Answer>,
): Work<Answer> {
  const { answers } = engine.store
  const now = engine.now()
  const request = `${method} ${path} ${key}`
  const fingerprint = createHash('sha256').update(canonical(body)).digest('base64url')
  yield* answers.forgetBefore(new Date(now.getTime() - KEPT_MS).toISOString())
  const kept = yield* answers.claim(actor.id, request, fingerprint, now.toISOString())
  if (kept && kept.fingerprint !== fingerprint) throw problems.otherBody()
  if (kept) return JSON.parse(kept.answer)
  const answer = yield* work()
  yield* answers.keep(actor.id, request, JSON.stringify(answer))
  return answer
}

/** The same body is the same whatever the order of its members. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
