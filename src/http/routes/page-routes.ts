/**
 * Pages for people. `http` gets them as an argument, and they know the catalogue only through the API: a program can
 * read and do the same, with the same permissions and errors.
 */
import { setImmediate } from 'node:timers/promises'
import { type Json, textOfJson } from '../../declare/index.ts'
import { Problem } from '../../engine/index.ts'
import { currentRequest, inRequest } from '../../store/index.ts'
import { type Answer, type BytesOutcome, isWrite, type JsonOutcome, wholeBody } from '../exchange/message.ts'
import { type Message, messageCookies } from '../exchange/message-cookie.ts'
import { Query } from '../exchange/query.ts'
import { csrfToken, demandOwnOrigin } from '../request/identify.ts'
import { hashOf } from '../response/etag.ts'
import type { Respond } from '../routing/respond.ts'
import type { Call, Handler, Method, Route } from '../routing/router.ts'
import { PageSources } from './page-sources.ts'

export interface Visitor {
  readonly name: string
  readonly staff: boolean
}

export interface ApiAnswer {
  readonly status: number
  /** The parsed body; undefined if there is none. */
  readonly json: any
  readonly headers: Answer['headers']
}

export interface AskOptions {
  readonly method?: string
  readonly json?: unknown
  /** The ETag that the record must still have. */
  readonly ifMatch?: string | undefined
  /** The page can do without the response. */
  readonly isOptional?: boolean
  /** The fraction of the page's remaining query time that this one may take. */
  readonly share?: number
}

/** Something that depends on the time. */
export interface Timed<T> {
  readonly value: T
  /** In milliseconds; it is different then. */
  readonly until: number
}

export interface Visit {
  readonly path: string
  readonly places: Readonly<Record<string, string>>
  readonly query: Query
  /** Scheme and host, for links that leave the page. */
  readonly base: string
  readonly visitor: Visitor | undefined
  /** What each form of the page sends back as `csrfmiddlewaretoken`. */
  readonly csrf: string
  /** The only way to the time: what is shown has to say how long it is right. */
  byClock<T>(show: (now: Date) => Timed<T>): T
  /** A 503 is thrown, and becomes the page's, unless the page can do without. */
  ask(path: string, options?: AskOptions): Promise<ApiAnswer>
  /** The contents of a posted form: every value of every name. */
  form(): Promise<ReadonlyMap<string, readonly string[]>>
}

export type PageAnswer =
  /** What is secret, no browser may store. */
  | { readonly page: string; readonly status?: number; readonly isSecret?: true }
  /** A redirect, by GET; the next page shows the message. `cookies` are lines for Set-Cookie that the API has given. */
  | { readonly location: string; readonly message?: Message; readonly cookies?: readonly string[] }
  | {
      readonly bytes: string | Buffer
      readonly type: string
      readonly headers?: Readonly<Record<string, string>>
      /** Clients ask for it again and again. */
      readonly hasEtag?: true
    }

export type PageHandler = (visit: Visit) => Promise<PageAnswer> | PageAnswer

export interface PageRoute {
  /** '/quadranym/:id/' */
  readonly path: string
  readonly title: string
  readonly GET: PageHandler
  readonly POST?: PageHandler
  /**
   * Shows a posted form again, with a new CSRF token: its own is no longer valid, because the user has signed in again
   * since it was made. The visit can only read.
   */
  readonly showAgain?: PageHandler
}

export function visitingRoutes(pages: readonly PageRoute[], respond: () => Respond, now: () => Date): Route[] {
  const handling =
    (handler: PageHandler, isReadOnly = false): Handler =>
    async (call) => {
      // A form of another site must not send anything in the name of its visitor, signed in or not.
      if (isWrite(call)) demandOwnOrigin(call)
      const sources = new PageSources(now())
      const visit = visitOf(isReadOnly ? { ...call, isReadOnly } : call, respond(), sources)
      const outcome = outcomeOf(await handler(visit), call)
      const { keep } = sources
      return keep ? { ...outcome, keep } : outcome
    }
  return pages.map(({ path, title, GET, POST, showAgain }) => {
    const get: Method = { unlisted: true, handle: handling(GET) }
    const post: Method | undefined = POST && {
      unlisted: true,
      handle: handling(POST),
      ...(showAgain ? { showAgain: handling(showAgain, true) } : {}),
    }
    return { path, title, visited: true, methods: { GET: get, ...(post ? { POST: post } : {}) } }
  })
}

function outcomeOf(answer: PageAnswer, call: Call): JsonOutcome | BytesOutcome {
  if ('location' in answer) {
    const { location, message, cookies: given = [] } = answer
    const cookies = [...given, ...(message ? messageCookies(call, message) : [])]
    const set = cookies.length > 0 ? { 'Set-Cookie': cookies } : {}
    const headers = { Location: location, 'Cache-Control': 'no-store', ...set }
    return { status: 303, json: JSON.stringify({ detail: `See ${location}` }), headers }
  }
  if ('page' in answer) {
    const { page, status = 200, isSecret } = answer
    return { status, json: '', page, ...(isSecret ? { headers: { 'Cache-Control': 'no-store' } } : {}) }
  }
  const { bytes, type, headers = {}, hasEtag } = answer
  return { status: 200, bytes, type, headers, ...(hasEtag ? { hash: hashOf(bytes) } : {}) }
}

function visitOf(call: Call, respond: Respond, sources: PageSources): Visit {
  const { path, places, query, base, identity } = call
  const csrf = identity.session ? csrfToken(identity.session) : ''
  let turn: Promise<unknown> | undefined
  return {
    path,
    places,
    query,
    base,
    visitor: identity.actor && { name: identity.actor.name, staff: identity.actor.staff },
    csrf,
    byClock: (show) => sources.byClock(show),
    async ask(target, { method = 'GET', json, ifMatch, isOptional = false, share } = {}) {
      // A page asks several questions at once, and SQLite answers without a pause: between two of them, other requests
      // get their turn.
      const previous = turn
      turn = (previous ?? Promise.resolve()).then(() => setImmediate())
      await previous
      const mark = target.indexOf('?')
      const body = Buffer.from(json === undefined ? '' : JSON.stringify(json))
      const answer = await within(share, () =>
        respond({
          ...call,
          method,
          path: mark < 0 ? target : target.slice(0, mark),
          query: new Query(mark < 0 ? '' : target.slice(mark + 1)),
          headers: {
            accept: 'application/json',
            'content-type': 'application/json',
            ...(call.headers['cookie'] ? { cookie: call.headers['cookie'] } : {}),
            ...(call.headers['authorization'] ? { authorization: call.headers['authorization'] } : {}),
            ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
            'x-csrftoken': csrf,
          },
          isInner: true,
          body: async () => body,
        }),
      )
      sources.add(answer)
      const text = wholeBody(answer.body).toString()
      const parsed = text === '' ? undefined : JSON.parse(text)
      if (answer.status === 503 && !isOptional) {
        throw new Problem(503, parsed, { 'Retry-After': String(answer.headers['Retry-After']) })
      }
      return { status: answer.status, json: parsed, headers: answer.headers }
    },
    async form() {
      const body = await call.readBody()
      const pairs: [string, readonly Json[]][] =
        'form' in body ? [...body.form] : Object.entries(body.json ?? {}).map(([name, value]) => [name, [value].flat()])
      return new Map(pairs.map(([name, values]) => [name, values.map(textOfJson)]))
    },
  }
}

/** Gives the queries of a task less time than the request has. */
function within<T>(share: number | undefined, task: () => Promise<T>): Promise<T> {
  const context = currentRequest()
  if (share === undefined || !context) return task()
  const now = performance.now()
  const queryDeadline = now + share * (context.queryDeadline - now)
  return inRequest({ ...context, queryDeadline }, task)
}
