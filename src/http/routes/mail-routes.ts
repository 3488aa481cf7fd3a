/** Recovery by mail, if the operator has set an SMTP server: addresses, which are confirmed by a link, and links. */
import { textOfJson } from '../../declare/index.ts'
import { type Actor, keyOfName, type Mailer, type RecoveryDesk } from '../../engine/index.ts'
import { outsideRequest } from '../../store/index.ts'
import { networkOf } from '../exchange/address.ts'
import type { FormField } from '../exchange/message.ts'
import { exactly, means, schemaRef, TEXT } from '../openapi/operation.ts'
import { type Limit, type MonotonicClock, Throttle } from '../request/throttle.ts'
import type { Call, Route } from '../routing/router.ts'
import { formRoute, OTHER_PASSWORD, PASSWORD, RECOVERED, USERNAME } from './account-form-route.ts'
import { done, openSession, signedIn, texts } from './account-forms.ts'
import type { AccountParts } from './account-parts.ts'
import { CODES } from './recovery-routes.ts'

export const EMAIL: FormField = {
  name: 'email',
  label: 'Email address',
  type: 'text',
  autocomplete: 'email',
  isOptional: true,
  help: 'Only to set a new password if you forget yours.',
}
const TOKEN: FormField = { name: 'token', label: 'The token of the link', type: 'hidden' }
const TO_ONE_PERSON: Limit = { count: 3, seconds: 3600 }
const FROM_ONE_NETWORK: Limit = { count: 20, seconds: 3600 }

interface Parts {
  readonly mailer: Mailer
  readonly recovery: RecoveryDesk
  /** Links begin with it. It is set by the operator: a client chooses which host its request names. */
  readonly baseUrl: string
  readonly monotonic: MonotonicClock
  /** A mail could not be sent. */
  failed(error: unknown): void
}

/** Writes the mails. What they say does not depend on what visitors typed, except the user's name in the text. */
export class AccountMail {
  readonly #parts: Parts
  readonly #toOne: Throttle
  readonly #fromOne: Throttle

  constructor(parts: Parts) {
    this.#parts = parts
    this.#toOne = new Throttle(TO_ONE_PERSON, parts.monotonic)
    this.#fromOne = new Throttle(FROM_ONE_NETWORK, parts.monotonic)
  }

  /** Sends a link to confirm the address. */
  async confirm(call: Call, account: Actor, email: string): Promise<void> {
    const { recovery, baseUrl } = this.#parts
    const address = recovery.checkAddress(email)
    this.#fromOne.take(networkOf(call.address))
    this.#toOne.take(`${account.id}`)
    this.#toOne.take(address.toLowerCase())
    const secret = await recovery.beginAddress(account, address)
    this.#send(async () => ({
      to: address,
      subject: 'Confirm your email address',
      text: `Hello ${account.name},

this address was entered at ${baseUrl} to recover the account "${account.name}".
Confirm it within a day:

${baseUrl}/accounts/mail/confirm/?token=${secret}

If that was not you, ignore this mail: nothing will be sent to this address again.
`,
    }))
  }

  /** Sends a link to the account's address, if it has one. The answer does not wait, so it does not tell. */
  recover(call: Call, username: string): void {
    const { recovery, baseUrl } = this.#parts
    this.#fromOne.take(networkOf(call.address))
    const key = `name ${keyOfName(username)}`
    if (this.#toOne.wait(key) > 0) return
    this.#toOne.count(key)
    this.#send(async () => {
      const found = await recovery.beginRecovery(username)
      return (
        found && {
          to: found.address,
          subject: 'Set a new password',
          text: `Hello ${found.name},

somebody asked for a new password for your account "${found.name}" at ${baseUrl}.
Choose one within an hour:

${baseUrl}/accounts/recover/link/?token=${found.secret}

If that was not you, ignore this mail: your password stays as it is.
`,
        }
      )
    })
  }

  #send(write: () => Promise<Parameters<Mailer['send']>[0] | undefined>): void {
    const { mailer, failed } = this.#parts
    const sending = outsideRequest(async () => {
      const mail = await write()
      if (mail) await mailer.send(mail)
    })
    sending.catch(failed)
  }
}

const SENT = 'If this account has a confirmed email address, a link is on its way to it.'

export function mailRoutes(parts: AccountParts, mail: AccountMail): Route[] {
  const { desk, recovery, signIns } = parts
  return [
    formRoute('/accounts/recover/mail/', 'Send me a link', {
      does: 'Ask for a link by mail to set a new password',
      details: 'The response is the same whether or not the account exists and has an address.',
      answers: { 200: { says: 'A link may be on its way.', schema: schemaRef('problem'), example: { detail: SENT } } },
      fields: [USERNAME],
      notes: ['If your account has a confirmed email address, we send a link to it. The link is valid for an hour.'],
      links: [{ href: '/accounts/recover/', text: 'I have a recovery code' }],
      async act(call, members) {
        const { username } = texts(members, ['username'])
        mail.recover(call, username)
        return done(call, 200, { detail: SENT }, { next: '/accounts/login/', message: 'link-sent' })
      },
    }),
    formRoute('/accounts/recover/link/', 'Set a new password', {
      does: 'Choose a new password with a link sent by mail',
      details:
        'A link works once. All sessions end, all tokens and recovery codes are revoked; the response has a new session.',
      answers: RECOVERED,
      fields: [TOKEN, OTHER_PASSWORD],
      notes: ['All your sessions end, and your tokens and recovery codes are revoked.'],
      async act(call, members) {
        const { token, new_password } = texts(members, ['token', 'new_password'])
        const { actor, hasLost } = await recovery.byLink(token, new_password)
        signIns.know(call, actor.name)
        const { cookies } = await openSession(call, desk, actor)
        const message = hasLost ? 'recovered-without-codes' : 'recovered'
        return done(call, 200, { username: actor.name }, { next: CODES, message, cookies })
      },
    }),
    formRoute('/accounts/mail/', 'Email address', {
      does: 'Set or remove the email address that the account can be recovered with',
      details: 'Requires the password. The address counts once it is confirmed with the link that is sent to it.',
      answers: { 200: { says: 'A link is on its way, or the address is removed.', schema: schemaRef('problem') } },
      fields: [EMAIL, PASSWORD],
      notes: async (call) => {
        const address = await recovery.address(signedIn(call))
        return [address === undefined ? 'You have no confirmed address.' : `Your address is ${address}.`, ABOUT]
      },
      links: [{ href: '/accounts/', text: 'Account' }],
      signedIn: true,
      async act(call, members) {
        const actor = signedIn(call)
        const { password } = texts(members, ['password'])
        const attempt = signIns.take(call, actor.name, { signedIn: true })
        const proved = await recovery.demandPassword(actor, password)
        attempt.succeed()
        const email = textOfJson(members['email'] ?? '').trim()
        if (email === '') {
          await recovery.forgetAddress(proved)
          return done(call, 200, { detail: 'Address removed.' }, { next: '/accounts/', message: 'address-removed' })
        }
        await mail.confirm(call, proved, email)
        return done(call, 200, { detail: 'Link sent.' }, { next: '/accounts/', message: 'confirm-sent' })
      },
    }),
    formRoute('/accounts/mail/confirm/', 'Confirm email address', {
      does: 'Confirm an email address with a link',
      details: 'The token is the one of the link. It works once, for a day.',
      answers: {
        200: {
          says: 'The address is confirmed.',
          schema: exactly({ email: means(TEXT, 'The address.') }),
          example: { email: 'ada@example.org' },
        },
      },
      fields: [TOKEN],
      notes: ['Press the button to confirm that this address is yours.'],
      async act(call, members) {
        const { token } = texts(members, ['token'])
        const email = await recovery.confirmAddress(token)
        const next = call.identity.actor ? '/accounts/' : '/accounts/login/'
        return done(call, 200, { email }, { next, message: 'address-confirmed' })
      },
    }),
  ]
}

const ABOUT =
  'With an address you can get a link to set a new password. We use it for nothing else, and show it to nobody. Leave it empty to remove it.'
