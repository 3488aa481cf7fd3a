/**
 * The measure for writes: one-row durable transactions in a loop, WAL and FULL. FILE.db SECONDS; prints how many per
 * second
 */
import SQLite from 'better-sqlite3'

const [file, seconds] = process.argv.slice(2)
const database = new SQLite(file!)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec(
  'CREATE TABLE IF NOT EXISTS polynym (id INTEGER PRIMARY KEY, owner INTEGER, name TEXT, area TEXT, mode TEXT, p1 TEXT, p2 TEXT, p3 TEXT)',
)
const insert = database.prepare(
  'INSERT INTO polynym (owner, name, area, mode, p1, p2, p3) VALUES (?, ?, ?, ?, ?, ?, ?)',
)
const started = performance.now()
const end = started + Number(seconds) * 1000
let count = 0
while (performance.now() < end) insert.run(1, `made ${count++}`, 'made', 'part', `first ${count}`, 'second', 'third')
console.log(JSON.stringify({ rate: (count * 1000) / (performance.now() - started) }))
