/** The replicas of the primary, over which reads are spread. */
import type { ReplicaState } from './database.ts'
import type { Moment } from './generations.ts'
import { type Answered, type ReadAtMoment, Replica, type ReplicaSettings } from './replica.ts'

export class Replicas {
  readonly #all: readonly Replica[]
  #next = 0

  constructor(urls: readonly string[], settings: Omit<ReplicaSettings, 'url'>) {
    this.#all = urls.map((url) => new Replica({ ...settings, url }))
  }

  start(): void {
    for (const replica of this.#all) replica.start()
  }

  close(): void {
    for (const replica of this.#all) replica.close()
  }

  get states(): readonly ReplicaState[] {
    return this.#all.map(({ state }) => state)
  }

  /** Tries the next one that is free. Undefined if the primary must answer. */
  async read<T>(moment: Moment, limit: number | undefined, task: ReadAtMoment<T>): Promise<Answered<T> | undefined> {
    const from = this.#next++ % Math.max(1, this.#all.length)
    const inTurn = [...this.#all.slice(from), ...this.#all.slice(0, from)]
    return await inTurn.find(({ isFree }) => isFree)?.read(moment, limit, task)
  }
}
