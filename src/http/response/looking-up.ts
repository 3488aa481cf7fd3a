/** Responses from the cache for requests of our own pages. */
import { isRead } from '../exchange/message.ts'
import type { Respond } from '../routing/respond.ts'
import { type AnswerCache, askedBy } from './answer-cache.ts'

/** For requests that do not come through the server, which looks into the cache itself. */
export function lookingUp(cache: AnswerCache, respond: Respond): Respond {
  return async (request) => {
    const cached = isRead(request) ? await cache.find(askedBy(request)) : undefined
    return await respond({ ...request, cached })
  }
}
