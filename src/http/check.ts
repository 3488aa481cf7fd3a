/**
 * The `check` mode of the cache, for finding bugs: it answers every read twice, once from the cache and once without,
 * and reports a difference. It sends the fresh response.
 */
import type { Store } from '../store/index.ts'
import { type Answer, type Request, wholeBody } from './message.ts'

type Respond = (request: Request) => Promise<Answer>

/** The statuses that are compared. Others, such as 401, are not repeated: a wrong password must not count twice. */
const COMPARED = new Set([200, 304, 404])

export function checked(
  respond: Respond,
  respondAfresh: Respond,
  { generations, refresh }: Pick<Store, 'generations' | 'refresh'>,
  reportBug: (error: unknown, request: Request) => void,
): Respond {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return await respond(request)
    await refresh()
    const before = generations.now
    const kept = await respond(request)
    if (!COMPARED.has(kept.status) || /no-store/.test(String(kept.headers['Cache-Control'] ?? ''))) return kept
    // It is the same request once more, and must not count as another.
    const fresh = await respondAfresh({ ...request, isInner: true })
    await refresh()
    // If another client wrote meanwhile, both may be right.
    const difference = before === generations.now ? differenceOf(kept, fresh) : undefined
    if (difference) reportBug(new Error(`kept and fresh differ: ${difference}`), request)
    return fresh
  }
}

function differenceOf(kept: Answer, fresh: Answer): string | undefined {
  if (kept.status !== fresh.status) return `status ${kept.status} and ${fresh.status}`
  // The clock may have moved between the two.
  const names = [...new Set([...Object.keys(kept.headers), ...Object.keys(fresh.headers)])]
  const differs = (name: string) =>
    name !== 'Cache-Control' && String(kept.headers[name]) !== String(fresh.headers[name])
  const other = names.find(differs)
  if (other) return `${other} "${kept.headers[other]}" and "${fresh.headers[other]}"`
  const [was, is] = [String(wholeBody(kept.body)), String(wholeBody(fresh.body))]
  if (was === is) return undefined
  const place = [...was].findIndex((_, i) => was[i] !== is[i])
  return `"${was.slice(place, place + 80)}" and "${is.slice(place, place + 80)}" at ${place}`
}
