/** nymdex restore: restores a backup into either database, whichever it was made on. */
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { counted } from '../language/index.ts'
import { sqliteFile } from '../store/index.ts'
import {
  checkBackup,
  listSkipped,
  type Named,
  type Notable,
  type ReadOptions,
  readBackupKey,
  restore,
  type Skipped,
} from '../transfer/index.ts'
import { inOneLine, summary } from './backup.ts'
import { settingsFor } from './desk.ts'
import { say, sayAside } from './terminal.ts'

interface Options {
  readonly check?: true
  readonly force?: true
  readonly skipUnknown?: true
  readonly key?: string
}

export function addRestore(program: Command): void {
  program
    .command('restore <file>')
    .description('Replace the content of the database with a backup.')
    .option('--check', 'read and check the file, and change nothing')
    .option('--force', 'replace a database that holds something; what it held is kept')
    .option('--skip-unknown', 'leave out what a newer Nymdex has put in and this one does not know')
    .option('--key <file>', 'the file with the secret key of an encrypted backup [NYMDEX_BACKUP_KEY]')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((file: string, options: Options, command: Command) =>
      inOneLine(async () => {
        const given = settingsFor(command)
        const identities = await identitiesIn(options.key ?? given.backupKey)
        if (options.check) return check(file, { ...forms(options), identities })
        const { databaseUrl: url, database: settings } = given
        const restored = await restore({ url, settings, catalogue, file, identities, ...forms(options) })
        say(`restored ${summary(restored)}, as they were at ${restored.at}`)
        const what = sqliteFile(url) === undefined ? 'the old content is in' : 'the old database is'
        if (restored.kept) say(`${what} ${restored.kept}`)
        saySkipped(restored)
        sayNotable(restored, 'restored')
      }),
    )
}

const forms = ({ force, skipUnknown }: Options) => ({ force: force === true, skipUnknown: skipUnknown === true })

function saySkipped({ skipped }: Skipped): void {
  if (Object.keys(skipped).length > 0)
    sayAside(`warning: left out what this version does not know: ${listSkipped(skipped)}`)
}

/** The secret keys of the file; undefined without a file. */
async function identitiesIn(path: string | undefined): Promise<readonly string[] | undefined> {
  if (!path) return undefined
  const { identities } = await readBackupKey(path)
  return identities.length > 0 ? identities : undefined
}

function check(file: string, options: ReadOptions): void {
  const contents = checkBackup(file, catalogue, options)
  say(`${file} is whole: ${summary(contents)}, as they were at ${contents.at}`)
  for (const [name, count] of Object.entries(contents.counts)) say(`${name}\t${count}`)
  saySkipped(contents)
  sayNotable(contents, 'it holds')
}

/** The file decides who is staff: the operator should see it. */
function sayNotable({ staff, overlong }: Notable, verb: string): void {
  if (staff.count > 0) say(`${verb} ${counted(staff.count, 'staff account')}: ${listed(staff)}`)
  if (overlong.count > 0) {
    const what = counted(overlong.count, 'record has a text', 'records have texts')
    sayAside(`warning: ${what} longer than the rules allow: ${listed(overlong)}`)
  }
}

function listed({ count, named }: Named): string {
  return named.join(', ') + (count > named.length ? ` and ${count - named.length} more` : '')
}
