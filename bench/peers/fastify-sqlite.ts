/**
 * A typical server with Fastify and better-sqlite3: prepared statements, OFFSET, count(*), JSON.stringify. It reads
 * voters and members record by record, as SQLite's manual recommends, or for a page together. PORT FILE.db
 * each|together
 */
import SQLite from 'better-sqlite3'
import fastify from 'fastify'

type Row = Record<string, string | number | null>

const [port, file, way = 'each'] = process.argv.slice(2)
const database = new SQLite(file!, { readonly: true })
const TERMS = Array.from({ length: 12 }, (_, i) => `p${i + 1}`)

const HEAD = ['name', 'src', 'area', 'wiki']
const columns = (keys: readonly string[]) => `t.id, a.name AS user, ${keys.map((key) => `t.${key}`).join(', ')}`
const select = (table: string, keys: readonly string[]) =>
  `SELECT ${columns(keys)} FROM ${table} t JOIN account a ON a.id = t.owner`
const POLYNYM = [...HEAD, 'mode', 'depth', ...TERMS]
const AMONG = 'IN (SELECT value FROM json_each(?))'
const VOTERS = (table: string) => `SELECT v.record, a.name FROM ${table}_votes v JOIN account a ON a.id = v.account`
/** Newest first: of all records of a page, or of one. */
const votes = (table: string) => ({
  together: database.prepare(`${VOTERS(table)} WHERE v.record ${AMONG} ORDER BY v.id DESC`),
  each: database.prepare(`${VOTERS(table)} WHERE v.record = ? ORDER BY v.id DESC`),
})
const MEMBERS = `SELECT l.holder, ${columns(POLYNYM)} FROM polyset_polynyms l JOIN polynym t ON t.id = l.target
  JOIN account a ON a.id = t.owner`

const polynym = {
  count: database.prepare('SELECT count(*) FROM polynym').pluck(),
  page: database.prepare(`${select('polynym', POLYNYM)} ORDER BY t.name_key, t.src_key, t.id LIMIT ? OFFSET ?`),
  one: database.prepare(`${select('polynym', POLYNYM)} WHERE t.id = ?`),
  votes: votes('polynym'),
}
const polyset = {
  count: database.prepare('SELECT count(*) FROM polyset').pluck(),
  page: database.prepare(`${select('polyset', HEAD)} ORDER BY t.name_key, t.id LIMIT ? OFFSET ?`),
  one: database.prepare(`${select('polyset', HEAD)} WHERE t.id = ?`),
  votes: votes('polyset'),
  polynyms: {
    together: database.prepare(`${MEMBERS} WHERE l.holder ${AMONG} ORDER BY l.holder, l.place`),
    each: database.prepare(`${MEMBERS} WHERE l.holder = ? ORDER BY l.place`),
  },
}

type Voters = ReadonlyMap<unknown, string[]>

type Statements = Readonly<Record<'together' | 'each', SQLite.Statement>>

function askFor(statements: Statements, rows: readonly Row[]): Row[] {
  if (way === 'together') return statements.together.all(JSON.stringify(rows.map(({ id }) => id))) as Row[]
  return rows.flatMap(({ id }) => statements.each.all(id) as Row[])
}

function votersOf(statements: Statements, rows: readonly Row[]): Voters {
  const voters = new Map<unknown, string[]>()
  for (const { record, name } of askFor(statements, rows) as { record: number; name: string }[]) {
    const known = voters.get(record)
    if (known) known.push(name)
    else voters.set(record, [name])
  }
  return voters
}

function headOf({ id, name, user, src, area, wiki }: Row, votes: Voters) {
  const voters = votes.get(id)
  return {
    name,
    user,
    src: src || undefined,
    area: area || undefined,
    wiki: wiki || undefined,
    likes: voters?.length,
    voters,
  }
}

function polynymsOf(rows: readonly Row[]) {
  const votes = votersOf(polynym.votes, rows)
  return rows.map((row) => {
    const shown: Record<string, unknown> = { ...headOf(row, votes), mode: row['mode'], depth: row['depth'] }
    for (const key of TERMS) if (row[key]) shown[key] = row[key]
    shown['polynym_id'] = row['id']
    return shown
  })
}

function polysetsOf(rows: readonly Row[]) {
  const votes = votersOf(polyset.votes, rows)
  const members = new Map<unknown, { depth: number; shown: object }[]>(rows.map(({ id }) => [id, []]))
  const embedded = askFor(polyset.polynyms, rows)
  const shown = polynymsOf(embedded)
  embedded.forEach(({ holder, depth }, i) => {
    members.get(holder)!.push({ depth: Number(depth), shown: shown[i]! })
  })
  return rows.map((row) => {
    const polynyms = members.get(row['id'])!
    return {
      ...headOf(row, votes),
      polynyms: polynyms.map(({ shown }) => shown),
      length: polynyms.length,
      width: polynyms.reduce((sum, { depth }) => sum + depth, 0),
      depth: polynyms.reduce((largest, { depth }) => Math.max(largest, depth), 0),
      polyset_id: row['id'],
    }
  })
}

interface Paging {
  readonly page?: string
  readonly page_size?: string
}

const app = fastify()
const kinds = [
  { name: 'polynym', ...polynym, show: polynymsOf },
  { name: 'polyset', ...polyset, show: polysetsOf },
]
for (const { name, count, page, one, show } of kinds) {
  app.get<{ Querystring: Paging }>(`/api/${name}/`, (request) => {
    const [number, size] = [Number(request.query.page ?? 1), Number(request.query.page_size ?? 20)]
    const total = count.get() as number
    const link = (n: number) =>
      n >= 1 && n <= Math.ceil(total / size)
        ? `http://${request.headers.host}/api/${name}/?page=${n}&page_size=${size}`
        : null
    const rows = page.all(size, (number - 1) * size) as Row[]
    return { count: total, next: link(number + 1), previous: link(number - 1), results: show(rows) }
  })
  app.get<{ Params: { id: string } }>(`/api/${name}/:id/`, (request, reply) => {
    const row = one.get(Number(request.params.id)) as Row | undefined
    return row ? show([row])[0] : reply.code(404).send({ detail: 'Not found.' })
  })
}
await app.listen({ port: Number(port), host: '127.0.0.1' })
