/**
 * Asks PostgreSQL what was committed, on a connection of its own. Those who ask while an answer is on its way share the
 * next one, which is about a time after all of them asked: a busy process asks once for many. NOTIFY would cost less,
 * but comes when it comes: whoever wrote through one process could be shown what was before by another.
 */
import pg from 'pg'
import { type Generations, READ_GENERATIONS } from './generations.ts'

/** Numbers only grow, so their sum is the same only when all of them are. */
const SUM = { name: 'generations', text: 'SELECT COALESCE(sum(number), 0)::bigint AS sum FROM generation' }

export class Watcher {
  readonly #settings: pg.ClientConfig
  readonly #generations: Generations
  #client: Promise<pg.Client> | undefined
  #asking: Promise<void> | undefined
  #next: Promise<void> | undefined
  #sum: unknown

  constructor(settings: pg.ClientConfig, generations: Generations) {
    this.#settings = settings
    this.#generations = generations
  }

  refresh(): Promise<void> {
    this.#next ??= this.#after(this.#asking)
    return this.#next
  }

  async #after(others: Promise<void> | undefined): Promise<void> {
    await others?.catch(() => {})
    // Who comes in the same turn of the event loop is with us.
    await new Promise((turn) => setImmediate(turn))
    this.#asking = this.#next
    this.#next = undefined
    await this.#ask()
  }

  async #ask(): Promise<void> {
    this.#client ??= this.#connect()
    const client = await this.#client
    const { sum } = (await client.query(SUM)).rows[0]
    if (sum === this.#sum) return
    this.#generations.see((await client.query(READ_GENERATIONS)).rows)
    this.#sum = sum
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#settings)
    const forget = () => {
      this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    try {
      await client.connect()
      return client
    } catch (error) {
      forget()
      throw error
    }
  }

  async close(): Promise<void> {
    await this.#asking?.catch(() => {})
    await this.#client?.then((client) => client.end()).catch(() => {})
  }
}
