/** Stored responses for clients that repeat a request with the same Idempotency-Key. */
import { query, type Work } from './database.ts'

interface KeptAnswer {
  readonly fingerprint: string
  readonly answer: string
}

export class Answers {
  /**
   * Claims a request for this transaction. A concurrent twin waits here until the first one has ended, and then finds
   * its response; undefined means that this request must be carried out.
   */
  *claim(account: number, request: string, fingerprint: string, now: string): Work<KeptAnswer | undefined> {
    const claimed = yield* query(
      `INSERT INTO kept_answer (account, request, fingerprint, answer, at) VALUES (?, ?, ?, '', ?)
       ON CONFLICT DO NOTHING RETURNING account`,
      account,
      request,
      fingerprint,
      now,
    )
    if (claimed.length > 0) return undefined
    const [row] = yield* query(
      'SELECT fingerprint, answer FROM kept_answer WHERE account = ? AND request = ?',
      account,
      request,
    )
    return row && { fingerprint: String(row['fingerprint']), answer: String(row['answer']) }
  }

  *keep(account: number, request: string, answer: string): Work<void> {
    yield* query('UPDATE kept_answer SET answer = ? WHERE account = ? AND request = ?', answer, account, request)
  }

  *forgetBefore(time: string): Work<void> {
    yield* query('DELETE FROM kept_answer WHERE at < ?', time)
  }
}
