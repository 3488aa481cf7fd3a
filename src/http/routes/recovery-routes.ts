/** Recovery codes: making new ones, and getting back into an account with one. */
import type { Errors } from '../../declare/index.ts'
import { CODE_COUNT, Problem, problems } from '../../engine/index.ts'
import type { FormField, Outcome } from '../exchange/message.ts'
import { COUNT, exactly, listOf, means, SENT_ON, TEXT } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import type { Call, Route } from '../routing/router.ts'
import { formBody, formRoute, OTHER_PASSWORD, orAgain, PASSWORD, RECOVERED, USERNAME } from './account-form-route.ts'
import { done, forTheSignedIn, openSession, page, signedIn, texts } from './account-forms.ts'
import type { AccountParts } from './account-parts.ts'

export const CODES = '/accounts/recovery-codes/'
const CODE: FormField = {
  name: 'code',
  label: 'Recovery code',
  type: 'text',
  autocomplete: 'off',
  help: 'One of the codes that you got when you signed up.',
}
const EXAMPLE = 'k7qd-9x2m-4hfz-w3tb'

export function recoveryRoutes(parts: AccountParts): Route[] {
  const { desk, signIns, recovery, mail } = parts
  return [
    formRoute('/accounts/recover/', 'Recover account', {
      does: 'Choose a new password with a recovery code',
      details:
        'Each code works once. All sessions end, all tokens are revoked, and the email address is removed; the response has a new session.',
      answers: RECOVERED,
      fields: [USERNAME, CODE, OTHER_PASSWORD],
      notes: [
        `Each code works once. All your sessions end, and your tokens are revoked.${mail ? ' Your email address is removed.' : ''}`,
      ],
      links: [
        ...(mail ? [{ href: '/accounts/recover/mail/', text: 'Send me a link by mail' }] : []),
        { href: '/accounts/login/', text: 'I know my password' },
      ],
      async act(call, members) {
        const { username, code, new_password } = texts(members, ['username', 'code', 'new_password'])
        const attempt = signIns.take(call, username)
        const { actor, hasLost } = await recovery.byCode(username, code, new_password).catch((error: unknown) => {
          // A new password that is not allowed says nothing about the code.
          if (isAboutPassword(error)) attempt.cancel()
          throw error
        })
        attempt.succeed()
        const { cookies } = await openSession(call, desk, actor)
        const message = hasLost ? 'recovered-without-address' : 'recovered'
        return done(call, 200, { username: actor.name }, { next: CODES, message, cookies })
      },
    }),
    {
      path: CODES,
      title: 'Recovery codes',
      tag: 'accounts',
      methods: {
        GET: {
          summary: 'How many recovery codes you have',
          description: 'The codes themselves are shown only when they are made.',
          signedIn: true,
          answers: {
            200: {
              says: 'The number of codes that were not used.',
              schema: exactly({ left: means(COUNT, 'How many were not used.') }),
              example: { left: CODE_COUNT },
            },
            303: SENT_ON,
          },
          handle: forTheSignedIn((call) => show(parts, call)),
        },
        POST: {
          summary: 'Make new recovery codes',
          description: 'Requires the password. Old codes are no longer valid; new ones are shown only once.',
          signedIn: true,
          body: formBody([PASSWORD]),
          answers: {
            201: {
              says: 'The codes; they are shown only once.',
              schema: exactly({ codes: means(listOf(TEXT), 'The codes.') }),
              example: { codes: [EXAMPLE] },
            },
          },
          handle: (call) => renew(parts, call),
        },
      },
    },
  ]
}

function isAboutPassword(error: unknown): boolean {
  return error instanceof Problem && error.status === 400 && 'new_password' in error.body
}

const FORM = { action: CODES, submit: 'Make new codes', fields: [PASSWORD] }
const LINKS = [{ href: '/accounts/', text: 'Account' }]

async function show({ recovery }: AccountParts, call: Call, errors?: Errors): Promise<Outcome> {
  const left = await recovery.codesLeft(signedIn(call))
  const says = left === 0 ? 'You have no recovery codes.' : `You have ${left} of ${CODE_COUNT} recovery codes left.`
  const why = 'Each lets you choose a new password once, if you forget yours. New codes replace the ones you have.'
  const forms = [{ ...FORM, ...(errors ? { errors } : {}) }]
  const view = { title: 'Recovery codes', notes: [`${says} ${why}`], forms, links: LINKS }
  return page(call, errors ?? { left }, view, errors ? 400 : 200)
}

async function renew(parts: AccountParts, call: Call): Promise<Outcome> {
  const { recovery, signIns } = parts
  const actor = signedIn(call)
  // A person who finds a token must not be able to take the account.
  if (call.identity.by === 'token') throw problems.forbidden()
  const members = plainMembers(await call.readBody())
  const act = async () => {
    const { password } = texts(members, ['password'])
    const attempt = signIns.take(call, actor.name, { signedIn: true })
    const codes = await recovery.renewCodes(actor, password)
    attempt.succeed()
    const notes = ['These are your new recovery codes. Keep them somewhere safe: they are shown only now.']
    return page(call, { codes }, { title: 'Recovery codes', notes, codes, forms: [], links: LINKS }, 201)
  }
  return await orAgain(act, (errors) => show(parts, call, errors))
}
