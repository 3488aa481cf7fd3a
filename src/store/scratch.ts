/**
 * A temporary key-value store for work on millions of records: an anonymous SQLite file, deleted when it is closed. It
 * is outside all transactions.
 */
import SQLite from 'better-sqlite3'

export class Scratch {
  readonly #file = new SQLite('')
  readonly #remember
  readonly #recall
  readonly #mark
  readonly #marked

  constructor() {
    this.#file.pragma('journal_mode = OFF')
    this.#file.pragma('synchronous = OFF')
    this.#file.exec(
      'CREATE TABLE given (kind TEXT, given INTEGER, id INTEGER, PRIMARY KEY (kind, given)) WITHOUT ROWID',
    )
    this.#file.exec('CREATE TABLE seen (kind TEXT, id INTEGER, PRIMARY KEY (kind, id)) WITHOUT ROWID')
    // Never committed, because the file is deleted in the end.
    this.#file.exec('BEGIN')
    this.#remember = this.#file.prepare('INSERT OR REPLACE INTO given VALUES (?, ?, ?)')
    this.#recall = this.#file.prepare('SELECT id FROM given WHERE kind = ? AND given = ?').pluck()
    this.#mark = this.#file.prepare('INSERT OR IGNORE INTO seen VALUES (?, ?)')
    this.#marked = this.#file.prepare('SELECT 1 FROM seen WHERE kind = ? AND id = ?').pluck()
  }

  /** Maps the id of a record in the source to its id here. */
  remember(kind: string, given: number, id: number): void {
    this.#remember.run(kind, given, id)
  }

  recall(kind: string, given: number): number | undefined {
    return this.#recall.get(kind, given) as number | undefined
  }

  mark(kind: string, id: number): void {
    this.#mark.run(kind, id)
  }

  isMarked(kind: string, id: number): boolean {
    return this.#marked.get(kind, id) !== undefined
  }

  close(): void {
    this.#file.close()
  }
}
