/** What the owner of a hook can do with it. Staff can do the same with all hooks. */
import type { JsonObject, Row } from '../../declare/index.ts'
import {
  currentRequest,
  type DeliveryRow,
  type HookRow,
  type NewDelivery,
  type Work,
  whileClientWaits,
} from '../../store/index.ts'
import type { Actor } from '../access.ts'
import { currentActor } from '../current-actor.ts'
import type { Engine } from '../engine.ts'
import { placeOf, type WantedPage } from '../page-place.ts'
import { problems } from '../problem.ts'
import { type HookRules, hookColumns, replayRange } from './hook-members.ts'
import { newSecret, signedHeaders, testPayload } from './payload.ts'
import { Poster, type PostSettings } from './post.ts'

export const MOST_HOOKS = 20
const OLD_SECRET_MS = 24 * 60 * 60 * 1000

/** Undefined if the operator has turned hooks off. */
export type HookSettings = PostSettings | undefined

export interface HookPage<Row> {
  readonly count: number
  readonly number: number
  readonly last: number
  readonly rows: readonly Row[]
}

/** A hook and the name of its owner. */
export interface OwnedHook {
  readonly hook: HookRow
  readonly user: string
}

/** It may try again at once. */
const CLEAN: Row = { tries: 0, failing_since: null, next_try: null, last_error: null, ended: null }

export class HookDesk {
  readonly #engine: Engine
  readonly #settings: HookSettings

  constructor(engine: Engine, settings: HookSettings) {
    this.#engine = engine
    this.#settings = settings
  }

  page(actor: Actor, wanted: WantedPage): Promise<HookPage<OwnedHook>> {
    const { hooks, names } = this.#engine.store
    const account = actor.staff ? undefined : actor.id
    return this.#engine.store.read(function* () {
      const count = yield* hooks.count(account)
      const { offset, ...place } = placeOf(count, wanted)
      const rows = yield* hooks.page(account, wanted.size, offset)
      const users = yield* names.of(new Set(rows.map((row) => row.account)))
      return { count, ...place, rows: rows.map((hook) => ({ hook, user: users.get(hook.account) ?? '' })) }
    })
  }

  get(actor: Actor, id: number): Promise<OwnedHook> {
    return this.#engine.store.read(() => this.#owned(actor, id))
  }

  /** The secret is in the row: the caller shows it this once. */
  async create(actor: Actor, given: JsonObject): Promise<OwnedHook> {
    const { store, now } = this.#engine
    return await this.#write(actor, function* (desk, actor) {
      yield* store.accounts.lock(actor.id)
      if ((yield* store.hooks.count(actor.id)) >= MOST_HOOKS)
        throw problems.badRequest(`An account has at most ${MOST_HOOKS} hooks: delete one first.`)
      const rules = yield* desk.#rules()
      const columns = hookColumns(desk.#engine, given, rules)
      const rest = { account: actor.id, created: now().toISOString(), secret: newSecret() }
      const hook = yield* store.hooks.insert({ cursor: rules.latest, ...columns, ...rest })
      return { hook, user: actor.name }
    })
  }

  /** A hook that is active begins again, whatever has ended or delayed it. */
  async change(actor: Actor, id: number, given: JsonObject): Promise<OwnedHook> {
    const { store } = this.#engine
    return await this.#write(actor, function* (desk, actor) {
      const { hook, user } = yield* desk.#owned(actor, id)
      const columns = hookColumns(desk.#engine, given, yield* desk.#rules(), hook)
      const isClean = columns['active'] === 1 && (given['active'] !== undefined || columns['url'] !== hook.url)
      return { hook: yield* store.hooks.change(id, { ...columns, ...(isClean ? CLEAN : {}) }), user }
    })
  }

  async remove(actor: Actor, id: number): Promise<void> {
    const { store } = this.#engine
    await this.#write(actor, function* (desk, actor) {
      yield* desk.#owned(actor, id)
      yield* store.hooks.remove(id)
    })
  }

  /** Both secrets sign for a day, so that the receiver can change to the new one at any time. */
  async rotate(actor: Actor, id: number): Promise<OwnedHook> {
    const { store, now } = this.#engine
    return await this.#write(actor, function* (desk, actor) {
      const { hook, user } = yield* desk.#owned(actor, id)
      const until = new Date(now().getTime() + OLD_SECRET_MS).toISOString()
      const secrets = { secret: newSecret(), old_secret: hook.secret, old_secret_until: until }
      return { hook: yield* store.hooks.change(id, secrets), user }
    })
  }

  /** The worker sends the entries again; the cursor stays where it is. */
  async replay(actor: Actor, id: number, given: JsonObject): Promise<OwnedHook> {
    const { store } = this.#engine
    return await this.#write(actor, function* (desk, actor) {
      const { hook, user } = yield* desk.#owned(actor, id)
      const { since, until } = replayRange(given, yield* desk.#rules())
      if (!hook.active) throw problems.badRequest('The hook is not active.')
      return { hook: yield* store.hooks.change(id, { replay_cursor: since, replay_until: until }), user }
    })
  }

  /** Newest first. */
  deliveries(actor: Actor, id: number, wanted: WantedPage): Promise<HookPage<DeliveryRow>> {
    const desk = this
    const { store } = this.#engine
    return store.read(function* () {
      yield* desk.#owned(actor, id)
      const count = yield* store.hooks.countDeliveries(id)
      const { offset, ...place } = placeOf(count, wanted)
      return { count, ...place, rows: yield* store.hooks.deliveries(id, wanted.size, offset) }
    })
  }

  /** Sends a test message now, and returns what came of it. */
  async test(actor: Actor, id: number): Promise<DeliveryRow> {
    const { store, now } = this.#engine
    const settings = this.#settings
    const { hook } = await this.get(actor, id)
    if (!settings) throw problems.badRequest('This server does not deliver to hooks: the operator has turned them off.')
    const at = now()
    const payload = testPayload(id, at)
    const poster = new Poster(settings)
    const send = () =>
      poster.post(hook.url, signedHeaders(hook, payload, at), payload.body, { now: at, trace: currentRequest()?.trace })
    const { status, error, ms } = await whileClientWaits(send).finally(() => poster.close())
    const delivery: NewDelivery = { kind: 'test', seq: undefined, try: 1, at: at.toISOString(), status, error, ms }
    return await this.#write(actor, function* (desk, actor) {
      yield* desk.#owned(actor, id)
      yield* store.hooks.addDeliveries(id, [delivery])
      const [stored] = yield* store.hooks.deliveries(id, 1, 0)
      return { ...delivery, id: stored?.id ?? 0 }
    })
  }

  *#owned(actor: Actor, id: number): Work<OwnedHook> {
    const { hooks, names } = this.#engine.store
    const hook = yield* hooks.byId(id)
    if (!hook || (hook.account !== actor.id && !actor.staff)) throw problems.notFound()
    const users = yield* names.of(new Set([hook.account]))
    return { hook, user: users.get(hook.account) ?? '' }
  }

  *#rules(): Work<HookRules> {
    const bounds = yield* this.#engine.store.changes.bounds()
    return { allowsPrivate: this.#settings?.allowsPrivate ?? false, ...bounds }
  }

  #write<T>(actor: Actor, work: (desk: HookDesk, actor: Actor) => Work<T>): Promise<T> {
    const engine = this.#engine
    const desk = this
    return engine.store.write(function* () {
      return yield* work(desk, yield* currentActor(engine, actor))
    })
  }
}
