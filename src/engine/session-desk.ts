/** Sessions: a secret in a cookie, which is stored as a hash. Users see theirs, and can end them. */
import { hash, randomBytes } from 'node:crypto'
import { outsideRequest, type SessionRow } from '../store/index.ts'
import { type Actor, isOpen } from './access.ts'
import type { SessionCache } from './cache/session-cache.ts'
import { actorOf, demandProof } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { problems } from './problem.ts'

const HOUR_MS = 60 * 60 * 1000
export const SESSION_SECONDS = 14 * 24 * 60 * 60
const MOST_SESSIONS = 50
/** Enough of the hash to tell the sessions of an account apart. */
const ID_LENGTH = 16

export interface ShownSession {
  readonly id: string
  readonly created: string | undefined
  readonly lastUsed: string | undefined
  readonly browser: string
  readonly isThis: boolean
}

export class SessionDesk {
  readonly #engine: Engine
  readonly #cache: SessionCache
  /** Writes that note when a session was used. */
  readonly #touching = new Set<Promise<void>>()

  constructor(engine: Engine, cache: SessionCache) {
    this.#engine = engine
    this.#cache = cache
  }

  /** The secret of a new session: the value of the cookie. `browser` is what its user will know it by. */
  async open(actor: Pick<Actor, 'id' | 'proof'>, browser = ''): Promise<string> {
    const { store } = this.#engine
    const secret = randomBytes(32).toString('base64url')
    const now = this.#engine.now()
    const expires = new Date(now.getTime() + SESSION_SECONDS * 1000).toISOString()
    const { id: account } = actor
    await store.write(function* () {
      yield* demandProof(store, actor)
      yield* store.accounts.forgetExpired(now.toISOString())
      yield* store.accounts.keepNewestSessions(account, MOST_SESSIONS - 1)
      yield* store.accounts.insertSession({
        hash: hashOfSecret(secret),
        account,
        expires,
        created: now.toISOString(),
        browser,
      })
    })
    return secret
  }

  /** Who has the session. The time of last use is written at most once an hour: reading must not become writing. */
  async find(secret: string): Promise<Actor | undefined> {
    const { store } = this.#engine
    const hash = hashOfSecret(secret)
    const key = `session ${hash}`
    const found = await this.#cache.find(key, () => store.accounts.bySession(hash))
    const now = this.#engine.now()
    if (!found || !isOpen(found.account) || found.session.expires <= now.toISOString()) return undefined
    const { account, session } = found
    const last = Date.parse(session.lastUsed ?? session.created ?? '') || 0
    if (now.getTime() - last >= HOUR_MS) {
      const anHourAgo = new Date(now.getTime() - HOUR_MS).toISOString()
      const touch = outsideRequest(() =>
        store.write(() => store.accounts.touchSession(hash, now.toISOString(), anHourAgo)),
      )
      session.lastUsed = now.toISOString()
      const touching = touch
        .catch((error) => this.#cache.notWritten(key, error))
        .finally(() => this.#touching.delete(touching))
      this.#touching.add(touching)
    }
    return actorOf(account, { passwordHash: account.password, session: hash })
  }

  async close(secret: string): Promise<void> {
    const { store } = this.#engine
    await store.write(() => store.accounts.endSession(hashOfSecret(secret)))
  }

  /** The newest first. `secret`: of the session that asks. */
  async list({ id }: Pick<Actor, 'id'>, secret: string | undefined): Promise<ShownSession[]> {
    const { store, now } = this.#engine
    await Promise.all(this.#touching)
    const rows = await store.read(() => store.accounts.sessions(id, now().toISOString()))
    const own = secret === undefined ? undefined : hashOfSecret(secret)
    return rows.map((row) => ({ ...shown(row), isThis: row.hash === own }))
  }

  async end({ id: account }: Pick<Actor, 'id'>, id: string): Promise<void> {
    const { store, now } = this.#engine
    const isEnded = await store.write(function* () {
      const rows = yield* store.accounts.sessions(account, now().toISOString())
      const row = rows.find(({ hash }) => hash.slice(0, ID_LENGTH) === id)
      if (row) yield* store.accounts.endSession(row.hash)
      return row !== undefined
    })
    if (!isEnded) throw problems.notFound()
  }

  /** All but the one that asks. */
  async endOthers({ id }: Pick<Actor, 'id'>, secret: string | undefined): Promise<void> {
    const { store } = this.#engine
    const kept = secret === undefined ? undefined : hashOfSecret(secret)
    await store.write(() => store.accounts.endSessions(id, kept))
  }
}

function shown({ hash, created, lastUsed, browser }: SessionRow): Omit<ShownSession, 'isThis'> {
  return { id: hash.slice(0, ID_LENGTH), created, lastUsed: lastUsed ?? created, browser }
}

/** The secrets are long and random, so a plain hash is enough to make a stolen table useless. */
export function hashOfSecret(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
