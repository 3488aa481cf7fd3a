/** /api/<collection>/<id>/history/: what happened to a record. */
import type { Schema } from '../../declare/index.ts'
import { type Collection, type Engine, LIMITS, readHistory, titleOf } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import { COUNT, exactly, ID, listOf, means, type Parameter, schemaRef, TEXT, TIME } from '../openapi/operation.ts'
import { RECORD_ID } from '../openapi/parameters.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { linkHeader, pageLinks } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION, ASK_EACH_TIME } from './changes.ts'

interface HistoryParts {
  readonly engine: Engine
  readonly pageSize: number
}

const DESCRIPTION = 'Who changed the record, when, and what: newest first. A removed record has one too.'

const SIZE: Parameter = {
  name: 'page_size',
  in: 'query',
  description: 'The number of entries on a page.',
  schema: { type: 'integer', minimum: 1, maximum: LIMITS.historyPage },
}

/** Any JSON value. */
const VALUE: Schema = {}
const LINK: Schema = { type: ['string', 'null'], format: 'uri' }

const MEMBER = exactly({
  was: means(VALUE, 'What it was before; null if it was not there.'),
  'became?': means(VALUE, 'What it was afterwards; left out if the log does not say it.'),
  'diff?': means(
    listOf({ type: 'array', items: TEXT, minItems: 2, maxItems: 2 }),
    'For texts: pieces after `=` (in both), `-` (only before) or `+` (only afterwards).',
  ),
})

const ENTRY = exactly({
  seq: means(ID, 'The number of the entry in the log.'),
  set: means(ID, 'The number of the first entry of the same request.'),
  at: means(TIME, 'When it was done.'),
  user: means({ type: ['string', 'null'] }, 'Who did it; null for the server itself.'),
  action: means(ACTION, 'What was done.'),
  members: means({ type: 'object', additionalProperties: MEMBER }, 'The members that changed.'),
})

const HISTORY = exactly({
  count: means(COUNT, 'The number of entries on all pages.'),
  next: means(LINK, 'The next page, with older entries.'),
  previous: means(LINK, 'The previous page, with newer entries.'),
  created: means({ type: ['string', 'null'], format: 'date-time' }, 'When it was created; null if nobody knows.'),
  changed: means({ type: ['string', 'null'], format: 'date-time' }, 'The time of the newest entry.'),
  results: means(listOf(ENTRY), 'The entries, newest first.'),
})

export function historyRoute(parts: HistoryParts, collection: Collection): Route {
  const title = `${titleOf(collection)} History`
  return {
    path: `/api/${collection.name}/:id/history/`,
    title,
    tag: collection.name,
    description: DESCRIPTION,
    schemas: { history: HISTORY },
    methods: {
      GET: {
        summary: 'What happened to the record',
        description: DESCRIPTION,
        parameters: [RECORD_ID, 'page', SIZE],
        answers: {
          200: { says: 'A page of entries.', schema: schemaRef('history'), headers: ['Link', 'Cache-Control'] },
        },
        handle: (call) => history(parts, collection, call),
      },
      OPTIONS: described(() => ok({ name: title, description: DESCRIPTION })),
    },
  }
}

async function history({ engine, pageSize }: HistoryParts, collection: Collection, call: Call): Promise<Outcome> {
  const most = LIMITS.historyPage
  const wanted = {
    number: wantedPage(call.query.get('page')),
    size: wantedSize(call.query.get('page_size'), Math.min(pageSize, most), most),
  }
  const { entries, count, created, changed, ...page } = await readHistory(engine, collection, recordId(call), wanted)
  const links = pageLinks(call)(page)
  const json = { count, next: links.next ?? null, previous: links.prev ?? null, created, changed, results: entries }
  return { ...ok(json), headers: { ...ASK_EACH_TIME, Link: linkHeader(links) } }
}
