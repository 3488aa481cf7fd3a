/** A cache of recently found accounts, by name, session or token: valid until any account, session or token changes. */
import { generationOf, PEOPLE_CHANGED, type Store, type Work } from '../store/index.ts'

const MOST = 10_000

export class People {
  readonly #store: Pick<Store, 'readAt'>
  readonly #found = new Map<string, unknown>()
  /** The generation in which they were found. */
  #number = 0

  constructor(store: Pick<Store, 'readAt'>) {
    this.#store = store
  }

  find<T>(key: string, look: () => Work<T | undefined>): Promise<T | undefined> {
    const [found, people] = [this.#found, this]
    return this.#store.readAt(function* (moment): Work<T | undefined> {
      const { number } = generationOf(moment, PEOPLE_CHANGED.resource)
      if (number === people.#number && found.has(key)) return found.get(key) as T
      const person = yield* look()
      // A snapshot may be older than what is already known.
      if (number < people.#number) return person
      if (number > people.#number || found.size >= MOST) found.clear()
      people.#number = number
      // Guesses must not fill the memory.
      if (person !== undefined) found.set(key, person)
      return person
    })
  }

  forget(key: string): void {
    this.#found.delete(key)
  }
}
