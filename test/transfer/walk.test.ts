/** Copying a catalogue over HTTP: from a real server, and from servers that behave as badly as real ones sometimes do. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { Unreachable } from '../../src/transfer/client.ts'
import { type WalkOptions, walkCatalogue } from '../../src/transfer/walk.ts'
import { Site } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const everything = catalogue.map((resource) => ({
  name: resource.name,
  views: Object.keys('views' in resource ? resource.views : {}),
}))
const site = new Site('SQLite')
const busySite = new Site('SQLite', {
  settings: {
    limits: { signIns: undefined, signUps: undefined, writes: undefined, reads: { count: 5, seconds: 60 } },
  },
})
let parent = ''
let folders = 0
const newFolder = () => join(parent, String(++folders))
const servers: Server[] = []

before(async () => {
  parent = mkdtempSync(join(tmpdir(), 'nymdex-walk-'))
  await site.start()
  await addWinners(site)
  await busySite.start()
})
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})
after(async () => {
  await site.stop()
  await busySite.stop()
  rmSync(parent, { recursive: true })
  assert.deepEqual([...site.bugs, ...busySite.bugs], [])
})

/** A walk that takes no time, with everything it reported. */
async function walk(url: string, options: Partial<WalkOptions> = {}, folder = newFolder()) {
  const notes: string[] = []
  const waits: number[] = []
  const pages: string[] = []
  const walking = walkCatalogue(url, folder, {
    collections: THREE,
    pause: 0,
    sleep: async (ms) => waits.push(ms),
    onNote: (line) => notes.push(line),
    onPage: ({ collection, records, count, pages: number }) =>
      pages.push(`${collection} ${number}: ${records} of ${count}`),
    ...options,
  })
  const [outcome] = await Promise.allSettled([walking])
  const error = outcome.status === 'rejected' ? (outcome.reason as Error) : undefined
  const results = outcome.status === 'fulfilled' ? outcome.value : []
  return { folder, notes, waits, pages, error, results }
}

const THREE = ['ant', 'bee', 'cow'].map((name) => ({ name, views: name === 'bee' ? ['bee-id'] : [] }))
const COUNTS: Readonly<Record<string, number>> = { ant: 5, bee: 3, cow: 7 }

interface Fake {
  readonly base: string
  /** The requests, in order: path and query. */
  readonly asked: string[]
  readonly requests: IncomingMessage[]
}

type Misbehaviour = (path: string, response: ServerResponse, times: number) => boolean | undefined

/**
 * Two records per page. It misbehaves as configured, by path and by number of requests; otherwise it is a good server.
 */
async function fakeServer(
  misbehave: Misbehaviour = () => false,
  linkBase = 'http://internal.invalid:81',
): Promise<Fake> {
  const fake = { base: '', asked: [] as string[], requests: [] as IncomingMessage[] }
  const server = createServer((request, response) => {
    const path = request.url!
    fake.asked.push(path)
    fake.requests.push(request)
    const times = fake.asked.filter((each) => each === path).length
    if (!misbehave(path, response, times)) answerWell(path, response, linkBase)
  })
  servers.push(server)
  await new Promise<void>((up) => server.listen(0, '127.0.0.1', up))
  fake.base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return fake
}

function answerWell(path: string, response: ServerResponse, linkBase: string): void {
  const { pathname, searchParams } = new URL(path, 'http://x')
  const name = pathname.split('/')[2] ?? ''
  const count = COUNTS[name]
  const page = Number(searchParams.get('page') ?? 1)
  if (pathname === '/api/') {
    const names = Object.keys(COUNTS)
    json(response, Object.fromEntries([...names, 'bee-id'].map((each) => [each, `${linkBase}/api/${each}/`])))
  } else if (count === undefined) json(response, { detail: 'Not found.' }, 404)
  else if ((page - 1) * 2 >= count) json(response, { detail: 'Invalid page.' }, 404)
  else {
    searchParams.set('page', String(page + 1))
    const next = page * 2 < count ? `${linkBase}/api/${name}/?${searchParams}` : null
    const ids = [page * 2 - 1, page * 2].filter((id) => id <= count)
    json(response, { count, next, previous: null, results: ids.map((id) => recordOf(name, id)) })
  }
}

const recordOf = (name: string, id: number) => ({ name: `${name} ${id} – \u2028 “é”`, [`${name}_id`]: id })
const linesOf = (name: string, ids: readonly number[]) =>
  ids.map((id) => `${JSON.stringify(recordOf(name, id))}\n`).join('')

function json(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}): true {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  return true
}

function html(response: ServerResponse): true {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Welcome!</p>')
  return true
}

const filesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
const stateIn = (folder: string) => JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))
const ONE = '?page_size=2'
const pageOf = (number: number) => `?page_size=2&page=${number}`
const oneOf = (fake: Fake, misbehaving: Partial<WalkOptions> = {}, folder?: string) =>
  walk(`${fake.base}/api/ant/`, { pageSize: 2, ...misbehaving }, folder)

function assertUnreachable(error: Error | undefined, line: string): void {
  assert.ok(error instanceof Unreachable, String(error?.stack))
  assert.equal(error.message, line)
}

test('a whole catalogue is copied, every record of every collection as the server shows it, and no view', async () => {
  const { folder, notes, error, results } = await walk(`${site.base}/`, { collections: everything })
  assert.equal(error, undefined)
  assert.deepEqual(notes, [])
  const urls = site.accessLog.filter(({ method }) => method === 'GET').map(({ url }) => url as string)
  assert.deepEqual(urls.slice(0, 2), ['/', '/api/'])
  assert.ok(!urls.some((url) => url.includes('-id/')))
  const names = everything.map(({ name }) => name)
  for (const [i, name] of names.entries()) {
    const { count, results: records } = (await site.ask(`/api/${name}/?page_size=1000`)).json
    assert.ok(count > 9)
    assert.deepEqual(results[i], { collection: name, file: join(folder, `${name}.ndjson`), records: count, count })
    const text = readFileSync(join(folder, `${name}.ndjson`), 'utf8')
    assert.equal(text, records.map((record: unknown) => `${JSON.stringify(record)}\n`).join(''))
  }
  assert.equal(results.length, names.length)
  assert.deepEqual(readdirSync(folder).sort(), [...names.map((name) => `${name}.ndjson`), 'state.json'].sort())
})

test('a server that limits its readers is walked to the end by waiting as long as it asks', async () => {
  busySite.ticks = 0
  const waits: number[] = []
  const { error, results } = await walk(`${busySite.base}/api/`, {
    collections: everything,
    only: ['polynym'],
    pageSize: 25,
    async sleep(ms) {
      waits.push(ms)
      busySite.ticks! += ms
    },
  })
  assert.equal(error, undefined)
  const [{ records, count } = {}] = results
  assert.equal(records, count)
  // One index and 21 pages at five a minute.
  assert.equal(Math.ceil(count! / 25), 21)
  assert.deepEqual(waits, [60_000, 60_000, 60_000, 60_000])
})

test('the site, its index and one collection may be given, with or without the slash, and "only" picks', async () => {
  const fake = await fakeServer()
  const cases: [url: string, only: string[] | undefined, files: string[]][] = [
    ['/', undefined, ['ant.ndjson', 'bee.ndjson', 'cow.ndjson']],
    ['', ['cow', 'ant'], ['ant.ndjson', 'cow.ndjson']],
    ['/api/', ['cow'], ['cow.ndjson']],
    ['/api', undefined, ['ant.ndjson', 'bee.ndjson', 'cow.ndjson']],
    ['/api/bee', undefined, ['bee.ndjson']],
    ['/api/bee/?page=2#x', undefined, ['bee.ndjson']],
  ]
  for (const [path, only, files] of cases) {
    const { folder, error, results } = await walk(fake.base + path, only ? { only } : {})
    assert.equal(error, undefined)
    assert.deepEqual(readdirSync(folder), [...files, 'state.json'])
    const all = files.map((file) => file.slice(0, 3))
    assert.deepEqual(
      results.map(({ collection, records, count }) => [collection, records, count]),
      all.map((name) => [name, COUNTS[name], COUNTS[name]]),
    )
  }
})

test('requests are plain and polite, and a page size that the server does not know does no harm', async () => {
  const fake = await fakeServer()
  const { folder, pages } = await walk(`${fake.base}/api/`)
  assert.deepEqual(fake.asked.slice(0, 4), [
    '/api/',
    '/api/ant/?page_size=100',
    '/api/ant/?page_size=100&page=2',
    '/api/ant/?page_size=100&page=3',
  ])
  for (const { headers, method } of fake.requests) {
    assert.equal(method, 'GET')
    assert.equal(headers['user-agent'], `nymdex/${version}`)
    assert.equal(headers.accept, 'application/json')
    assert.equal(headers.authorization, undefined)
  }
  assert.deepEqual(pages.slice(0, 4), ['ant 1: 2 of 5', 'ant 2: 4 of 5', 'ant 3: 5 of 5', 'bee 1: 2 of 3'])
  const done = Object.entries(COUNTS).map(([collection, count]) => ({ collection, records: count, count }))
  assert.deepEqual(filesIn(folder), {
    'ant.ndjson': linesOf('ant', [1, 2, 3, 4, 5]),
    'bee.ndjson': linesOf('bee', [1, 2, 3]),
    'cow.ndjson': linesOf('cow', [1, 2, 3, 4, 5, 6, 7]),
    'state.json': `${JSON.stringify({ collection: null, next: null, bytes: 0, records: 0, count: 0, pages: 0, url: `${fake.base}/api/`, done })}\n`,
  })
})

test('by default it pauses as long as the last request took, at most a second, never after the last', async () => {
  const fake = await fakeServer()
  const { waits } = await oneOf(fake, { pause: undefined })
  assert.equal(waits.length, 2)
  for (const wait of waits) assert.ok(wait > 0 && wait <= 1000)
  assert.deepEqual((await oneOf(fake, { pause: 250 })).waits, [250, 250])
  const busy = await fakeServer((path, response, asked) => path.includes('=3') && asked < 2 && json(response, {}, 503))
  assert.deepEqual((await oneOf(busy, { pause: 250 })).waits, [250, 250, 5000])
})

test('an interrupted walk continues where it stopped, and the files equal those of an uninterrupted one', async () => {
  const fake = await fakeServer()
  const whole = await walk(`${fake.base}/`, { pageSize: 2 })
  const all = fake.asked.splice(0)

  const stop = new AbortController()
  const folder = newFolder()
  const first = await walk(
    `${fake.base}/`,
    {
      pageSize: 2,
      signal: stop.signal,
      onPage: ({ collection, pages }) => void (collection === 'cow' && pages === 2 && stop.abort()),
    },
    folder,
  )
  assert.equal(first.error?.name, 'AbortError')
  const before = fake.asked.splice(0)
  const { done, ...state } = stateIn(folder)
  const bytes = Buffer.byteLength(linesOf('cow', [1, 2, 3, 4]))
  assert.deepEqual(state, {
    url: `${fake.base}/`,
    collection: 'cow',
    next: pageOf(3),
    records: 4,
    count: 7,
    pages: 2,
    bytes,
  })
  assert.deepEqual(done, [
    { collection: 'ant', records: 5, count: 5 },
    { collection: 'bee', records: 3, count: 3 },
  ])
  // A page that was being written when the power failed.
  appendFileSync(join(folder, 'cow.ndjson'), '{"name":"cow 5 – ')

  const second = await walk(`${fake.base}/`, { pageSize: 2 }, folder)
  assert.deepEqual(second.notes, [
    `resuming the walk in ${folder}; complete so far: ant, bee`,
    'resuming cow after 4 of 7 records',
  ])
  assert.deepEqual(second.pages, ['cow 3: 6 of 7', 'cow 4: 7 of 7'])
  assert.deepEqual(fake.asked, ['/', '/api/', `/api/cow/${pageOf(3)}`, `/api/cow/${pageOf(4)}`])
  assert.deepEqual([...before, ...fake.asked.splice(0).slice(2)], all)
  assert.deepEqual(filesIn(folder), filesIn(whole.folder))
  assert.deepEqual(
    second.results.map(({ records }) => records),
    [5, 3, 7],
  )

  const third = await walk(`${fake.base}/`, { pageSize: 2 }, folder)
  assert.deepEqual(fake.asked, ['/', '/api/'])
  assert.deepEqual(third.results, second.results)
})

test('damaged or unwanted parts of an earlier walk are walked again', async () => {
  const fake = await fakeServer()
  const begin = async () => {
    const stop = new AbortController()
    const onPage = ({ collection }: { collection: string }) => void (collection === 'bee' && stop.abort())
    return (await walk(`${fake.base}/api/`, { pageSize: 2, signal: stop.signal, onPage })).folder
  }
  const whole = filesIn((await walk(`${fake.base}/api/`, { pageSize: 2 })).folder)

  const shortened = await begin()
  writeFileSync(join(shortened, 'bee.ndjson'), '')
  rmSync(join(shortened, 'ant.ndjson'))
  await walk(`${fake.base}/api/`, { pageSize: 2 }, shortened)
  const { 'state.json': _, ...files } = filesIn(shortened)
  const { 'state.json': __, ...expected } = whole
  assert.deepEqual(files, expected)

  const narrowed = await begin()
  const { notes } = await walk(`${fake.base}/api/`, { pageSize: 2, only: ['cow'] }, narrowed)
  assert.equal(notes.at(-1), 'dropping the part of bee, because cow comes first now')
  assert.ok(!existsSync(join(narrowed, 'bee.ndjson')))
  assert.equal(filesIn(narrowed)['cow.ndjson'], expected['cow.ndjson'])

  const changed = await begin()
  writeFileSync(join(changed, 'bee.ndjson'), 'x\n'.repeat(500))
  assertUnreachable(
    (await walk(`${fake.base}/api/`, { pageSize: 2 }, changed)).error,
    `${join(changed, 'bee.ndjson')} was changed since it was written: remove ${changed} and walk again`,
  )
})

test('a folder of another walk, or with other files, is left unchanged', async () => {
  const fake = await fakeServer()
  const { folder } = await oneOf(fake)
  const other = await walk(`${fake.base}/`, {}, folder)
  assertUnreachable(other.error, `${folder} holds a walk of ${fake.base}/api/ant/: give another folder`)
  rmSync(join(folder, 'state.json'))
  const before = filesIn(folder)
  const file = join(folder, 'ant.ndjson')
  assertUnreachable((await oneOf(fake, {}, folder)).error, `${file} is there already: give an empty folder`)
  assert.deepEqual(filesIn(folder), before)
  writeFileSync(join(folder, 'state.json'), '[]')
  const state = join(folder, 'state.json')
  assertUnreachable((await oneOf(fake, {}, folder)).error, `${state} is not the state of a walk: give another folder`)
  const { error } = await oneOf(fake, {}, join(file, 'deeper'))
  assert.ok(error instanceof Unreachable)
  assert.match(error.message, /deeper: ENOTDIR: /)
})

test('a busy server gets the time it asks for, or more and more', async () => {
  const future = new Date(Date.now() + 24 * 3_600_000).toUTCString()
  const cases: [status: number, after: string | undefined, times: number, waits: number[]][] = [
    [503, '0', 1, [1000]],
    [503, '1', 2, [1000, 1000]],
    [429, '7', 1, [7000]],
    [429, '86400', 1, [600_000]],
    [429, future, 1, [600_000]],
    [503, 'Fri, 01 Jan 1999 00:00:00 GMT', 1, [1000]],
    [503, 'soon', 1, [5000]],
    [503, undefined, 5, [5000, 10_000, 20_000, 40_000, 80_000]],
    [500, '7', 2, [1000, 2000]],
    [502, undefined, 1, [1000]],
  ]
  for (const [status, retryAfter, times, waits] of cases) {
    const fake = await fakeServer(
      (path, response, asked) =>
        path.includes('page=2') &&
        asked <= times &&
        json(response, { detail: 'Busy.' }, status, retryAfter === undefined ? {} : { 'Retry-After': retryAfter }),
    )
    const { folder, error, ...walked } = await oneOf(fake)
    assert.equal(error, undefined)
    assert.deepEqual(walked.waits, waits, `${status} ${retryAfter}`)
    assert.equal(walked.notes.length, times)
    const [note] = walked.notes
    const seconds = (waits[0] ?? 0) / 1000
    assert.equal(note, `${fake.base}/api/ant/${pageOf(2)} answered ${status}: trying again in ${seconds} s`)
    assert.equal(fake.asked.length, 3 + times)
    assert.equal(filesIn(folder)['ant.ndjson'], linesOf('ant', [1, 2, 3, 4, 5]))
  }
})

test('a request is retried if the connection breaks, before the response or within it', async () => {
  const fake = await fakeServer((path, response, asked) => {
    if (!path.includes('page=2') || asked > 2) return false
    if (asked === 1) response.destroy()
    else {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' })
      response.write('{"count":5,"next":null,', () => response.destroy())
    }
    return true
  })
  const { folder, waits, error } = await oneOf(fake)
  assert.equal(error, undefined)
  assert.deepEqual(waits, [1000, 2000])
  assert.equal(filesIn(folder)['ant.ndjson'], linesOf('ant', [1, 2, 3, 4, 5]))
})

test('after five retries it gives up with one line, and keeps what it has', async () => {
  const fake = await fakeServer((path, response) => path.includes('page=3') && json(response, {}, 503))
  const { folder, waits, error } = await oneOf(fake)
  assertUnreachable(error, `${fake.base}/api/ant/${pageOf(3)} answered 503, 6 times`)
  assert.deepEqual(waits, [5000, 10_000, 20_000, 40_000, 80_000])
  assert.equal(filesIn(folder)['ant.ndjson'], linesOf('ant', [1, 2, 3, 4]))
  assert.equal(stateIn(folder).next, pageOf(3))

  const gone = await fakeServer()
  await new Promise((closed) => servers.at(-1)!.close(closed))
  const away = await oneOf(gone)
  assertUnreachable(away.error, `${gone.base}/api/ant/${ONE} refuses the connection, 6 times`)
  assert.deepEqual(away.waits, [1000, 2000, 4000, 8000, 16_000])
})

test('a wait can be cut short', async () => {
  const fake = await fakeServer((_, response) => json(response, {}, 503, { 'Retry-After': '600' }))
  const stop = new AbortController()
  const { error } = await oneOf(fake, { signal: stop.signal, sleep: undefined, onNote: () => stop.abort() })
  assert.equal(error?.name, 'AbortError')
})

test('links between pages may be wrong in everything except their query', async () => {
  const bases = ['https://127.0.0.1:1', 'http://evil.invalid', '', 'ftp://x/y']
  for (const base of bases) {
    const fake = await fakeServer(undefined, base)
    const { error, folder } = await oneOf(fake)
    assert.equal(error, undefined)
    assert.equal(filesIn(folder)['ant.ndjson'], linesOf('ant', [1, 2, 3, 4, 5]))
  }
  // A link without the size continues with it, or pages would overlap.
  const forgetful = await fakeServer(
    (path, response) =>
      path.endsWith(ONE) && json(response, { count: 5, next: '?page=2', results: [recordOf('ant', 1)] }),
  )
  await oneOf(forgetful)
  assert.equal(forgetful.asked[1], '/api/ant/?page=2&page_size=2')
})

test('links in a circle, or without end, end the walk', async () => {
  const results = [recordOf('ant', 1)]
  const circle = await fakeServer(
    (path, response) => path.includes('page=3') && json(response, { count: 5, next: pageOf(2), results }),
  )
  const ant = (fake: Fake) => `${fake.base}/api/ant/`
  assertUnreachable(
    (await oneOf(circle)).error,
    `${ant(circle)}${pageOf(3)} leads back to ${ant(circle)}${pageOf(2)}, which was already walked: this would never end`,
  )
  assert.equal(circle.asked.length, 3)

  const itself = await fakeServer((_, response) => json(response, { count: 5, next: '/api/ant/', results }))
  assertUnreachable(
    (await oneOf(itself)).error,
    `${ant(itself)}${ONE} leads back to ${ant(itself)}${ONE}, which was already walked: this would never end`,
  )

  const endless = await fakeServer((path, response) => {
    const page = Number(new URLSearchParams(path.split('?')[1]).get('page') ?? 1)
    return json(response, { count: 5, next: pageOf(page + 1), results })
  })
  assertUnreachable(
    (await oneOf(endless)).error,
    `${ant(endless)}${pageOf(102)} and 100 pages before it have nothing new`,
  )
})

test("a response that is not a page ends the walk with its address and the server's message", async () => {
  const cases: [misbehave: (response: ServerResponse) => boolean, line: string][] = [
    [html, 'returned something that is not JSON'],
    [
      (response) => Boolean(response.end(Buffer.from('{"count":0,"results":[],"x":"\xe9"}', 'latin1'))),
      'returned something that is not JSON',
    ],
    [(response) => json(response, { detail: 'Not found.' }, 404), 'answered 404: Not found.'],
    [(response) => json(response, { detail: 'No\u001b[31m\nway.' }, 403), 'answered 403: No [31m way.'],
    [(response) => json(response, 'x', 400), 'answered 400'],
    [(response) => json(response, { count: 1, results: [] }, 410), 'answered 410'],
    [(response) => json(response, { count: 5 }), 'returned JSON that is not a page of a collection'],
    [(response) => json(response, { results: [] }), 'returned JSON that is not a page of a collection'],
    [(response) => json(response, { count: 1, results: [3] }), 'returned JSON that is not a page of a collection'],
    [
      (response) => json(response, { count: 1, next: 'http://[', results: [] }),
      'names a next page that is not an address',
    ],
    [
      (response) => Boolean(response.end(`{"count":1,"results":[{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}]}`)),
      'holds a record that is nested too deep',
    ],
    [(response) => Boolean(response.end(Buffer.alloc(64 * 1024 * 1024 + 1, ' '))), 'returned more than 64 MiB'],
  ]
  for (const [misbehave, line] of cases) {
    const fake = await fakeServer((_, response) => misbehave(response))
    const { error, waits } = await oneOf(fake)
    assertUnreachable(error, `${fake.base}/api/ant/${ONE} ${line}`)
    assert.deepEqual(waits, [])
    assert.equal(fake.asked.length, 1)
  }
})

test('a missing index, or one without the wanted collections, is reported in one line', async () => {
  const website = await fakeServer((_, response) => html(response))
  const nothing = 'returned something that is not JSON'
  const { base } = website
  assertUnreachable((await walk(base)).error, `${base}/ ${nothing}, and ${base}/api/ ${nothing}`)
  assertUnreachable((await walk(`${base}/api/`)).error, `${base}/api/ ${nothing}`)
  const fake = await fakeServer()
  assertUnreachable(
    (await walk(`${fake.base}/v2/`)).error,
    `${fake.base}/v2/ answered 404: Not found., and ${fake.base}/v2/api/ answered 404: Not found.`,
  )
  assertUnreachable(
    (await walk(`${fake.base}/api/bee-id/`)).error,
    `${fake.base}/api/bee-id/ shows only a part of its records: give ${fake.base}/api/bee/ instead`,
  )
  assertUnreachable(
    (await walk(`${fake.base}/api/cow/`, { collections: THREE.slice(0, 2) })).error,
    `${fake.base}/api/cow/ is a collection that this catalogue does not know`,
  )
  assertUnreachable(
    (await walk(`${fake.base}/api/cow/`, { only: ['ant'] })).error,
    `${fake.base}/api/cow/ is cow, which --collection excludes`,
  )
  assertUnreachable(
    (await walk(fake.base, { only: ['elk'] })).error,
    'no collection is called elk: there are ant, bee, cow',
  )
  const elk = { name: 'elk', views: [] }
  assertUnreachable((await walk(fake.base, { collections: [elk] })).error, `${fake.base}/api/ lists none of elk`)
  const some = await walk(fake.base, { collections: [elk, THREE[0]!, THREE[1]!] })
  assert.deepEqual(some.notes, [
    'not copied, because this catalogue does not know them: cow',
    'skipped, because the server does not have them: elk',
  ])
  assert.deepEqual(readdirSync(some.folder), ['ant.ndjson', 'bee.ndjson', 'state.json'])
  for (const url of ['nymdex.example', 'ftp://nymdex.example/', 'http://gus:secret@']) {
    assertUnreachable((await walk(url)).error, 'give the address of a server, such as https://nymdex.example/')
  }
})

test('a redirect is followed on the same host, and to no other', async () => {
  const moved = await fakeServer((path, response) => {
    if (!path.startsWith('/old/')) return false
    response.writeHead(301, { Location: path.replace('/old/', '/api/') }).end()
    return true
  })
  const { error, folder } = await walk(`${moved.base}/old/`)
  assert.equal(error, undefined)
  assert.equal(filesIn(folder)['cow.ndjson'], linesOf('cow', [1, 2, 3, 4, 5, 6, 7]))
  await walk(`${moved.base}/old/ant/`)
  // The target is remembered, so it is requested once.
  assert.deepEqual(
    moved.asked.filter((path) => path.startsWith('/old/')),
    ['/old/', '/old/ant/?page_size=100'],
  )

  const other = await fakeServer()
  const luring = await fakeServer((_, response) => {
    response.writeHead(302, { Location: other.base.replace('//', '//eve:hidden@') }).end()
    return true
  })
  assertUnreachable(
    (await walk(luring.base.replace('//', '//gus:secret@'))).error,
    `${luring.base}/ redirects to ${other.base}/, which is another host: give that address instead`,
  )
  assert.deepEqual(other.asked, [])

  // It follows a redirect to https on the same host, though nothing listens there.
  const closed = await fakeServer()
  await new Promise((ended) => servers.at(-1)!.close(ended))
  const encrypting = await fakeServer((path, response) => {
    response.writeHead(301, { Location: closed.base.replace('http:', 'https:') + path }).end()
    return true
  })
  const line = `${encrypting.base}/ refuses the connection, 6 times`
  assertUnreachable((await walk(encrypting.base)).error, line)

  const dizzy = await fakeServer((path, response) => {
    response.writeHead(307, { Location: `${path}x` }).end()
    return true
  })
  assertUnreachable((await walk(dizzy.base)).error, `${dizzy.base}/ redirects more than 5 times`)
})

test('a name and password in the address are sent as a header, and appear nowhere else', async () => {
  const fake = await fakeServer((path, response) => path.includes('page=2') && json(response, {}, 403))
  const secret = fake.base.replace('//', '//g%C3%BCs:se%3Acret%40@')
  const { folder, error, notes } = await walk(secret)
  assert.equal(error?.message, `${fake.base}/api/ant/?page_size=100&page=2 answered 403`)
  const header = `Basic ${Buffer.from('güs:se:cret@').toString('base64')}`
  assert.deepEqual(new Set(fake.requests.map(({ headers }) => headers.authorization)), new Set([header]))
  assert.ok(!/cret|güs|g%C3/.test(JSON.stringify([filesIn(folder), notes])))
  const refused = await walk(site.base.replace('//', '//nobody:wrong-password@'), { collections: everything })
  assert.equal(refused.error?.message.replaceAll(site.base, ''), '/ answered 401: Invalid username/password.')
})

test('a catalogue that changes meanwhile gives each record once, and missing records are reported', async () => {
  const results = [4, 5].map((id) => recordOf('ant', id))
  const growing = await fakeServer(
    (path, response) => path.includes('page=3') && json(response, { count: 7, next: null, results }),
  )
  const grown = await oneOf(growing)
  assert.equal(filesIn(grown.folder)['ant.ndjson'], linesOf('ant', [1, 2, 3, 4, 5]))
  assert.deepEqual(grown.notes, [
    '5 of 7 records of ant arrived, because it changed during the walk: to get all of them, walk again into an empty folder',
  ])
  assert.deepEqual(
    grown.results.map(({ records, count }) => [records, count]),
    [[5, 7]],
  )

  // Records are recognised after a break.
  const stop = new AbortController()
  const { folder } = await oneOf(growing, { signal: stop.signal, onPage: ({ pages }) => pages === 2 && stop.abort() })
  await oneOf(growing, {}, folder)
  assert.deepEqual(filesIn(folder), filesIn(grown.folder))

  const shrinking = await fakeServer(
    (path, response) => path.includes('page=3') && json(response, { detail: 'Invalid page.' }, 404),
  )
  const shrunk = await oneOf(shrinking)
  assert.equal(shrunk.error, undefined)
  assert.deepEqual(shrunk.notes, [
    `${shrinking.base}/api/ant/${pageOf(3)} is gone: ant shrank during the walk`,
    '4 of 5 records of ant arrived, because it changed during the walk: to get all of them, walk again into an empty folder',
  ])
  assert.deepEqual(stateIn(shrunk.folder).done, [{ collection: 'ant', records: 4, count: 5 }])

  const broken = await fakeServer(
    (path, response) => path.includes('page=2') && json(response, { detail: 'Invalid page.' }, 404),
  )
  assertUnreachable((await oneOf(broken)).error, `${broken.base}/api/ant/${pageOf(2)} answered 404: Invalid page.`)

  const nameless = await fakeServer((_, response) => json(response, { count: 2, results: [{ a: 1 }, { a: 1 }] }))
  const plain = await oneOf(nameless)
  assert.equal(filesIn(plain.folder)['ant.ndjson'], '{"a":1}\n{"a":1}\n')
  assert.deepEqual(plain.notes, ['2 records of ant have no ant_id'])
})
