/** nymdex user: who may sign in. */
import type { Command } from 'commander'
import { prepareReset, RecoveryDesk } from '../engine/index.ts'
import { counted } from '../language/index.ts'
import { atDesk, findAccount, Mistake, readPassword } from './desk.ts'
import { say } from './terminal.ts'

export function addUser(program: Command): void {
  const user = program.command('user').description('Add, list, change and remove users.')
  user.option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')

  user
    .command('add <name>')
    .description('Add a user.')
    .option('--staff', 'may change and delete what others own')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (name: string, options: { staff?: true; passwordStdin?: true }, command: Command) => {
      const password = await readPassword(options.passwordStdin === true)
      await atDesk(
        command,
        async ({ desk }) => {
          const actor = await desk.signUp(name, password, { staff: options.staff === true, byOperator: true })
          say(`added ${actor.name}${actor.staff ? ' (staff)' : ''}`)
        },
        { mayCreate: true },
      )
    })

  user
    .command('list')
    .description('List all users.')
    .action((_: object, command: Command) =>
      atDesk(command, async ({ engine: { store } }) => {
        for (const { name, staff, removed, blocked, password } of await store.read(() => store.accounts.all())) {
          const state = removed
            ? 'removed'
            : blocked
              ? 'blocked'
              : password === ''
                ? 'cannot sign in'
                : staff
                  ? 'staff'
                  : 'user'
          say(`${name}\t${state}`)
        }
      }),
    )

  user
    .command('passwd <name>')
    .description('Set a new password; this ends all sessions and revokes all tokens.')
    .option('--password-stdin', 'read the password from standard input')
    .option('--keep-tokens', 'do not revoke the tokens')
    .action(async (name: string, options: { passwordStdin?: true; keepTokens?: true }, command: Command) => {
      const password = await readPassword(options.passwordStdin === true)
      await atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, name)
        const keepTokens = options.keepTokens === true
        const { revoked } = await desk.setPassword(account, password, 'password', { keepTokens })
        const tokens = revoked === 0 ? '' : ` and revoked ${counted(revoked, 'token')}`
        say(`changed the password of ${account.name}${tokens}`)
      })
    })

  user
    .command('recovery-codes <name>')
    .description('Make new recovery codes and print them; the old ones are no longer valid.')
    .action((name: string, _: object, command: Command) =>
      atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, name)
        for (const code of await new RecoveryDesk(engine, desk).makeCodes(account)) say(code)
      }),
    )

  user
    .command('staff <name> <on|off>')
    .description('Make a user staff, or not.')
    .action((name: string, wanted: string, _: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        if (wanted !== 'on' && wanted !== 'off') throw new Mistake(`"${wanted}" is not on or off`)
        const account = await findAccount(engine, name)
        await engine.store.write(() => engine.store.accounts.setStaff(account.id, wanted === 'on'))
        say(`${account.name} is ${wanted === 'on' ? 'staff' : 'not staff'} now`)
      }),
    )

  user
    .command('block <name>')
    .description('Lock a user out: ends all sessions, revokes all tokens, and pauses all hooks; the records stay.')
    .option('--off', 'let the user in again')
    .action((name: string, options: { off?: true }, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const account = await findAccount(engine, name)
        await engine.store.write(() => engine.store.accounts.setBlocked(account.id, options.off !== true))
        say(`${account.name} is ${options.off ? 'no longer blocked' : 'blocked now'}`)
      }),
    )

  user
    .command('sign-out <name>')
    .description('End all sessions of a user; tokens stay.')
    .action((name: string, _: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const account = await findAccount(engine, name)
        await engine.store.write(() => engine.store.accounts.endSessions(account.id))
        say(`${account.name} is signed out everywhere`)
      }),
    )

  user
    .command('reset <name>')
    .description('Lock everybody out of an account, and print a recovery code with which its owner chooses a password.')
    .action((name: string, _: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const account = await findAccount(engine, name)
        const { code, apply } = await prepareReset()
        await engine.store.write(() => apply(engine.store, account.id))
        say(code)
      }),
    )

  user
    .command('rename <name> <new>')
    .description('Give a user another name; records, votes, sessions and tokens stay, and the old name is free again.')
    .action((name: string, wanted: string, _: object, command: Command) =>
      atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, name)
        say(`${account.name} is called ${await desk.rename(account, wanted)} now`)
      }),
    )

  user
    .command('remove <name>')
    .description('Remove a user; the records stay under the name, which cannot be used again.')
    .action((name: string, _: object, command: Command) =>
      atDesk(command, async ({ engine }) => {
        const account = await findAccount(engine, name)
        await engine.store.write(() => engine.store.accounts.remove(account.id))
        say(`removed ${account.name}`)
      }),
    )
}
