/** Taking changes back. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { countWrongCounts, countWrongFinding, countWrongVotes } from '../../src/store/index.ts'
import { onEachEngine, type Sent } from '../support/site.ts'

const STAFF = 'staff'
const NOTHING_LEFT = { detail: 'There is nothing left to undo.', count: 0, conflicts: [] }

onEachEngine('Undo', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const send = async (method: string, path: string, json?: object, as = 'gus') => {
    const reply = await site.ask(path, { method, as, ...(json ? { json } : {}) })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply.json
  }
  const polynym = async (name: string, rest: object = {}, as = 'gus'): Promise<number> =>
    (await send('POST', '/api/polynym/', { name, mode: 'part', p1: 'source', p2: 'mouth', ...rest }, as)).polynym_id
  const latest = async (): Promise<number> => (await site.ask('/api/changes/?limit=1')).json.latest
  const undo = (what: number | string, as = 'gus', sent: Sent = {}) =>
    site.ask(`/api/changes/${what}/undo/`, { method: 'POST', as, ...sent })
  const entries = async (since: number): Promise<any[]> =>
    (await site.ask(`/api/changes/?since=${since}&limit=1000`)).json.results

  /** Every record of every list, as the server sends it. */
  async function everything(): Promise<string[]> {
    const texts: string[] = []
    for (const { name } of catalogue) {
      for (let page: string | null = `/api/${name}/?page_size=100`; page; ) {
        const { text, json } = await site.ask(page)
        texts.push(text)
        page = json.next?.slice(site.base.length) ?? null
      }
    }
    return texts
  }

  /** Carries out a request that is one set, takes it back, and compares; then takes the undo back. */
  async function thereAndBack(task: () => Promise<unknown>, as = STAFF): Promise<any> {
    const [before, since] = [await everything(), await latest()]
    await task()
    const done = await everything()
    const [first] = await entries(since)
    const set = `set/${first.set}`
    const undone = await undo(set, as)
    assert.equal(undone.status, 200, undone.text)
    assert.deepEqual(await everything(), before)
    const back = await undo(`set/${undone.json.set}`, as)
    assert.equal(back.status, 200, back.text)
    assert.deepEqual(await everything(), done)
    const again = await undo(`set/${back.json.set}`, as)
    assert.equal(again.status, 200, again.text)
    assert.deepEqual(await everything(), before)
    const left = await undo(set, as)
    assert.deepEqual([left.status, left.json], [409, NOTHING_LEFT])
    return undone.json
  }

  test('{undo.change} members go back to what they were', async () => {
    const id = await polynym('river', { area: 'water' })
    const changed = await thereAndBack(() => send('PATCH', `/api/polynym/${id}/`, { p2: 'delta', area: '', p3: 'sea' }))
    const members = {
      area: { was: null, became: 'water' },
      p2: { was: 'delta', became: 'mouth' },
      p3: { was: 'sea', became: null },
    }
    assert.deepEqual(changed.results, [{ resource: 'polynym', id, action: 'change', members }])
    await thereAndBack(() => send('PUT', `/api/polynym/${id}/`, { name: 'Rivers', mode: 'step', p1: 'a', p2: 'b' }))
  })

  test('{undo.create} a new record is removed, with its lines', async () => {
    const made = await thereAndBack(() => polynym('new'))
    assert.deepEqual(
      made.results.map(({ action, resource }: any) => [action, resource]),
      [['remove', 'polynym']],
    )
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'one', qode: 'A q1n_NN grows.' })
    const { quadranym_id: quadranym } = await send('POST', '/api/quadranym/', { name: 'door' })
    const lines = [1, 2, 3].map(() => ({ phrase, quadranym }))
    await thereAndBack(() => send('POST', '/api/story/', { name: 'short', lines }))
    const { story_id: story } = await send('POST', '/api/story/', { name: 'long', lines })
    await thereAndBack(() => send('PATCH', `/api/story/${story}/`, { name: 'longer', lines: lines.slice(1) }))
    await thereAndBack(() => send('DELETE', `/api/story/${story}/`))
    await thereAndBack(() => send('DELETE', `/api/phrase/${phrase}/?cascade=true`, undefined, STAFF))
  })

  test('{undo.remove} a removed record returns under its id, with its votes in their order', async () => {
    const id = await polynym('liked', { src: 'me' })
    for (const as of ['ida', 'tom', 'gus']) await send('POST', `/api/polynym/${id}/vote/`, undefined, as)
    const { results } = await thereAndBack(() => send('DELETE', `/api/polynym/${id}/`), 'gus')
    assert.deepEqual(results[0].members.name, { was: null, became: 'liked' })
    await send('DELETE', `/api/polynym/${id}/`)
    const { json } = await undo(await latest())
    const [entry] = (await site.ask(`/api/changes/?since=${json.set - 1}`)).json.results
    assert.deepEqual([entry.action, entry.id, entry.user, entry.old], ['restore', id, 'gus', null])
    const { voters } = (await site.ask(`/api/polynym/${id}/`)).json
    assert.deepEqual(voters, ['gus', 'tom', 'ida'])
    assert.ok((await polynym('later')) > id)
  })

  test('{undo.cascade} the links that a cascade cut are joined again', async () => {
    const [a, b, c] = [await polynym('a'), await polynym('b'), await polynym('c')]
    const { quadranym_id: rain } = await send('POST', '/api/quadranym/', { name: 'rain', e: 'rain', r: 'dry' })
    const { quadranym_id: sun } = await send('POST', '/api/quadranym/', { name: 'sun', e: 'sun', r: 'dark' })
    await send('POST', '/api/polyset/', { name: 'three', polynyms: [a, b, c] })
    await send('POST', '/api/polyset/', { name: 'only one', polynyms: [b] }, 'ida')
    await send('POST', '/api/vectornym/', { name: 'vector', v1: a, v2: b })
    await send('POST', '/api/polymap/', { name: 'map', pa: a, pb: b, r1: 'source,IsA,mouth' })
    await thereAndBack(() => send('DELETE', `/api/polynym/${b}/?cascade=true`, undefined, STAFF))
    await send('POST', '/api/quadraset/', { name: 'weather', quadranyms: [sun, rain] })
    await send('POST', '/api/fortune/', {
      body: 'No sun without rain, no rain without sun, no rain.',
      qode: 'No q1e_NN without q2e_NN, no q2e_NN without q1e_NN, no q2e_NN.',
      q2: [sun, rain],
    })
    await send('POST', '/api/fortune/', { body: 'Rain, rain, go away.', q1: [rain] })
    await send('POST', '/api/quote/', { body: 'Rain falls.', quadranym: rain, src: 'me' }, 'ida')
    await thereAndBack(() => send('DELETE', `/api/quadranym/${rain}/?cascade=true`, undefined, STAFF))
  })

  test('{undo.votes} votes are given again and taken back, each in its place', async () => {
    const id = await polynym('voted')
    const address = `/api/polynym/${id}/vote/`
    await thereAndBack(() => send('POST', address, undefined, 'ida'), 'ida')
    for (const as of ['ida', 'tom', 'gus']) await send('POST', address, undefined, as)
    await thereAndBack(() => send('DELETE', address, undefined, 'tom'), 'tom')
    assert.deepEqual((await site.ask(`/api/polynym/${id}/`)).json.voters, ['gus', 'tom', 'ida'])
    await send('DELETE', address, undefined, 'tom')
    const seq = await latest()
    // The owner of a record has no right to the votes of others.
    assert.equal((await undo(seq, 'gus')).status, 403)
    assert.equal((await undo(seq, STAFF)).status, 200)
    const [entry] = await entries(seq)
    assert.deepEqual([entry.action, entry.user, entry.old], ['vote', 'tom', null])
  })

  test('{undo.ownerless} a record that shows no owner returns to its own', async () => {
    const { fortune_id: id } = await send('POST', '/api/fortune/', { body: 'Who owns a saying?' }, 'ida')
    await thereAndBack(() => send('DELETE', `/api/fortune/${id}/`, undefined, STAFF), 'ida')
    assert.equal((await site.ask(`/api/fortune/${id}/`, { method: 'DELETE', as: 'gus' })).status, 403)
    await send('DELETE', `/api/fortune/${id}/`, undefined, 'ida')
    const score = { app: 'flip', score: 3, round: 1 }
    const { winner_id: winner } = await send('POST', '/api/winner/', { ...score, user: 'ida' }, STAFF)
    const { results } = await thereAndBack(() => send('PATCH', `/api/winner/${winner}/`, { user: 'tom' }, STAFF))
    assert.deepEqual(results[0].members, { user: { was: 'tom', became: 'ida' } })
  })

  test('{undo.conflict} a member that was changed since stays, and 409 says what it was, became and is', async () => {
    const id = await polynym('lake')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'shore', p2: 'deep' })
    const seq = await latest()
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'bottom', p3: 'mud' })
    const before = await everything()
    const { status, json } = await undo(seq)
    assert.deepEqual(
      [status, json],
      [
        409,
        {
          detail: 'Nothing was undone: 1 record cannot go back.',
          count: 1,
          conflicts: [
            {
              resource: 'polynym',
              id,
              detail: 'These members have changed since.',
              members: { p2: { was: 'mouth', became: 'deep', now: 'bottom' } },
            },
          ],
        },
      ],
    )
    assert.deepEqual(await everything(), before)
    // Back at what the entry made of it, it can go further back; members that nobody touched stay.
    await send('PATCH', `/api/polynym/${id}/`, { p2: 'deep' })
    assert.equal((await undo(seq)).status, 200)
    const { p1, p2, p3 } = (await site.ask(`/api/polynym/${id}/`)).json
    assert.deepEqual([p1, p2, p3], ['source', 'mouth', 'mud'])
    await send('DELETE', `/api/polynym/${id}/`)
    const [gone] = (await undo(seq)).json.conflicts
    assert.equal(gone.detail, 'The record has been removed since.')
    assert.deepEqual(gone.members.p2, { was: 'mouth', became: 'deep', now: null })
  })

  test('{undo.created-since} a new record that was changed or is used since stays', async () => {
    const [a, b] = [await polynym('kept'), await polynym('used')]
    const seqs = { a: (await latest()) - 1, b: await latest() }
    await send('PATCH', `/api/polynym/${a}/`, { p1: 'spring' })
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'uses', polynyms: [b] }, 'ida')
    const changed = await undo(seqs.a)
    assert.deepEqual(
      [changed.status, changed.json.conflicts[0].members],
      [409, { p1: { was: null, became: 'source', now: 'spring' } }],
    )
    const used = await undo(seqs.b)
    assert.deepEqual([used.status, used.json.conflicts[0].used_by], [409, [`${site.base}/api/polyset/${set}/`]])
  })

  test('{undo.stopped} what no longer fits into the catalogue stays', async () => {
    const [a, b] = [await polynym('first'), await polynym('second')]
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'pair', polynyms: [a, b] })
    await send('PATCH', `/api/polyset/${set}/`, { polynyms: [b] })
    const cut = await latest()
    await send('DELETE', `/api/polynym/${a}/`)
    const missing = await undo(cut)
    assert.equal(missing.status, 409)
    const errors = { polynyms: [`Invalid pk "${a}" - object does not exist.`] }
    assert.deepEqual(missing.json.conflicts[0], {
      resource: 'polyset',
      id: set,
      detail: 'The old values are no longer valid.',
      members: { polynyms: { was: [a, b], became: [b], now: [b] } },
      errors,
    })
    const twin = await polynym('first')
    const taken = await undo(cut + 1)
    assert.deepEqual([taken.status, taken.json.conflicts[0].used_by], [409, [`${site.base}/api/polynym/${twin}/`]])
    // Without its twin, both return.
    await send('DELETE', `/api/polynym/${twin}/`)
    for (const seq of [cut + 1, cut]) assert.equal((await undo(seq)).status, 200)
    const { polynyms } = (await site.ask(`/api/polyset/${set}/`)).json
    assert.deepEqual(
      polynyms.map((each: any) => each.polynym_id),
      [a, b],
    )
  })

  test('{undo.stopped} of two records that had the same place, at most one returns', async () => {
    const since = await latest()
    const ids: number[] = []
    for (let i = 0; i < 2; i++) {
      ids.push(await polynym('twin'))
      await send('DELETE', `/api/polynym/${ids[i]}/`, undefined, 'staff-twice')
    }
    const path = `/api/changes/user/staff-twice/undo/?since=${since}`
    const { status, json } = await site.ask(path, { method: 'POST', as: STAFF })
    const { detail, id, used_by } = json.conflicts[0]
    assert.deepEqual(
      [status, detail, id, used_by],
      [409, 'Another record has taken its place.', ids[0], [`${site.base}/api/polynym/${ids[1]}/`]],
    )
  })

  test('{undo.stopped} a record does not return if what it embeds has become too large', async () => {
    const ids: number[] = []
    for (let i = 0; i < 24; i++) ids.push(await polynym(`growing ${i}`))
    const { polyset_id: set } = await send('POST', '/api/polyset/', { name: 'growing', polynyms: ids })
    await send('DELETE', `/api/polyset/${set}/`)
    const removal = await latest()
    const slots = Array.from({ length: 12 }, (_, i) => [`p${i + 1}`, `${i}${'😀'.repeat(490)}`])
    for (const id of ids) await send('PATCH', `/api/polynym/${id}/`, Object.fromEntries(slots))
    const { status, json } = await undo(removal)
    const errors = { polynyms: ['Ensure the embedded records have no more than 524288 bytes in all.'] }
    assert.deepEqual([status, json.conflicts?.[0].errors], [409, errors])
  })

  test('{undo.checked} a mixture of old and new members is checked like a change', async () => {
    const id = await polynym('slots')
    await send('PATCH', `/api/polynym/${id}/`, { p3: 'third' })
    const seq = await latest()
    await send('PATCH', `/api/polynym/${id}/`, { p4: 'fourth' })
    const { status, json } = await undo(seq)
    assert.deepEqual([status, json.conflicts[0].errors], [409, { p4: ['Fill the slots in order, with no gap.'] }])
  })

  test('{undo.forgotten} values that the log no longer has cannot return', async () => {
    const id = await polynym('blanked')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'spring' })
    const changed = await latest()
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'well' })
    await send('DELETE', `/api/polynym/${id}/`)
    await site.engine.store.write(function* () {
      yield { sql: 'UPDATE change SET old = NULL WHERE seq > ?', parameters: [changed] }
    })
    for (const seq of [changed, changed + 1, changed + 2]) {
      const { status, json } = await undo(seq, STAFF)
      assert.deepEqual([status, json.conflicts[0].detail], [409, 'The log no longer has the old values.'])
    }
    const { results } = (await site.ask(`/api/polynym/${id}/history/`)).json
    assert.deepEqual(
      results.map(({ members }: any) => members.p1),
      [undefined, undefined, { was: 'source' }, { was: null, became: 'source' }],
    )
  })

  test('{undo.change} {undo.remove} what the catalogue no longer has is left out', async () => {
    // As if the members had been declared when the entries were made.
    const logged = (columns: string) =>
      site.engine.store.write(function* () {
        yield { sql: `UPDATE change SET ${columns} WHERE seq = (SELECT max(seq) FROM change)`, parameters: [] }
      })
    const id = await polynym('declared')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'spring' })
    await logged(`old = '{"motto":"once"}'`)
    const seq = await latest()
    const left = await undo(seq)
    assert.deepEqual([left.status, left.json, await latest()], [409, NOTHING_LEFT, seq])
    const { queue_id: queue } = await send('POST', '/api/queue/', { name: 'liked once' })
    await logged(`action = 'unvote'`)
    assert.deepEqual((await undo(await latest(), STAFF)).json, NOTHING_LEFT)
    await send('DELETE', `/api/queue/${queue}/`)
    await logged(`old = replace(old, '{', '{"motto":"once","voters":[1],')`)
    const { status, json } = await undo(await latest())
    assert.deepEqual([status, json.results?.[0].members], [200, { name: { was: null, became: 'liked once' } }])
  })

  test('{undo.dry-run} a dry run says what would be done, and does nothing', async () => {
    const id = await polynym('rehearsed')
    const [before, since] = [await everything(), await latest()]
    const { status, json } = await site.ask(`/api/changes/${since}/undo/?dry_run=true`, { method: 'POST', as: 'gus' })
    assert.deepEqual([status, json.set, json.results.length], [200, null, 1])
    assert.deepEqual([json.results[0].action, json.results[0].id], ['remove', id])
    assert.deepEqual([await everything(), await latest()], [before, since])
    const wrong = await site.ask(`/api/changes/${since}/undo/?dry_run=yes`, { method: 'POST', as: 'gus' })
    assert.deepEqual([wrong.status, wrong.json], [400, { dry_run: ['"yes" is not a valid choice.'] }])
  })

  test('{undo.rights} the owner and staff take changes back, for every record of a set', async () => {
    const id = await polynym('owned')
    const seq = await latest()
    assert.equal((await site.ask(`/api/changes/${seq}/undo/`, { method: 'POST' })).status, 401)
    assert.equal((await undo(seq, 'ida')).status, 403)
    await send('POST', '/api/polyset/', { name: 'of ida', polynyms: [id, await polynym('other')] }, 'ida')
    await send('DELETE', `/api/polynym/${id}/?cascade=true`, undefined, STAFF)
    const [cut, removed] = [(await latest()) - 1, await latest()]
    // The set also changed a record of somebody else.
    assert.equal((await undo(`set/${cut}`)).status, 403)
    assert.equal((await undo(removed)).status, 200)
    assert.equal((await undo(cut, 'gus')).status, 403)
    assert.equal((await undo(cut, 'ida')).status, 200)
    for (const what of [987654, 'set/987654', 'x', 'set/x', '0'])
      assert.equal((await undo(what)).status, 404, `${what}`)
  })

  test('{undo.user} staff take back what a user has done since a moment', async () => {
    const id = await polynym('quiet', {}, 'ida')
    site.clock = new Date('2030-01-01T00:00:00.000Z')
    const [before, since] = [await everything(), await latest()]
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'noise' }, 'staff-mal')
    const spam = await polynym('spam', {}, 'staff-mal')
    await send('POST', '/api/polyset/', { name: 'spam', polynyms: [id, spam] }, 'staff-mal')
    await send('POST', `/api/polynym/${spam}/vote/`, undefined, 'staff-mal')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'louder' }, 'staff-mal')
    site.clock = undefined
    assert.equal((await undo('user/staff-mal', 'ida', {})).status, 400)
    const by = (query: string, as = STAFF) =>
      site.ask(`/api/changes/user/STAFF-MAL/undo/?${query}`, { method: 'POST', as })
    assert.equal((await by(`since=${since}`, 'ida')).status, 403)
    assert.deepEqual((await by('since=soon')).json, { since: ['A valid integer or time is required.'] })
    assert.equal((await site.ask('/api/changes/user/nobody/undo/?since=0', { method: 'POST', as: STAFF })).status, 404)
    const dry = await by('since=2030-01-01&dry_run=true')
    assert.deepEqual([dry.status, dry.json.results.length], [200, 5])
    const { status, json } = await by('since=2030-01-01T00:00Z')
    assert.equal(status, 200)
    assert.deepEqual(json.results, dry.json.results)
    assert.deepEqual(await everything(), before)
    // All of it is one set, which can be taken back as well.
    assert.equal((await undo(`set/${json.set}`, STAFF)).status, 200)
    assert.equal((await by(`since=${since}`)).status, 200)
    assert.deepEqual(await everything(), before)
  })

  test('{undo.many} more than a thousand changes of a user are taken back in parts', async () => {
    const before = await everything()
    const since = await latest()
    const { phrase_id: phrase } = await send('POST', '/api/phrase/', { name: 'of many', qode: 'Many a q1n_NN.' }, 'mo')
    const { quadranym_id: quadranym } = await send('POST', '/api/quadranym/', { name: 'many' }, 'mo')
    const lines = Array.from({ length: 1000 }, () => ({ phrase, quadranym }))
    await send('POST', '/api/story/', { name: 'longest', lines }, 'mo')
    const by = (query: string) => site.ask(`/api/changes/user/mo/undo/?${query}`, { method: 'POST', as: STAFF })
    const tooMany = await by(`since=${since}`)
    const next = since + 3
    const message = `These are more than 1000 entries: undo since=${next}, and then the rest with until=${next}.`
    assert.deepEqual([tooMany.status, tooMany.json], [400, { since: [message] }])
    const newer = await by(`since=${next}`)
    assert.deepEqual([newer.status, newer.json.results?.length], [200, 1000])
    const older = await by(`since=${since}&until=${next}`)
    assert.deepEqual([older.status, older.json.results?.length], [200, 3])
    assert.deepEqual(await everything(), before)
  })

  test('{undo.once} of two who undo the same at once, one does it', async () => {
    const id = await polynym('contested')
    await send('PATCH', `/api/polynym/${id}/`, { p1: 'spring' })
    const seq = await latest()
    const replies = await Promise.all([undo(seq), undo(seq, STAFF), undo(seq)])
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409, 409])
    assert.equal((await site.ask(`/api/polynym/${id}/`)).json.p1, 'source')
    assert.equal(await latest(), seq + 1)
  })

  test('{undo.retry} a repeated request with the same Idempotency-Key gets the same response', async () => {
    const { fortune_id: id } = await send('POST', '/api/fortune/', { body: 'short' })
    const bodies = [`long ${'and longer '.repeat(300)}`, 'short again']
    for (const body of bodies) {
      await send('PATCH', `/api/fortune/${id}/`, { body })
      const seq = await latest()
      const headers = { 'idempotency-key': `undo-${seq}` }
      const first = await undo(seq, 'gus', { headers })
      const second = await undo(seq, 'gus', { headers })
      assert.equal(first.status, 200)
      assert.deepEqual(second.json, first.json)
      assert.equal(await latest(), seq + 1)
    }
  })

  test('{undo.retry} a repeated undo of many changes lists them in the same order', async () => {
    const records = Array.from({ length: 40 }, (_, i) => {
      return { name: `in order ${i}`, area: 'undo', mode: 'type', p1: `first ${i}`, p2: `second ${i}` }
    })
    const made = await send('POST', '/api/batch/', { resource: 'polynym', records })
    for (const id of made.ids.slice(0, 3)) await send('POST', `/api/polynym/${id}/vote/`, {}, STAFF)
    // Removes all, restores all, and removes them again.
    let set = (await site.ask(`/api/polynym/${made.ids[0]}/history/`)).json.results.at(-1).set
    for (let i = 0; i < 3; i++) {
      const headers = { 'idempotency-key': `order-${i}` }
      const first = await undo(`set/${set}`, 'gus', { headers })
      const second = await undo(`set/${set}`, 'gus', { headers })
      assert.equal(first.status, 200)
      assert.equal(first.json.results.length, records.length)
      assert.equal(second.text, first.text)
      set = first.json.set
    }
  })

  test('after all that, search data, votes, counters and the index of the lists are as a fresh count gives them', async () => {
    const { store } = site.engine
    for (const resource of catalogue) {
      const wrong = await store.read(function* () {
        const [finding, votes] = [yield* countWrongFinding(store.records, resource), yield* countWrongVotes(resource)]
        return [
          finding,
          votes,
          yield* store.records.rank.untrue(resource),
          yield* countWrongCounts(store.records, resource),
        ]
      })
      assert.deepEqual(wrong, [0, 0, 0, 0], resource.name)
    }
  })
})
