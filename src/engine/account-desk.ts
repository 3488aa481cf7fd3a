/**
 * Accounts: signing up and in, sessions, tokens. Secrets are random, shown once, and stored as hashes. Cached
 * identities expire as soon as any account, session or token changes, so a changed password or a removed account takes
 * effect at once, in every process.
 */
import { createHmac, randomBytes } from 'node:crypto'
import {
  type AccountRow,
  outsideRequest,
  renameAccount,
  type Store,
  Taken,
  type TokenRow,
  type Work,
} from '../store/index.ts'
import { type Actor, isOpen } from './access.ts'
import { faultOfName, isPossibleName, isReservedName, keyAsRead, keyOfName, tidyName } from './account-names.ts'
import { SessionCache } from './cache/session-cache.ts'
import { actorOf, demandProof } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { checkPassword, faultsOfPassword, hashPassword, isPossiblePassword } from './passwords.ts'
import { refuse } from './prepare.ts'
import { problems } from './problem.ts'
import { hashOfSecret, SessionDesk } from './session-desk.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
const TAKEN = { username: ['A user with that username already exists.'] }
const REMEMBERED_MS = 5 * 60 * 1000
const MOST_REMEMBERED = 10_000
const MOST_TOKENS = 100
const TOKEN_NAME_LENGTH = 100
const MOST_DAYS = 3650

/** A cache of recently verified credentials, so that a client that sends them each time need not wait for argon2. */
interface Remembered {
  readonly password: string
  readonly until: number
}

/** Counts a try, or throws if there were too many; the returned functions take the count back. */
type Attempt = () => {
  /** The password was right. */
  forgive(): void
  /** The password could not be tried. */
  cancel(): void
}
const NOT_COUNTED: Attempt = () => ({ forgive() {}, cancel() {} })

interface TokenOptions {
  /** How many days it is valid; always by default. */
  readonly days?: number | undefined
  /**
   * How many of this name an account keeps: the oldest ones are removed. Clients that ask at each start would pile them
   * up.
   */
  readonly keepNewest?: number
}

interface FoundToken {
  readonly account: AccountRow
  readonly token: TokenRow
}

export interface NewPasswordOptions {
  /** A new password revokes all tokens, unless their owner says otherwise. */
  readonly keepTokens?: boolean
}

export class AccountDesk {
  readonly #engine: Engine
  readonly #key = randomBytes(32)
  readonly #remembered = new Map<string, Remembered>()
  readonly #underWay = new Map<string, Promise<boolean>>()
  readonly #cache: SessionCache
  readonly sessions: SessionDesk
  /** Writes that note when a token was used. */
  readonly #touching = new Set<Promise<void>>()

  constructor(engine: Engine) {
    this.#engine = engine
    this.#cache = new SessionCache(engine.store)
    this.sessions = new SessionDesk(engine, this.#cache)
  }

  /** Throws if the name or the password is not allowed. Only the operator may use reserved names. */
  checkNewAccount(username: string, password: string, { byOperator = false } = {}): void {
    const name = tidyName(username)
    const reserved = !byOperator && isReservedName(name) ? 'This username is reserved.' : undefined
    const nameFault = faultOfName(name) ?? reserved
    const passwordFaults = faultsOfPassword(password, name)
    refuse({
      ...(nameFault ? { username: [nameFault] } : {}),
      ...(passwordFaults.length > 0 ? { password: passwordFaults } : {}),
    })
  }

  async signUp(
    username: string,
    password: string,
    { staff = false, byOperator = false }: { readonly staff?: boolean; readonly byOperator?: boolean } = {},
  ): Promise<Actor> {
    const name = tidyName(username)
    this.checkNewAccount(username, password, { byOperator })
    const hashed = await hashPassword(password)
    const { store } = this.#engine
    try {
      const joined = this.#engine.now().toISOString()
      const id = await store.write(function* () {
        yield* refuseLookalike(store, name)
        return yield* store.accounts.insert(name, keyOfName(name), hashed, staff, joined)
      })
      return { id, name, staff, proof: { passwordHash: hashed } }
    } catch (error) {
      if (error instanceof Taken) refuse(TAKEN)
      throw error
    }
  }

  /**
   * The account with this name and password; undefined for any other, after about the same time. `attempt` is called
   * when a password must be checked: not for cached credentials, and once for many at the same time.
   */
  async verify(username: string, password: string, attempt: Attempt = NOT_COUNTED): Promise<Actor | undefined> {
    if (!isPossibleName(username) || !isPossiblePassword(password)) {
      // No account can have such a name or password, so an immediate answer reveals nothing.
      attempt()
      return undefined
    }
    const { store } = this.#engine
    const account = await this.#cache.find(`name ${keyOfName(username)}`, () =>
      store.accounts.byKey(keyOfName(username)),
    )
    const known = account && isOpen(account) ? account.password : ''
    const proof = createHmac('sha256', this.#key)
      .update(JSON.stringify([keyOfName(username), password]))
      .digest('base64')
    const remembered = this.#remembered.get(proof)
    const now = this.#engine.monotonic()
    if (remembered && known !== '' && remembered.password === known && remembered.until > now)
      return actorOf(account!, { passwordHash: known })
    // Two tries are the same only against the same hash: the password may have changed since the other began.
    const trial = `${proof} ${known}`
    const right = await (this.#underWay.get(trial) ?? this.#try(trial, password, known, attempt))
    if (!right) return undefined
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear()
    this.#remembered.set(proof, { password: known, until: now + REMEMBERED_MS })
    return actorOf(account!, { passwordHash: known })
  }

  async #try(proof: string, password: string, known: string, attempt: Attempt): Promise<boolean> {
    const counted = attempt()
    const trying = checkPassword(password, known)
    this.#underWay.set(proof, trying)
    try {
      const right = await trying
      if (right) counted.forgive()
      return right
    } catch (error) {
      counted.cancel()
      throw error
    } finally {
      this.#underWay.delete(proof)
    }
  }

  /** Sessions, tokens, records and votes stay with the account; the old name is free again. Returns the new name. */
  async rename({ id }: Pick<Actor, 'id'>, wanted: string): Promise<string> {
    const name = tidyName(wanted)
    const fault = faultOfName(name)
    if (fault) refuse({ username: [fault] })
    const { store, catalogue } = this.#engine
    try {
      await store.write(function* () {
        yield* refuseLookalike(store, name, id)
        yield* renameAccount(store.records, catalogue, { id, name, key: keyOfName(name) })
      })
      return name
    } catch (error) {
      if (error instanceof Taken) refuse(TAKEN)
      throw error
    }
  }

  /** All sessions and tokens end with the old password; the user who changed it gets a new session. */
  async changePassword(actor: Actor, old: string, wanted: string, options: NewPasswordOptions = {}): Promise<Actor> {
    const proved = await this.verify(actor.name, old)
    if (!proved) throw problems.invalid({ old_password: ['Your old password was entered incorrectly.'] })
    return (await this.setPassword(proved, wanted, 'new_password', options)).actor
  }

  /** The user with the new password, and how many tokens were revoked. */
  async setPassword(
    account: Actor,
    wanted: string,
    member: string,
    { keepTokens = false }: NewPasswordOptions = {},
  ): Promise<{ readonly actor: Actor; readonly revoked: number }> {
    const faults = faultsOfPassword(wanted, account.name)
    if (faults.length > 0) refuse({ [member]: faults })
    const passwordHash = await hashPassword(wanted)
    const { store } = this.#engine
    const revoked = await store.write(function* () {
      yield* demandProof(store, account)
      yield* store.accounts.setPassword(account.id, passwordHash)
      yield* store.accounts.endSessions(account.id)
      yield* store.recovery.deleteLinks(account.id)
      return keepTokens ? 0 : yield* store.accounts.deleteTokens(account.id)
    })
    return { actor: { ...account, proof: { passwordHash } }, revoked }
  }

  /** The name stays taken, and the records stay under it. */
  async remove(actor: Actor, password: string): Promise<void> {
    const proved = await this.verify(actor.name, password)
    if (!proved) throw problems.invalid({ password: ['Your password was entered incorrectly.'] })
    const { store } = this.#engine
    await store.write(function* () {
      yield* demandProof(store, proved)
      yield* store.accounts.remove(proved.id)
    })
  }

  /** The key is shown only this once; only its hash is stored. */
  async createToken(
    actor: Pick<Actor, 'id' | 'proof'>,
    name: string,
    { days, keepNewest = MOST_TOKENS }: TokenOptions = {},
  ): Promise<TokenRow & { readonly key: string }> {
    checkTokenName(name)
    if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= MOST_DAYS)) {
      refuse({ days: [`A whole number from 1 to ${MOST_DAYS} is required.`] })
    }
    const { store } = this.#engine
    const key = randomBytes(20).toString('hex')
    const now = this.#engine.now()
    const created = now.toISOString()
    const expires = days === undefined ? undefined : new Date(now.getTime() + days * DAY_MS).toISOString()
    const token = { account: actor.id, name, hash: hashOfSecret(key), created, expires }
    const id = await store.write(function* () {
      yield* store.accounts.lock(actor.id)
      yield* demandProof(store, actor)
      const existing = yield* store.accounts.tokens(actor.id)
      const namesakes = existing.filter((each) => each.name === name)
      const old = keepNewest < MOST_TOKENS ? namesakes.slice(0, Math.max(0, namesakes.length + 1 - keepNewest)) : []
      for (const each of old) yield* store.accounts.deleteToken(actor.id, each.id)
      if (existing.length - old.length >= MOST_TOKENS) {
        throw problems.badRequest(`An account has at most ${MOST_TOKENS} tokens: revoke one first.`)
      }
      return yield* store.accounts.insertToken(token)
    })
    return { id, name, created, expires, lastUsed: undefined, key }
  }

  /**
   * The owner of a token, and its id. The time of last use is written at most once an hour: reading must not become
   * writing. With `mayAssume`, the database need not be asked whether the token is still valid: a write asks itself.
   */
  async byToken(
    key: string,
    { mayAssume = false } = {},
  ): Promise<{ readonly actor: Actor; readonly token: number } | undefined> {
    const { store } = this.#engine
    const now = this.#engine.now()
    const hash = hashOfSecret(key)
    const assumed = mayAssume ? this.#cache.assumed<FoundToken>(`token ${hash}`) : undefined
    const found = assumed ?? (await this.#cache.find(`token ${hash}`, () => store.accounts.byToken(hash)))
    if (!found || !isOpen(found.account)) return undefined
    const { account, token } = found
    if (token.expires !== undefined && token.expires <= now.toISOString()) return undefined
    const last = token.lastUsed ? Date.parse(token.lastUsed) : 0
    if (now.getTime() - last >= HOUR_MS) {
      const anHourAgo = new Date(now.getTime() - HOUR_MS).toISOString()
      // The time of last use is useful, but no request waits for it.
      const touch = outsideRequest(() =>
        store.write(() => store.accounts.touchToken(token.id, now.toISOString(), anHourAgo)),
      )
      // Requests that follow before the write is done see the new time in the cache, and do not write it again.
      token.lastUsed = now.toISOString()
      const touching = touch
        .catch((error) => this.#cache.notWritten(`token ${hash}`, error))
        .finally(() => this.#touching.delete(touching))
      this.#touching.add(touching)
    }
    const proof = { passwordHash: account.password, token: hash, ...(assumed ? { isAssumed: true as const } : {}) }
    return { actor: actorOf(account, proof), token: token.id }
  }

  async tokens(actor: Pick<Actor, 'id'>): Promise<TokenRow[]> {
    const { store } = this.#engine
    await Promise.all(this.#touching)
    return await store.read(() => store.accounts.tokens(actor.id))
  }

  async renameToken(actor: Actor, id: number, name: string): Promise<void> {
    checkTokenName(name)
    const { store } = this.#engine
    if (!(await store.write(() => store.accounts.renameToken(actor.id, id, name)))) throw problems.notFound()
  }

  async revokeToken(actor: Pick<Actor, 'id'>, id: number): Promise<void> {
    const { store } = this.#engine
    if (!(await store.write(() => store.accounts.deleteToken(actor.id, id)))) throw problems.notFound()
  }
}

/** Refuses a name that differs from a taken one only in letters that look the same. Users may change their own. */
function* refuseLookalike({ accounts }: Store, name: string, own?: number): Work<void> {
  const read = keyAsRead(name)
  const taken = read === keyOfName(name) ? undefined : yield* accounts.byKey(read)
  if (taken && taken.id !== own) refuse(TAKEN)
}

/** The account with that name, created if there is none; an account created here cannot sign in. */
export function* accountNamed({ store, now }: Engine, name: string): Work<NamedAccount> {
  const found = yield* store.accounts.byKey(keyOfName(name))
  if (found) return { id: found.id, name: found.name, canSignIn: found.password !== '' }
  const id = yield* store.accounts.insert(name, keyOfName(name), '', false, now().toISOString())
  return { id, name, canSignIn: false }
}

export interface NamedAccount {
  readonly id: number
  readonly name: string
  readonly canSignIn: boolean
}

function checkTokenName(name: string): void {
  if (name.trim() === '') refuse({ name: ['This field may not be blank.'] })
  if ([...name].length > TOKEN_NAME_LENGTH) {
    refuse({ name: [`Ensure this field has no more than ${TOKEN_NAME_LENGTH} characters.`] })
  }
  // Names are also shown in terminals.
  if (/[\p{Cc}\p{Surrogate}]/u.test(name)) refuse({ name: ['Not a valid string.'] })
}
