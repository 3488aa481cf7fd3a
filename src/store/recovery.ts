/** Ways back into an account: recovery codes, mail addresses, and links sent by mail. Secrets arrive hashed. */
import { query, type Work } from './database.ts'

export interface MailLink {
  readonly account: number
  readonly address: string
}

/** What a link is for. */
export type MailPurpose = 'confirm' | 'recover'

interface NewMailLink extends MailLink {
  readonly hash: string
  readonly purpose: MailPurpose
  readonly expires: string
}

export class Recovery {
  /** The codes that there were are no longer valid. */
  *replaceCodes(account: number, hashes: readonly string[]): Work<void> {
    yield* query('DELETE FROM recovery_code WHERE account = ?', account)
    for (const hash of hashes) yield* query('INSERT INTO recovery_code (account, hash) VALUES (?, ?)', account, hash)
  }

  *countCodes(account: number): Work<number> {
    const [row] = yield* query('SELECT count(*) AS count FROM recovery_code WHERE account = ?', account)
    return Number(row?.['count'])
  }

  /**
   * Deletes the code and returns its account. One statement for every name, so that the time it takes does not tell
   * which names exist; and one transaction gets the row, however many try the same code.
   */
  *useCode(nameKey: string, hash: string): Work<number | undefined> {
    const [row] = yield* query(
      `DELETE FROM recovery_code WHERE hash = ? AND account IN
       (SELECT id FROM account WHERE name_key = ? AND removed = 0 AND blocked = 0) RETURNING account`,
      hash,
      nameKey,
    )
    return row && Number(row['account'])
  }

  *address(account: number): Work<string | undefined> {
    const [row] = yield* query('SELECT address FROM mail_address WHERE account = ?', account)
    return row && String(row['address'])
  }

  *setAddress(account: number, address: string | undefined): Work<void> {
    yield* query('DELETE FROM mail_address WHERE account = ?', account)
    if (address !== undefined) {
      yield* query('INSERT INTO mail_address (account, address) VALUES (?, ?)', account, address)
    }
  }

  /** An account has one link for each purpose: the newest. */
  *insertLink({ account, address, hash, purpose, expires }: NewMailLink, now: string): Work<void> {
    yield* query('DELETE FROM mail_link WHERE expires <= ? OR (account = ? AND purpose = ?)', now, account, purpose)
    yield* query(
      'INSERT INTO mail_link (hash, account, purpose, address, expires) VALUES (?, ?, ?, ?, ?)',
      hash,
      account,
      purpose,
      address,
      expires,
    )
  }

  /** Whether there is such a link; it stays valid. */
  *findLink(hash: string, purpose: MailPurpose, now: string): Work<MailLink | undefined> {
    const [row] = yield* query(
      `SELECT account, address FROM mail_link WHERE hash = ? AND purpose = ? AND expires > ?`,
      hash,
      purpose,
      now,
    )
    return row && { account: Number(row['account']), address: String(row['address']) }
  }

  /** Deletes the link and returns what it was for. */
  *useLink(hash: string, purpose: MailPurpose, now: string): Work<MailLink | undefined> {
    const [row] = yield* query(
      'DELETE FROM mail_link WHERE hash = ? AND purpose = ? AND expires > ? RETURNING account, address',
      hash,
      purpose,
      now,
    )
    return row && { account: Number(row['account']), address: String(row['address']) }
  }

  /** Of both purposes: who had the old password may have asked for a link to an address of their own. */
  *deleteLinks(account: number): Work<void> {
    yield* query('DELETE FROM mail_link WHERE account = ?', account)
  }

  *deleteAll(account: number): Work<void> {
    for (const table of ['recovery_code', 'mail_address', 'mail_link']) {
      yield* query(`DELETE FROM ${table} WHERE account = ?`, account)
    }
  }
}
