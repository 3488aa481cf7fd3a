/** nymdex migrate: brings the tables to this version, as a start does, or says what that would change. */
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { inspectDatabase, type MigrationPlan, NEWEST_VERSION, openStore, planMigration } from '../store/index.ts'
import { inOneLine } from './backup.ts'
import { Mistake, refuseMissing, settingsFor } from './desk.ts'
import { say, sayAside } from './terminal.ts'

export function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('Bring the database to this version, as a start of the server does.')
    .option('--plan', 'only say what would change')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action(({ plan }: { plan?: true }, command: Command) =>
      inOneLine(async () => {
        const { databaseUrl, database } = settingsFor(command)
        refuseMissing(databaseUrl)
        const found = await planOf(databaseUrl)
        for (const line of linesOf(found)) say(line)
        if (plan) return
        const store = await openStore(database, catalogue, { report: sayAside })
        await store.close()
        say(`the database has version ${NEWEST_VERSION}`)
      }),
    )
}

async function planOf(url: string): Promise<MigrationPlan> {
  const database = await inspectDatabase(url)
  try {
    return await database.read(() => planMigration(database.dialect, catalogue))
  } finally {
    await database.close()
  }
}

function linesOf({ version, steps, missing, checked, newer }: MigrationPlan): string[] {
  if (version > NEWEST_VERSION)
    throw new Mistake(
      `the database has version ${version}, and this program knows up to ${NEWEST_VERSION}: use a newer Nymdex`,
    )
  if (newer !== undefined)
    throw new Mistake(`Nymdex ${newer} has changed the tables: start that version, or restore a backup`)
  if (version === 0) return ['the database has no tables: a start creates them']
  const lines = [
    ...steps.map(({ number, title }) => `step ${number}: ${title}`),
    ...missing.map((what) => `add ${what}`),
    ...checked.map(({ name, records }) => `check ${records.toLocaleString('en')} records of ${name}`),
  ]
  return lines.length > 0 ? lines : ['nothing changes']
}
