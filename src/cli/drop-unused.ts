/** nymdex drop-unused: drops what is no longer declared and was put aside at a start. */
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { driftOf, dropUnused, inspectDatabase, nameOfUnused, openDatabase, type Unused } from '../store/index.ts'
import { inOneLine } from './backup.ts'
import { Mistake, settingsFor } from './desk.ts'
import { say } from './terminal.ts'

export function addDropUnused(program: Command): void {
  program
    .command('drop-unused')
    .description('Drop the tables and columns of resources and fields that are no longer declared.')
    .option('--yes', 'drop them; without it, they are only listed')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action(({ yes }: { yes?: true }, command: Command) =>
      inOneLine(async () => {
        const { databaseUrl } = settingsFor(command)
        const unused = await unusedIn(databaseUrl)
        if (unused.length === 0) return say('nothing is unused')
        if (yes) await drop(databaseUrl, unused)
        for (const each of unused) say(`${yes ? 'dropped' : 'unused:'} ${nameOfUnused(each)}`)
        if (!yes) say('nymdex drop-unused --yes drops them; there is no way back but a backup of an older Nymdex')
      }),
    )
}

async function unusedIn(url: string): Promise<readonly Unused[]> {
  const database = await inspectDatabase(url)
  try {
    const { isCurrent, unused } = await database.read(() => driftOf(database.dialect, catalogue))
    if (!isCurrent) throw new Mistake('the tables do not follow this catalogue: start nymdex serve first')
    return unused
  } finally {
    await database.close()
  }
}

/** Nothing that a running server uses changes, so servers continue. */
async function drop(url: string, unused: readonly Unused[]): Promise<void> {
  const database = await openDatabase(url)
  try {
    await database.write(() => dropUnused(unused))
  } finally {
    await database.close()
  }
}
