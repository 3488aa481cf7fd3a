/** A server in its own process, which reports how much processor time it has used: all its threads, in microseconds. */
import { BlockList } from 'node:net'
import { catalogue, formsOf, searchLanguage, services } from '../../src/catalogue/index.ts'
import { loadSample } from '../../src/cli/sample.ts'
import { AccountDesk, accountNamed, engineOn } from '../../src/engine/index.ts'
import { serve } from '../../src/http/index.ts'
import { openStore } from '../../src/store/index.ts'
import { pagesFor } from '../../src/web/index.ts'

const [url] = process.argv.slice(2)
const store = await openStore(url!, catalogue, { language: searchLanguage })
const engine = engineOn(store, catalogue, { formsOf })
await loadSample(engine)
const account = await store.write(() => accountNamed(engine, 'costs'))
const { key } = await new AccountDesk(engine).createToken(account, 'costs')
const complain = (what: string) => (error: unknown) => process.send!({ complaint: `${what}: ${String(error)}` })
const log = {
  answered: undefined,
  unsendable: complain('unsendable'),
  bug: complain('bug'),
  outage: complain('outage'),
  held: () => {},
}
const server = await serve(
  { engine, services, pages: pagesFor(catalogue), log },
  {
    host: '127.0.0.1',
    port: 0,
    baseUrl: undefined,
    trustedProxies: new BlockList(),
    holdMs: 200,
    queueMs: 500,
    databaseSeconds: 5,
    pageSize: 20,
    compress: false,
    signUpOpen: true,
    streams: 2000,
    cache: { answers: 0, records: 0, check: false },
    limits: { signIns: undefined, signUps: undefined, writes: undefined, reads: undefined },
  },
)
process.on('message', (message) => {
  if (message !== 'cpu') return
  const { user, system } = process.cpuUsage()
  process.send!({ cpu: user + system })
})
process.on('disconnect', () => process.exit(0))
process.send!({ base: server.url, token: key })
