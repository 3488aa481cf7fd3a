/** json-server on the same polynyms, which it keeps in memory. PORT FILE.db */
import { createRequire } from 'node:module'
import SQLite from 'better-sqlite3'

const jsonServer = createRequire(import.meta.url)('json-server')
const [port, file] = process.argv.slice(2)
const database = new SQLite(file!, { readonly: true })
const rows = database
  .prepare(
    'SELECT t.*, a.name AS user FROM polynym t JOIN account a ON a.id = t.owner ORDER BY name_key, src_key, t.id',
  )
  .all() as Record<string, string | number>[]
const KEYS = [
  'id',
  'name',
  'user',
  'src',
  'area',
  'wiki',
  'mode',
  'depth',
  ...Array.from({ length: 12 }, (_, i) => `p${i + 1}`),
]
const polynym = rows.map((row) =>
  Object.fromEntries(KEYS.filter((key) => row[key] !== '').map((key) => [key, row[key]])),
)
database.close()

const server = jsonServer.create()
server.use(jsonServer.router({ polynym }))
server.listen(Number(port), '127.0.0.1')
