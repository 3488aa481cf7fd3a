/** Charts. Each number is counted here another way: from all records and all changes, read over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { charts } from '../../src/catalogue/index.ts'
import { NetworkCache } from '../../src/engine/charts/network-cache.ts'
import { chartedResource, readChart, resourcesOf } from '../../src/engine/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'

type Rows = readonly { value: string | number; query?: string; count: number; cells: number[] }[]

/** The records of a collection, read once for all tests. */
class Walk {
  readonly #site: Site
  readonly #known = new Map<string, Promise<any[]>>()

  constructor(site: Site) {
    this.#site = site
  }

  all(collection: string): Promise<any[]> {
    const found = this.#known.get(collection) ?? this.#read(`/api/${collection}/?page_size=1000`)
    this.#known.set(collection, found)
    return found
  }

  async #read(path: string): Promise<any[]> {
    const { json } = await this.#site.ask(path)
    const rest = json.next ? await this.#read(json.next.slice(this.#site.base.length)) : []
    return [...json.results, ...rest]
  }
}

function tally<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The most frequent first, equal ones in the order of their code points, nothing last. */
function inOrder(counts: ReadonlyMap<string, number>): [string, number][] {
  const bytes = (text: string) => Buffer.from(text)
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || Buffer.compare(bytes(a), bytes(b)))
  const named = sorted.filter(([value]) => value !== '').slice(0, 40)
  return [...named, ...sorted.filter(([value]) => value === '')]
}

const termsOf = (record: any) =>
  Object.entries<string>(record)
    .filter(([member, text]) => /^(p[0-9]+|[eros])$/.test(member) && /[\p{L}\p{N}]/u.test(text))
    .map(([, text]) => text)
/** As terms are compared. */
const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[ßæœøł]/g, (letter) => ({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l' })[letter] ?? letter)
    .replaceAll(/\s+/g, ' ')

onEachEngine('Charts', {}, (site) => {
  const walk = new Walk(site)
  const read = async (path: string) => {
    const { status, json, text } = await site.ask(`/api/chart/${path}`)
    assert.equal(status, 200, `${path}: ${text}`)
    return json
  }
  const declared = (name: string) => charts.find((chart) => chart.name === name)!
  const resourcesIn = (name: string) => resourcesOf(declared(name)).map((resource) => resource.name)
  /** The list that a row or a cell names has as many records. */
  const checkList = async (resource: string, queries: readonly (string | undefined)[], count: number) => {
    const query = queries.join('&')
    const { json } = await site.ask(`/api/${resource}/?page_size=1&${query}`)
    assert.equal(json.count, count, `${resource} ${query}`)
  }

  before(async () => {
    const made = (name: string, more: object = {}) =>
      site.ask('/api/polynym/', { method: 'POST', as: 'ada', json: { name, mode: 'step', p1: name, p2: 'b', ...more } })
    for (const [day, area] of [
      ['2024-02-28T23:59:59.999Z', 'a & b, "c"'],
      ['2024-02-29T00:00:00.000Z', 'ÿ'],
      ['2026-10-31T12:00:00Z', '\u{1f600}'],
      ['2026-10-31T12:00:00Z', '\uffee'],
    ] as const) {
      site.clock = new Date(day)
      assert.equal((await made(`Charted in ${area}`, { area })).status, 201)
    }
    const { json } = await made('Gone')
    await site.ask(`/api/polynym/${json.polynym_id}/`, { method: 'DELETE', as: 'ada' })
    site.clock = undefined
  })
  after(() => assert.deepEqual(site.bugs, []))

  test('{chart.list} the list names every chart and the collections that it can show', async () => {
    assert.deepEqual(await read(''), {
      count: charts.length,
      results: charts.map(({ name, title, does }) => ({
        name,
        title,
        description: does,
        resources: resourcesIn(name),
      })),
    })
  })

  test('{chart.values} areas, sources, realms and modes equal a count of all records, and each row names its list', async () => {
    for (const [name, member] of Object.entries({ areas: 'area', sources: 'src', realms: 'realm', modes: 'mode' })) {
      for (const resource of resourcesIn(name)) {
        const { rows, ...chart } = await read(`${name}/?resource=${resource}`)
        const records = await walk.all(resource)
        const { title, does } = declared(name)
        const said = { name, title, description: does, resource, count: records.length, columns: [] }
        assert.deepEqual(chart, said)
        const expected = inOrder(tally(records.map((record) => record[member] ?? '')))
        assert.deepEqual(
          (rows as Rows).map(({ value, count, cells }) => [value, count, cells]),
          expected.map(([value, count]) => [value, count, []]),
          `${name} of ${resource}`,
        )
        for (const { query, count } of rows.length > 1 ? [rows[0], rows.at(-1)] : rows)
          await checkList(resource, [query], count)
      }
    }
    assert.deepEqual((await read('areas/')).resource, 'polynym')
  })

  test('{chart.pairs} depth by area and by mode equal a count of all records, and each cell names its list', async () => {
    const records = await walk.all('polynym')
    for (const [name, member] of Object.entries({ 'depth-by-area': 'area', 'depth-by-mode': 'mode' })) {
      const { rows, columns, count } = await read(`${name}/`)
      assert.equal(count, records.length)
      const depths: number[] = columns.map(({ value }: { value: number }) => value)
      assert.deepEqual(
        depths,
        [...new Set(records.map(({ depth }) => depth))].sort((a, b) => a - b),
      )
      const expected = inOrder(tally(records.map((record) => record[member] ?? '')))
      assert.deepEqual(
        (rows as Rows).map(({ value, count, cells }) => [value, count, cells]),
        expected.map(([value, count]) => {
          const own = tally(records.filter((each) => (each[member] ?? '') === value).map(({ depth }) => depth))
          return [value, count, depths.map((depth) => own.get(depth) ?? 0)]
        }),
      )
      const first: Rows[number] = rows[0]
      for (const [i, { query }] of columns.entries()) {
        await checkList('polynym', [first.query, query], first.cells[i]!)
      }
    }
  })

  test('{chart.words} words by frequency equal a count of all names and terms', async () => {
    for (const resource of ['polynym', 'quadranym']) {
      const records = await walk.all(resource)
      const { rows, count } = await read(`words/?resource=${resource}`)
      const counts = tally(records.flatMap((record) => [record.name, ...termsOf(record)].map(folded)))
      const sorted = [...counts].sort(([a, x], [b, y]) => y - x || Buffer.compare(Buffer.from(a), Buffer.from(b)))
      assert.equal(count, records.length)
      assert.deepEqual(
        (rows as Rows).map(({ value, count }) => [folded(String(value)), count]),
        sorted.slice(0, 100),
      )
      const { json } = await site.ask(`/api/term/${encodeURIComponent(rows[0].value)}/`)
      const places: number[] = Object.values(json.slots[resource])
      assert.equal(
        rows[0].count,
        places.reduce((sum, each) => sum + each),
      )
    }
    assert.ok(
      (await read('words/')).rows.some(({ value }: { value: string }) => value === 'Earth'),
      'as sets write it',
    )
  })

  test('{chart.network} ties are the words that two sets have, and a node counts all sets that share words with it', async () => {
    for (const resource of ['polynym', 'quadranym']) {
      const records = await walk.all(resource)
      const words = new Map(records.map((each) => [each[`${resource}_id`], new Set(termsOf(each).map(folded))]))
      const shared = (a: number, b: number) => [...words.get(a)!].filter((word) => words.get(b)!.has(word)).sort()
      const { nodes, edges, count } = await read(`network/?resource=${resource}`)
      assert.equal(count, records.length)
      assert.ok(nodes.length > 50 && nodes.length <= 300, `${nodes.length} nodes`)
      const ids: number[] = nodes.map(({ id }: { id: number }) => id)
      for (const { id, name, count } of nodes) {
        assert.equal(name, records.find((each) => each[`${resource}_id`] === id).name)
        const others = [...words.keys()].filter((other) => other !== id && shared(id, other).length > 0)
        assert.equal(count, others.length, name)
        const strongest = Math.max(
          ...others.filter((other) => ids.includes(other)).map((other) => shared(id, other).length),
        )
        const own = edges.filter(({ sets }: { sets: number[] }) => sets.includes(id))
        assert.equal(Math.max(...own.map((edge: { shared: string[] }) => edge.shared.length)), strongest, name)
      }
      for (const edge of edges) assert.deepEqual(edge.shared, shared(edge.sets[0], edge.sets[1]))
      const places = nodes.map(({ x, y }: { x: number; y: number }) => `${x} ${y}`)
      assert.ok(new Set(places).size > places.length * 0.95, 'hardly any two are drawn at one place')
      // Without caches: the layout has no chance in it.
      const network = declared('network')
      const engine = { ...site.engine, networks: new NetworkCache() }
      const again = await readChart(engine, network, chartedResource(network, resource))
      assert.deepEqual(again.nodes, nodes)
    }
  })

  test('{chart.slots} the balance of slots equals a count of all records, and each cell of a set names its list', async () => {
    for (const resource of resourcesIn('balance')) {
      const records = await walk.all(resource)
      const { rows, columns } = await read(`balance/?resource=${resource}`)
      assert.deepEqual(columns.map(({ value }: { value: string }) => value).join(''), 'eros')
      assert.equal(
        (rows as Rows).reduce((sum, { count }) => sum + count, 0),
        records.length,
      )
      for (const { value, query, count, cells } of rows as Rows) {
        const own = records.filter((record) => (record.realm ?? '') === value)
        assert.equal(count, own.length)
        const uses = (slot: string) =>
          resource === 'quadranym'
            ? own.filter((record) => record[slot] !== '').length
            : own.reduce(
                (sum, { qode }) => sum + [...qode.matchAll(new RegExp(`\\bq[0-9]+${slot}(?![a-z])`, 'g'))].length,
                0,
              )
        assert.deepEqual(cells, [...'eros'].map(uses), `${resource} ${value}`)
        if (resource === 'quadranym') await checkList(resource, [query, columns[3].query], cells[3]!)
      }
    }
  })

  const allChanges = async (since = 0): Promise<any[]> => {
    const { json } = await site.ask(`/api/changes/?since=${since}&limit=1000`)
    return json.results.length === 0 ? [] : [...json.results, ...(await allChanges(json.results.at(-1).seq))]
  }
  const months = (first: string, last: string) => {
    const list: string[] = []
    for (
      const day = new Date(`${first}-01`);
      day.toISOString().slice(0, 7) <= last;
      day.setUTCMonth(day.getUTCMonth() + 1)
    ) {
      list.push(day.toISOString().slice(0, 7))
    }
    return list
  }

  test('{chart.growth} growth equals a count of the log: the records that are still there, by the time of their creation', async () => {
    const { rows, columns, unit, count, resource } = await read('growth/')
    const changes = await allChanges()
    const gone = new Set(
      changes.filter(({ action }) => action === 'remove').map((each) => `${each.resource} ${each.id}`),
    )
    const created = changes.filter((each) => each.action === 'create' && !gone.has(`${each.resource} ${each.id}`))
    const latest = changes
      .map(({ at }) => at.slice(0, 7))
      .sort()
      .at(-1)
    assert.deepEqual([unit, count, resource], ['month', created.length, null])
    const expected = months('2024-02', latest)
    assert.deepEqual(
      columns.map(({ value }: { value: string }) => value),
      expected,
    )
    const byResource = Map.groupBy(created, (each) => each.resource)
    assert.equal(rows.length, byResource.size)
    for (const { value, count, cells } of rows) {
      const counts = tally(byResource.get(value)!.map(({ at }) => at.slice(0, 7)))
      assert.deepEqual(
        cells,
        expected.map((month) => counts.get(month) ?? 0),
        value,
      )
      assert.equal(count, (await walk.all(value)).length)
    }
    assert.equal(columns[0].query, 'created__gte=2024-02-01&created__lt=2024-03-01')
    const polynyms = (rows as Rows).find(({ value }) => value === 'polynym')!
    for (const place of [0, expected.indexOf('2026-10')]) {
      assert.equal(polynyms.cells[place], 2)
      await checkList('polynym', [columns[place].query], 2)
    }
  })

  test('{chart.activity} activity equals a count of the log, and each column says where its changes begin', async () => {
    const { rows, columns, unit, count } = await read('activity/')
    const changes = await allChanges()
    assert.deepEqual([unit, count], ['month', changes.length])
    for (const { value, cells } of rows as Rows) {
      const own = tally(changes.filter(({ action }) => action === value).map(({ at }) => at.slice(0, 7)))
      assert.deepEqual(
        cells,
        columns.map((column: { value: string }) => own.get(column.value) ?? 0),
        String(value),
      )
    }
    for (const { value, query } of columns.filter((column: { query?: string }) => column.query)) {
      const { json } = await site.ask(`/api/changes/recent/?limit=1&${query}`)
      assert.equal(json.results[0].changes[0].at.slice(0, 7), value)
    }
  })

  test('{chart.fresh} charts follow every write', async () => {
    const counts = async () => {
      const steps = (await read('modes/')).rows.find(({ value }: { value: string }) => value === 'step').count
      return [steps, (await read('network/?resource=polynym')).count]
    }
    const [steps, compared] = await counts()
    const json = { name: 'Newly charted', mode: 'step', p1: 'x', p2: 'y' }
    const made = await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
    assert.deepEqual(await counts(), [steps + 1, compared + 1])
    await site.ask(`/api/polynym/${made.json.polynym_id}/`, { method: 'DELETE', as: 'ada' })
    assert.deepEqual(await counts(), [steps, compared])
  })

  test('{chart.sample} of more records than a chart reads, it reads some that are spread evenly, and says so', async () => {
    const bounds = { records: 100, sets: 100, entries: 50 }
    const chartOf = (name: string, resource?: string) =>
      readChart(site.engine, declared(name), chartedResource(declared(name), resource), bounds)
    for (const [name, resource] of [
      ['words', 'polynym'],
      ['network', 'polynym'],
      ['balance', 'quadranym'],
    ] as const) {
      const { count, sample, rows } = await chartOf(name, resource)
      const of = (await walk.all(resource)).length
      assert.deepEqual([sample, count], [{ read: 100, of }, 100], name)
      if (name === 'balance')
        assert.equal(
          rows.reduce((sum, row) => sum + row.count, 0),
          100,
        )
    }
    const { count, sample } = await chartOf('activity')
    assert.deepEqual([count, sample?.read], [50, 50])
  })

  test('{chart.refused} an unknown chart returns 404, and a collection that a chart cannot show 400', async () => {
    assert.equal((await site.ask('/api/chart/pies/')).status, 404)
    for (const [chart, resource] of [
      ['modes', 'quadranym'],
      ['areas', 'nothing'],
      ['growth', 'polynym'],
    ]) {
      const { status, json } = await site.ask(`/api/chart/${chart}/?resource=${resource}`)
      assert.deepEqual([status, json], [400, { resource: [`"${resource}" is not a valid choice.`] }])
    }
    assert.equal((await site.ask('/api/chart/modes/', { method: 'POST', as: 'ada' })).status, 405)
  })
})
