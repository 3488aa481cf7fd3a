/** Stored JSON of records: it equals what their values produce, and nothing depends on it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { isStoredShown } from '../../src/store/index.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served, statement } from '../support/servers.ts'
import { addWinners } from '../support/winners.ts'

const STORED = catalogue.filter((resource) => isStoredShown(resource)).map(({ name }) => name)
/** What JSON escapes, what it need not escape, and the marks of the gaps. */
const ODD = ['"', '\\', '/', '<b>', 'é雨😀', 'a\u2028b', 'a\u007fb', "it's", '{"a":1}', 'a,b']

for (const name of ENGINES) {
  describe(`Records stored as they are shown (${name})`, () => {
    let fresh: FreshDatabase
    let server: Served

    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      server = await Served.on(fresh.url, { keeps: 'nothing' })
      await addWinners(server)
      for (const [i, odd] of ODD.entries()) {
        const json = { name: `${odd} ${i}`, src: odd, mode: 'part', p1: odd, p2: `${odd}${odd}` }
        const made = await server.ask('/api/polynym/', { method: 'POST', json, as: 'zoë' })
        assert.equal(made.status, 201, made.text)
        if (i % 2) await server.ask(`/api/polynym/${made.json.polynym_id}/vote/`, { method: 'POST', as: 'gus' })
      }
    })
    after(async () => {
      await server.stop()
      assert.deepEqual(server.bugs, [])
      await fresh.drop()
    })

    const everything = async () => {
      const answers: string[] = []
      for (const list of STORED) {
        const { status, text, headers, json } = await server.ask(`/api/${list}/?page_size=1000`)
        assert.equal(status, 200)
        const [record] = json.results
        const one = await server.ask(`/api/${list}/${record[`${list}_id`]}/`)
        answers.push(text, String(headers['etag']), one.text, String(one.headers['etag']))
      }
      return answers
    }

    test('records that an older program stored without it, or in another shape, are shown correctly', async () => {
      assert.ok(STORED.includes('polynym') && STORED.includes('quadranym'))
      const before = await everything()
      for (const stored of ["''", "'old!' || shown", "CASE WHEN id % 2 = 0 THEN '' ELSE shown END"]) {
        await server.store.write(function* () {
          for (const table of STORED) yield* statement(`UPDATE ${table} SET shown = ${stored}`)
        })
        assert.deepEqual(await everything(), before, stored)
      }
    })

    test('texts with every sort of character come back unchanged', async () => {
      const { json } = await server.ask('/api/polynym/?user=zo%C3%AB&page_size=100')
      assert.deepEqual(new Set(json.results.map(({ src }: { src: string }) => src)), new Set(ODD))
    })
  })
}
