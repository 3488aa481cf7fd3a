/** /api/staff/: what staff see of the server and of accounts, and what they do about them. */
import { type JsonObject, textOfJson } from '../../declare/index.ts'
import {
  type Actor,
  demand,
  partsOf,
  problems,
  STAFF_ACTIONS,
  type StaffAction,
  type StaffDesk,
  type StaffView,
} from '../../engine/index.ts'
import type { AccountRow, TokenRow } from '../../store/index.ts'
import type { JsonOutcome } from '../exchange/message.ts'
import { plainMembers } from '../request/body.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { pageShower } from '../response/page.ts'
import type { Call, Method, Route } from '../routing/router.ts'
import { type StatusParts, statusOf } from '../staff/status.ts'
import { NEVER_KEPT, signedIn } from './account-forms.ts'
import { tokenShown } from './tokens.ts'
import { writer } from './writing.ts'

/** For the log: who did what. */
export interface StaffAct {
  readonly by: string
  readonly action: string
  readonly about: string
}

export interface StaffParts {
  readonly desk: StaffDesk
  readonly writes: WriteLimits
  readonly pageSize: number
  readonly status: StatusParts
  acted(act: StaffAct): void
}

/** Not in the OpenAPI document, which is for everybody; docs/api.md describes them. */
const forStaff = (handle: (call: Call) => Promise<JsonOutcome>): Method => ({ unlisted: true, handle })

export function staffRoutes(parts: StaffParts): Route[] {
  const { desk, status } = parts
  return [
    {
      path: '/api/staff/',
      title: 'Staff',
      methods: {
        GET: forStaff(async (call) => {
          demand(signedIn(call).staff)
          return answer(await statusOf(status))
        }),
      },
    },
    {
      path: '/api/staff/user/',
      title: 'Staff User List',
      methods: { GET: forStaff((call) => list(parts, call)) },
    },
    {
      path: '/api/staff/user/:name/',
      title: 'Staff User Instance',
      methods: {
        GET: forStaff(async (call) => answer(shownWhole(await desk.account(signedIn(call), nameIn(call))))),
        POST: forStaff((call) => act(parts, call)),
      },
    },
  ]
}

const nameIn = ({ places }: Call) => places['name'] ?? ''

async function list({ desk, pageSize }: StaffParts, call: Call): Promise<JsonOutcome> {
  const { query } = call
  const wanted = { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
  const { rows, ...place } = await desk.accounts(signedIn(call), query.get('search') ?? '', wanted)
  const parts = partsOf(rows.map((row) => JSON.stringify(shown(row))))
  const { status, json, headers } = pageShower(call)({ ...place, parts })
  return { status, json, headers: { ...headers, ...NEVER_KEPT } }
}

async function act({ desk, writes, acted }: StaffParts, call: Call): Promise<JsonOutcome> {
  const actor = writer(call, writes)
  demand(actor.staff)
  const members = plainMembers(await call.readBody())
  const action = actionIn(members)
  // Somebody who found a token must not get into the accounts of others.
  if (action === 'reset' && call.identity.by === 'token') throw problems.forbidden()
  const name = nameIn(call)
  const code = await actOn(desk, actor, { name, action, members })
  const view = await desk.account(actor, name)
  acted({ by: actor.name, action, about: view.account.name })
  return answer({ ...shownWhole(view), ...(code === undefined ? {} : { code }) })
}

interface Asked {
  readonly name: string
  readonly action: StaffAction
  readonly members: JsonObject
}

async function actOn(desk: StaffDesk, actor: Actor, { name, action, members }: Asked): Promise<string | undefined> {
  if (action === 'reset') return await desk.reset(actor, name)
  if (action === 'sign-out') await desk.signOut(actor, name)
  else await desk.revoke(actor, name, tokenIn(members))
  return undefined
}

function actionIn({ action }: JsonObject): StaffAction {
  if (action === undefined || action === '') throw problems.invalid({ action: ['This field is required.'] })
  const known = STAFF_ACTIONS.find((each) => each === action)
  if (!known) throw problems.invalid({ action: [`"${textOfJson(action).slice(0, 100)}" is not a valid choice.`] })
  return known
}

function tokenIn({ token }: JsonObject): number {
  if (token === undefined || token === '') throw problems.invalid({ token: ['This field is required.'] })
  if (!/^[0-9]{1,15}$/.test(textOfJson(token))) throw problems.invalid({ token: ['A valid integer is required.'] })
  return Number(token)
}

function shown({ name, staff, blocked, removed, password, joined }: AccountRow): object {
  return { user: name, staff, blocked, removed, can_sign_in: password !== '', joined }
}

function shownWhole({ account, sessions, tokens }: StaffView): object {
  return { ...shown(account), sessions, tokens: tokens.map((token: TokenRow) => tokenShown(token)) }
}

function answer(json: object): JsonOutcome {
  return { status: 200, json: JSON.stringify(json), headers: NEVER_KEPT }
}
