/** nymdex backup: everything in one file, while servers run. */
import { getSystemErrorMessage } from 'node:util'
import type { Command } from 'commander'
import { plural } from '../language/index.ts'
import { COPIED_SERVICE_TABLES, Taken } from '../store/index.ts'
import { BadBackup, backUp, type Contents } from '../transfer/index.ts'
import { atDesk, Mistake } from './desk.ts'
import { say } from './terminal.ts'

export function addBackup(program: Command): void {
  program
    .command('backup <file>')
    .description('Write all records, users and tokens to a file. Servers may keep running.')
    .option('--force', 'replace the file if it exists')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((file: string, options: { force?: true }, command: Command) =>
      inOneLine(() =>
        atDesk(command, async ({ engine }) => {
          const made = await backUp(engine, file, { force: options.force === true })
          say(`backed up ${summary(made)} to ${file} (${size(made.bytes)})`)
        }),
      ),
    )
}

/** Failures of the disk, the database or the file are the operator's business, not bugs. */
export async function inOneLine(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof BadBackup) throw new Mistake(error.message)
    const { code, errno, path, message } = error as NodeJS.ErrnoException
    if (errno !== undefined && path) throw new Mistake(`${path}: ${getSystemErrorMessage(errno)}`)
    if (typeof code === 'string' || error instanceof Taken) throw new Mistake(message.replaceAll('\n', ' '))
    throw error
  }
}

export function summary({ counts }: Contents): string {
  const records = Object.entries(counts).filter(([name]) => !COPIED_SERVICE_TABLES.includes(name))
  const total = records.reduce((sum, [, count]) => sum + count, 0)
  return `${number(total, 'record')}, ${number(counts['account']!, 'account')} and ${number(counts['token']!, 'token')}`
}

/** Without commas, so that scripts can read it. */
function number(count: number, what: string): string {
  return `${count} ${count === 1 ? what : plural(what)}`
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}
