/** Accounts over HTTP: the same addresses serve forms to people and JSON to programs. */
import type { Errors, JsonObject } from '../../declare/index.ts'
import { type AccountDesk, type Actor, Problem, problems, SESSION_SECONDS } from '../../engine/index.ts'
import { networkOf } from '../exchange/address.ts'
import { CSRF_COOKIE, cookieOf, newCookie, SESSION_COOKIE } from '../exchange/cookies.ts'
import type { FormField, FormPart, FormView, Outcome } from '../exchange/message.ts'
import { type Body, exactly, means, type Operation, SENT_ON, schemaRef, TEXT } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { CSRF_MEMBER, demandOwnPage } from '../request/identify.ts'
import type { SignInLimits } from '../request/signin-limits.ts'
import type { Throttle } from '../request/throttle.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Handler, Route } from '../routing/router.ts'
import {
  done,
  flag,
  forTheSignedIn,
  isForPeople,
  localPath,
  NEVER_KEPT,
  page,
  signedIn,
  texts,
} from './account-forms.ts'
import { tokenRoutes } from './tokens.ts'

export interface AccountParts {
  readonly desk: AccountDesk
  readonly signIns: SignInLimits
  readonly signUps: Throttle
  readonly signUpOpen: boolean
}

/** How many tokens from a username and password an account keeps. */
const KEPT_TOKENS = 10

const TOKEN = '9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b'
const USERNAME: FormField = { name: 'username', label: 'User name', type: 'text', autocomplete: 'username' }
const PASSWORD: FormField = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' }
const NEW_PASSWORD: FormField = { ...PASSWORD, autocomplete: 'new-password', help: 'At least 10 characters.' }

export function accountRoutes(parts: AccountParts): Route[] {
  const { desk, signIns, signUps, signUpOpen } = parts
  return [
    {
      path: '/accounts/',
      title: 'Account',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'Who is signed in',
          description: 'The account whose credentials or session the request carries.',
          signedIn: true,
          answers: { 200: { says: 'The account.', ...ACCOUNT, headers: ['Set-Cookie?'] }, 303: SENT_ON },
          handle: forTheSignedIn((call) => {
            const { name, staff } = signedIn(call)
            return page(call, { username: name, staff }, accountView(name))
          }),
        },
      },
    },
    formRoute('/accounts/signup/', 'Sign up', {
      does: 'Create an account and sign in',
      details: 'User names are 1 to 150 letters, digits and @ . + - _; passwords have at least 10 characters.',
      answers: { 201: { says: 'The account is created.', ...USERNAME_ALONE, headers: ['Set-Cookie'] } },
      fields: [USERNAME, NEW_PASSWORD],
      links: [{ href: '/accounts/login/', text: 'I have an account' }],
      async act(call, members) {
        if (!signUpOpen) throw new Problem(403, { detail: 'Sign-up is closed.' })
        const { username, password } = texts(members, ['username', 'password'])
        desk.checkNewAccount(username, password)
        // Counted before the name is looked up: a limit on new accounts also limits probing for names.
        signUps.take(networkOf(call.address))
        const actor = await desk.signUp(username, password)
        signIns.know(call, actor.name)
        const next = localPath(members['next']) ?? '/accounts/'
        const cookies = await sessionCookie(call, desk, actor)
        return done(call, 201, { username: actor.name }, { next, message: 'signed-in', cookies })
      },
    }),
    formRoute('/accounts/login/', 'Sign in', {
      does: 'Begin a session',
      details: 'The response sets a session cookie. Programs should use a token.',
      answers: { 200: { says: 'The session is in the cookie.', ...USERNAME_ALONE, headers: ['Set-Cookie'] } },
      fields: [USERNAME, PASSWORD],
      links: signUpOpen ? [{ href: '/accounts/signup/', text: 'I need an account' }] : [],
      async act(call, members) {
        const actor = await signIn(parts, call, members)
        if (call.identity.session) await desk.closeSession(call.identity.session)
        const next = localPath(members['next']) ?? '/accounts/'
        const cookies = await sessionCookie(call, desk, actor)
        return done(call, 200, { username: actor.name }, { next, message: 'signed-in', cookies })
      },
    }),
    {
      path: '/accounts/logout/',
      title: 'Sign out',
      tag: 'accounts',
      methods: {
        POST: {
          summary: 'End the session',
          description: 'Other sessions and tokens of the account stay valid.',
          answers: { 204: { says: 'The session has ended.', headers: ['Set-Cookie?'] }, 303: SENT_ON },
          async handle(call) {
            const { session } = call.identity
            const next = (await nextOf(call)) ?? '/'
            if (!session) return done(call, 204, undefined, { next, message: 'signed-out' })
            await desk.closeSession(session)
            const cookies = [newCookie(call, SESSION_COOKIE, '', 0)]
            return done(call, 204, undefined, { next, message: 'signed-out', cookies })
          },
        },
      },
    },
    formRoute('/accounts/password/', 'Change password', {
      does: 'Change the password; all other sessions end, and tokens are revoked',
      details: 'Requires the old password, and returns a new session. With `keep_tokens` the tokens stay.',
      answers: {
        200: {
          says: 'The password is changed.',
          schema: schemaRef('problem'),
          example: { detail: 'Password changed.' },
          headers: ['Set-Cookie'],
        },
      },
      fields: [
        { ...PASSWORD, name: 'old_password', label: 'Old password' },
        { ...NEW_PASSWORD, name: 'new_password', label: 'New password' },
        { name: 'keep_tokens', label: 'Keep my tokens', type: 'checkbox' },
      ],
      notes: ['All other sessions end. Your tokens are revoked, unless you keep them.'],
      signedIn: true,
      async act(call, members) {
        const actor = signedIn(call)
        const { old_password, new_password } = texts(members, ['old_password', 'new_password'])
        const keepTokens = flag(members, 'keep_tokens')
        const attempt = signIns.take(call, actor.name, { signedIn: true })
        await desk.changePassword(actor, old_password, new_password, { keepTokens })
        attempt.succeed()
        const cookies = await sessionCookie(call, desk, actor)
        const json = { detail: 'Password changed.' }
        return done(call, 200, json, { next: '/accounts/', message: 'password-changed', cookies })
      },
    }),
    formRoute('/accounts/delete/', 'Delete account', {
      does: 'Delete the account; its records stay, under its name',
      details: 'Requires the password. Sessions and tokens end, and nobody can use the name again.',
      answers: { 204: { says: 'The account is deleted.', headers: ['Set-Cookie'] } },
      fields: [PASSWORD],
      notes: ['Your records stay, under your name. The name cannot be used again.'],
      signedIn: true,
      async act(call, members) {
        const actor = signedIn(call)
        const { password } = texts(members, ['password'])
        const attempt = signIns.take(call, actor.name, { signedIn: true })
        await desk.remove(actor, password)
        attempt.succeed()
        const cookies = [newCookie(call, SESSION_COOKIE, '', 0)]
        return done(call, 204, undefined, { next: '/', message: 'account-deleted', cookies })
      },
    }),
    ...tokenRoutes(desk),
    {
      path: '/api-token-auth/',
      title: 'Obtain Auth Token',
      tag: 'accounts',
      methods: {
        POST: {
          summary: 'A token for a username and a password',
          description: 'Send the token as `Authorization: Token ...`. The ten newest tokens created here are kept.',
          body: formBody([USERNAME, PASSWORD]),
          answers: {
            200: {
              says: 'The token.',
              schema: exactly({ token: means(TEXT, 'The token, 40 hexadecimal digits.') }),
              example: { token: TOKEN },
            },
          },
          async handle(call) {
            const actor = await signIn(parts, call, plainMembers(await call.readBody()))
            const { key } = await desk.createToken(actor, 'api-token-auth', { keepNewest: KEPT_TOKENS })
            return { ...ok({ token: key }), headers: NEVER_KEPT }
          },
        },
        OPTIONS: described(() =>
          ok({ name: 'Obtain Auth Token', description: 'A token for a username and a password.' }),
        ),
      },
    },
  ]
}

async function signIn({ desk, signIns }: AccountParts, call: Call, members: JsonObject): Promise<Actor> {
  const { username, password } = texts(members, ['username', 'password'])
  const attempt = signIns.take(call, username)
  const actor = await desk.verify(username, password).catch((error: unknown) => {
    attempt.cancel()
    throw error
  })
  if (!actor) throw problems.invalid({ non_field_errors: ['Unable to log in with provided credentials.'] })
  attempt.succeed()
  return actor
}

const ACCOUNT = {
  schema: exactly({
    username: means(TEXT, 'The user name.'),
    staff: means({ type: 'boolean' }, 'True if the account may change every record.'),
  }),
  example: { username: 'ada', staff: false },
}
const USERNAME_ALONE = { schema: exactly({ username: means(TEXT, 'The user name.') }), example: { username: 'ada' } }

function formBody(fields: readonly FormField[]): Body {
  const required = fields.filter(isRequired)
  const values = required.map(({ name, type }) => [name, type === 'password' ? 'a long and quiet river' : 'ada'])
  const schemas = fields.map(({ name, label, type }) => [
    name,
    means(type === 'checkbox' ? { type: 'boolean' } : TEXT, `${label}.`),
  ])
  return {
    schema: {
      type: 'object',
      required: required.map(({ name }) => name),
      properties: Object.fromEntries(schemas),
    },
    example: Object.fromEntries(values),
  }
}

function isRequired({ type }: FormField): boolean {
  return type !== 'checkbox'
}

interface FormSpec {
  readonly does: string
  /** Further details. */
  readonly details: string
  readonly answers: Operation['answers']
  readonly fields: readonly FormField[]
  readonly links?: FormView['links']
  readonly notes?: readonly string[]
  readonly signedIn?: true
  act(call: Call, members: JsonObject): Promise<Outcome>
}

/** GET shows the form; POST acts, and shows the form again with its errors. */
function formRoute(path: string, title: string, spec: FormSpec): Route {
  const show = (call: Call, status: number, json: object, members: JsonObject, errors?: Errors): Outcome => {
    const next = localPath(members['next']) ?? localPath(call.query.get('next'))
    const fields = [
      ...spec.fields.map((field) => {
        if (field.type === 'checkbox') return { ...field, checked: members[field.name] === 'true' }
        return field.type === 'text' ? { ...field, value: shownText(members[field.name]) } : field
      }),
      ...(next ? [{ name: 'next', label: '', type: 'hidden' as const, value: next }] : []),
    ]
    const form: FormPart = { action: path, submit: title, fields, ...(errors ? { errors } : {}) }
    const onwards = next ? `?next=${encodeURIComponent(next)}` : ''
    const links = (spec.links ?? []).map(({ href, text }) => ({ href: href + onwards, text }))
    return page(call, json, { title, forms: [form], notes: spec.notes ?? [], links }, status)
  }
  const post: Handler = async (call) => {
    if (spec.signedIn) signedIn(call)
    const body = await call.readBody()
    const members = plainMembers(body)
    if ('form' in body) demandOwnForm(call, members)
    try {
      return await spec.act(call, members)
    } catch (error) {
      const invalid = error instanceof Problem && error.status === 400
      if (!invalid) throw error
      return show(call, 400, error.body, members, error.body as unknown as Errors)
    }
  }
  const get: Handler = (call) => {
    if (spec.signedIn) signedIn(call)
    return show(
      call,
      200,
      {
        detail: `POST ${spec.fields
          .filter(isRequired)
          .map(({ name }) => name)
          .join(', ')}.`,
      },
      {},
    )
  }
  const signed = spec.signedIn ? { signedIn: true as const } : {}
  return {
    path,
    title,
    tag: 'accounts',
    methods: {
      GET: {
        ...signed,
        summary: `${title}: the form`,
        description: 'HTML for people; programs get the members to send by POST.',
        answers: {
          200: { says: 'The form, or what to send.', schema: schemaRef('problem'), headers: ['Set-Cookie?'] },
          ...(spec.signedIn ? { 303: SENT_ON } : {}),
        },
        handle: spec.signedIn ? forTheSignedIn(get) : get,
      },
      POST: {
        ...signed,
        summary: spec.does,
        description: spec.details,
        body: formBody(spec.fields),
        answers: { ...spec.answers, 303: SENT_ON },
        handle: post,
      },
    },
  }
}

function shownText(given: unknown): string {
  return typeof given === 'string' ? given : ''
}

/** A form without a session must still be from our pages: nobody may sign a visitor in as someone else. */
function demandOwnForm(call: Call, members: JsonObject): void {
  if (call.identity.session) return
  demandOwnPage(call, cookieOf(call, CSRF_COOKIE), members[CSRF_MEMBER])
}

/** Where a form without fields leads. */
async function nextOf(call: Call): Promise<string | undefined> {
  const body = isForPeople(call) ? await call.readBody() : undefined
  return body && 'form' in body ? localPath(plainMembers(body)['next']) : undefined
}

async function sessionCookie(call: Call, desk: AccountDesk, { id }: Actor): Promise<string[]> {
  return [newCookie(call, SESSION_COOKIE, await desk.openSession(id), SESSION_SECONDS)]
}

function accountView(name: string): Omit<FormView, 'csrf'> {
  return {
    title: name,
    forms: [{ action: '/accounts/logout/', submit: 'Sign out', fields: [] }],
    links: [
      { href: '/accounts/tokens/', text: 'Tokens' },
      { href: '/accounts/password/', text: 'Change password' },
      { href: '/accounts/delete/', text: 'Delete account' },
      { href: '/api/', text: 'API' },
    ],
  }
}
