/** A short run of `npm run bench -- follow`: kill -9 while clients write. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BIN } from '../support/command.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { FollowChaos } from './follow-chaos.ts'

const OTHER = { SQLite: 'PostgreSQL', PostgreSQL: 'SQLite' } as const

for (const engine of ENGINES) {
  const other = ENGINES.length === 1 ? engine : OTHER[engine]
  describe(`Killed while following (${engine} to ${other})`, () => {
    test('nothing is lost or doubled: not in the log, not by a listener, not in the copy', async () => {
      const [source, copy] = [
        await freshDatabase(engine, { sample: false, tables: true }),
        await freshDatabase(other, { sample: false, tables: true }),
      ]
      try {
        const options = {
          program: BIN,
          source: source.url,
          copy: copy.url,
          writes: 400,
          clients: 4,
          kills: 2,
          seed: 15,
        }
        const { kills, acknowledged } = await new FollowChaos(options).run()
        assert.deepEqual(kills, { server: 2, follower: 2, listener: 2 })
        assert.ok(acknowledged >= 400)
      } finally {
        await source.drop()
        await copy.drop()
      }
    })
  })
}
