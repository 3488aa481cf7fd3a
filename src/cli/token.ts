/** nymdex token: keys for programs. */
import type { Command } from 'commander'
import { atDesk, findAccount, Mistake } from './desk.ts'
import { say } from './terminal.ts'

export function addToken(program: Command): void {
  const token = program.command('token').description('Create, list and revoke tokens.')
  token.option('--database-url <url>', 'sqlite:PATH or postgres://... [DATABASE_URL]')

  token
    .command('create <user>')
    .description('Create a token and print it. It is shown only once.')
    .option('--name <name>', 'what it is for', 'command line')
    .option('--days <days>', 'days until it expires (default: never)')
    .action((user: string, options: { name: string; days?: string }, command: Command) =>
      atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, user)
        const made = await desk.createToken(account, options.name, { days: readDays(options.days) })
        say(made.key)
      }),
    )

  token
    .command('list <user>')
    .description("List a user's tokens.")
    .action((user: string, _: object, command: Command) =>
      atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, user)
        for (const { id, name, created, expires, lastUsed } of await desk.tokens(account)) {
          say([id, name, `made ${created}`, `expires ${expires ?? 'never'}`, `used ${lastUsed ?? 'never'}`].join('\t'))
        }
      }),
    )

  token
    .command('revoke <user> <id>')
    .description('Revoke a token by its id in the list.')
    .action((user: string, id: string, _: object, command: Command) =>
      atDesk(command, async ({ engine, desk }) => {
        const account = await findAccount(engine, user)
        const number = /^[1-9][0-9]{0,14}$/.test(id) ? Number(id) : 0
        await desk.revokeToken(account, number).catch(() => {
          throw new Mistake(`${account.name} has no token ${id}`)
        })
        say(`revoked token ${id} of ${account.name}`)
      }),
    )
}

function readDays(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^[1-9][0-9]{0,3}$/.test(given)) throw new Mistake(`--days: "${given}" is not a whole number of days`)
  return Number(given)
}
