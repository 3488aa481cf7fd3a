/** The accounts that own records and votes of a source, by the source's names; created if they do not exist. */
import type { Json } from '../../declare/index.ts'
import { accountNamed, type Engine, faultOfName, keyOfName, type NamedAccount, tidyName } from '../../engine/index.ts'
import type { Work } from '../../store/index.ts'
import { isEmpty } from './members.ts'

/** Someone signed up under a name of the source during the import. */
export class SignedUpMeanwhile extends Error {
  constructor(name: string) {
    super(
      `${name} has signed up while the import ran, and records of the source name that user: see --to-existing-users`,
    )
  }
}

export class People {
  readonly #engine: Engine
  /** Replaces names of which nothing is left. */
  readonly #fallback: string
  readonly #known = new Map<string, NamedAccount>()
  /** Names that no account has, by their key; undefined if there are several spellings. */
  readonly #missing = new Map<string, string | undefined>()

  constructor(engine: Engine, fallback: string) {
    this.#engine = engine
    this.#fallback = fallback
  }

  /** A rollback may have removed accounts that were created. */
  forget(): void {
    this.#known.clear()
  }

  knows(given: string): boolean {
    return this.#known.has(given)
  }

  /** Looks up many at once. */
  *lookUp(names: readonly string[]): Work<void> {
    const unknown = new Map<string, string>()
    for (const given of names) {
      if (!this.#known.has(given)) unknown.set(given, keyOfName(allowedName(given, this.#fallback)))
    }
    const rows = yield* this.#engine.store.accounts.byKeys([...new Set(unknown.values())])
    const found = new Map(rows.map((row) => [keyOfName(row.name), row]))
    this.#missing.clear()
    for (const [given, key] of unknown) {
      const row = found.get(key)
      if (row) this.#known.set(given, { id: row.id, name: row.name, canSignIn: row.password !== '' })
      else this.#missing.set(key, this.#missing.has(key) ? undefined : given)
    }
  }

  /** After `lookUp`: the account, or what it will be. Undefined if several spellings of a new name differ. */
  expected(given: string): Omit<NamedAccount, 'id'> | undefined {
    const known = this.#known.get(given)
    if (known) return known
    const name = allowedName(given, this.#fallback)
    return this.#missing.get(keyOfName(name)) === given ? { name, canSignIn: false } : undefined
  }

  *named(given: string): Work<NamedAccount> {
    const known = this.#known.get(given)
    if (known) return known
    const account = yield* accountNamed(this.#engine, allowedName(given, this.#fallback))
    this.#known.set(given, account)
    return account
  }
}

/** Whether a record says whose it is. A name without a letter or digit does not. */
export function isOwnerNamed(given: Json | undefined): boolean {
  return typeof given === 'string' ? allowedName(given, '') !== '' : !isEmpty(given)
}

/** The name of a source's account here; `fallback` if the name has no letter or digit. */
export function allowedName(given: string, fallback: string): string {
  const tidy = tidyName(given)
  if (!faultOfName(tidy)) return tidy
  const allowed = [...tidy.replaceAll(/[^\p{L}\p{M}\p{N}@.+_-]/gu, '-')].slice(0, 150).join('')
  return /[\p{L}\p{N}]/u.test(allowed) ? allowed : fallback
}
