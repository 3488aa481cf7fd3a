/** /nested/: sets whose names are the terms of a set. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { make, read } from '../writing/fixtures.ts'
import { assertRefused, BAD_PATH, badNumbers, NOT_FOUND, type Refused, wrongMethods } from './refused.ts'

const REFUSED: readonly Refused[] = ['quadranym', 'polynym'].flatMap((name) => [
  ...['99999999', '0', '-1', 'abc', '9'.repeat(30), '%00'].map((id) => {
    return { ask: `/api/${name}/${id}/nested/`, status: 404, says: NOT_FOUND }
  }),
  { ask: `/api/${name}/%ff/nested/`, status: 400, says: BAD_PATH },
  ...badNumbers(`/api/${name}/1/nested/`, 'depth', 5),
  ...wrongMethods(`/api/${name}/1/nested/`, 'GET, HEAD, OPTIONS'),
])

onEachEngine('Nested sets', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const id: Record<string, number> = {}
  before(async () => {
    const quadranym = async (key: string, name: string, e: string, r: string, o = '', s = '') => {
      id[key] = (await make(site, 'quadranym', { name, e, r, o, s })).quadranym_id
    }
    await quadranym('house', 'house', 'Wäll', 'roof', '____', '')
    await quadranym('wall', 'WALL', 'brick', 'house')
    await quadranym('other wall', 'wall', 'hedge', 'fence')
    await quadranym('brick', 'brick', 'clay', 'wall')
    await quadranym('clay', 'clay', 'earth', 'clay')
  })

  const nested = (key: string, query = '') => read(site, `/api/quadranym/${id[key]}/nested/${query}`)
  const leaf = (key: string, name = key) => ({ name, quadranym_id: id[key] })

  test('{nested.members} each slot with its term and the sets of that name, however it is written', async () => {
    assert.deepEqual(await nested('house', '?depth=1'), {
      name: 'house',
      quadranym_id: id['house'],
      nested: [
        { slot: 'e', term: 'Wäll', records: [leaf('wall', 'WALL'), leaf('other wall', 'wall')] },
        { slot: 'r', term: 'roof', records: [] },
        { slot: 'o', term: '____', records: [] },
      ],
    })
  })

  test('{nested.depth} depth levels down, 2 by default; {nested.repeated} what stands further up is not unfolded again', async () => {
    const house = (wall: object[]) => ({
      name: 'house',
      quadranym_id: id['house'],
      nested: [
        { slot: 'e', term: 'Wäll', records: wall },
        { slot: 'r', term: 'roof', records: [] },
        { slot: 'o', term: '____', records: [] },
      ],
    })
    const otherWall = {
      ...leaf('other wall', 'wall'),
      nested: [
        { slot: 'e', term: 'hedge', records: [] },
        { slot: 'r', term: 'fence', records: [] },
      ],
    }
    const wall = (brick: object) => ({
      ...leaf('wall', 'WALL'),
      nested: [
        { slot: 'e', term: 'brick', records: [brick] },
        { slot: 'r', term: 'house', records: [{ ...leaf('house'), repeated: true }] },
      ],
    })
    const two = house([wall(leaf('brick')), otherWall])
    assert.deepEqual(await nested('house'), two)
    assert.deepEqual(await nested('house', '?depth='), two)
    const brick = {
      ...leaf('brick'),
      nested: [
        { slot: 'e', term: 'clay', records: [leaf('clay')] },
        { slot: 'r', term: 'wall', records: [{ ...leaf('wall', 'WALL'), repeated: true }, leaf('other wall', 'wall')] },
      ],
    }
    assert.deepEqual(await nested('house', '?depth=3'), house([wall(brick), otherWall]))
    const clay = [
      { slot: 'e', term: 'earth', records: [] },
      { slot: 'r', term: 'clay', records: [{ ...leaf('clay'), repeated: true }] },
    ]
    assert.deepEqual(await nested('clay', '?depth=5'), { ...leaf('clay'), nested: clay })
  })

  test('{nested.polynym} polynyms nest in the same way', async () => {
    const core = await make(site, 'polynym', { name: 'Core', mode: 'part', p1: 'inner', p2: 'outer' })
    const earth = await make(site, 'polynym', { name: 'Earth', mode: 'part', p1: 'core', p2: 'crust' })
    assert.deepEqual(await read(site, `/api/polynym/${earth.polynym_id}/nested/?depth=1`), {
      name: 'Earth',
      polynym_id: earth.polynym_id,
      nested: [
        { slot: 'p1', term: 'core', records: [{ name: 'Core', polynym_id: core.polynym_id }] },
        { slot: 'p2', term: 'crust', records: [] },
      ],
    })
  })

  test('{nested.most} at most 500 sets are returned, those of the upper levels first', async () => {
    // Six of one name, each with two slots of that name: 12, 144, 1728 and more.
    for (const r of ['a', 'b', 'c', 'd', 'e', 'f'])
      await make(site, 'quadranym', { name: 'm', e: 'm', r, o: 'm', s: '' })
    const { quadranym_id } = await make(site, 'quadranym', { name: 'root', e: 'm', r: '', o: 'm', s: '' })
    const levels: number[] = []
    const count = ({ nested = [] }: any, level: number): void => {
      for (const { records } of nested) {
        levels[level] = (levels[level] ?? 0) + records.length
        for (const record of records) count(record, level + 1)
      }
    }
    count(await read(site, `/api/quadranym/${quadranym_id}/nested/?depth=5`), 0)
    assert.deepEqual([levels[0], levels[1], levels.reduce((sum, each) => sum + each, 0)], [12, 144, 500])
  })

  test('{nested.refused} unknown records and invalid depths are refused', async () => {
    for (const refused of REFUSED) await assertRefused(site, refused)
    for (const name of ['fortune', 'quadraset', 'quadranym-id']) {
      await assertRefused(site, { ask: `/api/${name}/1/nested/`, status: 404, says: NOT_FOUND })
    }
  })
})
