/** Taking changes back: /api/changes/<seq>/undo/ and its like. */
import { type JsonObject, type Schema, timeIn } from '../../declare/index.ts'
import {
  once,
  Problem,
  problems,
  rehearseUndo,
  transact,
  type UndoAsked,
  UndoConflict,
  undoChanges,
  undoneBefore,
} from '../../engine/index.ts'
import type { Outcome } from '../exchange/message.ts'
import type { Query } from '../exchange/query.ts'
import { ADDRESS, COUNT, exactly, ID, listOf, means, type Parameter, schemaRef, TEXT } from '../openapi/operation.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { switchIn } from '../request/switch-parameter.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { ACTION, CHANGE_SCHEMAS, CHANGED_MEMBERS } from './change-schemas.ts'
import { addressOf, idempotencyKey, type WritingParts, writer } from './writing.ts'

const ALL_OR_NOTHING = 'Members that nobody has changed since go back, or 409 says what prevents it.'

const DRY_RUN: Parameter = {
  name: 'dry_run',
  in: 'query',
  description: '`true`: say what would be done, and change nothing.',
  schema: { type: 'string', enum: ['true', 'false'], default: 'false' },
}
const place = (name: string, description: string, schema: Schema): Parameter => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
})
const SINCE: Parameter = {
  name: 'since',
  in: 'query',
  required: true,
  description: 'The number of an entry, for entries after it, or a time, for entries from then on.',
  schema: { anyOf: [COUNT, { type: 'string', format: 'date-time' }, { type: 'string', format: 'date' }] },
}
const UNTIL: Parameter = {
  name: 'until',
  in: 'query',
  description: 'The number of the last entry; the newest one by default.',
  schema: ID,
}

const RECORD = { resource: means(TEXT, 'The collection of the record.'), id: means(ID, 'The id of the record.') }

const UNDONE = exactly({
  set: means({ type: ['integer', 'null'], minimum: 1 }, 'The set of the new entries in the log; null in a dry run.'),
  results: means(
    listOf(
      exactly({
        ...RECORD,
        action: means(ACTION, 'What is done to it.'),
        'members?': CHANGED_MEMBERS,
      }),
    ),
    'What is done, in this order.',
  ),
})

const CONFLICT = exactly({
  detail: means(TEXT, 'The problem, in a sentence.'),
  count: means(COUNT, 'The number of conflicts.'),
  conflicts: means(
    listOf(
      exactly({
        ...RECORD,
        detail: means(TEXT, 'Why it cannot go back.'),
        members: CHANGED_MEMBERS,
        'errors?': means(schemaRef('faults'), 'What a write with the old values would return.'),
        'used_by?': means(listOf(ADDRESS), 'The records that prevent it.'),
      }),
    ),
    'The first of them.',
  ),
})

const SHOWN_CONFLICTS = 20
const SHOWN_USES = 20

interface Way {
  readonly path: string
  readonly title: string
  readonly does: string
  readonly parameters: readonly Parameter[]
  asked(call: Call): UndoAsked
}

const WAYS: readonly Way[] = [
  {
    path: '/api/changes/:seq/undo/',
    title: 'Undo Change',
    does: 'Take one change back.',
    parameters: [place('seq', 'The number of the entry.', ID)],
    asked: (call) => ({ seq: numberIn(call, 'seq') }),
  },
  {
    path: '/api/changes/set/:set/undo/',
    title: 'Undo Set',
    does: 'Take all changes of one request back.',
    parameters: [place('set', 'The number of the set.', ID)],
    asked: (call) => ({ set: numberIn(call, 'set') }),
  },
  {
    path: '/api/changes/user/:name/undo/',
    title: 'Undo User',
    does: 'Take back what a user has done since a moment. Only for staff.',
    parameters: [place('name', 'The name of the user.', TEXT), SINCE, UNTIL],
    asked: ({ places, query }) => {
      return { user: places['name'] ?? '', since: sinceIn(query), until: integerIn(query, 'until', {}) }
    },
  },
]

export function undoRoutes(parts: WritingParts): Route[] {
  return WAYS.map(({ path, title, does, parameters, asked }) => ({
    path,
    title,
    tag: 'changes',
    description: does,
    schemas: { undone: UNDONE, conflict: CONFLICT, ...CHANGE_SCHEMAS },
    methods: {
      POST: {
        summary: does,
        description: ALL_OR_NOTHING,
        parameters: [...parameters, DRY_RUN, 'Idempotency-Key'],
        answers: {
          200: { says: 'What was done, or would be.', schema: schemaRef('undone'), example: EXAMPLE },
          409: { says: 'Something prevents the undo.', schema: schemaRef('conflict'), example: CONFLICT_EXAMPLE },
        },
        signedIn: true,
        handle: (call) => undo(parts, asked, call),
      },
      OPTIONS: described(() => ok({ name: title, description: does })),
    },
  }))
}

const EXAMPLE_PLACE = { resource: 'word', id: 7 }
const EXAMPLE = {
  set: 58,
  results: [{ ...EXAMPLE_PLACE, action: 'change', members: { name: { was: 'new', became: 'old' } } }],
}
const CONFLICT_EXAMPLE = {
  detail: 'Nothing was undone: 1 record cannot go back.',
  count: 1,
  conflicts: [
    {
      ...EXAMPLE_PLACE,
      detail: 'These members have changed since.',
      members: { name: { was: 'old', became: 'new', now: 'newer' } },
    },
  ],
}

async function undo({ engine, writes }: WritingParts, askedOf: Way['asked'], call: Call): Promise<Outcome> {
  const signedIn = writer(call, writes)
  const key = idempotencyKey(call)
  const asked = askedOf(call)
  const { method, path, query } = call
  try {
    if (switchIn(query, 'dry_run', false)) return ok({ ...(await rehearseUndo(engine, asked, signedIn)), set: null })
    return await transact(engine, signedIn, function* (actor) {
      if (key === undefined) return ok(yield* undoChanges(engine, asked, actor))
      const work = function* () {
        const report = yield* undoChanges(engine, asked, actor)
        return { id: report.set, json: JSON.stringify(report) }
      }
      const again = function* (set: number) {
        return JSON.stringify(yield* undoneBefore(engine, set))
      }
      const { json } = yield* once(engine, actor, { key, method, path, body: bodyOf(asked) }, work, again)
      return { status: 200, json }
    })
  } catch (error) {
    throw error instanceof UndoConflict ? conflictProblem(call, error.conflicts) : error
  }
}

/** What the request asks for, apart from its path. */
function bodyOf(asked: UndoAsked): JsonObject {
  return 'since' in asked ? { since: asked.since, until: asked.until ?? null } : {}
}

function conflictProblem(call: Call, conflicts: UndoConflict['conflicts']): Problem {
  const count = conflicts.length
  const records = count === 1 ? '1 record cannot go back' : `${count} changes cannot be taken back`
  return new Problem(409, {
    detail: count === 0 ? 'There is nothing left to undo.' : `Nothing was undone: ${records}.`,
    count,
    conflicts: conflicts.slice(0, SHOWN_CONFLICTS).map(({ usedBy, errors, resource, id, detail, members }) => ({
      resource,
      id,
      detail,
      members: JSON.parse(JSON.stringify(members)),
      ...(errors ? { errors } : {}),
      ...(usedBy ? { used_by: usedBy.slice(0, SHOWN_USES).map((used) => addressOf(call, used)) } : {}),
    })),
  })
}

/** A number that the log does not have is not found. */
function numberIn({ places }: Call, name: string): number {
  const given = places[name] ?? ''
  if (!/^[1-9][0-9]{0,14}$/.test(given)) throw problems.notFound()
  return Number(given)
}

/** The number of an entry, or a time. */
function sinceIn(query: Query): number | string {
  const given = query.get('since')?.trim() ?? ''
  const wrong = (message: string) => problems.invalid({ since: [message] })
  if (given === '') throw wrong('This field is required.')
  if (/^[0-9]{1,15}$/.test(given)) return Number(given)
  const time = timeIn(given)
  if (time === undefined) throw wrong('A valid integer or time is required.')
  return new Date(time).toISOString()
}
