/** nymdex forget: old values go, the entries stay. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { runCommand } from '../support/command.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'
import { Listener } from './listener.ts'

const SECRET = 'a secret that must go'

for (const engine of ENGINES) {
  describe(`Forgetting (${engine})`, () => {
    let database: FreshDatabase
    let served: Served
    before(async () => {
      database = await freshDatabase(engine, { sample: false, tables: true })
      served = await Served.on(database.url, { keeps: 'everything' })
    })
    after(async () => {
      assert.deepEqual(served.bugs, [])
      await served.stop()
      await database.drop()
    })

    const send = async (method: string, path: string, as: string, json?: object): Promise<any> => {
      const reply = await served.ask(path, { method, as, ...(json ? { json } : {}) })
      assert.ok(reply.status < 300, reply.text)
      return reply.json
    }
    const polynym = async (name: string, as: string, rest: object = {}): Promise<number> =>
      (await send('POST', '/api/polynym/', as, { name, mode: 'part', p1: 'source', p2: 'mouth', ...rest })).polynym_id
    /** The old values of a record's entries, and whether they were forgotten. */
    const olds = async (id: number): Promise<unknown[]> => {
      const { results } = (await served.ask(`/api/changes/?resource=polynym&id=${id}`)).json
      return results.map(({ action, old, forgotten }: any) => [action, old, ...(forgotten ? [forgotten] : [])])
    }
    async function forget(...args: string[]): Promise<string[]> {
      const env = { PATH: process.env['PATH'], DATABASE_URL: database.url }
      const { code, out, err } = await runCommand(['forget', ...args], env)
      return code === 0 ? out.trimEnd().split('\n') : [err.trimEnd()]
    }

    test('{changes.forgotten} a record: without --yes it is only shown, and one member can go alone', async () => {
      const id = await polynym('spring', 'gus', { p3: SECRET })
      await send('PATCH', `/api/polynym/${id}/`, 'gus', { p3: 'sea', p1: 'rain' })
      await send('PATCH', `/api/polynym/${id}/`, 'gus', { p2: 'delta' })
      const before = (await served.ask('/api/changes/')).text
      const [listed, how] = await forget('--resource', 'polynym', '--id', `${id}`, '--member', 'p3')
      assert.match(listed!, new RegExp(`change\\tpolynym ${id}\\tp3$`))
      assert.match(how!, /--yes blanks these values in 1 entry/)
      assert.equal((await served.ask('/api/changes/')).text, before)
      await forget('--resource', 'polynym', '--id', `${id}`, '--member', 'p3', '--yes')
      assert.deepEqual(await olds(id), [
        ['create', null],
        ['change', { p1: 'source' }, true],
        ['change', { p2: 'mouth' }],
      ])
      assert.match((await forget('--resource', 'polynym', '--id', `${id}`, '--yes')).at(-1)!, /in 2 entries/)
      assert.deepEqual(await olds(id), [
        ['create', null],
        ['change', null, true],
        ['change', null, true],
      ])
      const { results } = (await served.ask(`/api/changes/?resource=polynym&id=${id}`)).json
      assert.deepEqual(Object.keys(results[1]).slice(-2), ['old', 'forgotten'])
      assert.deepEqual(
        results.map(({ seq }: any) => seq),
        [1, 2, 3],
      )
      assert.deepEqual(await forget('--resource', 'polynym', '--id', `${id}`), ['the log has no such values'])
    })

    test('{changes.forgotten} such an entry cannot be undone, its history does not guess, and the past before it is gone', async () => {
      const id = await polynym('well', 'gus', { p3: 'water' })
      const { latest } = (await served.ask('/api/changes/?limit=1')).json
      await send('PATCH', `/api/polynym/${id}/`, 'gus', { p3: 'oil' })
      const past = await served.ask(`/api/polynym/${id}/?as_of=${latest}`)
      assert.equal(past.json.p3, 'water')
      const path = `/api/changes/${latest + 1}/undo/`
      assert.equal((await served.ask(`${path}?dry_run=true`, { method: 'POST', as: 'gus' })).status, 200)
      await forget('--resource', 'polynym', '--id', `${id}`, '--yes')
      assert.equal((await served.ask(path, { method: 'POST', as: 'gus' })).status, 409)
      assert.equal((await served.ask(`/api/polynym/${id}/?as_of=${latest}`)).status, 410)
      assert.equal((await served.ask(`/api/polynym/${id}/?as_of=${latest + 1}`)).json.p3, 'oil')
      const { results } = (await served.ask(`/api/polynym/${id}/history/`)).json
      assert.deepEqual([results[0].forgotten, results[0].members], [true, {}])
      assert.deepEqual([results[1].forgotten, results[1].members], [undefined, {}])
    })

    test('{changes.forgotten} a live stream does not tell it either', async () => {
      const id = await polynym('fountain', 'gus', { p3: SECRET })
      const { latest } = (await served.ask('/api/changes/?limit=1')).json
      const early = await Listener.open(served.port)
      await send('PATCH', `/api/polynym/${id}/`, 'gus', { p3: 'sea' })
      assert.deepEqual((await early.next('change')).data.old, { p3: SECRET })
      await forget('--resource', 'polynym', '--id', `${id}`, '--yes')
      const late = await Listener.open(served.port, { query: `?since=${latest}` })
      const { old, forgotten } = (await late.next('change')).data
      assert.deepEqual([old, forgotten], [null, true])
      for (const listener of [early, late]) listener.close()
    })

    test('one entry, by its number', async () => {
      const id = await polynym('brook', 'gus')
      await send('DELETE', `/api/polynym/${id}/`, 'gus')
      const { latest } = (await served.ask('/api/changes/?limit=1')).json
      await forget('--seq', `${latest}`, '--yes')
      assert.deepEqual(await olds(id), [
        ['create', null],
        ['remove', null, true],
      ])
    })

    test('{hidden.show} what is forgotten while a record is hidden stays forgotten when it is shown', async () => {
      const id = await polynym('ditch', 'gus', { p3: SECRET, p4: 'moss' })
      await send('PATCH', `/api/polynym/${id}/`, 'gus', { p3: 'reed' })
      await send('DELETE', `/api/polynym/${id}/`, 'gus')
      const hide = (hidden: boolean) => send('PUT', '/api/hidden/', 'staff', { resource: 'polynym', id, hidden })
      await hide(true)
      const blank = [
        ['create', null],
        ['change', null, true],
        ['remove', null, true],
      ]
      assert.match((await forget('--resource', 'polynym', '--id', `${id}`, '--member', 'p3', '--yes'))[0]!, /p3$/)
      assert.deepEqual(await olds(id), blank)
      await hide(false)
      const [, changed, removed]: any = await olds(id)
      assert.deepEqual(changed, blank[1])
      assert.deepEqual([removed[1].name, removed[1].p3, removed[1].p4, removed[2]], ['ditch', undefined, 'moss', true])
    })

    test('what a user wrote goes, in records of any owner; what others wrote stays', async () => {
      const mine = await polynym('mine', 'eve', { p3: 'by eve' })
      const theirs = await polynym('theirs', 'ada', { p3: 'by ada' })
      await send('PATCH', `/api/polynym/${theirs}/`, 'staff', { p3: 'by staff' })
      await send('PATCH', `/api/polynym/${mine}/`, 'staff', { p3: 'by staff', p1: 'by staff' })
      await send('PATCH', `/api/polynym/${mine}/`, 'eve', { p1: 'by eve again' })
      // An undo brings back what another user wrote.
      const undone = await polynym('undone', 'eve', { p3: 'by eve' })
      await send('PATCH', `/api/polynym/${undone}/`, 'staff', { p3: 'by staff' })
      const { latest } = (await served.ask('/api/changes/?limit=1')).json
      await send('POST', `/api/changes/${latest}/undo/`, 'staff', {})
      await send('PATCH', `/api/polynym/${undone}/`, 'staff', { p3: 'by staff again' })
      await send('PATCH', `/api/polynym/${mine}/`, 'staff', { p1: 'better' })
      await send('DELETE', `/api/polynym/${mine}/`, 'staff')
      await forget('--user', 'eve', '--yes')
      assert.deepEqual(await olds(mine), [
        ['create', null],
        ['change', null, true],
        ['change', { p1: 'by staff' }],
        ['change', null, true],
        ['remove', { p1: 'better', p3: 'by staff' }, true],
      ])
      assert.deepEqual((await olds(theirs)).at(-1), ['change', { p3: 'by ada' }])
      assert.deepEqual(await olds(undone), [
        ['create', null],
        ['change', null, true],
        ['change', { p3: 'by staff' }],
        ['change', null, true],
      ])
    })

    test('a mistake is one line', async () => {
      for (const [args, fault] of [
        [[], 'give one of --seq, --resource and --user'],
        [['--seq', '1', '--user', 'ada'], 'give one of --seq, --resource and --user'],
        [['--resource', 'polynym'], 'give --resource and --id together'],
        [['--seq', '1', '--id', '1'], 'give --resource and --id together'],
        [['--seq', 'x'], '--seq: "x" is not a whole number'],
        [['--user', 'nobody'], 'there is no user "nobody"'],
      ] as const)
        assert.deepEqual(await forget(...args), [`nymdex: ${fault}`])
    })
  })
}
