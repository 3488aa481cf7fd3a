/** A pooler that forgets prepared statements: the server notices it, and no client does. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ENGINES } from '../support/databases.ts'
import { Pooler } from '../support/pooler.ts'
import { Site } from '../support/site.ts'

const CLIENTS = 20

describe('Through a pooler', { skip: !ENGINES.includes('PostgreSQL') && 'it needs PostgreSQL' }, () => {
  const pooler = new Pooler()
  const site = new Site('PostgreSQL', { through: (url) => pooler.between(url) })

  before(() => site.start())
  after(async () => {
    await site.stop()
    pooler.close()
    assert.deepEqual(site.bugs, [])
  })

  test('whole lists are sent, before anything else has noticed it', async () => {
    const stream = async () => {
      const { status, text } = await site.ask('/api/polynym.ndjson')
      assert.equal(status, 200, text)
      assert.ok(text.trim().split('\n').length > 500)
    }
    await stream()
    await pooler.forget()
    await stream()
  })

  test('clients that read and write at the same time all succeed', async () => {
    let number = 0
    const write = async () => {
      const json = { name: `Pooled ${++number}`, area: 'travel', mode: 'part', p1: 'a', p2: 'b' }
      assert.equal((await site.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })).status, 201)
    }
    const read = async () => assert.equal((await site.ask(`/api/polynym/?page_size=3&id__gte=${++number}`)).status, 200)
    const many = (task: () => Promise<void>) => Promise.all(Array.from({ length: CLIENTS }, task))
    await many(read)
    await many(write)
    // The next statement of each connection is one that the server does not know.
    await pooler.forget()
    await many(read)
    await many(write)
  })
})
