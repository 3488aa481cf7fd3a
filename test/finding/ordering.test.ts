/** Lists in an order that the client chooses, compared with the whole list sorted here. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { unseenOwner } from '../../src/declare/index.ts'
import { collectionsOf, orderable } from '../../src/engine/index.ts'
import { onEachEngine } from '../support/site.ts'

/** Texts of these members are compared ignoring letter case. */
const FOLDED = new Set(['name', 'src', 'body', 'user', 'app'])

const idOf = (record: any): number => record[Object.keys(record).at(-1)!]

function keyOf(record: any, member: string): string | number {
  if (member === 'id') return idOf(record)
  const value = record[member] ?? (member === 'likes' ? 0 : '')
  if (typeof value === 'object') return idOf(value)
  return typeof value === 'string' && FOLDED.has(member) ? value.toLowerCase() : value
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  // UTF-8 sorts by code point.
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)))
}

function sorted(records: readonly any[], ordering: string): number[] {
  const members = ordering.split(',').map((each) => ({ member: each.replace('-', ''), sign: each[0] === '-' ? -1 : 1 }))
  const differ = (a: any, b: any) =>
    members.map(({ member, sign }) => sign * compare(keyOf(a, member), keyOf(b, member))).find((sign) => sign !== 0)
  return [...records].sort((a, b) => differ(a, b) ?? idOf(a) - idOf(b)).map(idOf)
}

onEachEngine('Ordering', { database: { quickMs: 0 } }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const list = async (path: string): Promise<any[]> => {
    const { status, json, text } = await site.ask(path)
    assert.equal(status, 200, `${path}: ${text}`)
    return json.results
  }

  for (const collection of collectionsOf(catalogue).filter(({ only }) => !only)) {
    const { name } = collection
    test(`{ordering.members} {ordering.down} ${name} is ordered by each of its members, ascending and descending`, async () => {
      const whole = await list(`/api/${name}/?page_size=1000`)
      for (const member of [...orderable(collection).keys()].filter(
        (each) => !/[0-9]$|^(created|changed)$/.test(each) && each !== unseenOwner(collection.resource),
      )) {
        const ordering = whole.length % 2 === 0 ? member : `-${member}`
        const read = await list(`/api/${name}/?page_size=1000&ordering=${ordering}`)
        assert.deepEqual(read.map(idOf), sorted(whole, ordering), ordering)
      }
    })
  }

  test('{ordering.several} {ordering.ties} several members count one after the other, and the id last', async () => {
    const whole = await list('/api/polynym/?page_size=1000')
    for (const ordering of ['-likes,name', 'area,-depth,-name', 'mode,user', ' mode , -id', '-p1,src']) {
      const read = await list(`/api/polynym/?page_size=1000&ordering=${encodeURIComponent(ordering)}`)
      assert.deepEqual(read.map(idOf), sorted(whole, ordering.replaceAll(' ', '')), ordering)
    }
  })

  test('{ordering.narrowed} an order applies to filters, and replaces the rank of a search', async () => {
    const whole = await list('/api/polynym/?page_size=1000&mode=part&search=the')
    assert.ok(whole.length > 3)
    const read = await list('/api/polynym/?page_size=1000&mode=part&search=the&ordering=-depth,name')
    assert.deepEqual(read.map(idOf), sorted(whole, '-depth,name'))
  })

  test('{ordering.links} pages in that order have every record once, and their links keep it', async () => {
    const whole = await list('/api/quadranym-id/?page_size=1000&ordering=-name')
    const walked: any[] = []
    for (let path = '/api/quadranym-id/?ordering=-name&page_size=50'; path; ) {
      const { json } = await site.ask(path)
      walked.push(...json.results)
      if (json.next) assert.match(json.next, /\?ordering=-name&page=\d+&page_size=50$/)
      path = json.next?.slice(site.base.length)
    }
    assert.deepEqual(walked, whole)
  })

  test('{ordering.ties} small pages are in order too, with spellings of one text as one', async () => {
    for (const [i, src] of [
      'Zeta one',
      'ZETA ONE',
      'zeta one',
      'Zeta \u{10400}',
      'zeta \uffe6',
      'Zeta one',
    ].entries()) {
      const json = { name: `spelt ${9 - i}`, src, mode: 'part', p1: 'a', p2: 'b' }
      assert.equal((await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })).status, 201)
    }
    const whole = await list('/api/polynym/?page_size=1000')
    for (const ordering of ['src', '-src', 'area', '-user']) {
      const read: number[] = []
      for (let path = `/api/polynym/?ordering=${ordering}&page_size=5`; path; ) {
        const { json } = await site.ask(path)
        read.push(...json.results.map(idOf))
        path = json.next?.slice(site.base.length)
      }
      assert.deepEqual(read, sorted(whole, ordering), ordering)
    }
  })

  test('{ordering.blank} a blank order is the default order', async () => {
    assert.deepEqual(await list('/api/story/?ordering='), await list('/api/story/'))
  })

  test('{ordering.repeated} a repeated ordering is one list', async () => {
    const expected = await list('/api/polynym/?ordering=-depth,mode,name')
    for (const query of [
      'ordering=-depth&ordering=mode&ordering=name',
      'ordering=-depth,mode&ordering=&ordering=name',
    ]) {
      assert.deepEqual(await list(`/api/polynym/?${query}`), expected, query)
    }
    const { status, json } = await site.ask('/api/polynym/?ordering=name,depth,mode&ordering=area,id')
    assert.deepEqual([status, json], [400, { ordering: ['Ensure this field has no more than 4 elements.'] }])
  })

  test('{ordering.bad} an order that a list does not have returns 400', async () => {
    for (const [path, message] of [
      ['polynym/?ordering=colour', '"colour" is not a valid choice.'],
      ['polynym/?ordering=voters', '"voters" is not a valid choice.'],
      ['polynym/?ordering=name,,depth', '"" is not a valid choice.'],
      ['polynym/?ordering=--name', '"-name" is not a valid choice.'],
      ['polynym/?ordering=%00', '"\0" is not a valid choice.'],
      ['polyset/?ordering=polynyms', '"polynyms" is not a valid choice.'],
      ['polyset/?ordering=width', '"width" is not a valid choice.'],
      ['story/?ordering=length', '"length" is not a valid choice.'],
      ['polynym/?ordering=name,depth,mode,area,id', 'Ensure this field has no more than 4 elements.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/${path}`)
      assert.deepEqual([status, json], [400, { ordering: [message] }], path)
    }
  })
})
