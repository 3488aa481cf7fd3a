/** Lists filtered by lookups, each compared with the whole list. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { unseenOwner } from '../../src/declare/index.ts'
import { accountNamed, collectionsOf, filtersOf, insertRecord } from '../../src/engine/index.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

/** The values of a member, as a list to compare with. */
function valuesOf(record: any, member: string): (string | number)[] {
  const value = record[member]
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : idOf(each)))
  if (typeof value === 'object') return [idOf(value)]
  if (value !== undefined) return [value]
  const slots = Object.keys(record).filter((key) => new RegExp(`^${member}[0-9]+$`).test(key))
  return slots.length > 0 ? slots.map((slot) => idOf(record[slot])) : [member === 'likes' ? 0 : '']
}

const idOf = (record: any): number => record[Object.keys(record).at(-1)!]

const HOLDS: Record<string, (value: any, given: any) => boolean> = {
  exact: (value, given) => value === given,
  in: (value, given) => given.includes(value),
  gte: (value, given) => value >= given,
  lte: (value, given) => value <= given,
  startswith: (value, given) => value.startsWith(given),
  icontains: (value, given) => value.toLowerCase().includes(given.toLowerCase()),
  isnull: (value, given) => (value === '') === given,
}

/** Values to use with a lookup, taken from the records. */
function questions(lookup: string, [first = '', second = first]: readonly (string | number)[]): unknown[] {
  if (lookup === 'in') return [[first, second]]
  if (lookup === 'isnull') return [true, false]
  if (lookup === 'startswith') return [String(second).slice(0, 3)]
  if (lookup === 'icontains') return [String(first).slice(1, 3).toUpperCase()]
  return [second]
}

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
/** The lookups of a number, as a message lists them. */
const choices = (member: string) => `${member}, ${member}__gte, ${member}__lte or ${member}__in`
const byNumber = (a: number, b: number) => a - b

async function read(site: Site, path: string): Promise<any[]> {
  const { status, json, text } = await site.ask(`${path}${path.includes('?') ? '&' : '?'}page_size=1000`)
  assert.equal(status, 200, `${path}: ${text}`)
  assert.equal(json.count, json.results.length)
  return json.results
}

onEachEngine('Lookups in the sample catalogue', {}, (site) => {
  before(() => addWinners(site))
  after(() => assert.deepEqual(site.bugs, []))

  for (const collection of collectionsOf(catalogue)) {
    const { name, resource, only } = collection
    test(`{lookup.every} each lookup of ${name} returns what filtering the whole list returns`, async () => {
      const whole = await read(site, `/api/${resource.name}/`)
      // The slots after the second behave like it; an owner that records do not show has a test of its own.
      const told = filtersOf(collection).filter(({ member }) => member !== unseenOwner(resource))
      for (const { member, lookups } of told.filter((each) => !/[3-9]$|1[0-9]$/.test(each.member))) {
        const values = [...new Set(whole.flatMap((record) => valuesOf(record, member)))].filter((value) => value !== '')
        const usable = values.filter((value) => !String(value).includes(','))
        for (const lookup of lookups) {
          for (const given of questions(lookup, usable)) {
            if (given === '' || (given as unknown[]).length === 0) continue
            const holds = HOLDS[lookup]!
            const expected = whole.filter((record) => valuesOf(record, member).some((value) => holds(value, given)))
            const parameter = lookup === 'exact' ? member : `${member}__${lookup}`
            const path = `/api/${name}/?${parameter}=${encodeURIComponent(String(given))}`
            assert.deepEqual((await read(site, path)).map(idOf), expected.map(idOf), path)
          }
        }
      }
      assert.equal(only !== undefined, name !== resource.name)
    })
  }

  test('{lookup.id} records are found by their ids, in lists, random, daily and facets', async () => {
    const ids = async (path: string) => (await read(site, path)).map(idOf)
    const whole = await read(site, '/api/polynym/')
    const among = (...wanted: number[]) => whole.map(idOf).filter((id) => wanted.includes(id))
    for (const member of ['polynym_id', 'id']) {
      assert.deepEqual(await ids(`/api/polynym/?${member}=82`), [82])
      assert.deepEqual(await ids(`/api/polynym/?${member}__in=193,82,244,82,99999`), among(82, 193, 244))
      assert.deepEqual(
        await ids(`/api/polynym/?${member}__gte=300&ordering=id`),
        among(...numbers(300, 510)).sort(byNumber),
      )
      assert.deepEqual(await ids(`/api/polynym/?${member}__lte=3&${member}__gte=2`), among(2, 3))
      assert.deepEqual(
        await ids(`/api/quadranym-id/?${member.replace('polynym', 'quadranym')}__in=1,2`),
        await ids('/api/quadranym/?id__in=1,2'),
      )
      assert.equal((await site.ask(`/api/polynym/random/?${member}=82`)).json.polynym_id, 82)
      assert.equal((await site.ask(`/api/polynym/daily/?${member}__in=82`)).json.polynym_id, 82)
      const { count, facets } = (await site.ask(`/api/polynym/facets/?by=mode&${member}=82`)).json
      assert.deepEqual([count, facets.mode], [1, [{ value: 'type', count: 1 }]])
    }
    assert.deepEqual(await ids('/api/polynym/?id=82&id=83'), [])
    assert.deepEqual(await ids('/api/polynym/?id=0'), [])
    assert.deepEqual(await ids('/api/polynym/?id=999999999999999'), [])
    const { json } = await site.ask('/api/polynym/?id__in=82,193&page_size=1')
    assert.equal(json.next, `${site.base}/api/polynym/?id__in=82%2C193&page=2&page_size=1`)
  })

  test('{lookup.user} {lookup.user-in} user is compared ignoring letter case', async () => {
    assert.deepEqual(await read(site, '/api/polyset/?user=KENJI'), await read(site, '/api/polyset/?user=kenji'))
    const both = (await read(site, '/api/polyset/')).filter(({ user }) => user === 'abel' || user === 'kenji')
    assert.deepEqual(await read(site, '/api/polyset/?user__in=Abel,kenji'), both)
    assert.deepEqual(await read(site, '/api/polyset/?user=nobody'), [])
  })

  test('{lookup.unseen-owner} quotes, fortunes and wanted topics are found by the owner that they do not show', async () => {
    const quadranym = (await site.ask('/api/quadranym/?name=door&page_size=1')).json.results[0]
    const bodies = {
      quote: { body: `To ${quadranym.e} a thing is to know it.`, src: 'Nobody', quadranym: quadranym.quadranym_id },
      fortune: { body: 'Keep your own keys.' },
      queue: { name: 'keyring' },
    }
    for (const [kind, body] of Object.entries(bodies)) {
      const whole = await read(site, `/api/${kind}/`)
      const posted = await site.ask(`/api/${kind}/`, { method: 'POST', json: body, as: 'Keeper' })
      assert.equal(posted.status, 201, posted.text)
      assert.deepEqual(await read(site, `/api/${kind}/?user=keeper`), [posted.json])
      assert.equal('user' in posted.json, false)
      assert.equal((await read(site, `/api/${kind}/?user__in=KEEPER,nobody`)).length, 1)
      const by = await site.ask(`/api/${kind}/facets/?by=user`)
      const counts: { value: string; count: number }[] = by.json.facets.user
      assert.equal(counts.find(({ value }) => value === 'Keeper')?.count, 1)
      assert.equal(
        counts.reduce((sum, { count }) => sum + count, 0),
        whole.length + 1,
      )
      const [last] = (await site.ask(`/api/${kind}/?ordering=user&page=last&page_size=1`)).json.results
      const { value } = (await site.ask(`/api/${kind}/facets/?by=user&id=${idOf(last)}`)).json.facets.user[0]
      assert.equal(
        value,
        counts
          .map(({ value }) => value)
          .toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
          .at(-1),
      )
      const gone = await site.ask(`/api/${kind}/${idOf(posted.json)}/`, { method: 'DELETE', as: 'Keeper' })
      assert.equal(gone.status, 204)
      assert.deepEqual(await read(site, `/api/${kind}/?user=keeper`), [])
    }
    assert.deepEqual(await read(site, '/api/storyline/?user=keeper'), await read(site, '/api/storyline/'))
  })

  test('{lookup.combined} all filters must match, with a search, too', async () => {
    const whole = await read(site, '/api/polynym/')
    const expected = whole.filter(({ mode, depth, area }) => mode === 'part' && depth >= 5 && area === 'myth')
    assert.ok(expected.length > 1)
    assert.deepEqual(await read(site, '/api/polynym/?mode=part&depth__gte=5&area=myth'), expected)
    const [first] = expected
    const word = encodeURIComponent(first.name.split(' ')[0])
    const found = await read(site, `/api/polynym/?mode=part&depth__gte=5&area=myth&search=${word}`)
    assert.ok(found.some(({ polynym_id }) => polynym_id === first.polynym_id))
    assert.ok(found.length < expected.length)
  })

  test('{lookup.links} links to other pages keep the filters', async () => {
    const { next } = (await site.ask('/api/polynym/?mode=part&area__in=myth,law&page_size=3')).json
    assert.equal(next, `${site.base}/api/polynym/?area__in=myth%2Claw&mode=part&page=2&page_size=3`)
    const { previous, results } = (await site.ask(next.slice(site.base.length))).json
    assert.equal(previous, `${site.base}/api/polynym/?area__in=myth%2Claw&mode=part&page=1&page_size=3`)
    assert.deepEqual(results, (await read(site, '/api/polynym/?mode=part&area__in=myth,law')).slice(3, 6))
  })

  test('{lookup.term} term finds a record by its name or one of its slots as a whole', async () => {
    const names = async (path: string) => (await read(site, path)).map(({ name }) => name)
    assert.deepEqual(await names('/api/polynym/?term=mercury'), [
      'Gods of Rome',
      'Metals of antiquity',
      'Names of spacecraft',
      'Planets',
      'Rulers of the metals',
    ])
    assert.deepEqual(await names('/api/polynym/?term=BECHAMEL'), ['Mother sauces'])
    assert.deepEqual(await names('/api/polynym/?term=mercu'), [])
    assert.deepEqual(await names('/api/quadranym/?term=comfort'), ['fire', 'habit'])
    assert.deepEqual(await names('/api/polynym/?term=sun&term=moon'), ['Patrons of the days', 'Rulers of the metals'])
    assert.deepEqual(await names('/api/quadranym/?term=____'), [])
    // Symbols are terms, and lengths are in code points.
    const [long, longer] = ['𐐨'.repeat(150), 'x'.repeat(250)]
    const json = { name: 'Moons', mode: 'part', p1: '🌑', p2: long, p3: longer }
    const made = await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
    assert.equal(made.status, 201)
    for (const [term, found] of [
      ['🌑', ['Moons']],
      [long, ['Moons']],
      [longer, []],
    ] as const) {
      assert.deepEqual(await names(`/api/polynym/?term=${encodeURIComponent(term)}`), found)
    }
    assert.deepEqual((await read(site, '/api/polynym/?p1=%F0%9F%8C%91')).length, 1)
    const { status, json: moon } = await site.ask(`/api/term/${encodeURIComponent('🌑')}/`)
    assert.deepEqual([status, moon.count, moon.texts.count], [200, 1, 0])
    assert.deepEqual((await site.ask('/api/term/%F0%9F%98%80/')).json.did_you_mean, [])
    await site.ask(`/api/polynym/${made.json.polynym_id}/`, { method: 'DELETE', as: 'ada' })
  })
})

onEachEngine('Lookups', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const give = async (name: string, more: object = {}) => {
    const json = { name, mode: 'part', p1: 'x', p2: 'y', ...more }
    const made = await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
    assert.equal(made.status, 201, made.text)
    return made.json.polynym_id as number
  }
  const names = async (query: string) => (await read(site, `/api/polynym/?${query}`)).map(({ name }) => name)

  before(async () => {
    await give('Alpha', { src: '100% "Wool", a_b\\c', area: 'Éire' })
    await give('alpha two', { src: 'wool' })
    await give('ΟΔΟΣ Α', { area: 'eire' })
    await give('ΟΔΟΣΑ')
  })

  test('{lookup.exact} {lookup.startswith} exact and startswith respect letter case', async () => {
    assert.deepEqual(await names('name=alpha'), [])
    assert.deepEqual(await names('name=Alpha'), ['Alpha'])
    assert.deepEqual(await names('name__startswith=alpha'), ['alpha two'])
    assert.deepEqual(await names('area=%C3%89ire'), ['Alpha'])
    assert.deepEqual(await names('name__startswith=%CE%9F%CE%94%CE%9F%CE%A3'), ['ΟΔΟΣ Α', 'ΟΔΟΣΑ'])
  })

  test('{lookup.icontains} icontains ignores letter case, and takes every character literally', async () => {
    assert.deepEqual(await names('name__icontains=ALPHA'), ['Alpha', 'alpha two'])
    for (const part of ['100%', '"WOOL",', 'a_b', '\\C', '% "w']) {
      assert.deepEqual(await names(`src__icontains=${encodeURIComponent(part)}`), ['Alpha'], part)
    }
    assert.deepEqual(await names('src__icontains=axb'), [])
    // In lower case it is longer than the copy that lists are ordered by.
    const long = `${'İ'.repeat(150)} End`
    const json = { name: long, mode: 'part', p1: 'a', p2: 'b' }
    const { json: made } = await site.ask('/api/polynym/', { method: 'POST', json, as: 'gus' })
    const { json: found } = await site.ask('/api/polynym/?name__icontains=%CC%87%20END')
    assert.deepEqual(
      found.results.map((each: { name: string }) => each.name),
      [long],
    )
    await site.ask(`/api/polynym/${made.polynym_id}/`, { method: 'DELETE', as: 'gus' })
    assert.deepEqual(await names(`name__icontains=${encodeURIComponent('οδοσ')}`), ['ΟΔΟΣ Α', 'ΟΔΟΣΑ'])
  })

  test('{lookup.icontains} what a name contains is found inside words, across words, and beside any sign', async () => {
    const texts = [
      "Don't stop, naïve café 42",
      '汉zebra字',
      `${'y'.repeat(70)}Zebra`,
      'zeb-ra zèbra',
      'Zebra zebras',
      "Zébra's zebra",
      '5\u212aZebra',
      'Zebra123',
    ]
    const ids: number[] = []
    for (const name of texts) ids.push(await give(name))
    const within = texts.flatMap((text) =>
      [0, 1, 2, 3, 5, 8, 13].map((start) => text.slice(-start - 4, -start || undefined)),
    )
    for (const part of [
      ...new Set(within),
      'zebrA',
      'zebra1',
      'ebra zebra',
      'zebras',
      "n't",
      'cafe',
      'naive',
      '123',
      '42',
      'qqq',
    ]) {
      const query = `name__icontains=${encodeURIComponent(part)}`
      // The last page is found by counting, the first one by reading.
      const { count } = (await site.ask(`/api/polynym/?${query}&page=last`)).json
      const all = await names(query)
      assert.equal(count, all.length, part)
      const found = all.filter((name) => texts.includes(name))
      const expected = texts.filter((text) => text.toLowerCase().includes(part.toLowerCase()))
      assert.deepEqual(found.toSorted(), expected.toSorted(), part)
    }
    // After a change and a deletion too.
    const change = { method: 'PATCH', json: { name: 'Quagga stop' }, as: 'ada' }
    assert.equal((await site.ask(`/api/polynym/${ids[0]}/`, change)).status, 200)
    for (const id of ids.slice(1)) await site.ask(`/api/polynym/${id}/`, { method: 'DELETE', as: 'ada' })
    assert.deepEqual(await names('name__icontains=ebra'), [])
    assert.deepEqual(await names('name__icontains=na%C3%AFve'), [])
    assert.deepEqual(await names('name__icontains=uagg'), ['Quagga stop'])
    await site.ask(`/api/polynym/${ids[0]}/`, { method: 'DELETE', as: 'ada' })
  })

  test('{lookup.exact} a slot is compared as it is written, whatever it holds', async () => {
    const long = 'word '.repeat(60).trim()
    const terms = ['Ice', 'ice', 'Icé', 'ice cold', 'ice  cold', '____', '?', long, `${long}s`]
    const ids = new Map<string, number>()
    for (const [i, term] of terms.entries()) ids.set(term, await give(`Slot ${i}`, { p1: term, p2: 'ice' }))
    const found = async (query: string) => (await read(site, `/api/polynym/?${query}`)).map(idOf)
    for (const [term, id] of ids) {
      assert.deepEqual(await found(`p1=${encodeURIComponent(term)}`), [id], term)
      assert.deepEqual(await found(`p1=${encodeURIComponent(term)}&name__startswith=Slot&ordering=-id`), [id], term)
    }
    const several = `p1__in=${encodeURIComponent('ice,____,ICE')}`
    assert.deepEqual(await found(`${several}&ordering=id`), [ids.get('ice'), ids.get('____')])
    assert.equal((await found('p2=ice')).length, terms.length)
    for (const id of ids.values()) await site.ask(`/api/polynym/${id}/`, { method: 'DELETE', as: 'ada' })
  })

  test('{lookup.isnull} isnull finds records without a value', async () => {
    for (const yes of ['true', 'True', '1']) assert.deepEqual(await names(`src__isnull=${yes}`), ['ΟΔΟΣ Α', 'ΟΔΟΣΑ'])
    for (const no of ['false', '0']) assert.deepEqual(await names(`src__isnull=${no}`), ['Alpha', 'alpha two'])
  })

  test('{lookup.blank} a blank value is ignored', async () => {
    const all = await names('')
    for (const query of ['src=', 'depth__gte=', 'term=', 'area__in=&area__in=', 'depth__gt=', 'x__in=1', 'nam__gt=1']) {
      assert.deepEqual(await names(query), all, query)
    }
  })

  test('{lookup.repeated} a filter that is given twice must match both times', async () => {
    assert.deepEqual(await names('name__icontains=alpha&name__icontains=two'), ['alpha two'])
    assert.deepEqual(await names('area=%C3%89ire&area=eire'), [])
  })

  test('{lookup.list} a repeated __in is one list, with commas and without', async () => {
    const both = ['Alpha', 'ΟΔΟΣ Α']
    for (const query of [
      'area__in=%C3%89ire,eire',
      'area__in=%C3%89ire&area__in=eire',
      'area__in=eire&area__in=&area__in=%C3%89ire,nowhere',
      'area__in=eire&name__icontains=%CE%B1&area__in=%C3%89ire&name__icontains=a',
    ]) {
      const expected = query.includes('icontains') ? [] : both
      assert.deepEqual(await names(query), expected, query)
    }
    assert.deepEqual(await names('id__in=1&polynym_id__in=1,2'), ['Alpha'])
    assert.deepEqual(await names('area__in=%20'), [])
    const values = Array.from({ length: 100 }, (_, i) => `depth__in=${i}`)
    assert.equal((await names(values.join('&'))).length, 4)
    const { status, json } = await site.ask(`/api/polynym/?${values.join('&')}&depth__in=100`)
    assert.deepEqual([status, json], [400, { depth__in: ['Ensure this field has no more than 100 elements.'] }])
    const { next } = (await site.ask('/api/polynym/?area__in=eire&area__in=%C3%89ire&page_size=1')).json
    assert.equal(next, `${site.base}/api/polynym/?area__in=eire&area__in=%C3%89ire&page=2&page_size=1`)
  })

  test('{lookup.unknown} a lookup that a member does not have returns 400, with the lookups it has', async () => {
    for (const [query, parameter, message] of [
      ['polynym/?depth__gt=3', 'depth__gt', 'Did you mean depth__gte?'],
      ['polynym/random/?depth__lt=3', 'depth__lt', 'Did you mean depth__lte?'],
      ['polynym/daily/?name__contains=x', 'name__contains', 'Did you mean name__icontains?'],
      ['polynym/facets/?by=area&name__istartswith=x', 'name__istartswith', 'Did you mean name__startswith?'],
      ['polynym/?name__iexact=x', 'name__iexact', 'Did you mean name?'],
      ['polynym/?src__is_null=true', 'src__is_null', 'Did you mean src__isnull?'],
      ['polynym/?id__gt=3', 'id__gt', 'Did you mean id__gte?'],
      ['quadranym-id/?quadranym_id__max=3', 'quadranym_id__max', `Did you mean ${choices('quadranym_id')}?`],
      ['polynym/?depth__range=2,3', 'depth__range', `Did you mean ${choices('depth')}?`],
      ['polynym/?depth__gte__x=2', 'depth__gte__x', 'Did you mean depth__gte?'],
      ['polynym/?depth__=2', 'depth__', `Did you mean ${choices('depth')}?`],
      ['polynym/?term__in=sun', 'term__in', 'Did you mean term?'],
      ['polyset/?width__gte=3', 'width__gte', 'Lists cannot be filtered by width.'],
      ['vectornym/?v1__in=3', 'v1__in', 'Lists cannot be filtered by v1.'],
    ] as const) {
      const { status, json } = await site.ask(`/api/${query}`)
      assert.deepEqual([status, json], [400, { [parameter]: [`Unknown lookup. ${message}`] }], query)
    }
    assert.equal((await site.ask('/api/polynym/?depth__gt=x&mode=x')).json.mode[0], '"x" is not a valid choice.')
    for (const query of [
      'polyset/?width=3',
      'polynym/?nam__icontains=x',
      'polynym/?__gt=1',
      'polynym/?name__exact=x',
    ]) {
      assert.equal((await site.ask(`/api/${query}`)).status, 200, query)
    }
  })

  test('{lookup.likes} {lookup.voters} likes counts votes when they are added and removed, and voters names the voters', async () => {
    const id = await give('Liked')
    const vote = (method: string, as: string) => site.ask(`/api/polynym/${id}/vote/`, { method, as })
    await vote('POST', 'bo')
    await vote('POST', 'cy')
    await vote('POST', 'cy')
    assert.deepEqual(await names('likes=2'), ['Liked'])
    assert.deepEqual(await names('voters=BO'), ['Liked'])
    assert.deepEqual(await names('voters__in=nobody,cy'), ['Liked'])
    assert.deepEqual(await names('likes__gte=1'), ['Liked'])
    await vote('DELETE', 'bo')
    assert.deepEqual(await names('likes=1'), ['Liked'])
    assert.deepEqual(await names('voters=bo'), [])
    assert.equal((await names('likes=0')).length, 4)
    await vote('DELETE', 'cy')
    assert.deepEqual(await names('likes__gte=1'), [])
  })

  test('{lookup.bad} an invalid value returns 400, under the name of the parameter', async () => {
    const wrong = {
      'depth=abc': { depth: ['A valid integer is required.'] },
      'depth=1.5': { depth: ['A valid integer is required.'] },
      'depth__gte=1e9': { depth__gte: ['A valid integer is required.'] },
      'depth__in=1,x': { depth__in: ['A valid integer is required.'] },
      'id=abc': { id: ['A valid integer is required.'] },
      'polynym_id__in=1,': { polynym_id__in: ['A valid integer is required.'] },
      'id__gte=1.5': { id__gte: ['A valid integer is required.'] },
      [`id__in=${numbers(1, 101)}`]: { id__in: ['Ensure this field has no more than 100 elements.'] },
      'likes=9999999999999999': { likes: ['A valid integer is required.'] },
      'mode=whole': { mode: ['"whole" is not a valid choice.'] },
      'mode__in=part,whole': { mode__in: ['"whole" is not a valid choice.'] },
      'src__isnull=perhaps': { src__isnull: ['Must be a valid boolean.'] },
      'name=a%00b': { name: ['Null characters are not allowed.'] },
      'name__startswith=%00': { name__startswith: ['Null characters are not allowed.'] },
      'src__icontains=%00': { src__icontains: ['Null characters are not allowed.'] },
      'area__in=a,%00': { area__in: ['Null characters are not allowed.'] },
      'user=%00': { user: ['Null characters are not allowed.'] },
      'term=%00': { term: ['Null characters are not allowed.'] },
      'depth=x&mode=whole': { depth: ['A valid integer is required.'], mode: ['"whole" is not a valid choice.'] },
      [`depth__in=${Array.from({ length: 101 }, (_, i) => i)}`]: {
        depth__in: ['Ensure this field has no more than 100 elements.'],
      },
      [Array.from({ length: 51 }, () => 'area=x').join('&')]: { detail: 'Ask for no more than 50 conditions.' },
    }
    for (const [query, body] of Object.entries(wrong)) {
      for (const rest of ['', 'random/', 'daily/']) {
        const { status, json } = await site.ask(`/api/polynym/${rest}?${query}`)
        assert.deepEqual([status, json], [400, body], query)
      }
      const { status, json } = await site.ask(`/api/polynym/facets/?by=area&${query}`)
      assert.deepEqual([status, json], [400, body], query)
    }
    assert.equal((await site.ask(`/api/polynym/?${Array.from({ length: 50 }, () => 'term=x').join('&')}`)).status, 200)
  })

  test('{lookup.unknown-id} an unknown record id returns 400', async () => {
    for (const [path, member, id] of [
      ['storyline/?story=99', 'story', 99],
      ['storyline/?story__in=99,98', 'story', 99],
      ['polyset/?polynyms=99', 'polynyms', 99],
      ['quote/random/?quadranym=0', 'quadranym', 0],
      ['vectornym/daily/?v=-1', 'v', -1],
      ['fortune/facets/?by=depth&q1=99', 'q1', 99],
    ] as const) {
      const { status, json } = await site.ask(`/api/${path}`)
      assert.deepEqual([status, json], [400, { [member]: [`Invalid pk "${id}" - object does not exist.`] }], path)
    }
  })

  test('{lookup.combined} with thousands of matches, every page is right', async () => {
    await site.engine.store.write(function* () {
      yield {
        isTold: true,
        sql: `INSERT INTO queue (owner, name, name_key, unique_1, name_fold, name_words)
          WITH RECURSIVE n (i) AS (SELECT 10001 UNION ALL SELECT i + 1 FROM n WHERE i < 21000)
          SELECT 1, 'item ' || i, 'item ' || i, 'item ' || i, 'item ' || i, 'item ' || i FROM n`,
        parameters: [],
      }
      yield {
        isTold: true,
        sql: `INSERT INTO queue_facets (given, member, given_value, value, count)
          VALUES ('', 'words of the name', '', 'item', 11000)`,
        parameters: [],
      }
    })
    // Its words have no accent.
    await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'ítem 5' } })
    const page = async (query: string) => (await site.ask(`/api/queue/?page_size=1000&${query}`)).json
    const items = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `item ${from + i}`)
    const third = await page('name__icontains=M+1&page=3')
    assert.equal(third.count, 9999)
    assert.deepEqual(
      third.results.map(({ name }: any) => name),
      items(12001, 13000),
    )
    const [inWord, last] = [await page('name__icontains=ITE&page=2'), await page('name__icontains=ITEM&page=last')]
    assert.deepEqual([inWord.count, last.count], [11_000, 11_000])
    assert.deepEqual(
      [...inWord.results, ...last.results].map(({ name }: any) => name),
      [...items(11001, 12000), ...items(20001, 21000)],
    )
    const backwards = await page('name__startswith=item&ordering=-name')
    assert.deepEqual(
      backwards.results.map(({ name }: any) => name),
      items(20001, 21000).reverse(),
    )
    assert.equal((await page('name__in=item+10001,item+21000')).count, 2)
    const { engine } = site
    const queue = engine.catalogue.find(({ name }) => name === 'queue')!
    await engine.store.write(function* () {
      const ada = yield* accountNamed(engine, 'ada')
      for (let i = 10001; i <= 11050; i++) yield* insertRecord(engine, queue, { name: `entry ${i}` }, ada)
    })
    const second = await page('name__icontains=NTRY+1&page=2')
    assert.equal(second.count, 1050)
    assert.deepEqual(
      second.results.map(({ name }: any) => name),
      items(11001, 11050).map((name) => name.replace('item', 'entry')),
    )
  })

  test('{lookup.long} a query that is longer than the headers may be returns 431', async () => {
    assert.equal((await site.ask(`/api/polynym/?name=${'x'.repeat(1_000_000)}`)).status, 431)
  })
})

onEachEngine('A query that takes too long', { sample: false, querySeconds: 0.02 }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{lookup.too-slow} returns 503, and the server continues', async () => {
    await site.ask('/api/queue/', { method: 'POST', as: 'ada', json: { name: 'the first' } })
    await site.engine.store.write(function* () {
      yield {
        isTold: true,
        sql: `INSERT INTO queue (owner, name, name_key, unique_1, name_fold, name_words)
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
          SELECT 1, 'item ' || i, 'item ' || i, 'item ' || i, 'item ' || i, 'item ' || i FROM n`,
        parameters: [],
      }
    })
    const many = Array.from({ length: 40 }, () => 'name__icontains=em').join('&')
    for (const path of [
      `?${many}&name__icontains=zz`,
      `facets/?by=name&${many}`,
      `random/?${many}`,
      `daily/?${many}&name__icontains=zz`,
    ]) {
      const { status, json } = await site.ask(`/api/queue/${path}`)
      const detail = 'The query takes too long. Ask for less, or for something that has an index.'
      assert.deepEqual([status, json], [503, { detail }], path)
    }
    assert.equal((await site.ask('/api/queue/1/')).text, '{"name":"the first","queue_id":1}')
  })
})
