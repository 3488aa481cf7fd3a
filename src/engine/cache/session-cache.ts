/**
 * Accounts by the name, session or token they were found by. An entry holds until any account, session or token changes,
 * in any process.
 */
import { type Cache, CacheMemory, GenerationStamp } from '../../cache/index.ts'
import { type Moment, PEOPLE_CHANGED, ReadOnly, type Store, type Work } from '../../store/index.ts'

const BYTES = 8 * 2 ** 20
/** The approximate size of an account and its key. */
const ACCOUNT_BYTES = 500

export class SessionCache {
  readonly #store: Pick<Store, 'readAt' | 'generations' | 'isRemote'>
  readonly #accounts: Cache<string, unknown, Moment> = new CacheMemory(BYTES).cache()

  constructor(store: Pick<Store, 'readAt' | 'generations' | 'isRemote'>) {
    this.#store = store
  }

  find<T>(key: string, look: () => Work<T | undefined>): Promise<T | undefined> {
    return this.#store.readAt((moment) => this.#find(key, look, moment))
  }

  /** What this process knew when it last looked, where it takes long to look. */
  assumed<T>(key: string): T | undefined {
    const { isRemote, generations } = this.#store
    return isRemote ? (this.#accounts.get(key, generations.now) as T | undefined) : undefined
  }

  *#find<T>(key: string, look: () => Work<T | undefined>, moment: Moment): Work<T | undefined> {
    const known = this.#accounts.get(key, moment) as T | undefined
    if (known !== undefined) return known
    const found = yield* look()
    // Guesses are not cached, so that nobody can fill the memory with them.
    if (found !== undefined) {
      this.#accounts.set(key, found, new GenerationStamp([PEOPLE_CHANGED.resource], moment), ACCOUNT_BYTES)
    }
    return found
  }

  /** A change of the cached account could not be written: the next request tries again, if that may help. */
  notWritten(key: string, error: unknown): void {
    if (!(error instanceof ReadOnly)) this.#accounts.delete(key)
  }
}
