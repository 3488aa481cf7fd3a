/** nymdex doctor: checks this installation and changes nothing. */
import type { Command } from 'commander'
import { MOST_SNAPSHOTS } from '../store/index.ts'
import type { Options } from './config/gather.ts'
import { checkBackups } from './doctor/backups.ts'
import { checkExposure, checkSettings } from './doctor/check-settings.ts'
import { checkDatabase } from './doctor/database.ts'
import type { Findings } from './doctor/finding.ts'
import { checkModel, checkNode, checkPort, checkSample } from './doctor/machine.ts'
import { checkReplicas } from './doctor/replicas.ts'
import type { Settings } from './settings.ts'
import { say } from './terminal.ts'

export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description('Check the settings, the database and the machine, and report problems.')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action(async (_: object, command: Command) => {
      for await (const { level, says } of examine(command.optsWithGlobals())) {
        say(`${level.padEnd(4)}  ${says}`)
        if (level === 'fail') process.exitCode = 1
      }
    })
}

/** Replaces an invalid setting by its default, so that one mistake does not hide others. */
async function* examine({ config, databaseUrl }: Options): Findings {
  yield checkNode()
  const { findings, settings, databaseKnown } = checkSettings({ config, databaseUrl })
  yield* findings
  yield* checkExposure(settings)
  if (databaseKnown) yield* checkDatabase(settings.databaseUrl, connectionsOf(settings))
  if (databaseKnown) yield* checkReplicas(settings)
  yield* checkBackups(settings)
  yield await checkPort(settings)
  if (settings.sample) yield checkSample()
  yield checkModel()
}

/** How many a server opens at most, with all its processes. */
function connectionsOf({ workers, database: { connections } }: Settings): number {
  // With workers, another process writes for all of them.
  const processes = workers === 1 ? 1 : workers + 1
  return processes * (connections + MOST_SNAPSHOTS)
}
