/**
 * Recovering an account: with one of its recovery codes, or with a link sent to its mail address. Either sets a new
 * password, ends all sessions, revokes all tokens, and closes the other way of recovery, so that somebody who had taken the
 * account loses it: with the password, they could have made codes or set an address.
 */
import { randomBytes } from 'node:crypto'
import type { MailPurpose, Work } from '../store/index.ts'
import { type Actor, isOpen } from './access.ts'
import type { AccountDesk } from './account-desk.ts'
import { isPossibleName, keyOfName, tidyName } from './account-names.ts'
import { actorOf, demandProof } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { faultsOfPassword, hashPassword } from './passwords.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'
import { hashOfSecret } from './session-desk.ts'

export const CODE_COUNT = 8
const CODE_BYTES = 10
/** Crockford's base 32, which has no letters that look like digits. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
const WRONG_CODE = { non_field_errors: ['This user name and this recovery code do not belong together.'] }
const WRONG_LINK = { non_field_errors: ['This link is no longer valid. Ask for a new one.'] }
const LINK_MS: Readonly<Record<MailPurpose, number>> = { confirm: 24 * 60 * 60 * 1000, recover: 60 * 60 * 1000 }
const LONGEST_ADDRESS = 254
/** One address, without anything that could add a header or another recipient. */
const ADDRESS = /^[^\s@<>()[\]\\,;:"\p{C}]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u

interface NewLink {
  readonly address: string
  readonly purpose: MailPurpose
}

type Proved = Pick<Actor, 'id' | 'proof'>

/** A code or a link. */
interface Way {
  /** Uses it up, and returns its account. */
  use(): Work<number | undefined>
  /** Closes the other way; whether it was open. */
  lose(account: number): Work<boolean>
}

export interface Recovered {
  readonly actor: Actor
  /** Whether the account had the other way of recovery. */
  readonly hasLost: boolean
}

export class RecoveryDesk {
  readonly #engine: Engine
  readonly #accounts: AccountDesk

  constructor(engine: Engine, accounts: AccountDesk) {
    this.#engine = engine
    this.#accounts = accounts
  }

  /** New codes, which are shown only this once; the old ones are no longer valid. */
  async makeCodes(actor: Proved): Promise<string[]> {
    const { store } = this.#engine
    const codes = Array.from({ length: CODE_COUNT }, newCode)
    const hashes = codes.map((code) => hashOfSecret(tidyCode(code)))
    await store.write(function* () {
      yield* demandProof(store, actor)
      yield* store.recovery.replaceCodes(actor.id, hashes)
    })
    return codes
  }

  async renewCodes(actor: Actor, password: string): Promise<string[]> {
    return await this.makeCodes(await this.demandPassword(actor, password))
  }

  async codesLeft({ id }: Pick<Actor, 'id'>): Promise<number> {
    const { store } = this.#engine
    return await store.read(() => store.recovery.countCodes(id))
  }

  /** Each code works once. A wrong name and a wrong code get the same answer, after the same work. */
  async byCode(username: string, code: string, wanted: string): Promise<Recovered> {
    const { store } = this.#engine
    const name = tidyName(username)
    const key = isPossibleName(username) ? keyOfName(username) : ''
    const hash = hashOfSecret(tidyCode(code))
    const found = await this.#setPassword(name, wanted, {
      use: () => store.recovery.useCode(key, hash),
      *lose(id) {
        const address = yield* store.recovery.address(id)
        yield* store.recovery.setAddress(id, undefined)
        return address !== undefined
      },
    })
    if (!found) throw problems.invalid(WRONG_CODE)
    return found
  }

  async byLink(secret: string, wanted: string): Promise<Recovered> {
    const { store, now } = this.#engine
    const hash = hashOfSecret(secret)
    const time = now().toISOString()
    const link = await store.read(() => store.recovery.findLink(hash, 'recover', time))
    const account = link && (await store.read(() => store.accounts.byId(link.account)))
    if (!account || !isOpen(account)) throw problems.invalid(WRONG_LINK)
    const found = await this.#setPassword(account.name, wanted, {
      *use() {
        return (yield* store.recovery.useLink(hash, 'recover', time))?.account
      },
      *lose(id) {
        const left = yield* store.recovery.countCodes(id)
        yield* store.recovery.replaceCodes(id, [])
        return left > 0
      },
    })
    if (!found) throw problems.invalid(WRONG_LINK)
    return found
  }

  async #setPassword(name: string, wanted: string, { use, lose }: Way): Promise<Recovered | undefined> {
    const faults = faultsOfPassword(wanted, name)
    if (faults.length > 0) refuse({ new_password: faults })
    const passwordHash = await hashPassword(wanted)
    const { store } = this.#engine
    return await store.write(function* (): Work<Recovered | undefined> {
      const id = yield* use()
      const account = id === undefined ? undefined : yield* store.accounts.byId(id)
      if (!account || !isOpen(account)) return undefined
      yield* store.accounts.setPassword(account.id, passwordHash)
      yield* store.accounts.endSessions(account.id)
      yield* store.accounts.deleteTokens(account.id)
      yield* store.recovery.deleteLinks(account.id)
      return { actor: actorOf(account, { passwordHash }), hasLost: yield* lose(account.id) }
    })
  }

  /** Throws if it is not one address. Returns it without spaces around it. */
  checkAddress(given: string): string {
    const address = given.trim()
    if (address.length > LONGEST_ADDRESS || !ADDRESS.test(address)) {
      refuse({ email: ['Enter a valid email address.'] })
    }
    return address
  }

  /** The confirmed mail address. */
  async address({ id }: Pick<Actor, 'id'>): Promise<string | undefined> {
    const { store } = this.#engine
    return await store.read(() => store.recovery.address(id))
  }

  /** The secret of a link that confirms the address. It is used from then on. */
  async beginAddress(actor: Proved, given: string): Promise<string> {
    const address = this.checkAddress(given)
    return await this.#makeLink(actor, { address, purpose: 'confirm' })
  }

  /** Returns the address. */
  async confirmAddress(secret: string): Promise<string> {
    const { store, now } = this.#engine
    const found = await store.write(function* () {
      const link = yield* store.recovery.useLink(hashOfSecret(secret), 'confirm', now().toISOString())
      if (link) yield* store.recovery.setAddress(link.account, link.address)
      return link?.address
    })
    if (found === undefined) throw problems.invalid(WRONG_LINK)
    return found
  }

  async forgetAddress(actor: Proved): Promise<void> {
    const { store } = this.#engine
    await store.write(function* () {
      yield* demandProof(store, actor)
      yield* store.recovery.setAddress(actor.id, undefined)
      yield* store.recovery.deleteLinks(actor.id)
    })
  }

  /** The secret of a link to recover the account, and where to send it; undefined if nothing can be sent. */
  async beginRecovery(username: string): Promise<{ name: string; address: string; secret: string } | undefined> {
    if (!isPossibleName(username)) return undefined
    const { store } = this.#engine
    const found = await store.read(function* () {
      const account = yield* store.accounts.byKey(keyOfName(username))
      if (!account || !isOpen(account)) return undefined
      const address = yield* store.recovery.address(account.id)
      return address === undefined ? undefined : { id: account.id, name: account.name, address }
    })
    if (!found) return undefined
    const { id, name, address } = found
    return { name, address, secret: await this.#makeLink({ id }, { address, purpose: 'recover' }) }
  }

  async #makeLink(actor: Proved, link: NewLink): Promise<string> {
    const { store, now } = this.#engine
    const secret = randomBytes(32).toString('base64url')
    const time = now()
    const expires = new Date(time.getTime() + LINK_MS[link.purpose]).toISOString()
    const row = { ...link, account: actor.id, hash: hashOfSecret(secret), expires }
    await store.write(function* () {
      yield* demandProof(store, actor)
      yield* store.recovery.insertLink(row, time.toISOString())
    })
    return secret
  }

  /** Returns the user as this password proves them. */
  async demandPassword(actor: Actor, password: string): Promise<Actor> {
    const proved = await this.#accounts.verify(actor.name, password)
    if (!proved) throw problems.invalid({ password: ['Your password was entered incorrectly.'] })
    return proved
  }
}

/** A password that nobody knows, and one code with which the owner of the account chooses another one. */
export interface Reset {
  readonly code: string
  /** Ends all sessions and tokens, and every other way into the account. */
  apply(store: Engine['store'], account: number): Work<void>
}

export async function prepareReset(): Promise<Reset> {
  const code = newCode()
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'))
  return {
    code,
    *apply({ accounts, recovery }, account) {
      yield* accounts.setPassword(account, passwordHash)
      yield* accounts.endSessions(account)
      yield* accounts.deleteTokens(account)
      yield* recovery.deleteAll(account)
      yield* recovery.replaceCodes(account, [hashOfSecret(tidyCode(code))])
    },
  }
}

function newCode(): string {
  let bits = BigInt(`0x${randomBytes(CODE_BYTES).toString('hex')}`)
  let digits = ''
  for (let i = 0; i < (CODE_BYTES * 8) / 5; i++) {
    digits += DIGITS[Number(bits % 32n)]
    bits /= 32n
  }
  return digits.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** As people write codes down: capitals, spaces, and letters for the digits that look like them. */
function tidyCode(code: string): string {
  return code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')
}
