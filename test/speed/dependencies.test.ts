/**
 * What a cached answer depends on is declared where it is made. Here every answer that can be cached is made while the
 * statements that it runs are watched: a resource that was read and is not declared is a bug.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalogue, charts } from '../../src/catalogue/index.ts'
import { collectionsOf, resourcesOf } from '../../src/engine/index.ts'
import { DependencyCheck } from '../../src/http/response/cache-check.ts'
import { ResourcesRead } from '../../src/store/index.ts'
import { ENGINES, type FreshDatabase, freshDatabase } from '../support/databases.ts'
import { Served } from '../support/servers.ts'

const COLLECTIONS = collectionsOf(catalogue)
const WAYS = [
  '',
  '?page_size=3&page=2',
  '?search=light',
  '?ordering=-id',
  '?fields=name',
  '?embed=ids',
  'random/?seed=3&n=5',
  'daily/',
  'facets/?by=user',
  '?format=txt&page_size=2',
]
const OTHERS = [
  '',
  'term/light/',
  'compare/?set=polynym:1&set=polynym:2',
  'polyset/?polynyms=1',
  'polynym/?voters=ada',
  'polynym/?term=light',
  'chart/',
  ...charts.flatMap((chart) => [
    `chart/${chart.name}/`,
    ...resourcesOf(chart).map(({ name }) => `chart/${chart.name}/?resource=${name}`),
  ]),
]
/** Pages for people, by the id of a record of each kind. */
const PAGES = [
  '/',
  '/sets/',
  '/texts/',
  '/stories/',
  '/find/?q=light',
  '/find/suggest/?q=light',
  '/word/light/',
  '/people/',
  '/people/ada/',
  '/changes/',
  '/changes.atom',
  '/changes/set/1/',
  '/annotate/',
  '/make/',
  '/tell/',
  '/explore/',
  '/compare/',
  '/compare/?set=polynym:193&set=quadranym:1',
  '/compare.svg?set=polynym:193&set=quadranym:1',
  '/nested/?quadranym=1',
  '/posters/?set=quadranym:1',
  '/posters.svg?set=polynym:193',
]
const RECORD_PAGES = ['', 'history/', 'delete/', 'edit/']

for (const name of ENGINES) {
  describe(`Dependencies of cached answers (${name})`, () => {
    let fresh: FreshDatabase
    let checked: Served

    before(async () => {
      fresh = await freshDatabase(name, { sample: true })
      checked = await Served.on(fresh.url, { keeps: 'checked' })
    })
    after(async () => {
      await checked.stop()
      await fresh.drop()
    })

    test('every answer depends on all that was read for it', async () => {
      const addresses = [...OTHERS]
      for (const { name, resource } of COLLECTIONS) {
        addresses.push(...WAYS.map((way) => `${name}/${way}`))
        const { json } = await checked.ask(`/api/${name}/`)
        const ids: number[] = json.results.slice(0, 2).map((record: any) => record[`${resource.name}_id`])
        const questions = Object.keys(resource.questions ?? {}).map((question) => `${question}/`)
        addresses.push(
          ...ids.flatMap((id) => ['', 'related/', 'nested/', ...questions].map((way) => `${name}/${id}/${way}`)),
        )
      }
      let read = 0
      for (const address of addresses) if ((await checked.ask(`/api/${address}`)).status === 200) read++
      assert.deepEqual(checked.bugs.map(String), [])
      assert.ok(read > 150, `${read} of ${addresses.length} could be read`)
    })

    test('every page depends on all that the responses that it shows depend on', async () => {
      const change = { method: 'PATCH', json: { area: 'elsewhere' }, as: 'staff-gus' }
      assert.equal((await checked.ask('/api/polynym/1/', change)).status, 200)
      const addresses = [...PAGES]
      for (const { name, resource } of COLLECTIONS) {
        addresses.push(`/${name}/`, `/${name}/?ordering=-id`, `/make/${name}/`, `/api/${name}/`, `/api/${name}/?page=2`)
        const { json } = await checked.ask(`/api/${name}/?page_size=1`)
        const id = json.results[0]?.[`${resource.name}_id`]
        addresses.push(`/api/${name}/${id}/`, ...RECORD_PAGES.map((way) => `/${name}/${id}/${way}`))
      }
      let read = 0
      for (const address of addresses) {
        const { status } = await checked.ask(address, { headers: { accept: 'text/html' } })
        if (status === 200) read++
      }
      assert.deepEqual(checked.bugs.map(String), [])
      assert.ok(read > 100, `${read} of ${addresses.length} could be read`)
    })

    test('an answer that declares too little is reported', async () => {
      const { store } = checked
      const [read, bugs] = [new ResourcesRead(catalogue), [] as unknown[]]
      const check = new DependencyCheck(store, read, (error) => bugs.push(error))
      const watched = read.watch(store)
      const [one, other] = catalogue
      await read.during(async () => {
        await watched.read(() => store.records.byIds({ resource: one! }, [1]))
        check.set({} as never, {}, [], { of: [one!.name] })
        assert.deepEqual(bugs, [])
        await watched.readAt((moment) => store.records.page({ resource: other! }, { offset: 0, limit: 1 }, moment))
        check.set({} as never, {}, [], { of: [one!.name] })
      })
      assert.equal(bugs.length, 1)
      assert.ok(String(bugs[0]).includes(`made from ${other!.name}, `), String(bugs[0]))
    })
  })
}
