/** /api/report/ and /api/user/<name>/block/: what people report, and what staff do about it. */
import { type JsonObject, type Schema, textOfJson } from '../../declare/index.ts'
import { type CareDesk, LONGEST_NOTE, partsOf, problems, REASONS } from '../../engine/index.ts'
import type { ReportRow } from '../../store/index.ts'
import { networkOf } from '../exchange/address.ts'
import type { JsonOutcome } from '../exchange/message.ts'
import { exactly, ID, means, type Parameter, TEXT, TIME } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import type { Throttle } from '../request/throttle.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { pageShower } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Route } from '../routing/router.ts'
import { NEVER_KEPT, signedIn } from './account-forms.ts'
import { pageOf } from './hook-schemas.ts'
import { USER_NAME } from './people-routes.ts'
import type { StaffAct } from './staff-routes.ts'
import { writer } from './writing.ts'

export interface CareParts {
  readonly desk: CareDesk
  readonly writes: WriteLimits
  /** Reports of each user, and of each address that is not signed in. */
  readonly reports: Throttle
  readonly pageSize: number
  acted(act: StaffAct): void
}

const REASON: Schema = { type: 'string', enum: [...REASONS] }
const NOTE: Schema = { type: 'string', maxLength: LONGEST_NOTE }
const REPORT: Schema = {
  title: 'report',
  ...exactly({
    id: means(ID, 'The id of the report.'),
    at: means(TIME, 'When it was made.'),
    resource: means(TEXT, 'The collection of the record.'),
    record: means(ID, 'The id of the record.'),
    reason: means(REASON, 'Why.'),
    note: means(NOTE, 'What the reporter wrote.'),
    'user?': means(TEXT, 'Who reported it, if signed in.'),
    'done?': means(TIME, 'When staff dealt with it.'),
    'done_by?': means(TEXT, 'Who did.'),
  }),
}
const GIVEN: Schema = {
  type: 'object',
  required: ['resource', 'id', 'reason'],
  properties: {
    resource: means(TEXT, 'The collection of the record.'),
    id: means(ID, 'The id of the record.'),
    reason: means(REASON, 'Why.'),
    note: means(NOTE, 'A sentence about it.'),
  },
}
const BLOCKED = means({ type: 'boolean' }, 'Whether the user is locked out.')
const BLOCK: Schema = { title: 'block', ...exactly({ user: means(TEXT, 'The user name.'), blocked: BLOCKED }) }
const SETTLED = means({ type: 'boolean' }, 'Whether it needs nothing more.')
const PLACE: Parameter = { name: 'id', in: 'path', required: true, description: 'The id of the report.', schema: ID }
const DONE: Parameter = {
  name: 'done',
  in: 'query',
  description: '`true`: those that staff have dealt with.',
  schema: { type: 'string', enum: ['true', 'false'] },
}

const about = (name: string, description: string) => described(() => ok({ name, description }))

export function careRoutes(parts: CareParts): Route[] {
  const { desk } = parts
  return [
    {
      path: '/api/report/',
      title: 'Report List',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'What was reported',
          description: 'For staff: the reports that wait, oldest first.',
          signedIn: true,
          parameters: [DONE, 'page', 'page_size'],
          answers: { 200: { says: 'A page.', schema: pageOf(REPORT) } },
          handle: (call) => list(parts, call),
        },
        POST: {
          summary: 'Report a record',
          description: 'Staff look at it. It needs no account; 20 an hour, for each user or address.',
          body: { schema: GIVEN },
          answers: { 201: { says: 'The report.', schema: REPORT } },
          async handle(call) {
            const { actor } = call.identity
            const body = plainMembers(await call.readBody())
            const takeBack = parts.reports.take(actor ? `user ${actor.id}` : networkOf(call.address))
            try {
              return answer(201, shown(await desk.report(actor, body)))
            } catch (error) {
              takeBack()
              throw error
            }
          },
        },
        OPTIONS: about('Report List', 'What people say is wrong with records.'),
      },
    },
    {
      path: '/api/report/:id/',
      title: 'Report Instance',
      tag: 'accounts',
      methods: {
        PATCH: {
          summary: 'Deal with a report',
          description: 'For staff: `done` says that it needs nothing more, or that it waits again.',
          signedIn: true,
          parameters: [PLACE],
          body: { schema: { type: 'object', required: ['done'], properties: { done: SETTLED } } },
          answers: { 200: { says: 'The report.', schema: REPORT } },
          async handle(call) {
            const actor = writer(call, parts.writes)
            const isDone = await switchIn(call, 'done')
            const report = await desk.setDone(actor, recordId(call), isDone)
            const action = isDone ? 'settle report' : 'open report'
            parts.acted({ by: actor.name, action, about: `${report.id}, ${report.resource} ${report.record}` })
            return answer(200, shown(report))
          },
        },
        OPTIONS: about('Report Instance', 'What somebody says is wrong with a record.'),
      },
    },
    {
      path: '/api/user/:name/block/',
      title: 'Block',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'Whether a user is blocked',
          description: 'For staff.',
          signedIn: true,
          parameters: [USER_NAME],
          answers: { 200: { says: 'The state.', schema: BLOCK } },
          handle: async (call) => answer(200, await desk.isBlocked(signedIn(call), call.places['name'] ?? '')),
        },
        PUT: {
          summary: 'Block a user',
          description: 'For staff: the user cannot sign in or write; sessions and tokens end. `false` ends it.',
          signedIn: true,
          parameters: [USER_NAME],
          body: { schema: { type: 'object', required: ['blocked'], properties: { blocked: BLOCKED } } },
          answers: { 200: { says: 'The new state.', schema: BLOCK } },
          async handle(call) {
            const actor = writer(call, parts.writes)
            const isBlocked = await switchIn(call, 'blocked')
            const state = await desk.setBlocked(actor, call.places['name'] ?? '', isBlocked)
            parts.acted({ by: actor.name, action: isBlocked ? 'block' : 'unblock', about: state.user })
            return answer(200, state)
          },
        },
        OPTIONS: about('Block', 'Whether a user is blocked.'),
      },
    },
  ]
}

/** A member that must be true or false; a form sends it as text. */
async function switchIn(call: Call, member: string): Promise<boolean> {
  return switchAmong(plainMembers(await call.readBody()), member)
}

export function switchAmong(members: JsonObject, member: string): boolean {
  const value = members[member]
  if (value === undefined) throw problems.invalid({ [member]: ['This field is required.'] })
  const isOn = /^(true|1)$/i.test(textOfJson(value))
  if (!isOn && !/^(false|0)$/i.test(textOfJson(value)))
    throw problems.invalid({ [member]: ['Must be a valid boolean.'] })
  return isOn
}

async function list({ desk, pageSize }: CareParts, call: Call): Promise<JsonOutcome> {
  const { query } = call
  const wanted = { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
  const found = await desk.reports(signedIn(call), query.get('done') === 'true', wanted)
  const { rows, ...place } = found
  const parts = partsOf(rows.map((row) => JSON.stringify(shown(row))))
  const { status, json, headers } = pageShower(call)({ ...place, parts })
  return { status, json, headers: { ...headers, ...NEVER_KEPT } }
}

function answer(status: number, json: object): JsonOutcome {
  return { status, json: JSON.stringify(json), headers: NEVER_KEPT }
}

function shown({ user, done, doneBy, id, at, resource, record, reason, note }: ReportRow): object {
  return {
    id,
    at,
    resource,
    record,
    reason,
    note,
    ...(user === undefined ? {} : { user }),
    ...(done === undefined ? {} : { done, ...(doneBy === undefined ? {} : { done_by: doneBy }) }),
  }
}
