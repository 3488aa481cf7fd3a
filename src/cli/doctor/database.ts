/** Checks whether the database is usable, complete, and consistent with the rules of this version. */
import { accessSync, constants, existsSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { catalogue } from '../../catalogue/index.ts'
import type { AnyResource } from '../../declare/index.ts'
import {
  countWrongContributions,
  countWrongCounts,
  countWrongFinding,
  countWrongFit,
  countWrongStandings,
  countWrongVotes,
  type Database,
  type Drift,
  damageOf,
  driftOf,
  type Exclusion,
  hasStaff,
  inspectDatabase,
  isOpenToOthers,
  journalMode,
  NEWEST_VERSION,
  nameOfUnused,
  postgresFacts,
  sqliteFile,
  storeOn,
  tryExclusion,
  Unusable,
  versionOf,
} from '../../store/index.ts'
import { type Finding, type Findings, fail, ok, warn, wordsOf } from './finding.ts'

const LEAST_SPACE = 500 * 1000 * 1000
const OLDEST_POSTGRES = 13
const RESTORE = 'stop the server and restore the newest backup with nymdex restore --force'

/** `connections` is how many a server opens at most. */
export async function* checkDatabase(
  url: string,
  connections: number,
  resources: readonly AnyResource[] = catalogue,
): Findings {
  const file = sqliteFile(url)
  if (file !== undefined) {
    yield* checkPlace(file)
    if (!existsSync(file)) {
      yield warn(`there is no database ${file} yet: nymdex serve creates it`)
      return
    }
  }
  let database: Database
  try {
    database = await inspectDatabase(url)
  } catch (error) {
    yield fail(`${wordsOf(error)}: ${adviceFor(error, file)}`)
    return
  }
  try {
    if (file === undefined) yield* checkPostgres(database, url, connections)
    else yield* checkSqlite(database, file)
    yield* checkTables(database, resources)
  } catch (error) {
    const remedy = file === undefined ? 'check what this user may read' : RESTORE
    yield fail(`the database cannot be read (${wordsOf(error)}): ${remedy}`)
  } finally {
    await database.close()
  }
}

function adviceFor(error: unknown, file: string | undefined): string {
  if (!(error instanceof Unusable)) return 'check DATABASE_URL'
  if (file === undefined) return 'start PostgreSQL, or correct DATABASE_URL'
  if (/another program|not an SQLite/.test(error.message)) return 'set DATABASE_URL to a file of its own'
  if (/damaged/.test(error.message)) return RESTORE
  return 'check who owns it and who may read and write it'
}

/** The file, its folder and the disk they are on. */
function* checkPlace(file: string): Generator<Finding> {
  let folder = dirname(file)
  while (!existsSync(folder)) folder = dirname(folder)
  const stuck = [folder, ...(existsSync(file) ? [file] : [])].find((path) => !mayWrite(path))
  if (stuck) yield fail(`${stuck} is not writable for this user: give it to the user who runs Nymdex`)
  else yield ok(`${folder} is writable`)
  if (isOpenToOthers(file)) {
    yield warn(`${file} can be read by every user of this machine, and it holds password hashes: chmod 600 ${file}`)
  }
  const { bavail, bsize } = statfsSync(folder)
  const space = bavail * bsize
  const free = `${Math.floor(space / 1e6)} MB are free on the disk of ${folder}`
  yield space < LEAST_SPACE ? warn(`only ${free}: free some space`) : ok(free)
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

async function* checkSqlite(database: Database, file: string): Findings {
  const { damage, dangling } = await database.read(damageOf)
  if (damage) yield fail(`${file} is damaged (${damage}): ${RESTORE}`)
  else if (dangling > 0) yield fail(`${file} holds ${dangling} references to records that do not exist: ${RESTORE}`)
  else yield ok(`${file} is whole`)
  const mode = await database.read(journalMode)
  if (mode === 'wal') yield ok('it uses a write-ahead log')
  else
    yield warn(`its journal mode is ${mode}, so readers wait for writers: the next start of nymdex serve corrects it`)
}

async function* checkPostgres(database: Database, url: string, needed: number): Findings {
  const facts = await database.read(postgresFacts)
  const { version, major, encoding, writable, connections, mostConnections } = facts
  if (major < OLDEST_POSTGRES) {
    yield fail(`PostgreSQL ${version} is too old: Nymdex needs ${OLDEST_POSTGRES} or newer`)
  } else yield ok(`PostgreSQL ${version} answers`)
  if (encoding === 'UTF8') yield ok('the encoding of the database is UTF8')
  else
    yield fail(
      `the encoding of the database is ${encoding}: create one with ENCODING 'UTF8' and restore a backup into it`,
    )
  if (writable) yield ok('the database takes writes')
  else if (facts.standby) yield warn('the database is a standby: a server on it only reads')
  else yield fail('the database is read-only: set DATABASE_URL to the primary server')
  const left = mostConnections - connections
  const used = `${connections} of ${mostConnections} connections are in use`
  if (left >= needed) yield ok(used)
  else yield warn(`${used}, and a server with these settings takes up to ${needed}: raise max_connections`)
  const { version: tables } = await database.read(() => versionOf(database.dialect, catalogue))
  if (tables < NEWEST_VERSION && !facts.mayCreate) {
    yield fail('this user may not create tables: GRANT CREATE ON SCHEMA public to it')
  }
  if (tables > 0 && writable) yield findingOf(await tryExclusion(url))
}

function findingOf(exclusion: Exclusion): Finding {
  if (exclusion === 'excluded') return ok('of two connections that want to write, one waits')
  if (exclusion === 'busy')
    return warn('another process has been writing for seconds, so the write lock was not tested')
  return fail('two connections get the write lock at once: this database ignores row locks, and writes could be lost')
}

async function* checkTables(database: Database, resources: readonly AnyResource[]): Findings {
  const { version, foreign } = await database.read(() => versionOf(database.dialect, resources))
  if (foreign.length > 0) {
    yield fail(`the database holds the table ${foreign[0]} of another program: give Nymdex its own database`)
    return
  }
  if (version > NEWEST_VERSION) {
    yield fail(
      `the database has version ${version}, and this program knows up to ${NEWEST_VERSION}: use a newer Nymdex`,
    )
    return
  }
  if (version === 0) {
    yield warn('the database is empty: nymdex serve creates the tables')
    return
  }
  if (version < NEWEST_VERSION) {
    yield warn(`the database has version ${version}: the next start migrates it to ${NEWEST_VERSION}, so back up first`)
    return
  }
  yield ok(`the database has version ${version}, like this program`)
  const drift = await database.read(() => driftOf(database.dialect, resources))
  yield* checkDrift(drift)
  // Values cannot be read from columns that are not there.
  if (drift.missing.length === 0) yield* checkValues(database, resources)
  if (await database.read(hasStaff)) yield ok('there is a staff account')
  else
    yield warn(
      'there is no staff account, so nobody can correct the records of others: nymdex user add NAME --staff adds one',
    )
}

const MOST_NAMED = 5

/** Whether the tables follow the declarations. */
function* checkDrift({ isCurrent, missing, unused, newer }: Drift): Iterable<Finding> {
  const some =
    missing.slice(0, MOST_NAMED).join(', ') +
    (missing.length > MOST_NAMED ? ` and ${missing.length - MOST_NAMED} more` : '')
  if (newer) yield fail(`Nymdex ${newer} has changed the tables for its catalogue: use that version`)
  else if (missing.length > 0 && isCurrent) yield fail(`the tables lack ${some}: ${MAKE_AGAIN}`)
  else if (missing.length > 0)
    yield warn(`the tables lack ${some}: the next start adds what is missing, back up before`)
  else if (isCurrent) yield ok('the tables follow the declarations')
  else yield warn('the declarations have changed: the next start checks all stored values, back up before')
  if (unused.length > 0) {
    const names = unused.map(nameOfUnused).join(', ')
    yield warn(
      `${names} ${unused.length === 1 ? 'is' : 'are'} no longer declared: nymdex drop-unused --yes drops the data`,
    )
  }
}

const MAKE_AGAIN = 'nymdex backup and then nymdex restore --force rebuild them'

/** Values computed from the records are stored with them; they would be wrong if a rule had changed since. */
async function* checkValues(database: Database, resources: readonly AnyResource[]): Findings {
  const { copies, records } = storeOn(database)
  let total = 0
  const fails = { keys: 0, finding: 0 }
  for (const resource of resources) {
    const { name } = resource
    const { untrue, count, blocks, words, votes, counters } = await database.read(function* () {
      return {
        untrue: yield* copies.untrue(resource),
        count: yield* copies.count(name),
        blocks: yield* records.rank.untrue(resource),
        words: yield* countWrongFinding(records, resource),
        votes: yield* countWrongVotes(resource),
        counters: yield* countWrongCounts(records, resource),
      }
    })
    total += count
    const some = (number: number) => `${number} of ${count} records in ${name} have`
    const keys = [
      blocks > 0 && `the rank index of ${name} is wrong: ${MAKE_AGAIN}`,
      untrue > 0 && `${some(untrue)} wrong stored keys: ${MAKE_AGAIN}`,
    ].filter((fault) => fault !== false)
    const finding = [
      words > 0 && `${some(words)} wrong search words or terms: ${MAKE_AGAIN}`,
      votes > 0 && `${some(votes)} a wrong count of votes: ${MAKE_AGAIN}`,
      counters > 0 && `the counters of ${name} are wrong: ${MAKE_AGAIN}`,
    ].filter((fault) => fault !== false)
    for (const fault of [...keys, ...finding]) yield fail(fault)
    fails.keys += keys.length
    fails.finding += finding.length
  }
  const others = [
    { says: 'the counters of judgements are wrong', wrong: () => countWrongFit() },
    { says: 'the counters of what people contributed are wrong', wrong: () => countWrongContributions(resources) },
    { says: 'the standings of players differ from their rounds', wrong: () => countWrongStandings() },
  ]
  for (const { says, wrong } of others) {
    if ((await database.read(wrong)) === 0) continue
    yield fail(`${says}: ${MAKE_AGAIN}`)
    fails.finding++
  }
  if (fails.keys === 0) yield ok(`the stored keys of all ${total} records are correct`)
  if (fails.finding === 0) yield ok(`the search words, terms, votes and counters of all ${total} records are correct`)
}
