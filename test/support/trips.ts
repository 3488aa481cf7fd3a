/** Counts the round trips to PostgreSQL, on the way to it. */
import type { Socket } from 'node:net'
import { DatabaseProxy } from './database-proxy.ts'
import { Messages, QUERY, READY, SYNC } from './messages.ts'

interface Caused {
  readonly transactions: number
  readonly trips: number
  readonly answers: number
  /** What was asked on other connections: which moment the database shows. */
  readonly questions: number
}

export class TripCounter extends DatabaseProxy {
  #transactions = 0
  #trips = 0
  #answers = 0
  #reading = 0
  #questions = 0

  /** What a task causes on the connections that write: transactions, their round trips, and the answers that the server sends apart. */
  async during(task: () => Promise<unknown>): Promise<Caused> {
    this.#transactions = 0
    this.#trips = 0
    this.#answers = 0
    this.#questions = 0
    await task()
    const [transactions, trips] = [this.#transactions, this.#trips]
    return { transactions, trips, answers: this.#answers, questions: this.#questions }
  }

  /** The round trips of a task that reads. */
  async ofReading(task: () => Promise<unknown>): Promise<number> {
    this.#reading = 0
    await task()
    return this.#reading
  }

  protected override pass(client: Socket, server: Socket): void {
    let isWriting = false
    let isReading = false
    /** How many answers are still to come; the first one is to the greeting. */
    let awaited = 1
    const [asked, answered] = [new Messages({ hasGreeting: true }), new Messages()]
    client.on('data', (data) => {
      server.write(data)
      const asks = asked.in(data).filter(({ type }) => type === SYNC || type === QUERY).length
      if (data.includes('READ COMMITTED')) {
        isWriting = true
        this.#transactions++
      }
      // What is sent before the answers to something earlier does not take another round trip.
      if (isWriting && awaited === 0) this.#trips++
      if (data.includes('READ ONLY')) isReading = true
      // A reader does not wait for its COMMIT.
      const isEnd = data.includes('COMMIT\0')
      if (isReading && awaited === 0 && !isEnd) this.#reading++
      awaited += asks
      if (isWriting) this.#answers += asks
      else if (!isReading) this.#questions += asks
      if (isEnd) {
        isWriting = false
        isReading = false
      }
    })
    server.on('data', (data) => {
      awaited -= answered.in(data).filter(({ type }) => type === READY).length
      client.write(data)
    })
  }
}
