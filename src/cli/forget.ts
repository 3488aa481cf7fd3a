/** nymdex forget: blanks old values in the log of changes. */
import type { Command } from 'commander'
import { type Forgettable, findForgettable, forget, keyOfName, type ToForget } from '../engine/index.ts'
import { atDesk, Mistake } from './desk.ts'
import { say } from './terminal.ts'

interface Options {
  readonly seq?: string
  readonly resource?: string
  readonly id?: string
  readonly user?: string
  readonly member?: string
  readonly yes?: true
}

const MOST_LISTED = 20

export function addForget(program: Command): void {
  program
    .command('forget')
    .description('Blank old values in the log of changes. Entries stay, with their number, time, user and action.')
    .option('--seq <number>', 'in the entry with this number')
    .option('--resource <name>', 'in all entries of a record of this resource ...')
    .option('--id <id>', '... with this id')
    .option('--user <name>', 'everything that this user wrote')
    .option('--member <name>', 'only the values of this member')
    .option('--yes', 'blank them; without it, they are only listed')
    .option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')
    .action((options: Options, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const { seq, resource, id, user, member, yes } = options
        if (Number(seq !== undefined) + Number(resource !== undefined) + Number(user !== undefined) !== 1)
          throw new Mistake('give one of --seq, --resource and --user')
        if ((id === undefined) !== (resource === undefined)) throw new Mistake('give --resource and --id together')
        let what: ToForget
        if (seq !== undefined) what = { seq: readNumber('--seq', seq), member }
        else if (resource !== undefined) what = { resource, id: readNumber('--id', id ?? ''), member }
        else {
          const account = await engine.store.read(() => engine.store.accounts.byKey(keyOfName(user ?? '')))
          if (!account) throw new Mistake(`there is no user "${user}"`)
          what = { account: account.id, member }
        }
        const found = await findForgettable(engine, what)
        if (found.length === 0) return say('the log has no such values')
        if (yes) await forget(engine, found)
        list(found, yes === true)
      }),
    )
}

function list(found: readonly Forgettable[], isDone: boolean): void {
  for (const { entry, members } of found.slice(0, MOST_LISTED)) {
    const { seq, at, action, resource, id } = entry
    say(`${seq}\t${at}\t${action}\t${resource} ${id}\t${members.join(', ')}`)
  }
  if (found.length > MOST_LISTED) say(`... and ${found.length - MOST_LISTED} more`)
  const entries = found.length === 1 ? '1 entry' : `${found.length} entries`
  if (isDone) say(`blanked these values in ${entries}; backups made before still have them`)
  else say(`nymdex forget --yes blanks these values in ${entries}; they cannot be undone or read again`)
}

function readNumber(option: string, given: string): number {
  if (!/^[1-9][0-9]{0,14}$/.test(given)) throw new Mistake(`${option}: "${given}" is not a whole number`)
  return Number(given)
}
