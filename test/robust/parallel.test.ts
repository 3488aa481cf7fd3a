/** Many concurrent writers on one server: nothing is lost, nothing is created twice, and the result is consistent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { NIGHTLY } from '../support/nightly.ts'
import { onEachEngine, type Reply, type Site } from '../support/site.ts'
import { Chance } from './chance.ts'

const WRITERS = Array.from({ length: NIGHTLY ? 60 : 24 }, (_, i) => `staff-${i}`)
const RESOURCES = `fable fortune phrase polynym polymap polyset quadranym quadraset queue quote story tale storyline
  taleline vectornym winner`.split(/\s+/)

type RecordJson = Record<string, any>

onEachEngine('Parallel writers', { sample: false }, (site) => {
  const all = <T>(work: (writer: string, place: number) => Promise<T>) => Promise.all(WRITERS.map(work))
  const write = (as: string, method: string, path: string, json?: object, headers: Record<string, string> = {}) =>
    site.ask(path, { as, method, headers, ...(json ? { json } : {}) })
  const made = async (path: string, json: object): Promise<RecordJson> => {
    const reply = await write(WRITERS[0]!, 'POST', path, json)
    assert.equal(reply.status, 201, reply.text)
    return reply.json
  }

  before(async () => {
    for (const writer of WRITERS) assert.equal((await site.ask('/api/', { as: writer })).status, 200)
  })
  after(() => assert.deepEqual(site.bugs, []))

  test('counting up with If-Match, and retrying after a conflict, loses no count', async () => {
    const counters = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((app) =>
        made('/api/winner/', { user: WRITERS[0], app, by: '', score: 0, round: 0 }),
      ),
    )
    const counted = counters.map((): number[] => [])
    await all(async (writer, place) => {
      const counter = place % counters.length
      const path = `/api/winner/${counters[counter]!['winner_id']}/`
      for (let reply: Reply | undefined; reply?.status !== 200; ) {
        const read = await site.ask(path)
        const score = read.json.score + 1
        reply = await write(writer, 'PATCH', path, { score }, { 'if-match': read.headers.etag! })
        if (reply.status === 412) continue
        assert.deepEqual([reply.status, reply.json], [200, { ...read.json, score }])
        counted[counter]!.push(score)
      }
    })
    const each = WRITERS.length / counters.length
    for (const [i, counter] of counters.entries()) {
      assert.deepEqual(
        counted[i]!.sort((a, b) => a - b),
        Array.from({ length: each }, (_, n) => n + 1),
      )
      assert.equal((await site.ask(`/api/winner/${counter['winner_id']}/`)).json.score, each)
    }
  })

  test('of many clients that create the same unique record, one succeeds', async () => {
    const names = ['one', 'two', 'three', 'four']
    const replies = await all((writer, place) =>
      Promise.all(
        names.map((_, i) => write(writer, 'POST', '/api/queue/', { name: names[(i + place) % names.length] })),
      ),
    )
    const statuses = replies.flat().map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, names.length)
    for (const { status, json } of replies.flat()) {
      if (status !== 201) assert.deepEqual([status, json], [400, { name: ['This field must be unique.'] }])
    }
    const { json } = await site.ask('/api/queue/')
    assert.deepEqual(
      json.results.map(({ name }: RecordJson) => name),
      [...names].sort(),
    )
  })

  test('a request repeated under one Idempotency-Key while the first still runs is carried out once', async () => {
    const replies = await all(() =>
      write(WRITERS[0]!, 'POST', '/api/queue/', { name: 'keyed' }, { 'idempotency-key': 'k' }),
    )
    for (const { status, text } of replies) assert.deepEqual([status, text], [201, replies[0]!.text])
  })

  test('{record.likes} every vote counts once, even if others vote at the same time', async () => {
    const polynyms = await Promise.all(
      ['a', 'b', 'c'].map((name) => made('/api/polynym/', { name: `vote ${name}`, mode: 'part', p1: 'x', p2: 'y' })),
    )
    const paths = polynyms.map(({ polynym_id }) => `/api/polynym/${polynym_id}/`)
    const stays = (place: number) => place % 3 !== 0 || place % 5 === 0
    await all(async (writer, place) => {
      const vote = (method: string) => Promise.all(paths.map((path) => write(writer, method, `${path}vote/`)))
      const steps = ['POST', 'POST', ...(place % 3 === 0 ? ['DELETE'] : []), ...(place % 5 === 0 ? ['POST'] : [])]
      for (const method of steps) {
        for (const { status, json } of await vote(method)) {
          assert.equal(status, 200)
          assert.equal((json.voters ?? []).includes(writer), method === 'POST')
          checkRecord(json)
        }
      }
    })
    const expected = WRITERS.filter((_, place) => stays(place)).sort()
    for (const path of paths) {
      const { json } = await site.ask(path)
      assert.deepEqual([json.likes, [...json.voters].sort()], [expected.length, expected])
    }
  })

  test('{record.embedded} deletes, changes of sets, votes and readers race, and the result is consistent', async () => {
    const known = new Map(RESOURCES.map((name): [string, number[]] => [name, []]))
    const oneMore = async (resource: string, json: object) =>
      known.get(resource)!.push(idOf(await made(`/api/${resource}/`, json)))
    for (const name of ['first 1', 'first 2', 'first 3', 'first 4']) {
      await oneMore('polynym', { name, mode: 'part', p1: 'a', p2: 'b' })
      await oneMore('quadranym', { name })
      await oneMore('phrase', { name, qode: `${name} q1e` })
      await oneMore('story', { name })
      await oneMore('polyset', { name, polynyms: known.get('polynym') })
      await oneMore('quadraset', { name, quadranyms: known.get('quadranym') })
    }
    let serial = 0
    const failures: string[] = []
    await all(async (writer, place) => {
      const chance = new Chance(place)
      // Among the newest, which most likely still exist.
      const pick = (name: string) => chance.pick(known.get(name)!.slice(-8))
      for (let step = 0; step < 10; step++) {
        const [method, path, json] = chance.pick(raceCommands(`race ${serial++}`, pick, chance))
        const reply = await write(writer, method, path, json)
        if (reply.status === 201) known.get(path.split('/')[2]!)!.push(idOf(reply.json))
        if (![200, 201, 204, 400, 404, 409].includes(reply.status)) failures.push(`${reply.status} ${method} ${path}`)
        else if (reply.status < 300 && reply.text !== '') checkReply(reply)
      }
    })
    assert.deepEqual(tallied(failures), {})
    await checkCatalogue(site)
  })
})

type Command = readonly [method: string, path: string, json?: object]

/** Writes to polynyms, quadranyms and the records that embed them. */
function raceCommands(name: string, pick: (name: string) => number, chance: Chance): Command[] {
  const polynyms = [pick('polynym'), pick('polynym')]
  const quadranyms = [pick('quadranym'), pick('quadranym')]
  const [v1, v2] = polynyms
  const [quadranym] = quadranyms
  const text = { body: `${name} rain`, qode: `${name} q1e_NN` }
  const line = { phrase: pick('phrase'), quadranym }
  const list = chance.pick(['polyset', 'vectornym', 'quadraset', 'storyline', 'fortune'])
  return [
    ['POST', '/api/polynym/', { name, mode: 'part', p1: 'a', p2: 'b' }],
    ['POST', '/api/quadranym/', { name }],
    ['POST', '/api/polyset/', { name, polynyms }],
    ['POST', '/api/vectornym/', { name, v1, v2 }],
    ['POST', '/api/quadraset/', { name, quadranyms }],
    ['POST', '/api/quote/', { ...text, src: 'x', quadranym }],
    ['POST', '/api/fortune/', { ...text, q1: [quadranym] }],
    ['POST', '/api/phrase/', { name, qode: `${name} q1e` }],
    ['POST', '/api/story/', { name, lines: [line] }],
    ['POST', '/api/storyline/', { rank: 1 + chance.below(9), story: pick('story'), ...line }],
    ['PATCH', `/api/polynym/${pick('polynym')}/`, { p3: chance.happens(2) ? 'c' : '' }],
    ['PATCH', `/api/polyset/${pick('polyset')}/`, { polynyms }],
    ['PATCH', `/api/quadraset/${pick('quadraset')}/`, { quadranyms }],
    ['PATCH', `/api/story/${pick('story')}/`, { lines: [line, line] }],
    ['POST', `/api/polyset/${pick('polyset')}/vote/`],
    ['POST', `/api/polynym/${pick('polynym')}/vote/`],
    ['DELETE', `/api/polynym/${pick('polynym')}/`],
    ['DELETE', `/api/polynym/${pick('polynym')}/?cascade=true`],
    ['DELETE', `/api/quadranym/${pick('quadranym')}/?cascade=true`],
    ['DELETE', `/api/story/${pick('story')}/`],
    ['GET', `/api/${list}/?page_size=50`],
  ]
}

function tallied(failures: readonly string[]): Record<string, number> {
  const tally: Record<string, number> = {}
  for (const failure of failures.map((each) => each.replaceAll(/\d+(?=\/)/g, 'ID')))
    tally[failure] = (tally[failure] ?? 0) + 1
  return tally
}

function idOf(record: RecordJson): number {
  return Number(Object.entries(record).at(-1)![1])
}

function checkReply({ json }: Reply): void {
  if (Array.isArray(json.deleted)) return
  for (const record of json.results ?? [json]) checkRecord(record)
}

/** Checks that need only the record. */
function checkRecord(record: RecordJson): void {
  const { voters, likes, polynyms, length, width, depth } = record
  assert.equal(likes, voters?.length)
  assert.equal(new Set(voters).size, voters?.length ?? 0)
  if (!polynyms) return
  const depths: number[] = polynyms.map((each: RecordJson) => each['depth'])
  assert.deepEqual([length, width, depth], [depths.length, depths.reduce((a, b) => a + b), Math.max(...depths)])
}

/** Every embedded record exists and is shown correctly; a story has as many lines as it says. */
async function checkCatalogue(site: Site): Promise<void> {
  const shown = new Map<string, RecordJson>()
  const tables = new Map<string, RecordJson[]>()
  for (const name of RESOURCES) {
    const { json } = await site.ask(`/api/${name}/?page_size=1000`)
    assert.equal(json.count, json.results.length)
    tables.set(name, json.results)
    for (const record of json.results) shown.set(`${name} ${record[`${name}_id`]}`, record)
  }
  const checkEmbedded = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) {
      for (const each of Array.isArray(inner) ? inner : [inner]) {
        if (typeof each !== 'object') continue
        const [member, id] = Object.entries(each).at(-1)!
        assert.deepEqual(each, shown.get(`${member.replace(/_id$/, '')} ${id}`))
        checkEmbedded(each)
      }
    }
  }
  for (const record of shown.values()) {
    checkRecord(record)
    checkEmbedded(record)
  }
  for (const { story_id, length } of tables.get('story')!) {
    assert.equal(tables.get('storyline')!.filter(({ story }) => story.story_id === story_id).length, length)
  }
}
