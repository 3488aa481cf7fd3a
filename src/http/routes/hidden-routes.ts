/** /api/hidden/: deleted records of which the log tells nothing, until staff show them again. */
import { type JsonObject, textOfJson } from '../../declare/index.ts'
import { type HidingDesk, partsOf, problems } from '../../engine/index.ts'
import { exactly, ID, means, TEXT, TIME } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { pageShower } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import type { Route } from '../routing/router.ts'
import { NEVER_KEPT, signedIn } from './account-forms.ts'
import { switchAmong } from './care-routes.ts'
import { pageOf } from './hook-schemas.ts'
import type { StaffAct } from './staff-routes.ts'
import { writer } from './writing.ts'

interface HidingParts {
  readonly desk: HidingDesk
  readonly writes: WriteLimits
  readonly pageSize: number
  acted(act: StaffAct): void
}

const RESOURCE = means(TEXT, 'The collection of the record.')
const RECORD = means(ID, 'The id of the record.')
const SET = means(ID, 'The set that deleted it.')
const HIDDEN = exactly({
  resource: RESOURCE,
  id: RECORD,
  set: SET,
  at: means(TIME, 'When it was hidden.'),
  'user?': means(TEXT, 'Who hid it.'),
  'name?': means(TEXT, 'Its name.'),
})
const SWITCH = means({ type: 'boolean' }, 'Whether it is hidden.')
const STATE = exactly({ resource: RESOURCE, id: RECORD, set: SET, hidden: SWITCH })
const ABOUT = described(() => ok({ name: 'Hidden List', description: 'Deleted records that staff have hidden.' }))

export function hiddenRoutes({ desk, writes, pageSize, acted }: HidingParts): Route[] {
  return [
    {
      path: '/api/hidden/',
      title: 'Hidden List',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'What is hidden',
          description: 'For staff, newest first.',
          signedIn: true,
          parameters: ['page', 'page_size'],
          answers: { 200: { says: 'A page.', schema: pageOf(HIDDEN) } },
          async handle(call) {
            const { query } = call
            const wanted = { number: wantedPage(query.get('page')), size: wantedSize(query.get('page_size'), pageSize) }
            const { rows, ...place } = await desk.page(signedIn(call), wanted)
            const parts = partsOf(rows.map((row) => JSON.stringify(row)))
            const { status, json, headers } = pageShower(call)({ ...place, parts })
            return { status, json, headers: { ...headers, ...NEVER_KEPT } }
          },
        },
        PUT: {
          summary: 'Hide a deleted record, or show it',
          description:
            'For staff: the log says nothing about a hidden record. To bring it back, show it and undo `set`.',
          signedIn: true,
          body: { schema: exactly({ resource: RESOURCE, id: RECORD, hidden: SWITCH }) },
          answers: { 200: { says: 'The new state.', schema: STATE } },
          async handle(call) {
            const actor = writer(call, writes)
            const members = plainMembers(await call.readBody())
            const place = { resource: textOfJson(members['resource']), id: idAmong(members) }
            const hidden = switchAmong(members, 'hidden')
            const json = JSON.stringify(await desk.setHidden(actor, place, hidden))
            acted({ by: actor.name, action: hidden ? 'hide' : 'show', about: `${place.resource} ${place.id}` })
            return { status: 200, json, headers: NEVER_KEPT }
          },
        },
        OPTIONS: ABOUT,
      },
    },
  ]
}

/** An id that no record has is not found. */
function idAmong({ id }: JsonObject): number {
  if (id === undefined || id === '') throw problems.invalid({ id: ['This field is required.'] })
  if (!/^[0-9]{1,15}$/.test(textOfJson(id))) throw problems.invalid({ id: ['A valid integer is required.'] })
  return Number(id)
}
