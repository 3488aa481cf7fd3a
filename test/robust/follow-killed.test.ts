/** A short run of `npm run bench -- follow`: kill -9 while clients write. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BIN } from '../support/command.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { FollowChaos } from './follow-chaos.ts'

/** How often each of the three is killed, and how much is written meanwhile. */
const [KILLS, WRITES] = NIGHTLY ? [2, 400] : [1, 100]

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
          writes: WRITES,
          clients: 4,
          kills: KILLS,
          seed: 15,
        }
        const { kills, acknowledged } = await new FollowChaos(options).run()
        assert.deepEqual(kills, { server: KILLS, follower: KILLS, listener: KILLS })
        assert.ok(acknowledged >= WRITES)
      } finally {
        await source.drop()
        await copy.drop()
      }
    })
  })
}
