/** A standby of a test's PostgreSQL: a copy of its files that follows it. */
import { chmodSync, chownSync, cpSync, statSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { newDatabaseFolder } from './database-folder.ts'
import { freePort, type TestPostgres, TestServer } from './postgres.ts'

/** Files of a running server, and its log, which the standby gets from the primary. */
const NOT_COPIED = /\/data\/(postmaster\.(pid|opts)|pg_wal\/[0-9A-F]+|pg_stat_tmp\/.+|pg_replslot\/.+)$/

export async function startStandby(primary: TestPostgres): Promise<TestServer> {
  const folder = newDatabaseFolder('standby')
  const port = await freePort()
  const data = join(folder, 'data')
  const client = new pg.Client({ connectionString: primary.url })
  // The server may end while it is asked.
  client.on('error', () => {})
  await client.connect()
  await client.query("SELECT pg_backup_start('standby', fast => true)")
  cpSync(primary.data, data, { recursive: true, filter: (path) => !NOT_COPIED.test(path) })
  const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)')
  await client.end()
  writeFileSync(join(data, 'backup_label'), rows[0].labelfile)
  writeFileSync(join(data, 'standby.signal'), '')
  await giveTo(data, statSync(primary.data))
  const { hostname, port: source } = new URL(primary.url)
  const follows = `primary_conninfo=host=${hostname} port=${source} user=postgres password=postgres`
  const standby = new TestServer(folder, port, ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', follows])
  await standby.start()
  return standby
}

/** The server runs as the user who owns the files of the primary. */
async function giveTo(folder: string, { uid, gid, mode }: { uid: number; gid: number; mode: number }): Promise<void> {
  chmodSync(folder, mode)
  const below = await readdir(folder, { recursive: true })
  for (const path of [folder, ...below.map((each) => join(folder, each))]) chownSync(path, uid, gid)
}

/** Until the standby has applied everything that the primary has committed. */
export async function caughtUp(primary: pg.Client, standby: pg.Client): Promise<void> {
  const { rows } = await primary.query('SELECT pg_current_wal_lsn() AS lsn')
  const reached = async () =>
    (await standby.query('SELECT pg_last_wal_replay_lsn() >= $1 AS reached', [rows[0].lsn])).rows[0].reached
  while (!(await reached())) await new Promise((later) => setTimeout(later, 5))
}
