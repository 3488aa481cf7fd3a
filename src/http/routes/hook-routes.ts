/** /api/hook/: where the server sends changes to. The secret of a hook is shown only when it is made. */
import type { JsonObject, MemberDescription } from '../../declare/index.ts'
import { type Actor, type HookDesk, type HookPage, type OwnedHook, partsOf } from '../../engine/index.ts'
import type { DeliveryRow } from '../../store/index.ts'
import type { JsonOutcome, Outcome } from '../exchange/message.ts'
import { ID, type Operation, type Parameter } from '../openapi/operation.ts'
import { type Body, plainMembers } from '../request/body.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import type { Throttle } from '../request/throttle.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { pageShower } from '../response/page.ts'
import type { Offer } from '../routing/form-actions.ts'
import { described, ok } from '../routing/options.ts'
import { recordId } from '../routing/path-parameters.ts'
import type { Call, Route } from '../routing/router.ts'
import { NEVER_KEPT, signedIn } from './account-forms.ts'
import { DELIVERY, HOOK, HOOK_BODY, HOOK_LISTS, HOOK_MEMBERS, pageOf, REPLAY_RANGE } from './hook-schemas.ts'
import { writer } from './writing.ts'

export interface HookParts {
  readonly desk: HookDesk
  readonly writes: WriteLimits
  /** Test messages, for each user. */
  readonly tests: Throttle
  readonly pageSize: number
}

const SAMPLE = { url: 'https://receiver.example/nymdex', resources: [], actions: ['create', 'remove'] }
const PLACE: Parameter = { name: 'id', in: 'path', required: true, description: 'The id of the hook.', schema: ID }
const PAGED = ['page', 'page_size']

const DESCRIPTION = 'Where the server sends changes to, signed as Standard Webhooks 1.0 says.'
const about = (name: string, description: string) => described(() => ok({ name, description }))

export function hookRoutes(parts: HookParts): Route[] {
  const { desk } = parts
  const members = async (call: Call) => membersOf(await call.readBody())
  /** A write, by the signed-in user, to the hook in the path. */
  const writes = (act: (actor: Actor, id: number, call: Call) => Promise<Outcome>) => async (call: Call) => {
    const actor = writer(call, parts.writes)
    return await act(actor, recordId(call), call)
  }
  const one: Pick<Operation, 'signedIn' | 'parameters'> = { signedIn: true, parameters: [PLACE] }
  const answers = { 200: { says: 'The hook.', schema: HOOK } }
  return [
    {
      path: '/api/hook/',
      title: 'Hook List',
      tag: 'hooks',
      description: DESCRIPTION,
      offers: ({ identity }) => (identity.actor ? offer('POST', {}) : NOTHING),
      methods: {
        GET: {
          summary: 'Your hooks',
          description: 'Oldest first, without their secrets. Staff see all hooks.',
          signedIn: true,
          parameters: PAGED,
          answers: { 200: { says: 'A page.', schema: pageOf(HOOK) } },
          async handle(call) {
            const found = await desk.page(signedIn(call), wanted(parts, call))
            return page(call, found, shown)
          },
        },
        POST: {
          summary: 'Make a hook',
          description: 'It begins with the next change. The secret is shown only this once.',
          signedIn: true,
          body: { schema: HOOK_BODY, lists: HOOK_LISTS, example: SAMPLE },
          answers: {
            201: { says: 'The hook, with its secret.', schema: HOOK, headers: ['Location'] },
          },
          async handle(call) {
            const made = await desk.create(writer(call, parts.writes), await members(call))
            const headers = { ...NEVER_KEPT, Location: `${call.base}/api/hook/${made.hook.id}/` }
            return { ...answer(201, withSecret(made)), headers }
          },
        },
        OPTIONS: about('Hook List', DESCRIPTION),
      },
    },
    {
      path: '/api/hook/:id/',
      title: 'Hook Instance',
      tag: 'hooks',
      description: DESCRIPTION,
      offers: async (call) => offerOfHook(shown(await desk.get(signedIn(call), recordId(call)))),
      methods: {
        GET: {
          summary: 'One of your hooks',
          description: 'Without its secret.',
          ...one,
          answers,
          handle: async (call) => answer(200, shown(await desk.get(signedIn(call), recordId(call)))),
        },
        PATCH: {
          summary: 'Change a hook',
          description: '`active` pauses it, and begins again where it was.',
          ...one,
          body: { schema: HOOK_MEMBERS, example: { active: false } },
          answers,
          handle: writes(async (actor, id, call) =>
            answer(200, shown(await desk.change(actor, id, await members(call)))),
          ),
        },
        DELETE: {
          summary: 'Delete a hook',
          description: 'Nothing more is sent.',
          ...one,
          answers: { 204: { says: 'The hook is deleted.' } },
          handle: writes(async (actor, id) => {
            await desk.remove(actor, id)
            return { status: 204, json: '', headers: NEVER_KEPT }
          }),
        },
        OPTIONS: about('Hook Instance', DESCRIPTION),
      },
    },
    {
      path: '/api/hook/:id/deliveries/',
      title: 'Hook Deliveries',
      tag: 'hooks',
      methods: {
        GET: {
          summary: 'What was sent',
          description: 'Every try of the last 30 days, up to 1,000, newest first.',
          ...one,
          parameters: [PLACE, ...PAGED],
          answers: { 200: { says: 'A page.', schema: pageOf(DELIVERY) } },
          async handle(call) {
            const found = await desk.deliveries(signedIn(call), recordId(call), wanted(parts, call))
            return page(call, found, shownDelivery)
          },
        },
        OPTIONS: about('Hook Deliveries', 'What was sent to a hook.'),
      },
    },
    {
      path: '/api/hook/:id/test/',
      title: 'Hook Test',
      tag: 'hooks',
      methods: {
        POST: {
          summary: 'Send a test message',
          description: 'Responds when the receiver has responded, or its time is over.',
          ...one,
          answers: { 200: { says: 'The try.', schema: DELIVERY } },
          handle: writes(async (actor, id) => {
            parts.tests.take(String(actor.id))
            return answer(200, shownDelivery(await desk.test(actor, id)))
          }),
        },
        OPTIONS: about('Hook Test', 'Sends a test message.'),
      },
    },
    {
      path: '/api/hook/:id/replay/',
      title: 'Hook Replay',
      tag: 'hooks',
      methods: {
        POST: {
          summary: 'Send changes again',
          description: 'In order, with the same ids. Ends at the first failure; the cursor stays.',
          ...one,
          body: { schema: REPLAY_RANGE, example: { since: 41, until: 43 } },
          answers: { 202: { says: 'The hook.', schema: HOOK } },
          handle: writes(async (actor, id, call) =>
            answer(202, shown(await desk.replay(actor, id, await members(call)))),
          ),
        },
        OPTIONS: about('Hook Replay', 'Sends changes again.'),
      },
    },
    {
      path: '/api/hook/:id/rotate/',
      title: 'Hook Rotation',
      tag: 'hooks',
      methods: {
        POST: {
          summary: 'Make a new secret',
          description: 'The old and the new secret both sign for a day.',
          ...one,
          answers,
          handle: writes(async (actor, id) => answer(200, withSecret(await desk.rotate(actor, id)))),
        },
        OPTIONS: about('Hook Rotation', 'Makes a new secret.'),
      },
    },
  ]
}

const answer = (status: number, json: object): JsonOutcome => ({
  status,
  json: JSON.stringify(json),
  headers: NEVER_KEPT,
})

function wanted({ pageSize }: HookParts, { query }: Call) {
  return { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
}

function page<Row>(call: Call, { rows, ...place }: HookPage<Row>, show: (row: Row) => object): Outcome {
  const { status, json, headers } = pageShower(call)({
    ...place,
    parts: partsOf(rows.map((row) => JSON.stringify(show(row)))),
  })
  return { status, json, headers: { ...headers, ...NEVER_KEPT } }
}

/** A form repeats a member for each element of a list. */
function membersOf(body: Body): JsonObject {
  const members = plainMembers(body)
  if (!('form' in body)) return members
  const lists = HOOK_LISTS.filter((member) => body.form.has(member))
  return { ...members, ...Object.fromEntries(lists.map((member) => [member, (body.form.get(member) ?? []).join(',')])) }
}

function shown({ hook, user }: OwnedHook) {
  const { id, url, resources, actions, lookups, active, cursor, created } = hook
  const { failingSince, nextTry, lastError, ended, replay } = hook
  return {
    id,
    user,
    url,
    resources,
    actions,
    lookups,
    active,
    cursor,
    created,
    ...(failingSince === undefined ? {} : { failing_since: failingSince }),
    ...(nextTry === undefined ? {} : { next_try: nextTry }),
    ...(lastError === undefined ? {} : { last_error: lastError }),
    ...(ended === undefined ? {} : { ended }),
    ...(replay === undefined ? {} : { replay }),
  }
}

function withSecret(owned: OwnedHook): object {
  return { ...shown(owned), secret: owned.hook.secret }
}

function shownDelivery({ id, kind, seq, try: number, at, status, error, ms }: DeliveryRow): object {
  return { id, kind, seq: seq ?? null, try: number, at, status: status ?? null, error: error ?? null, ms }
}

const NOTHING: Offer = { removable: false, votable: false, more: [] }

const text = (label: string, required = false): MemberDescription => ({
  type: 'string',
  required,
  read_only: false,
  label,
})
const FORM = {
  url: text('URL', true),
  resources: text('Resources, with commas'),
  actions: text('Actions, with commas'),
  lookups: text('Lookups'),
  active: text('Active'),
}

function offer(method: 'POST' | 'PATCH', record: JsonObject): Offer {
  return { ...NOTHING, form: { method, members: FORM, record: { active: true, ...record } } }
}

function offerOfHook({ id, url, resources, actions, lookups, active }: ReturnType<typeof shown>): Offer {
  const record = { url, resources: resources.join(','), actions: actions.join(','), lookups, active }
  const buttons = [
    { to: 'test', title: 'Send a test' },
    { to: 'rotate', title: 'Make a new secret' },
  ]
  const more = [{ href: `/api/hook/${id}/deliveries/`, title: 'deliveries' }]
  return { ...offer('PATCH', record), removable: true, buttons, more }
}
