/** One's own tokens: listed, made, renamed and revoked. */
import { type AccountDesk, problems } from '../engine/index.ts'
import { plainMembers } from './body.ts'
import { done, forTheSignedIn, NEVER_KEPT, page, signedIn, texts } from './forms.ts'
import type { FormView, Outcome } from './message.ts'
import type { Call, Route } from './router.ts'

type Token = Awaited<ReturnType<AccountDesk['tokens']>>[number]

export function tokenRoutes(desk: AccountDesk): Route[] {
  return [
    {
      path: '/accounts/tokens/',
      title: 'Tokens',
      methods: {
        GET: forTheSignedIn((call) => list(desk, call)),
        async POST(call) {
          const actor = signedIn(call)
          // A token that was lost must not become another one that lasts longer.
          if (call.identity.by === 'token') throw problems.forbidden()
          const members = plainMembers(await call.readBody())
          const name = readName(members['name'])
          const made = await desk.createToken(actor, name, { days: readDays(members['days']) })
          const json = { ...shown(made), token: made.key }
          const notes = [`Your new token is ${made.key}. It is shown this once.`]
          return page(call, json, await view(desk, call, notes), 201)
        },
      },
    },
    {
      path: '/accounts/tokens/:id/',
      title: 'Token',
      methods: {
        async GET(call) {
          const token = (await desk.tokens(signedIn(call))).find(({ id }) => String(id) === call.places['id'])
          if (!token) throw problems.notFound()
          return { status: 200, json: JSON.stringify(shown(token)), headers: NEVER_KEPT }
        },
        async PATCH(call) {
          const actor = signedIn(call)
          const name = readName(plainMembers(await call.readBody())['name'])
          await desk.renameToken(actor, tokenId(call), name)
          return done(call, 200, { id: tokenId(call), name }, '/accounts/tokens/')
        },
        async DELETE(call) {
          await desk.revokeToken(signedIn(call), tokenId(call))
          return done(call, 204, undefined, '/accounts/tokens/')
        },
      },
    },
    {
      // Forms know only GET and POST.
      path: '/accounts/tokens/:id/revoke/',
      title: 'Revoke token',
      methods: {
        async POST(call) {
          await desk.revokeToken(signedIn(call), tokenId(call))
          return done(call, 204, undefined, '/accounts/tokens/')
        },
      },
    },
  ]
}

async function list(desk: AccountDesk, call: Call): Promise<Outcome> {
  const tokens = await desk.tokens(signedIn(call))
  return page(call, tokens.map(shown), await view(desk, call))
}

async function view(desk: AccountDesk, call: Call, notes: readonly string[] = []): Promise<Omit<FormView, 'csrf'>> {
  const tokens = await desk.tokens(signedIn(call))
  return {
    title: 'Tokens',
    notes: [...notes, ...tokens.map(described)],
    forms: [
      {
        action: '/accounts/tokens/',
        submit: 'Make a token',
        fields: [
          { name: 'name', label: 'Name', type: 'text', help: 'What it is for.' },
          { name: 'days', label: 'Days', type: 'number', help: 'How long it is good; empty for always.' },
        ],
      },
      ...tokens.map(({ id, name }) => ({
        action: `/accounts/tokens/${id}/revoke/`,
        submit: `Revoke ${name}`,
        fields: [],
      })),
    ],
    links: [{ href: '/accounts/', text: 'Account' }],
  }
}

function described({ name, created, expires, lastUsed }: Token): string {
  const until = expires ? `until ${expires.slice(0, 10)}` : 'without end'
  return `${name}: made ${created.slice(0, 10)}, good ${until}, ${lastUsed ? `last used ${lastUsed.slice(0, 16)}` : 'never used'}`
}

function shown({ id, name, created, expires, lastUsed }: Token): object {
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

/** What is no whole number is no number of days. */
function readDays(days: unknown): number | undefined {
  if (days === undefined || days === null || days === '') return undefined
  const text = typeof days === 'number' || typeof days === 'string' ? String(days).trim() : ''
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
}
