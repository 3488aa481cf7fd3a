/** The user's own tokens: list, create, rename and revoke. */
import type { Errors, JsonObject, Schema } from '../../declare/index.ts'
import { type AccountDesk, problems } from '../../engine/index.ts'
import type { FormView, Outcome } from '../exchange/message.ts'
import { exactly, ID, listOf, means, type Parameter, SENT_ON, TEXT, TIME } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { orAgain } from './account-form-route.ts'
import { done, forTheSignedIn, NEVER_KEPT, page, signedIn, texts } from './account-forms.ts'

type Token = Awaited<ReturnType<AccountDesk['tokens']>>[number]

const NAME_MEANS = 'What the token is for.'
const SHOWN = {
  id: means(ID, 'The id of the token.'),
  name: means(TEXT, NAME_MEANS),
  created: means(TIME, 'When it was created.'),
  'expires?': means(TIME, 'When it expires; left out if it never does.'),
  'last_used?': means(TIME, 'When it was last used, to the hour; left out if it never was.'),
}
const TOKEN: Schema = { title: 'token', ...exactly(SHOWN) }
const SAMPLE = { id: 7, name: 'my script', created: '2026-01-31T09:30:00.000Z' }
const PLACE: Parameter = { name: 'id', in: 'path', required: true, description: 'The id of the token.', schema: ID }
const NAME = means({ type: 'string', maxLength: 100 }, NAME_MEANS)
const NAMED: Schema = { type: 'object', required: ['name'], properties: { name: NAME } }
const NEW: Schema = {
  ...NAMED,
  properties: {
    name: NAME,
    days: means(
      { type: 'integer', minimum: 1, maximum: 3650 },
      'The number of days until it expires; it never does by default.',
    ),
  },
}
/** Programs get a response; people are redirected to the list. */
const REVOKED = { 204: { says: 'The token is revoked.' }, 303: SENT_ON }

/** Browsers send OPTIONS before a script of another site may send credentials. */
const about = (name: string, description: string) => described(() => ok({ name, description }))

export function tokenRoutes(desk: AccountDesk): Route[] {
  const revoke = async (call: Call) => {
    const [actor, id] = [signedIn(call), tokenId(call)]
    // A person who found a token must not be able to lock out the programs that use the others.
    const isAnother = call.identity.by === 'token' && call.identity.token !== id
    if (isAnother && (await desk.tokens(actor)).some((token) => token.id === id)) throw problems.forbidden()
    await desk.revokeToken(actor, id)
    return done(call, 204, undefined, { next: '/accounts/tokens/', message: 'token-revoked' })
  }
  return [
    {
      path: '/accounts/tokens/',
      title: 'Tokens',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'Your tokens',
          description: 'Oldest first, without their keys.',
          signedIn: true,
          answers: {
            200: { says: 'All of them.', schema: listOf(TOKEN), example: [SAMPLE] },
            303: SENT_ON,
          },
          handle: forTheSignedIn((call) => list(desk, call)),
        },
        POST: {
          summary: 'Make a token',
          description: 'The key is shown only once. A token cannot create another one: use the password or a session.',
          signedIn: true,
          body: { schema: NEW, example: { name: 'my script', days: 30 } },
          answers: {
            201: {
              says: 'The token; its key is shown only once.',
              schema: { allOf: [TOKEN], ...exactly({ token: means(TEXT, 'The token, 40 hexadecimal digits.') }) },
              example: { ...SAMPLE, token: '9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b' },
            },
          },
          handle: (call) => make(desk, call),
        },
        OPTIONS: about('Tokens', 'Lists and creates your tokens.'),
      },
    },
    {
      path: '/accounts/tokens/:id/',
      title: 'Token',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'One of your tokens',
          description: 'Its name and its times, without its key.',
          signedIn: true,
          parameters: [PLACE],
          answers: { 200: { says: 'The token, without its key.', schema: TOKEN, example: SAMPLE } },
          async handle(call) {
            const token = (await desk.tokens(signedIn(call))).find(({ id }) => String(id) === call.places['id'])
            if (!token) throw problems.notFound()
            return { ...ok(tokenShown(token)), headers: NEVER_KEPT }
          },
        },
        PATCH: {
          summary: 'Rename a token',
          description: 'The key and its expiry stay the same.',
          signedIn: true,
          parameters: [PLACE],
          body: { schema: NAMED, example: { name: 'my other script' } },
          answers: {
            200: {
              says: 'The token with its new name.',
              schema: exactly({ id: SHOWN.id, name: SHOWN.name }),
              example: { id: 7, name: 'my other script' },
            },
            303: SENT_ON,
          },
          async handle(call) {
            const actor = signedIn(call)
            const name = readName(plainMembers(await call.readBody())['name'])
            await desk.renameToken(actor, tokenId(call), name)
            return done(call, 200, { id: tokenId(call), name }, { next: '/accounts/tokens/', message: 'token-renamed' })
          },
        },
        DELETE: {
          summary: 'Revoke a token',
          description: 'The server refuses its key from the next request on.',
          signedIn: true,
          parameters: [PLACE],
          answers: REVOKED,
          handle: revoke,
        },
        OPTIONS: about('Token', 'Reads, renames and revokes one of your tokens.'),
      },
    },
    {
      // Forms can only GET and POST.
      path: '/accounts/tokens/:id/revoke/',
      title: 'Revoke token',
      tag: 'accounts',
      methods: {
        POST: {
          summary: 'Revoke a token, for forms',
          description: 'The same as DELETE of the token, for HTML forms, which know only GET and POST.',
          signedIn: true,
          parameters: [PLACE],
          answers: REVOKED,
          handle: revoke,
        },
        OPTIONS: about('Revoke token', 'Revokes one of your tokens.'),
      },
    },
  ]
}

async function make(desk: AccountDesk, call: Call): Promise<Outcome> {
  const actor = signedIn(call)
  // A lost token must not become another one that lasts longer.
  if (call.identity.by === 'token') throw problems.forbidden()
  const members = plainMembers(await call.readBody())
  const act = async () => {
    const name = readName(members['name'])
    const made = await desk.createToken(actor, name, { days: readDays(members['days']) })
    const json = { ...tokenShown(made), token: made.key }
    const notes = [`Your new token is ${made.key}. It is shown this once.`]
    return page(call, json, await view(desk, call, { notes }), 201)
  }
  return await orAgain(act, async (errors) => page(call, errors, await view(desk, call, { errors, members }), 400))
}

async function list(desk: AccountDesk, call: Call): Promise<Outcome> {
  const tokens = await desk.tokens(signedIn(call))
  return page(call, tokens.map(tokenShown), await view(desk, call))
}

interface Shown {
  readonly notes?: readonly string[]
  readonly errors?: Errors
  /** What was sent, to be corrected. */
  readonly members?: JsonObject
}

async function view(
  desk: AccountDesk,
  call: Call,
  { notes = [], errors = {}, members = {} }: Shown = {},
): Promise<Omit<FormView, 'csrf'>> {
  const tokens = await desk.tokens(signedIn(call))
  const sent = (name: string) => ({ name, value: typeof members[name] === 'string' ? members[name] : '' })
  return {
    title: 'Tokens',
    notes,
    items: tokens.map((token) => ({
      title: token.name,
      text: summaryOf(token),
      form: { action: `/accounts/tokens/${token.id}/revoke/`, submit: 'Revoke', fields: [] },
    })),
    forms: [
      {
        action: '/accounts/tokens/',
        submit: 'Make a token',
        fields: [
          { ...sent('name'), label: 'Name', type: 'text', help: 'What it is for.' },
          { ...sent('days'), label: 'Days', type: 'number', help: 'How long it is valid; empty for always.' },
        ],
        errors,
      },
    ],
    links: [{ href: '/accounts/', text: 'Account' }],
  }
}

function summaryOf({ created, expires, lastUsed }: Token): string {
  const until = expires ? `until ${expires.slice(0, 10)}` : 'forever'
  return `Made ${created.slice(0, 10)}, valid ${until}, ${lastUsed ? `last used ${lastUsed.slice(0, 16)}` : 'never used'}`
}

export function tokenShown({ id, name, created, expires, lastUsed }: Token): object {
  return { id, name, created, ...(expires ? { expires } : {}), ...(lastUsed ? { last_used: lastUsed } : {}) }
}

function tokenId({ places }: Call): number {
  const id = places['id'] ?? ''
  if (!/^[1-9][0-9]{0,14}$/.test(id)) throw problems.notFound()
  return Number(id)
}

function readName(given: unknown): string {
  return texts({ name: given as never }, ['name']).name.trim()
}

/** Anything that is not a whole number is not a number of days. */
function readDays(days: unknown): number | undefined {
  if (days === undefined || days === null || days === '') return undefined
  const text = typeof days === 'number' || typeof days === 'string' ? String(days).trim() : ''
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
}
