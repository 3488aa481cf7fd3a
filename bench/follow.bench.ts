/**
 * Clients write at random while the server, a follower and a listener are killed again and again (kill -9), from each
 * database into the other. In the end, every acknowledged write is in the log once, and the copy is exact.
 *
 *   npm run bench -- follow            FOLLOW_WRITES=20000 FOLLOW_KILLS=20
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { FollowChaos } from '../test/robust/follow-chaos.ts'
import { PROGRAM } from '../test/support/command.ts'
import { startPostgres } from '../test/support/postgres.ts'

const WRITES = Number(process.env['FOLLOW_WRITES'] ?? 20_000)
const KILLS = Number(process.env['FOLLOW_KILLS'] ?? 20)
const SEED = Number(process.env['FOLLOW_SEED'] ?? Date.now() % 1_000_000)
const CLIENTS = 8

const postgres = await startPostgres({ durable: true })
const folder = mkdtempSync(join(tmpdir(), 'nymdex-follow-'))

async function postgresDatabase(name: string): Promise<string> {
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(postgres.url)
  url.pathname = `/${name}`
  return url.href
}

try {
  const pairs = [
    ['SQLite to PostgreSQL', `sqlite:${join(folder, 'source.db')}`, await postgresDatabase('follow_copy')],
    ['PostgreSQL to SQLite', await postgresDatabase('follow_source'), `sqlite:${join(folder, 'copy.db')}`],
  ] as const
  for (const [title, source, copy] of pairs) {
    const chaos = new FollowChaos({
      program: PROGRAM,
      source,
      copy,
      writes: WRITES,
      clients: CLIENTS,
      kills: KILLS,
      seed: SEED,
    })
    const { acknowledged, unknown, entries, kills, seconds, catchUpSeconds } = await chaos.run()
    console.log(`${title} (seed ${SEED})`)
    console.log(
      `  ${acknowledged} writes acknowledged by ${CLIENTS} clients, ${unknown} with no answer, ${entries} entries`,
    )
    console.log(`  killed: server ${kills.server}, follower ${kills.follower}, listener ${kills.listener} times`)
    console.log(
      `  ${seconds.toFixed(1)} s, ${Math.round(acknowledged / seconds)} writes/s; the copy was exact ${catchUpSeconds.toFixed(1)} s later`,
    )
  }
  console.log(
    'every acknowledged write is in the log once; listener and copy have every entry once; the copies are exact',
  )
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
