/** nymdex restore: a database from a backup, on either engine, whichever it was made on. */
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { sqliteFile } from '../store/index.ts'
import { checkBackup, type Named, type Notable, plural, restore } from '../transfer/index.ts'
import { inOneLine, summary } from './backup.ts'
import { environmentOf } from './desk.ts'
import { readSettings } from './settings.ts'
import { say, sayAside } from './terminal.ts'

interface Options {
  readonly check?: true
  readonly force?: true
}

export function addRestore(program: Command): void {
  program
    .command('restore <file>')
    .description('Make the database what a backup holds.')
    .option('--check', 'read and check the file, and change nothing')
    .option('--force', 'replace a database that holds something; what it held is kept')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((file: string, options: Options, command: Command) =>
      inOneLine(async () => {
        if (options.check) return check(file)
        const { databaseUrl: url, database: settings } = readSettings(environmentOf(command))
        const restored = await restore({ url, settings, catalogue, file, force: options.force === true })
        say(`restored ${summary(restored)}, as they were at ${restored.at}`)
        const what = sqliteFile(url) === undefined ? 'what was there before is in' : 'the old database is'
        if (restored.kept) say(`${what} ${restored.kept}`)
        sayNotable(restored, 'restored')
      }),
    )
}

function check(file: string): void {
  const contents = checkBackup(file, catalogue)
  say(`${file} is whole: ${summary(contents)}, as they were at ${contents.at}`)
  for (const [name, count] of Object.entries(contents.counts)) say(`${name}\t${count}`)
  sayNotable(contents, 'it holds')
}

/** The file decides who is staff: the operator should see it. */
function sayNotable({ staff, overlong }: Notable, verb: string): void {
  if (staff.count > 0) say(`${verb} ${staff.count} ${plural(staff.count, 'staff account')}: ${listed(staff)}`)
  if (overlong.count > 0) {
    const what = plural(overlong.count, 'record has a text', 'records have texts')
    sayAside(`warning: ${overlong.count} ${what} longer than the rules allow: ${listed(overlong)}`)
  }
}

function listed({ count, named }: Named): string {
  return named.join(', ') + (count > named.length ? ` and ${count - named.length} more` : '')
}
