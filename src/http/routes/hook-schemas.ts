/** What hooks and their deliveries look like, for the OpenAPI document. */
import type { Schema } from '../../declare/index.ts'
import { LONGEST_LOOKUPS, LONGEST_URL } from '../../engine/index.ts'
import { COUNT, exactly, ID, listOf, means, schemaRef, TEXT, TIME } from '../openapi/operation.ts'
import { ACTION } from './change-schemas.ts'

const NAMES = listOf(TEXT)
const GIVEN = {
  url: means({ type: 'string', format: 'uri', maxLength: LONGEST_URL }, 'Where changes are sent to, by http or https.'),
  resources: means(NAMES, 'The collections whose changes are sent; empty for all.'),
  actions: means(listOf(ACTION), 'The actions that are sent; empty for all.'),
  lookups: means(
    { type: 'string', maxLength: LONGEST_LOOKUPS },
    'Only records that match, such as `depth__gte=5`; needs exactly one collection.',
  ),
  active: means({ type: 'boolean' }, 'Whether the server sends. True begins again after an end or a failure.'),
  cursor: means(COUNT, 'Everything up to this entry was sent, or is not wanted.'),
}
/** What a body gives. */
export const HOOK_MEMBERS: Schema = { title: 'hook-members', type: 'object', properties: GIVEN }
export const HOOK_BODY: Schema = { title: 'hook-body', allOf: [HOOK_MEMBERS], type: 'object', required: ['url'] }
/** The members of a body that are lists. */
export const HOOK_LISTS = ['resources', 'actions']

const OWN = exactly({
  id: means(ID, 'The id of the hook.'),
  user: means(TEXT, 'Its owner.'),
  created: means(TIME, 'When it was created.'),
  'failing_since?': means(TIME, 'When the first try failed that no success has followed.'),
  'next_try?': means(TIME, 'When the next try is, after one that failed.'),
  'last_error?': means(TEXT, 'Why the last try failed.'),
  'ended?': means(TEXT, 'Why the server has ended it.'),
  'replay?': means(
    exactly({ cursor: means(COUNT, 'Sent up to this entry.'), until: means(ID, 'The last entry to send.') }),
    'The replay under way.',
  ),
  'secret?': means(TEXT, 'Signs the messages; shown when it is made, and never again.'),
})
export const HOOK: Schema = {
  title: 'hook',
  allOf: [HOOK_MEMBERS],
  ...OWN,
  required: ['id', 'user', ...Object.keys(GIVEN), 'created'],
}

export const DELIVERY: Schema = {
  title: 'delivery',
  ...exactly({
    id: means(ID, 'The id of the try.'),
    kind: means({ type: 'string', enum: ['change', 'replay', 'test'] }, 'Why it was sent.'),
    seq: means({ type: ['integer', 'null'] }, 'The entry of the log; null for a test.'),
    try: means(ID, 'The first try is 1.'),
    at: means(TIME, 'When it was sent.'),
    status: means({ type: ['integer', 'null'] }, 'The status of the response; null if there was none.'),
    error: means({ type: ['string', 'null'] }, 'Why there was no response.'),
    ms: means(COUNT, 'How long it took, in milliseconds.'),
  }),
}
/** A page of a list. */
export const pageOf = (items: Schema): Schema => ({
  allOf: [schemaRef('page')],
  ...exactly({ results: means(listOf(items), 'Those of the page.') }),
})

export const REPLAY_RANGE: Schema = {
  type: 'object',
  required: ['since'],
  properties: {
    since: means(COUNT, 'Entries after this number.'),
    until: means(ID, 'Entries up to this number; the newest by default.'),
  },
}
