/** Accounts over HTTP: the same addresses serve forms to people and JSON to programs. */
import { type JsonObject, textOfJson } from '../../declare/index.ts'
import { type Actor, Problem, problems } from '../../engine/index.ts'
import { networkOf } from '../exchange/address.ts'
import { newCookie, SESSION_COOKIE } from '../exchange/cookies.ts'
import type { FormItem, Outcome } from '../exchange/message.ts'
import { exactly, means, SENT_ON, schemaRef, TEXT } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { claimRounds } from '../request/player.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import {
  formBody,
  formRoute,
  NEW_PASSWORD,
  OTHER_PASSWORD,
  PASSWORD,
  SIGNED_IN,
  USERNAME,
} from './account-form-route.ts'
import {
  done,
  flag,
  forTheSignedIn,
  isForPeople,
  localPath,
  NEVER_KEPT,
  type NewSession,
  openSession,
  page,
  signedIn,
  texts,
} from './account-forms.ts'
import type { AccountParts } from './account-parts.ts'
import { EMAIL, mailRoutes } from './mail-routes.ts'
import { recoveryRoutes } from './recovery-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { tokenRoutes } from './tokens.ts'

/** How many tokens from a username and password an account keeps. */
const KEPT_TOKENS = 10

const TOKEN = '9944b09199c62bcf9418ad846dd0e4bbdfc6ee4b'

export function accountRoutes(parts: AccountParts): Route[] {
  const { desk, signIns, signUpOpen, likes, rounds, mail } = parts
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
          answers: { 200: { says: 'The account.', ...ACCOUNT }, 303: SENT_ON },
          handle: forTheSignedIn(async (call) => {
            const { name, staff } = signedIn(call)
            return page(call, { username: name, staff }, await accountView(parts, call))
          }),
        },
      },
    },
    signUpOpen ? signUpRoute(parts) : closedSignUp(),
    formRoute('/accounts/login/', 'Sign in', {
      does: 'Begin a session',
      details: 'The response sets a session cookie. Programs should use a token.',
      answers: { 200: { says: 'The session is in the cookie.', ...SIGNED_IN } },
      fields: [USERNAME, PASSWORD],
      links: [
        ...(signUpOpen ? [{ href: '/accounts/signup/', text: 'I need an account' }] : []),
        { href: '/accounts/recover/', text: 'I forgot my password' },
      ],
      extra: (call, members) => likes.fields(call, members),
      async act(call, members) {
        const actor = await signIn(parts, call, members)
        if (call.identity.session) await desk.sessions.close(call.identity.session)
        const next = localPath(members['next']) ?? '/accounts/'
        const message = (await likes.fulfil(actor, members)) ? 'liked' : 'signed-in'
        const session = await openSession(call, desk, actor)
        const cookies = [...session.cookies, ...(await claimRounds(call, rounds, actor))]
        return done(call, 200, { username: actor.name }, { next, message, cookies })
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
          answers: { 204: { says: 'The session has ended.' }, 303: SENT_ON },
          async handle(call) {
            const { session } = call.identity
            const next = (await nextOf(call)) ?? '/'
            if (!session) return done(call, 204, undefined, { next, message: 'signed-out' })
            await desk.sessions.close(session)
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
        OTHER_PASSWORD,
        { name: 'keep_tokens', label: 'Keep my tokens', type: 'checkbox' },
      ],
      notes: ['All other sessions end. Your tokens are revoked, unless you keep them.'],
      signedIn: true,
      async act(call, members) {
        const actor = signedIn(call)
        const { old_password, new_password } = texts(members, ['old_password', 'new_password'])
        const keepTokens = flag(members, 'keep_tokens')
        const attempt = signIns.take(call, actor.name, { signedIn: true })
        const renewed = await desk.changePassword(actor, old_password, new_password, { keepTokens })
        attempt.succeed()
        const { cookies } = await openSession(call, desk, renewed)
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
    ...recoveryRoutes(parts),
    ...(mail ? mailRoutes(parts, mail) : []),
    ...sessionRoutes(desk),
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
            await claimRounds(call, rounds, actor)
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

/** Where a form without fields leads. */
async function nextOf(call: Call): Promise<string | undefined> {
  const body = isForPeople(call) ? await call.readBody() : undefined
  return body && 'form' in body ? localPath(plainMembers(body)['next']) : undefined
}

async function accountView({ desk, recovery, mail }: AccountParts, call: Call) {
  const actor = signedIn(call)
  const [codes, address, sessions, tokens] = await Promise.all([
    recovery.codesLeft(actor),
    recovery.address(actor),
    desk.sessions.list(actor, call.identity.session),
    desk.tokens(actor),
  ])
  const left = codes === 0 ? 'You have none. Without one, a forgotten password cannot be replaced.' : `${codes} left.`
  const others = sessions.filter(({ isThis }) => !isThis).length
  const items: readonly FormItem[] = [
    { title: 'Password', text: 'Choose another one.', href: '/accounts/password/' },
    { title: 'Recovery codes', text: left, href: '/accounts/recovery-codes/' },
    ...(mail ? [{ title: 'Email address', text: address ?? 'None.', href: '/accounts/mail/' }] : []),
    {
      title: 'Sessions',
      text: others === 0 ? 'You are signed in only here.' : `You are signed in here, and in ${others} more.`,
      href: '/accounts/sessions/',
    },
    {
      title: 'Tokens',
      text: tokens.length === 0 ? 'For programs that use the API as you.' : `You have ${tokens.length}.`,
      href: '/accounts/tokens/',
    },
    { title: 'Delete account', text: 'What you made stays, under your name.', href: '/accounts/delete/' },
  ]
  return {
    title: actor.name,
    items,
    forms: [{ action: '/accounts/logout/', submit: 'Sign out', fields: [] }],
    links: [{ href: '/make/', text: 'Make something' }],
  }
}

function signUpRoute({ desk, signIns, signUps, recovery, likes, rounds, mail }: AccountParts): Route {
  return formRoute('/accounts/signup/', 'Sign up', {
    does: 'Create an account and sign in',
    details: 'User names are 1 to 150 letters, digits and @ . + - _; passwords have at least 10 characters.',
    answers: { 201: { says: 'The account is created.', ...SIGNED_IN } },
    fields: [USERNAME, NEW_PASSWORD, ...(mail ? [{ ...EMAIL, label: 'Email address (optional)' }] : [])],
    links: [{ href: '/accounts/login/', text: 'I have an account' }],
    extra: (call, members) => likes.fields(call, members),
    async act(call, members) {
      const { username, password } = texts(members, ['username', 'password'])
      desk.checkNewAccount(username, password)
      const email = mail ? textOfJson(members['email'] ?? '').trim() : ''
      if (email !== '') recovery.checkAddress(email)
      // Counted before the name is looked up: a limit on new accounts also limits probing for names.
      signUps.take(networkOf(call.address))
      const actor = await desk.signUp(username, password)
      signIns.know(call, actor.name)
      // The account is there, with or without an address.
      if (email !== '') await mail?.confirm(call, actor, email).catch(unlessProblem)
      const opened = await openSession(call, desk, actor)
      const session = { ...opened, cookies: [...opened.cookies, ...(await claimRounds(call, rounds, actor))] }
      const json = { username: actor.name }
      const headers = { ...NEVER_KEPT, 'Set-Cookie': session.cookies }
      if (!isForPeople(call)) return { ...ok(json), status: 201, headers }
      const codes = await recovery.makeCodes(actor)
      return welcome(call, { actor, session, codes, members, isLiked: await likes.fulfil(actor, members) })
    },
  })
}

function unlessProblem(error: unknown): void {
  if (!(error instanceof Problem)) throw error
}

interface Welcome {
  readonly actor: Actor
  readonly codes: readonly string[]
  readonly session: NewSession
  readonly members: JsonObject
  readonly isLiked: boolean
}

/** The first page of a new user: their recovery codes, and where to go from here. */
function welcome(call: Call, { actor, session, codes, members, isLiked }: Welcome): Outcome {
  const next = localPath(members['next'])
  const view = {
    title: `Welcome, ${actor.name}`,
    notes: [
      ...(isLiked ? ['Your like is added.'] : []),
      'Keep these recovery codes somewhere safe. If you forget your password, each of them lets you choose a new one, once. They are shown only now.',
    ],
    codes,
    forms: [],
    links: [
      next ? { href: next, text: 'Continue', isMain: true as const } : MAKE,
      ...(next ? [{ href: '/make/', text: 'Make something' }] : []),
      { href: '/learn/', text: 'Learn how it works' },
      { href: '/accounts/', text: 'Account' },
    ],
  }
  // Forms of the page belong to the new session.
  const identity = { actor, by: 'session' as const, session: session.secret }
  const outcome = page({ ...call, identity }, { username: actor.name }, view, 201)
  return { ...outcome, headers: { ...NEVER_KEPT, 'Set-Cookie': session.cookies }, user: actor.name }
}

const MAKE = { href: '/make/', text: 'Make something', isMain: true as const }

const CLOSED = 'Sign-up is closed.'

/** Nobody gets a form that would be refused. */
function closedSignUp(): Route {
  const view = {
    title: 'Sign up',
    notes: ['Sign-up is closed: only the people who run this site create accounts.'],
    forms: [],
    links: [{ href: '/accounts/login/', text: 'I have an account' }],
  }
  return {
    path: '/accounts/signup/',
    title: 'Sign up',
    tag: 'accounts',
    methods: {
      GET: {
        summary: 'Sign up: closed',
        description: 'The operator has closed sign-up.',
        answers: { 200: { says: 'A page that says so.', schema: schemaRef('problem') } },
        handle: (call) => page(call, { detail: CLOSED }, view),
      },
      POST: {
        summary: 'Create an account: closed',
        description: 'The operator has closed sign-up.',
        body: formBody([USERNAME, NEW_PASSWORD]),
        answers: {},
        problems: [403],
        handle() {
          throw new Problem(403, { detail: CLOSED })
        },
      },
    },
  }
}
