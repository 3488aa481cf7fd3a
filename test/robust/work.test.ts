/** What a work can do when one of its statements fails: the same on both databases. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountNamed } from '../../src/engine/index.ts'
import { Taken, undoable, type Work } from '../../src/store/index.ts'
import { statement } from '../support/servers.ts'
import { onEachEngine } from '../support/site.ts'

function* unmarked(sql: string): Work<void> {
  yield { sql, parameters: [] }
}

onEachEngine('A statement that fails', { sample: false }, (site) => {
  const names = async () => {
    const rows = await site.engine.store.read(() => statement('SELECT name FROM account ORDER BY id'))
    return rows.map(({ name }) => name)
  }
  const account = (name: string) => accountNamed(site.engine, name)
  /** The name is taken by then. */
  const twice = (name: string) => site.engine.store.accounts.insert(name, name, '', false, '')

  test('throws into the work: catch and finally run, and what they throw is what the write fails with', async () => {
    const { store } = site.engine
    const seen: unknown[] = []
    const failing = store.write(function* (): Work<void> {
      yield* account('ann')
      try {
        yield* twice('ann')
      } catch (error) {
        seen.push(error instanceof Taken)
        throw new Error('my own words')
      } finally {
        seen.push('finally')
      }
    })
    await assert.rejects(failing, /my own words/)
    assert.deepEqual(seen, [true, 'finally'])
    assert.deepEqual(await names(), [])
  })

  test('inside undoable is undone, and the work continues', async () => {
    const { store } = site.engine
    const result = await store.write(function* (): Work<string> {
      yield* account('bob')
      let caught = ''
      try {
        yield* undoable(function* () {
          yield* account('undone')
          // A nested part is undone by itself.
          yield* undoable(() => twice('bob'))
        })
      } catch (error) {
        if (!(error instanceof Taken)) throw error
        caught = `${error.table}.${error.column}`
      }
      yield* account('cyd')
      return caught
    })
    assert.match(result, /^account\.name_key/)
    assert.deepEqual(await names(), ['bob', 'cyd'])
  })

  test('outside undoable fails the write, whatever the work does about it', async () => {
    const { store } = site.engine
    const before = await names()
    const attempts = { returns: false, 'goes on': true }
    for (const [what, goesOn] of Object.entries(attempts)) {
      const failing = store.write(function* (): Work<string> {
        yield* account(`dan ${what}`)
        try {
          yield* twice('bob')
        } catch {
          if (goesOn) yield* account('eve')
        }
        return what
      })
      await assert.rejects(failing, Taken, what)
    }
    assert.deepEqual(await names(), before)
    assert.deepEqual(await store.write(() => account('fay')).then(({ name }) => name), 'fay')
  })

  test('in a read throws into the work, too', async () => {
    const { store } = site.engine
    for (const read of [
      (work: () => Work<void>) => store.read(work),
      (work: () => Work<void>) => store.readAt(work),
      (work: () => Work<void>) => store.readAt(work, 5),
      async (work: () => Work<void>) => {
        const snapshot = await store.snapshot()
        await snapshot.read(work(), 5).finally(() => snapshot.close())
      },
    ]) {
      const seen: string[] = []
      const failing = read(function* () {
        try {
          yield* statement('SELECT 1 AS one')
          yield* statement('SELECT x FROM nowhere')
        } catch (error) {
          seen.push('catch')
          throw error
        } finally {
          seen.push('finally')
        }
      })
      await assert.rejects(failing, /nowhere/)
      assert.deepEqual(seen, ['catch', 'finally'])
    }
  })
})

onEachEngine('A change that does not say what it touches', { sample: false }, (site) => {
  test('is an error in tests: for records and what belongs to them, for accounts, tokens and sessions', async () => {
    const { json } = await site.ask('/api/polynym/', {
      method: 'POST',
      json: { name: 'hand', mode: 'part', p1: 'palm', p2: 'thumb' },
      as: 'gus',
    })
    const id = json.polynym_id
    for (const sql of [
      `UPDATE "polynym" SET p1 = 'x' WHERE id = ${id}`,
      `DELETE FROM polynym WHERE id = ${id}`,
      `DELETE FROM "polynym_words" WHERE record = ${id}`,
      `INSERT INTO polynym_votes (record, account) SELECT ${id}, id FROM account`,
      'UPDATE account SET staff = 1',
      "UPDATE token SET name = 'x'",
      'DELETE FROM session',
    ]) {
      await assert.rejects(
        site.engine.store.write(() => unmarked(sql)),
        /does not say what it touches/,
        sql,
      )
    }
    assert.equal((await site.ask(`/api/polynym/${id}/`)).json.p1, 'palm')
    // No cache depends on it.
    await site.engine.store.write(() => unmarked("UPDATE token SET last_used = ''"))
  })
})
