/** /api/<collection>/<id>/history/: what happened to a record. */
import type { Schema } from '../../declare/index.ts'
import { type Collection, collectionsOf, type Engine, LIMITS, mayUndo, readHistory } from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import { askFirst } from '../openapi/examples.ts'
import { COUNT, exactly, type First, ID, listOf, means, type Parameter, schemaRef, TIME } from '../openapi/operation.ts'
import { RECORD_ID } from '../openapi/parameters.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { linkHeader, pageLinks } from '../response/page.ts'
import { everyCollection } from '../routing/every-collection.ts'
import type { Offer } from '../routing/form-actions.ts'
import { ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION, CHANGE_SCHEMAS, CHANGED_MEMBERS, FORGOTTEN } from './change-schemas.ts'
import { ofTheLog } from './log-answers.ts'

interface HistoryParts {
  readonly engine: Engine
  readonly pageSize: number
}

const DESCRIPTION = 'Who changed the record, when and what, newest first. A removed record keeps its history.'

const SIZE: Parameter = {
  name: 'page_size',
  in: 'query',
  description: 'The number of entries on a page.',
  schema: { type: 'integer', minimum: 1, maximum: LIMITS.historyPage },
}

const LINK: Schema = { type: ['string', 'null'], format: 'uri' }

const ENTRY = exactly({
  seq: means(ID, 'The number of the entry in the log.'),
  set: means(ID, 'The number of the first entry of the same request.'),
  at: means(TIME, 'When it was done.'),
  user: means({ type: ['string', 'null'] }, 'Who did it; null for the server itself.'),
  action: means(ACTION, 'What was done.'),
  'forgotten?': FORGOTTEN,
  members: CHANGED_MEMBERS,
})

const HISTORY = exactly({
  count: means(COUNT, 'The number of entries on all pages.'),
  next: means(LINK, 'The next page, with older entries.'),
  previous: means(LINK, 'The previous page, with newer entries.'),
  created: means({ type: ['string', 'null'], format: 'date-time' }, 'When it was created; null if nobody knows.'),
  changed: means({ type: ['string', 'null'], format: 'date-time' }, 'The time of the newest entry.'),
  results: means(listOf(ENTRY), 'The entries, newest first.'),
})

export function historyRoutes(parts: HistoryParts): Route[] {
  const collections = collectionsOf(parts.engine.catalogue).filter(({ only }) => !only)
  const route = {
    path: '/api/:collection/:id/history/',
    title: 'History',
    tag: 'changes',
    description: DESCRIPTION,
    schemas: { history: HISTORY, ...CHANGE_SCHEMAS },
    offers: (collection: Collection, call: Call) => offer(parts, collection, call),
    methods: {
      GET: {
        summary: 'What happened to a record',
        description: DESCRIPTION,
        parameters: [RECORD_ID, 'page', SIZE],
        answers: { 200: { says: 'A page of entries.', schema: schemaRef('history'), headers: ['Cache-Control'] } },
        example: (collection: Collection, first: First) => askFirst(collection, first, 'page_size=1'),
        handle: (collection: Collection, call: Call) => history(parts, collection, call),
      },
    },
  }
  return everyCollection(route, collections)
}

async function history(parts: HistoryParts, collection: Collection, call: Call): Promise<Outcome> {
  const { entries, count, created, changed, number, last } = await read(parts, collection, call)
  const links = pageLinks(call)({ number, last })
  const json = { count, next: links.next ?? null, previous: links.prev ?? null, created, changed, results: entries }
  return { ...ok(json, ofTheLog(parts.engine)), headers: { 'Cache-Control': 'no-cache', Link: linkHeader(links) } }
}

function read({ engine, pageSize }: HistoryParts, collection: Collection, call: Call) {
  const most = LIMITS.historyPage
  return readHistory(engine, collection, recordId(call), {
    number: wantedPage(call.query.get('page')),
    size: wantedSize(call.query.get('page_size'), Math.min(pageSize, most), most),
  })
}

/** A button to undo each entry of the page that the visitor may undo. */
async function offer(parts: HistoryParts, collection: Collection, call: Call): Promise<Offer> {
  const { actor } = call.identity
  const none = { removable: false, votable: false, more: [] }
  if (!actor) return none
  const found = await read(parts, collection, call)
  const entries = found.entries.filter((entry) => mayUndo(actor, collection, found, entry))
  const presses = entries.map(({ seq, action }) => ({
    action: `/api/changes/${seq}/undo/`,
    label: `Undo ${seq}: ${action}`,
  }))
  return { ...none, presses }
}
