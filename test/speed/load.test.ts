/** A short random load on servers with full caches: every read equals that of a server without a cache. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countWrongCounts } from '../../src/store/index.ts'
import { ENGINES, freshDatabase } from '../support/databases.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { Served } from '../support/servers.ts'
import { runLoad } from './load.ts'

const SEED = 8
const REQUESTS = NIGHTLY ? 1800 : 450
const NOW = new Date('2026-03-01T12:00:00.000Z')

/** How many requests of the last hour it has answered with 200, before this one. */
async function answeredBy(server: Served): Promise<number> {
  const { json } = await server.ask('/api/staff/', { as: 'staff-gus' })
  return json.minutes.reduce((sum: number, { ok }: { ok: number }) => sum + ok, 0)
}

for (const name of ENGINES) {
  test(`no reader gets a stale response while many read and write (${name})`, async () => {
    const { url, drop } = await freshDatabase(name, { sample: true })
    const start = (keeps: 'checked' | 'everything') => Served.on(url, { keeps, now: () => NOW, mostInBlock: 16 })
    const [checked, quick] = [await start('checked'), await start('everything')]
    try {
      const { faults, kinds, compared } = await runLoad({ checked, others: [quick], seed: SEED, requests: REQUESTS })
      assert.deepEqual(faults, [], `seed ${SEED}`)
      assert.ok(compared > REQUESTS / 4, `${compared} were compared`)
      for (const kind of ['create', 'change', 'delete', 'vote', 'list', 'record', 'search', 'asked again']) {
        assert.ok((kinds.get(kind)?.requests ?? 0) > 0, `nothing of the kind "${kind}" was asked`)
      }
      // Nobody logs them: cached responses are only counted, for the figures of staff.
      const counted = await answeredBy(quick)
      for (let i = 0; i < 3; i++) await quick.ask('/api/queue/')
      assert.equal(await answeredBy(quick), counted + 4)
      const { store } = checked
      for (const resource of checked.engine.catalogue) {
        assert.equal(await store.read(() => store.records.rank.untrue(resource)), 0, resource.name)
        assert.equal(await store.read(() => countWrongCounts(store.records, resource)), 0, resource.name)
      }
    } finally {
      await quick.stop()
      await checked.stop()
      await drop()
    }
  })
}
