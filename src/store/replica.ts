/**
 * A standby that answers reads in place of the primary, if its own snapshot shows a moment that the primary has told:
 * then the answer is the same. Otherwise the primary answers, after a short time at most.
 */
import { type ReplicaState, TooSlow, Unavailable } from './database.ts'
import type { Moment } from './generations.ts'
import { type Ask, type AskClient, beginRead, endRead, giveBack, type Sent, sendBegin } from './postgres-client.ts'
import { isConflict, isStatementConflict, translated } from './postgres-errors.ts'
import type { Statements } from './postgres-statements.ts'
import { redactUrl } from './redact.ts'
import { NO_STANDBY, type Primary, ReplicaHealth, type ReplicaHealthParts } from './replica-health.ts'
import { ReplicaPool, type ReplicaPoolSettings, Silent } from './replica-pool.ts'
import { READ_SHOWN, Shown } from './shown-moment.ts'

/** Reads on a snapshot that shows the moment, within a limit in seconds. `early` is the result of the first statement. */
export type ReadAtMoment<T> = (ask: Ask, moment: Moment, seconds: number | undefined, early?: Sent) => Promise<T>

export interface Answered<T> {
  readonly value: T
}

export interface ReplicaSettings extends ReplicaPoolSettings, Omit<ReplicaHealthParts, 'pool'> {
  readonly statements: Pick<Statements, 'of' | 'unname'>
  readonly ask: AskClient
}

/** What takes longer is read from the primary. */
const LONGEST_SECONDS = 0.2

export class Replica {
  readonly #name: string
  readonly #primary: Primary
  readonly #statements: ReplicaSettings['statements']
  readonly #ask: AskClient
  readonly #pool: ReplicaPool
  readonly #health: ReplicaHealth

  constructor({ client, connections, statements, ask, ...parts }: ReplicaSettings) {
    this.#primary = parts.primary
    this.#name = redactUrl(parts.url)
    this.#statements = statements
    this.#ask = ask
    this.#pool = new ReplicaPool({ client: { ...client, connectionString: parts.url }, connections })
    this.#health = new ReplicaHealth({ ...parts, pool: this.#pool })
  }

  get state(): ReplicaState {
    return { name: this.#name, isUsed: this.#health.isUsed }
  }

  /** Whether a read may go to it. */
  get isFree(): boolean {
    return this.#health.isUsed && this.#pool.isFree
  }

  start(): void {
    this.#health.start()
  }

  close(): void {
    this.#health.stop()
    this.#pool.end()
  }

  /** Undefined if the primary must answer. Throws what the task throws, and `TooSlow` if there is a limit. */
  async read<T>(moment: Moment, limit: number | undefined, task: ReadAtMoment<T>): Promise<Answered<T> | undefined> {
    const client = await this.#pool.connect().catch((error) => this.#health.fails(error))
    if (!client) return undefined
    const seconds = Math.min(limit ?? LONGEST_SECONDS, LONGEST_SECONDS)
    let failure: unknown
    const heard: Ask = async (statement) => {
      try {
        return await this.#pool.heard(this.#ask(client, statement))
      } catch (error) {
        failure = error
        throw error
      }
    }
    try {
      sendBegin(heard, beginRead(seconds))
      const { rows } = await heard(this.#statements.of(READ_SHOWN))
      const shown = await this.#told(new Shown(rows), moment)
      if (!shown) {
        void giveBack(client, undefined)
        return undefined
      }
      const value = await task(heard, shown, seconds)
      endRead(client)
      return { value }
    } catch (error) {
      if (failure instanceof Silent) client.release(true)
      else void giveBack(client, failure)
      const isSlow = error instanceof TooSlow || translated(failure, { isSlow: true }) instanceof TooSlow
      // The task itself may throw, such as for a record that does not exist.
      if (failure === undefined && !isSlow) throw error
      // The request itself has waited for too long.
      if (failure instanceof Unavailable) throw failure
      if (isSlow && limit !== undefined) throw new TooSlow()
      if (!isSlow) this.#judge(failure)
      return undefined
    }
  }

  /** The moment that a snapshot shows, if the primary has told it, and it is not older than the wanted one. */
  async #told(shown: Shown, moment: Moment): Promise<Moment | undefined> {
    const wanted = { ...this.#primary.told, moment }
    const compared = shown.comparedWith(wanted)
    if (compared === 'older') this.#health.isBehind(wanted)
    if (compared === 'promoted') this.#health.fails(new Error(NO_STANDBY))
    if (compared === 'older' || compared === 'promoted') return undefined
    if (compared === 'newer') {
      // Others have written since. But a standby may also show a commit before the primary does.
      await this.#primary.refresh()
      if (shown.comparedWith(this.#primary.told) === 'newer') return undefined
    }
    this.#health.isExact()
    return compared === 'same' ? moment : shown.moment
  }

  #judge(failure: unknown): void {
    // To apply a change of the primary, a standby may cancel queries.
    if (isConflict(failure)) return
    if (isStatementConflict(failure)) this.#statements.unname()
    else this.#health.fails(failure)
  }
}
