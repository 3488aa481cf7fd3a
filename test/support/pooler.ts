/**
 * A pooler in transaction mode that does not keep prepared statements. When it is told to, the server forgets those of every
 * connection that has had a transaction, as if the next one came to another connection.
 */
import type { Socket } from 'node:net'
import { DatabaseProxy } from './database-proxy.ts'
import { Messages, QUERY, READY, SYNC } from './messages.ts'

/** The last byte of READY. */
const IN_TRANSACTION = 'T'.charCodeAt(0)

export class Pooler extends DatabaseProxy {
  readonly #forgetting = new Set<() => Promise<void>>()

  async forget(): Promise<void> {
    await Promise.all(Array.from(this.#forgetting, (forget) => forget()))
  }

  protected override pass(client: Socket, server: Socket): void {
    const [asked, answered] = [new Messages({ hasGreeting: true }), new Messages()]
    /** How many answers the client still awaits; the first one is to its greeting. */
    let awaited = 1
    /** Called when the server has answered our own question. */
    let forgotten: (() => void) | undefined
    let isAsked = false
    // Not before the client has all its answers: the end of a read is not awaited.
    const askIfIdle = () => {
      if (!forgotten || isAsked || awaited > 0) return
      isAsked = true
      server.write(questionOf('DEALLOCATE ALL'))
    }
    const forget = () =>
      new Promise<void>((done) => {
        forgotten = done
        askIfIdle()
      })
    client.on('data', (data) => {
      server.write(data)
      awaited += asked.in(data).filter(({ type }) => type === SYNC || type === QUERY).length
    })
    server.on('data', (data) => {
      for (const { type, bytes } of answered.in(data)) {
        if (!isAsked) client.write(bytes)
        if (type !== READY) continue
        if (bytes.at(-1) === IN_TRANSACTION) this.#forgetting.add(forget)
        if (isAsked) {
          isAsked = false
          forgotten?.()
          forgotten = undefined
        } else awaited--
        askIfIdle()
      }
    })
  }
}

function questionOf(sql: string): Buffer {
  const text = Buffer.from(`${sql}\0`)
  const head = Buffer.alloc(5)
  head.write(QUERY)
  head.writeUInt32BE(text.length + 4, 1)
  return Buffer.concat([head, text])
}
