/** Makes writes arrive together. */
import { AsyncResource } from 'node:async_hooks'
import type { Database, Footprint, Work } from '../../src/store/index.ts'

/** Holds writes back until this many have come, then starts them in one turn: they share one COMMIT. */
export class Gate {
  #count = 1
  readonly #held: (() => void)[] = []

  openAt(count: number): void {
    this.#count = count
  }

  watch = (database: Database): Database => ({
    ...database,
    write: <T>(work: () => Work<T>, footprint?: Footprint) =>
      new Promise<T>((done, failed) => {
        this.#held.push(AsyncResource.bind(() => void database.write(work, footprint).then(done, failed)))
        if (this.#held.length < this.#count) return
        this.#count = 1
        for (const start of this.#held.splice(0)) start()
      }),
  })
}
