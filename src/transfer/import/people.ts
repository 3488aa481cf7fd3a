/** The accounts that records and votes of a source belong to, by the names it gives them; made where there are none. */
import { accountNamed, type Engine, faultOfName, type NamedAccount, tidyName } from '../../engine/index.ts'
import type { Work } from '../../store/index.ts'

export class People {
  readonly #engine: Engine
  /** Stands in for names of which nothing is left. */
  readonly #fallback: string
  readonly #known = new Map<string, NamedAccount>()

  constructor(engine: Engine, fallback: string) {
    this.#engine = engine
    this.#fallback = fallback
  }

  /** Accounts that were made may have been undone. */
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

/** The name that an account of a source gets here; `fallback` when no letter or digit of the name is left. */
export function allowedName(given: string, fallback: string): string {
  const tidy = tidyName(given)
  if (!faultOfName(tidy)) return tidy
  const allowed = [...tidy.replaceAll(/[^\p{L}\p{M}\p{N}@.+_-]/gu, '-')].slice(0, 150).join('')
  return /[\p{L}\p{N}]/u.test(allowed) ? allowed : fallback
}
