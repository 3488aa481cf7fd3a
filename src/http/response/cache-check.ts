/**
 * The server with NYMDEX_CACHE=check: every read is answered twice, once from the caches and once without them. A
 * difference is a bug, and so is a fresh answer that was made from a resource which it does not name. The fresh answer
 * is sent.
 */
import type { Moment, ResourcesRead, Store } from '../../store/index.ts'
import { type Answer, bytesIn, type Headers, type Keep, type Request, wholeBody } from '../exchange/message.ts'
import type { AnswerCache } from './answer-cache.ts'

type Respond = (request: Request) => Promise<Answer>
type ReportBug = (error: unknown, request: Request) => void

/** The statuses that are compared. Others, such as 401, are not repeated: a wrong password must not count twice. */
const COMPARED = new Set([200, 304, 404])

/** Used instead of the cache: every resource that was read for an answer has to be among those that it names. */
export class DependencyCheck implements Pick<AnswerCache, 'moment' | 'set'> {
  readonly #store: Pick<Store, 'generations'>
  readonly #read: ResourcesRead
  readonly #reportBug: ReportBug

  constructor(store: Pick<Store, 'generations'>, read: ResourcesRead, reportBug: ReportBug) {
    this.#store = store
    this.#read = read
    this.#reportBug = reportBug
  }

  get moment(): Moment {
    return this.#store.generations.now
  }

  set(request: Request, _headers: Headers, _body: readonly Buffer[], { of }: Keep): void {
    const missing = of === 'all' ? [] : [...this.#read.names].filter((name) => !of.includes(name))
    if (of === 'all' || missing.length === 0) return
    const error = new Error(`the answer was made from ${missing.join(' and ')}, but depends on ${of.join(', ')} alone`)
    this.#reportBug(error, request)
  }
}

export function checked(
  respond: Respond,
  respondAfresh: Respond,
  { generations, refresh }: Pick<Store, 'generations' | 'refresh'>,
  reportBug: ReportBug,
): Respond {
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return await respond(request)
    await refresh()
    const before = generations.now
    const kept = await respond(request)
    if (!COMPARED.has(kept.status) || /no-store/.test(String(kept.headers['Cache-Control'] ?? ''))) return kept
    // A stream is never cached, and can be read only once.
    if (bytesIn(kept.body) === undefined) return kept
    const fresh = await respondAfresh({ ...request, isRepeated: true })
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
