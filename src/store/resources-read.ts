/**
 * Records which resources a task reads, from the statements that it runs. For checks: a cached answer must name every
 * resource that it depends on.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { AnyResource } from '../declare/index.ts'
import type { Work } from './database.ts'
import type { Store } from './index.ts'

const TABLE = /\b(?:FROM|JOIN)\s+"?([a-z][a-z0-9_]*)/g

interface Reading {
  readonly names: Set<string>
  /** The task that runs this one. */
  readonly outer: Reading | undefined
}

export class ResourcesRead {
  readonly #catalogue: readonly AnyResource[]
  readonly #reading = new AsyncLocalStorage<Reading>()

  constructor(catalogue: readonly AnyResource[]) {
    this.#catalogue = catalogue
  }

  /** Runs a task; meanwhile `names` returns what it has read so far, with the tasks that it runs in the same way. */
  during<T>(task: () => T): T {
    return this.#reading.run({ names: new Set(), outer: this.#reading.getStore() }, task)
  }

  get names(): ReadonlySet<string> {
    return this.#reading.getStore()?.names ?? new Set()
  }

  /** A store that records what is read from it. */
  watch(store: Store): Store {
    const { readNow: _, ...others } = store
    return {
      ...others,
      read: (work, seconds) => store.read(() => this.#noted(work()), seconds),
      readAt: (work, seconds) => store.readAt((moment) => this.#noted(work(moment)), seconds),
    }
  }

  *#noted<T>(steps: Work<T>): Work<T> {
    const read = this.#reading.getStore()
    let step = steps.next()
    while (!step.done) {
      if (read) for (const [, table] of step.value.sql.matchAll(TABLE)) this.#note(table!, read)
      step = steps.next(yield step.value)
    }
    return step.value
  }

  /** `pebble`, and `pebble_words`, `pebble_votes` and so on, belong to the resource `pebble`. */
  #note(table: string, reading: Reading): void {
    const owner = this.#catalogue.find(({ name }) => table === name || table.startsWith(`${name}_`))
    if (!owner) return
    for (let each: Reading | undefined = reading; each; each = each.outer) each.names.add(owner.name)
  }
}
