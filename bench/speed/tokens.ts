/** Users who write, in a database that a bench is about to serve. */
import { catalogue } from '../../src/catalogue/index.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { AccountDesk, accountNamed, engineOn } from '../../src/engine/index.ts'
import { openStore } from '../../src/store/index.ts'

interface Prepared {
  /** Whether they may change the records of others. */
  readonly staff?: boolean
  /** Whether the database gets the sample catalogue first. */
  readonly sample?: boolean
}

/** A token for each name. */
export async function tokensFor(
  database: string,
  names: readonly string[],
  { staff = false, sample = false }: Prepared = {},
): Promise<string[]> {
  const store = await openStore(database, catalogue)
  try {
    const engine = engineOn(store, catalogue)
    if (sample) await loadSample(engine)
    const desk = new AccountDesk(engine)
    const tokens: string[] = []
    for (const name of names) {
      const account = await store.write(function* () {
        const made = yield* accountNamed(engine, name)
        if (staff) yield* store.accounts.setStaff(made.id, true)
        return made
      })
      tokens.push((await desk.createToken(account, 'bench')).key)
    }
    return tokens
  } finally {
    await store.close()
  }
}

export async function tokenFor(database: string, name: string, prepared?: Prepared): Promise<string> {
  const [token = ''] = await tokensFor(database, [name], prepared)
  return token
}
