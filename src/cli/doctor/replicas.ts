/** Checks whether each replica is a standby of the database, and how far it is. */
import { type CopyFacts, copyFacts, inspectDatabase, redactUrl } from '../../store/index.ts'
import { refuseReplicas } from '../address-settings.ts'
import { BadSetting } from '../bad-setting.ts'
import type { Settings } from '../settings.ts'
import { type Finding, type Findings, fail, ok, warn, wordsOf } from './finding.ts'

export async function* checkReplicas({ replicas, databaseUrl }: Settings): Findings {
  if (replicas.length === 0) return
  try {
    refuseReplicas(replicas, databaseUrl)
  } catch (error) {
    if (!(error instanceof BadSetting)) throw error
    yield fail(error.message)
    return
  }
  let primary: CopyFacts
  try {
    primary = await factsAt(databaseUrl)
  } catch {
    yield warn('the replicas were not checked, because the database cannot be read')
    return
  }
  for (const url of replicas) {
    const name = `the replica ${redactUrl(url)}`
    try {
      yield findingOf(name, primary, await factsAt(url))
    } catch (error) {
      // The message names the address.
      yield fail(`a replica cannot be used: ${wordsOf(error)}`)
    }
  }
}

function findingOf(name: string, primary: CopyFacts, replica: CopyFacts): Finding {
  const { isStandby, log, latest, writes, seconds } = replica
  if (!isStandby) return fail(`${name} is not a standby: remove it from NYMDEX_REPLICA_URLS`)
  if (log !== primary.log) {
    return fail(`${name} is a standby of another database, or far behind: correct NYMDEX_REPLICA_URLS`)
  }
  if (writes >= primary.writes) return ok(`${name} is a standby, and shows what the database shows`)
  const changes = primary.latest - latest
  return warn(`${name} is a standby, ${changes} changes behind: the newest that it shows is ${seconds} seconds old`)
}

async function factsAt(url: string): Promise<CopyFacts> {
  const database = await inspectDatabase(url)
  try {
    return await database.read(copyFacts)
  } finally {
    await database.close()
  }
}
