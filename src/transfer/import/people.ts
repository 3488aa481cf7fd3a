/** The accounts that own records and votes of a source, by the source's names; created if they do not exist. */
import { accountNamed, type Engine, faultOfName, type NamedAccount, tidyName } from '../../engine/index.ts'
import type { Work } from '../../store/index.ts'

export class People {
  readonly #engine: Engine
  /** Replaces names of which nothing is left. */
  readonly #fallback: string
  readonly #known = new Map<string, NamedAccount>()

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

  *named(given: string): Work<NamedAccount> {
    const known = this.#known.get(given)
    if (known) return known
    const account = yield* accountNamed(this.#engine, allowedName(given, this.#fallback))
    this.#known.set(given, account)
    return account
  }
}

/** The name of a source's account here; `fallback` if the name has no letter or digit. */
export function allowedName(given: string, fallback: string): string {
  const tidy = tidyName(given)
  if (!faultOfName(tidy)) return tidy
  const allowed = [...tidy.replaceAll(/[^\p{L}\p{M}\p{N}@.+_-]/gu, '-')].slice(0, 150).join('')
  return /[\p{L}\p{N}]/u.test(allowed) ? allowed : fallback
}
