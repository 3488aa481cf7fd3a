/** Shared by the commands about people: an open store, and secrets that are never on the command line. */
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { catalogue } from '../catalogue/index.ts'
import { AccountDesk, type Engine, engineOn, keyOfName, Problem } from '../engine/index.ts'
import { type AccountRow, openStore, refuseReadOnlyFile, setupFault, sqliteFile } from '../store/index.ts'
import { gatherSettings, settingsOf } from './config/gather.ts'
import type { Settings } from './settings.ts'
import { sayAside } from './terminal.ts'

/** A mistake in the operator's input, reported in one line. */
export class Mistake extends Error {}

interface Desk {
  readonly engine: Engine
  readonly desk: AccountDesk
}

/** Opens the database of DATABASE_URL or --database-url for one piece of work; does not create it. */
export async function atDesk(
  command: Command,
  work: (desk: Desk) => Promise<void>,
  { mayCreate = false, bulk = false } = {},
): Promise<void> {
  const { databaseUrl, database } = settingsFor(command)
  const file = sqliteFile(databaseUrl)
  if (!mayCreate) refuseMissing(databaseUrl)
  if (mayCreate) refuseReadOnlyFile(databaseUrl)
  const store = await openStore({ ...database, bulk }, catalogue, { report: sayAside })
  const engine = engineOn(store, catalogue)
  try {
    await work({ engine, desk: new AccountDesk(engine) })
  } catch (error) {
    if (error instanceof Problem) throw new Mistake(Object.values(error.body).flat().join(' '))
    const fault = setupFault(error, file)
    throw fault === undefined ? error : new Mistake(fault)
  } finally {
    await store.close()
  }
}

/** Throws if the file of a database is not there. */
export function refuseMissing(databaseUrl: string): void {
  const file = sqliteFile(databaseUrl)
  if (file && !existsSync(file)) throw new Mistake(`there is no database ${file}`)
}

/** The settings of the environment and the file; --database-url overrides them. */
export function settingsFor(command: Command): Settings {
  const { config, databaseUrl } = command.optsWithGlobals()
  return settingsOf(gatherSettings({ config, databaseUrl }))
}

export async function findAccount({ store }: Engine, name: string): Promise<AccountRow> {
  const account = await store.read(() => store.accounts.byKey(keyOfName(name)))
  if (!account) throw new Mistake(`there is no user "${name}"`)
  if (account.removed) throw new Mistake(`the user "${name}" was removed`)
  return account
}

/** All of standard input. */
export async function readStdin(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Reads a password from standard input if requested, otherwise from a prompt that hides the input. */
export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) {
    const password = (await readStdin()).replace(/\r?\n$/, '')
    if (password === '') throw new Mistake('standard input has no password')
    return password
  }
  if (!process.stdin.isTTY) throw new Mistake('give the password with --password-stdin, or run this at a terminal')
  const password = await askSilently('Password: ')
  if ((await askSilently('Again: ')) !== password) throw new Mistake('the two passwords differ')
  return password
}

function askSilently(question: string): Promise<string> {
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: process.stdin, output: silence, terminal: true })
  // Only now, because input before the terminal is silent would show.
  process.stderr.write(question)
  return new Promise((answered, failed) => {
    prompt.once('close', () => {
      process.stderr.write('\n')
      failed(new Mistake('no password was given'))
    })
    prompt.question('', (answer) => {
      answered(answer)
      prompt.close()
    })
  })
}
