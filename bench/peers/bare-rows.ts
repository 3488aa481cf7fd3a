/**
 * The measure for creates: the rows of a create, with all their indexes, in a loop: the record, its words and terms, the
 * entry of the log, and once for a group the generation, the block and the counters. Groups share a durable transaction, as on the server. Without HTTP,
 * JSON and any check. FILE.db SECONDS GROUP; prints how many creates per second
 */
import SQLite from 'better-sqlite3'

type Row = Record<string, string | number | null>

const [file, seconds, group] = process.argv.slice(2)
const database = new SQLite(file!)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')

/** The last one that the server has made; an earlier loop may have added rows of its own. */
const like = database
  .prepare("SELECT * FROM polynym WHERE name NOT LIKE '% bare %' ORDER BY id DESC LIMIT 1")
  .get() as Row
const words = database.prepare('SELECT * FROM polynym_words WHERE record = ?').all(like['id']) as Row[]
const terms = database.prepare('SELECT * FROM polynym_terms WHERE record = ?').all(like['id']) as Row[]
const change = database.prepare('SELECT * FROM change ORDER BY seq DESC LIMIT 1').get() as Row
const block = database.prepare('SELECT id FROM polynym_blocks ORDER BY id LIMIT 1').get() as Row
const insertion = (table: string, row: Row) => {
  const columns = Object.keys(row)
  const places = columns.map((column) => `@${column}`)
  return database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places.join(', ')})`)
}
const insert = {
  record: insertion('polynym', like),
  word: insertion('polynym_words', words[0]!),
  term: insertion('polynym_terms', terms[0]!),
  change: insertion('change', change),
}
const count = database.prepare(
  "UPDATE generation SET number = number + 1, moved = number + 1 WHERE resource = 'polynym'",
)
const grow = database.prepare('UPDATE polynym_blocks SET count = count + 1, changed = ? WHERE id = ?')

const newest = database.prepare('SELECT max(id) AS id FROM polynym').get() as Row
/** What the accounts of the last group have made, and some counters of values. */
const sums = database
  .prepare('SELECT * FROM contribution WHERE account IN (SELECT owner FROM polynym ORDER BY id DESC LIMIT ?)')
  .all(Number(group)) as Row[]
const facets = database.prepare('SELECT * FROM polynym_facets ORDER BY count DESC LIMIT 10').all() as Row[]
const contribute = database.prepare(
  `INSERT INTO contribution (account, resource, part, count) VALUES (@account, @resource, @part, 1)
   ON CONFLICT (account, resource, part) DO UPDATE SET count = count + 1`,
)
const countFacet = database.prepare(
  `INSERT INTO polynym_facets (given, member, given_value, value, count) VALUES (@given, @member, @given_value, @value, 1)
   ON CONFLICT (given, member, given_value, value) DO UPDATE SET count = count + 1`,
)

let [id, seq, made] = [Number(newest['id']), Number(change['seq']), 0]

/** Another name in each place where the name is. */
function create(): void {
  const name = `${'abcdefghijklmnopqrstuvwxyz'[(++made * 7) % 26]} bare ${process.pid} ${made}`
  id++
  const row: Row = { ...like, id, name }
  for (const column of Object.keys(row)) if (/^(name_|unique_)/.test(column)) row[column] = name
  insert.record.run(row)
  for (const [i, word] of words.entries())
    insert.word.run({ ...word, record: id, ...(i === 0 ? { word: `bare${made}` } : {}) })
  for (const [i, term] of terms.entries()) insert.term.run({ ...term, record: id, ...(i === 0 ? { term: name } : {}) })
  insert.change.run({ ...change, seq: ++seq, changeset: seq, record: id })
}

const together = database.transaction(() => {
  for (let i = 0; i < Number(group); i++) create()
  count.run()
  grow.run(seq, block['id'])
  for (const { account, resource, part } of sums) contribute.run({ account, resource, part })
  for (const { count: _, ...facet } of facets) countFacet.run(facet)
})

const started = performance.now()
const end = started + Number(seconds) * 1000
while (performance.now() < end) together.immediate()
console.log(JSON.stringify({ rate: (made * 1000) / (performance.now() - started) }))
