/** Hooks while the database cannot be used: the receiver has the message, and the server cannot store that. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Database, Unavailable } from '../../src/store/index.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'
import { HookClient, Receiver } from './receiver.ts'

for (const engine of ENGINES) {
  describe(`Hooks in an outage (${engine})`, () => {
    test('{hooks.outage} the server waits for its database, and then continues without sending twice', async () => {
      const { url, drop } = await freshDatabase(engine, { sample: false, tables: true })
      let refused = 0
      let isAway = false
      const away = () => {
        refused++
        return Promise.reject(new Unavailable('away'))
      }
      const watch = (database: Database): Database => ({
        ...database,
        read: (work, seconds) => (isAway ? away() : database.read(work, seconds)),
        write: (work) => (isAway ? away() : database.write(work)),
      })
      const settings = { hooks: { allowsPrivate: true } }
      const server = await Served.on(url, { keeps: 'everything', settings, watch })
      const client = new HookClient(server)
      const receiver = await Receiver.start()
      const { id, cursor } = await client.made({ url: receiver.url })
      receiver.respond = () => {
        isAway = refused === 0
        return { status: 200 }
      }
      await client.write('river')
      await receiver.first(1)
      while (refused === 0) await new Promise((turn) => setImmediate(turn))
      isAway = false
      await client.write('brook')
      await receiver.first(2)
      await client.hook(id, (hook) => hook.cursor === cursor + 2)
      assert.deepEqual(receiver.seqs, [cursor + 1, cursor + 2])
      assert.deepEqual(server.bugs, [])
      await server.stop()
      await receiver.stop()
      await drop()
    })
  })
}
