/** Idempotency: a request with an Idempotency-Key is carried out once; a retry gets the stored response. */
import { createHash } from 'node:crypto'
import type { Json } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import { canonicalJson } from './canonical-json.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

const KEPT_MS = 24 * 60 * 60 * 1000

interface KeyedRequest {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly body: Json
}

/** A larger response is not stored, but built again from the record: a short request must not fill the disk. */
const MOST_KEPT = 4096

interface Answer {
  readonly id: number
  readonly json: string
}

/**
 * The response is stored in the work's own transaction: both exist, or neither. `again` builds it from the record with
 * this id.
 */
export function* once(
  engine: Engine,
  actor: Actor,
  { key, method, path, body }: KeyedRequest,
  work: () => Work<Answer>,
  again: (id: number) => Work<string>,
): Work<Answer> {
  const { answers } = engine.store
  const now = engine.now()
  const request = `${method} ${path} ${key}`
  const fingerprint = createHash('sha256').update(canonicalJson(body)).digest('base64url')
  yield* answers.forgetBefore(new Date(now.getTime() - KEPT_MS).toISOString())
  const kept = yield* answers.claim(actor.id, request, fingerprint, now.toISOString())
  if (kept && kept.fingerprint !== fingerprint) throw problems.otherBody()
  if (kept) {
    const { id, json }: { id: number; json?: string } = JSON.parse(kept.answer)
    return { id, json: json ?? (yield* again(id)) }
  }
  const answer = yield* work()
  const { id, json } = answer
  yield* answers.keep(actor.id, request, JSON.stringify(json.length <= MOST_KEPT ? { id, json } : { id }))
  return answer
}
