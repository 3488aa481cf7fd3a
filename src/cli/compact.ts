/** nymdex compact: removes what the settings no longer keep in the log of changes. A server does it once a day. */
import type { Command } from 'commander'
import { type Kept, keepLog } from '../engine/index.ts'
import { atDesk, settingsFor } from './desk.ts'
import { say } from './terminal.ts'

export function addCompact(program: Command): void {
  program
    .command('compact')
    .description('Remove what NYMDEX_LOG_DAYS and NYMDEX_LOG_VOTES_DAYS no longer keep in the log of changes.')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((_: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const { retention } = settingsFor(command)
        say(saidOf(await keepLog(engine, retention)))
      }),
    )
}

export function saidOf({ removed, compacted }: Kept): string {
  return `removed ${entries(removed)} from the log of changes, and ${entries(compacted)} of earlier votes`
}

const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)
