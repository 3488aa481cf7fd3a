/**
 * Thousands of malformed requests, written byte by byte: each of them ends, none gets a server error, nothing is logged
 * as a bug, and the memory does not grow. The seed decides all of them.
 */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { AccountDesk, accountNamed } from '../../src/engine/index.ts'
import { NIGHTLY } from '../support/nightly.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { Chance } from './chance.ts'

const SEED = 777
const SHOTS = NIGHTLY ? 10_000 : 800
const LINES = 8
const PATIENCE_MS = 20_000
const MOST_FAILURES = 10
const MOST_GROWTH = 30 * 1024 * 1024

interface Shot {
  readonly bytes: Buffer
  /** Whether a response is expected, or the client disconnects after sending. */
  readonly ending: 'answer' | 'hang up' | 'reset'
  readonly head?: boolean
}

interface Answer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** The credentials that the requests send. */
interface Credentials {
  readonly tokens: readonly string[]
  readonly session: string
}

onEachEngine('Malformed requests', {}, (site) => {
  let credentials: Credentials
  // An uncaught error would end the program.
  const uncaught: unknown[] = []
  const keep = (error: unknown) => uncaught.push(error)
  before(async () => {
    process.on('uncaughtException', keep).on('unhandledRejection', keep)
    credentials = await makeCredentials(site)
  })
  after(() => {
    process.off('uncaughtException', keep).off('unhandledRejection', keep)
    assert.deepEqual(uncaught, [])
    assert.deepEqual(site.bugs, [])
  })

  test(`${SHOTS} of them all end, without a server error, a bug, or a memory leak`, async () => {
    const fuzzer = new Fuzzer(SEED, credentials)
    const failures: string[] = []
    await fireAll(site, fuzzer, SHOTS / 5, failures)
    const early = heapUsed(site)
    await fireAll(site, fuzzer, SHOTS - SHOTS / 5, failures)
    assert.deepEqual(failures, [])
    const growth = heapUsed(site) - early
    assert.ok(growth < MOST_GROWTH, `the heap grew by ${growth} bytes`)
    assert.equal((await site.ask('/healthz')).status, 200)
    assert.equal((await site.ask('/api/polynym/')).status, 200)
  })

  // Such a text has very many ways in which its tokens could match its words.
  test('a qode that does not match a long chain of hyphens is refused at once', { timeout: 5000 }, async () => {
    const body = Array(300).fill('a').join('-')
    const qode = `${Array(150).fill('q1e_NN').join('-')}!`
    const { status } = await site.ask('/api/fortune/', { method: 'POST', as: 'ada', json: { body, qode, q1: [1] } })
    assert.equal(status, 400)
  })

  test('an invalid chunk is refused at once, not when the time for the body is over', {
    timeout: 5000,
  }, async () => {
    const head = `POST /api/queue/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${credentials.tokens[0]}\r\n`
    const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
    for (const chunk of [
      'zz\r\n',
      '5\r\n{"nam_\r\n0\r\n\r\n',
      'fffffffffffffffff\r\n',
      `1;${'x'.repeat(20_000)}\r\n`,
    ]) {
      const answer = await fire(site.port, { bytes: Buffer.from(head + type + chunk), ending: 'answer' }, {})
      assert.ok(answer && answer.status >= 400 && answer.status < 500, `${chunk.slice(0, 20)}: ${answer?.status}`)
    }
  })
})

async function makeCredentials(site: Site): Promise<Credentials> {
  const { engine } = site
  const tokens: string[] = []
  for (const name of ['staff-fuzz', 'fuzz']) {
    const account = await engine.store.write(function* () {
      const made = yield* accountNamed(engine, name)
      yield* engine.store.accounts.setStaff(made.id, name.startsWith('staff'))
      return made
    })
    tokens.push((await new AccountDesk(engine).createToken(account, 'fuzz')).key)
  }
  const signUp = { username: 'in-session', password: 'a long secret' }
  const { headers } = await site.ask('/accounts/signup/', { method: 'POST', json: signUp })
  return { tokens, session: headers['set-cookie']![0]!.split(';')[0]! }
}

/** The memory in use after garbage collection. */
function heapUsed(site: Site): number {
  site.accessLog.length = 0
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

/** Over several connections, each kept as long as the server keeps it. */
async function fireAll(site: Site, fuzzer: Fuzzer, count: number, failures: string[]): Promise<void> {
  let left = count
  const shoot = async () => {
    const line: Line = {}
    while (left-- > 0 && failures.length < MOST_FAILURES) {
      const shot = fuzzer.next()
      const number = fuzzer.count
      try {
        const kept = line.socket
        const first = await fire(site.port, shot, line)
        // A connection that was kept may have ended meanwhile: like any client, the test then tries again.
        const answer = first || !kept || shot.ending !== 'answer' ? first : await fire(site.port, shot, line)
        if (answer) checkAnswer(answer)
        else assert.notEqual(shot.ending, 'answer', 'no answer')
      } catch (error) {
        const excerpt = JSON.stringify(shot.bytes.subarray(0, 600).toString('latin1'))
        failures.push(`${(error as Error).message}: shot ${number}, ${excerpt}`)
      }
    }
    line.socket?.destroy()
  }
  await Promise.all(Array.from({ length: LINES }, shoot))
}

function checkAnswer({ status, headers, body }: Answer): void {
  assert.ok(status >= 200 && status < 500, `${status} ${body}`)
  assert.ok(headers.has('x-request-id'))
  const type = headers.get('content-type') ?? ''
  if (type === 'application/json' && body !== '') JSON.parse(body)
  else assert.match(type, /^(application\/json|text\/html; charset=utf-8|text\/css; charset=utf-8|)$/)
}

interface Line {
  socket?: Socket | undefined
}

/** Sends a shot; resolves with the response, if there is one, when it is complete or the connection has ended. */
function fire(port: number, shot: Shot, line: Line): Promise<Answer | undefined> {
  return new Promise((ended, failed) => {
    const kept = shot.ending === 'answer' && line.socket?.writable ? line.socket : undefined
    const socket = kept ?? connect(port, '127.0.0.1')
    let received = Buffer.alloc(0)
    const finish = (answer: Answer | undefined, error?: Error) => {
      clearTimeout(patience)
      socket.removeAllListeners('data').removeAllListeners('close')
      const keeps = shot.ending === 'answer' && answer && answer.headers.get('connection') !== 'close'
      if (!keeps) socket.destroy()
      if (shot.ending === 'answer') line.socket = keeps ? socket : undefined
      if (error) failed(error)
      else ended(answer)
    }
    const patience = setTimeout(() => finish(undefined, new Error('it does not end')), PATIENCE_MS)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      const answer = shot.ending === 'answer' && readAnswer(received, shot)
      if (answer) finish(answer)
    })
    socket.on('close', () => finish(readAnswer(received, shot)))
    if (!kept) socket.on('error', () => {})
    socket.write(shot.bytes, () => {
      if (shot.ending === 'hang up') socket.end()
      if (shot.ending === 'reset') socket.resetAndDestroy()
    })
  })
}

/** The first final response, once it is complete. */
function readAnswer(received: Buffer, shot: Shot): Answer | undefined {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
  if (status < 200) return readAnswer(received.subarray(end + 4), shot)
  const headers = new Map(
    lines.map((each) => each.split(/: (.*)/s) as [string, string]).map(([n, v]) => [n.toLowerCase(), v]),
  )
  const length = shot.head || status === 204 || status === 304 ? 0 : Number(headers.get('content-length'))
  const body = received.subarray(end + 4)
  return body.length < length ? undefined : { status, headers, body: body.subarray(0, length).toString() }
}

type Header = readonly [name: string, value: string]

/** Words as written here, escapes and all. */
const words = (text: TemplateStringsArray) => String.raw(text).trim().split(/\s+/)
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const each = (name: string, values: readonly string[]) => values.map((value): Header => [name, value])

const JSON_TYPE: Header = ['Content-Type', 'application/json']
const FORM_TYPE: Header = ['Content-Type', 'application/x-www-form-urlencoded']
const HTML: Header = ['Accept', 'text/html']
const COLLECTIONS = words`fable fortune phrase polynym polymap polyset quadranym quadranym-id quadraset queue quote story
  tale storyline taleline vectornym winner`

/** Valid bodies, to be damaged. The sample has records with low ids. */
const BODIES: Readonly<Record<string, object>> = {
  fable: { name: 'a', src: 'b', qode: 'c q1e q2r_NN', realm: 'Social' },
  fortune: { body: 'rain and sun', qode: 'q1e_NN and q2r_NN', q1: [1, 2], q2: [] },
  phrase: { name: 'a', qode: 'c q1e', wiki: 'd' },
  polynym: { name: 'a', mode: 'part', p1: 'b', p2: 'c', p3: 'd', src: 'e', area: 'f', wiki: 'g' },
  polymap: { name: 'a', pa: 1, pb: 2, r1: '' },
  polyset: { name: 'a', polynyms: [1, 2, 3] },
  quadranym: { name: 'a', e: 'b', r: 'c', o: 'd', s: 'e', pos: 'NN', epos: 'VB', realm: 'f' },
  'quadranym-id': { name: 'a', e: 'b' },
  quadraset: { name: 'a', quadranyms: [1, 2] },
  queue: { name: 'a' },
  quote: { body: 'rain and sun', qode: 'q1e_NN and sun', quadranym: 1, src: 'a' },
  story: { name: 'a', lines: [{ phrase: 1, quadranym: 1 }] },
  tale: { name: 'a', fable: 1, lines: [1, 2] },
  storyline: { rank: 77, story: 1, phrase: 1, quadranym: 1 },
  taleline: { rank: 77, tale: 1, quadranym: 1 },
  vectornym: { name: 'a', v1: 1, v2: 2, v3: 3 },
  winner: { by: 'a', user: 'fuzz', app: 'b', score: 1, round: 2 },
}

/** JSON that does not belong where it is put. */
const ODD_JSON = [
  ...words`null true -0 1e999 -1e999 1.5 0.1e1 9007199254740993 123456789012345678901234567890 "" "\t" "\u0000"
    "a\u0000b" "\ud800" "\udc00x" "\uffff" "\u2028" "1e3" "-1" "\u0661" "q1e_NN" "a,IsA,b" "<script>" "q0e_NN"
    [] {} [[]] [null] [{}] [1,1,1] ["x"] [-1] [1e400] [[[[[[[[1]]]]]]]] {"a":{"b":[1]}} {"length":1e9} {"toJSON":1}
    {"__proto__":{"x":1}} {"constructor":{"prototype":1}} {"polynym_id":{}} {"quadranym_id":"1"} {"fable_id":null}`,
  '"q999999999e_NN Q1n_NN q1n^NN"',
  `"${'x'.repeat(5000)}"`,
  `"${'😀'.repeat(201)}"`,
  `[${Array.from({ length: 300 }, (_, i) => i).join()}]`,
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
]
/** Objects that cannot become a text or a number, and texts that are not a name or password. */
const WORST_JSON = words`{"toString":1,"valueOf":1} [{"toString":1}] "a\u0000b" "\ud800" null 7 true [] {}`
const ODD_MEMBERS = [...words`__proto__ constructor toString hasOwnProperty valueOf lines user p13 é id`, '']

const ODD_HOSTS = each('Host', [
  '1.2.3.4.5',
  '[::::]',
  '[::1]:0',
  'a b',
  '',
  'x'.repeat(300),
  '\xfc',
  'x:99999',
  'xn--a',
  '..',
])
const ODD_ORIGINS = [
  ...each('Origin', ['http://evil.example', 'null', '::', 'http://127.0.0.1']),
  ...each('Referer', ['http://[', 'x', 'http://evil.example/']),
]
const ODD_HEADERS: readonly Header[] = [
  ...ODD_HOSTS,
  ...ODD_ORIGINS,
  ...each('Accept', ['text/html', 'text/html;q=', '*/*;q=2', ';', ',,,', 'q=1', '\xff/\xff', 'text/html;a=1;q=0.5, x']),
  ...each('Accept', ['application/json; indent=99999999999999999999', 'text/*, '.repeat(800)]),
  ...each('If-Match', ['"', '*', 'W/"x"', ',', '"x", "y', '', '"\xff"']),
  ...each('If-None-Match', ['"', '*', 'W/"x"', ',', '"x", "y', '', '"\xff"']),
  ...each('Idempotency-Key', ['', '\xfc', 'x'.repeat(300), 'one', 'two', 'a b']),
  ...each('Authorization', ['Basic', 'Basic =', 'Basic %%%', 'Token', 'Token x y', 'Bearer ', 'Digest x', '']),
  ...each(
    'Authorization',
    ['no colon', 'a\0b:c', '\xff\xfe:\xff', ':', 'fuzz:\0'].map((text) => `Basic ${base64(text)}`),
  ),
  ...each('Authorization', [`Token ${'x'.repeat(3000)}`, `Token${' '.repeat(3000)}x${' '.repeat(3000)}y`]),
  ...each('Cookie', [
    'nymdex_session=',
    'nymdex_session=x; nymdex_session=y',
    '=;=;;',
    'nymdex_csrf=; a',
    'nymdex_csrf=%00',
  ]),
  ...each('X-CSRFToken', ['', 'x', '\xff']),
  ...words`X-Forwarded-Host X-Forwarded-For X-Forwarded-Proto Via X-Request-Id Range TE Forwarded Accept-Encoding`.map(
    (name): Header => [name, 'bytes=0-, \xfc[::],"'],
  ),
  ...each('Expect', ['100-continue', 'nonsense']),
  ...each('Connection', ['Upgrade, HTTP2-Settings', 'close', 'x, keep-alive']),
  ...each('Content-Encoding', ['gzip', 'identity']),
  ...each('Content-Length', ['-1', '1e3', '99999999999999999999']),
  ...each('Transfer-Encoding', ['gzip, chunked', 'chunked, gzip']),
  ['Upgrade', 'h2c'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Access-Control-Request-Method', 'constructor'],
  ['Bad Name', 'x'],
  ['', 'x'],
  ['X-Null', 'a\0b'],
  ['X-Long', 'x'.repeat(17_000)],
]
/** With these it is not the headers that say where the request ends. */
const ENDLESS = new Set(['Content-Length', 'Transfer-Encoding', 'Upgrade'])

const ODD_TYPES = [
  ...words`; text/plain application/x-yaml a/b/c application/json;;; application/jsonx multipart/form-data
    application/json;charset=utf-16 multipart/form-data;boundary= multipart/mixed;boundary=x`,
  ...[
    '',
    'APPLICATION/JSON ; x',
    `multipart/form-data; boundary="${'x'.repeat(200)}"`,
    'multipart/form-data; boundary=\xff',
  ],
]
const DISPOSITIONS = [
  'form-data; name="NAME"',
  'form-data; name="NAME"',
  'form-data; name=NAME',
  'form-data; name="NAME"; filename="x"\r\nContent-Type: text/plain',
  'form-data; name="NAME"\r\nContent-Transfer-Encoding: base64',
  'attachment; name="NAME"',
  'form-data',
  'form-data; name="NAME\xff',
]
const ODD_PAIRS = words`% %zz=% %00=%00 && = == name=%ff name=%ED%A0%80 __proto__=1 name p1=+&p1= polynyms=1&polynyms=x`

const ODD_STARTS = ['/', '/', '/', '/api/', '/api/', '//', '', 'http://x/', 'http://x', '*', '/?']
const ODD_SEGMENTS = [
  ...COLLECTIONS,
  ...words`api api api 1 2 3 01 -1 1e1 0 1.5 999999999999999 9999999999999999 %70olynym POLYNYM .. . %2e%2e %2f %00 %ff
    %C3%28 %ED%A0%80 % %z %u0041 "<x> accounts login logout signup tokens password delete revoke static look.css healthz
    vote history changes undo set user polynym.json 1.api 1.json.json .json .xml * constructor __proto__ api-token-auth ;a=b #x`,
  '\xe9',
]
const ODD_QUERIES = [
  ...words`page=0 page=-1 page=1e9 page=%00 page=last page=999999999999999 page=2&page=x page=%ff page=+2 page_size=1000
    page_size=99999999999999999999 page_size=%00 format=api format=json format=constructor format= a=% &&& = % ?
    a=%ED%A0%80 cascade=true cascade=x search=%27%00 ordering=__proto__ depth__gte=x name__icontains=%25 next=//evil
    next=%00 a[]=1 __proto__=1`,
  `x=${'y'.repeat(3000)}`,
  '\xff=\xfe',
]
const METHODS = words`GET HEAD POST PUT PATCH DELETE OPTIONS`
const ODD_METHODS = [
  ...words`get Post FOO constructor toString valueOf hasOwnProperty isPrototypeOf __proto__ PROPFIND TRACE CONNECT PRI
    QUERY M-SEARCH PURGE LINK SOURCE A-B 0`,
  'x'.repeat(40),
  'G\xcbT',
]
const ACCOUNT_BODIES: Readonly<Record<string, object>> = {
  '/accounts/login/': { username: '\0', password: '' },
  '/accounts/signup/': { username: 'a', password: 'b' },
  '/accounts/password/': { old_password: '', new_password: '' },
  '/accounts/delete/': { password: '' },
  '/accounts/tokens/': { name: 'x', days: 1 },
  '/accounts/tokens/1/': { name: 'x' },
  '/api-token-auth/': { username: 'fuzz', password: '' },
  '/accounts/recover/': { username: 'fuzz', code: 'k7qd', new_password: 'a new long secret' },
  '/accounts/recovery-codes/': { password: '' },
  '/accounts/sessions/x/end/': {},
  '/api/report/': { resource: 'queue', id: 1, reason: 'spam', note: 'x' },
  '/api/report/1/': { done: true },
  '/api/hidden/': { resource: 'queue', id: 1, hidden: true },
  '/api/user/kenji/block/': { blocked: false },
  '/api/batch/': { resource: 'queue', records: [{ name: 'a', queue_id: 1 }, {}] },
  '/api/batch/?dry_run=true': { resource: 'polynym', records: [{ name: 'a', mode: 'part', p1: 'b', p2: 'c' }] },
  '/report/queue/1/': { reason: 'spam', note: 'x' },
  '/reports/': { id: 1, done: 'true' },
  '/hidden/': { resource: 'queue', id: 1, hidden: 'false' },
  '/people/kenji/block/': { blocked: 'false' },
  '/turn/': { text: 'rain and sun', action: 'mark' },
  '/annotate/settle/': { text: 'rain and sun', marks: '[]' },
  '/make/polynym/table/': { table: 'name,mode', action: 'check' },
  '/make/queue/': { name: 'a' },
  '/api/hook/': { url: 'https://receiver.example/', resources: ['queue'], actions: [], lookups: 'name=x', cursor: 0 },
  '/api/hook/1/': { url: 'http://10.0.0.1/', active: false },
  '/api/hook/1/replay/': { since: 0, until: 1 },
}

/** Makes the shots, one after the other. */
class Fuzzer {
  readonly #chance: Chance
  readonly #credentials: Credentials
  count = 0

  constructor(seed: number, credentials: Credentials) {
    this.#chance = new Chance(seed)
    this.#credentials = credentials
  }

  next(): Shot {
    this.count++
    const dice = this.#chance.below(100)
    if (dice < 38) return this.#badJson()
    if (dice < 48) return this.#badForm()
    if (dice < 58) return this.#badHeaders()
    if (dice < 72) return this.#badPath()
    if (dice < 77) return this.#badMethod()
    if (dice < 82) return this.#badAccount()
    if (dice < 91) return this.#cut(this.#chance.happens(2) ? this.#badJson() : this.#badHeaders())
    return this.#garbage()
  }

  /** A complete request, whatever its content. */
  #request(method: string, target: string, headers: readonly Header[], body?: Buffer): Shot {
    const names = new Set(headers.map(([name]) => name))
    const host: readonly Header[] = names.has('Host') ? [] : [['Host', 'nymdex.example']]
    const length: readonly Header[] =
      body && !names.has('Content-Length') ? [['Content-Length', String(body.length)]] : []
    const lines = [...host, ...headers, ...length].map(([name, value]) => `${name}: ${value}\r\n`)
    const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
    const bytes = body ? Buffer.concat([head, body]) : head
    const endless = headers.some(([name]) => ENDLESS.has(name))
    return { bytes, ending: endless ? 'hang up' : 'answer', head: method === 'HEAD' }
  }

  #signed(): Header {
    const { tokens, session } = this.#credentials
    return this.#chance.happens(30) ? ['Cookie', session] : ['Authorization', `Token ${this.#chance.pick(tokens)}`]
  }

  #signedOrNot(): Header[] {
    return this.#chance.happens(2) ? [this.#signed()] : []
  }

  /** A collection to create in, or a record of it to write. */
  #target(collection: string): [method: string, path: string] {
    const id = 1 + this.#chance.below(40)
    if (this.#chance.happens(2)) return ['POST', `/api/${collection}/`]
    if (this.#chance.happens(10)) return ['POST', `/api/${collection}/${id}/vote/`]
    if (this.#chance.happens(6)) return this.#undo()
    return [this.#chance.pick(['PUT', 'PATCH', 'PATCH', 'DELETE']), `/api/${collection}/${id}/`]
  }

  /** The sample is in the log, and what the fuzzer itself has written comes after it. */
  #undo(): [method: string, path: string] {
    const chance = this.#chance
    const seq = 1 + chance.below(2000)
    const what = chance.pick([
      seq,
      seq,
      seq,
      `set/${seq}`,
      `set/${seq}`,
      'user/fuzz',
      'user/staff-fuzz',
      'user/%00',
      '01',
    ])
    const since = chance.pick(['', `since=${3000 + seq}`, 'since=%00', 'since=2026-13-45', 'since=2099-11-16T05:00'])
    return ['POST', `/api/changes/${what}/undo/?${since}&dry_run=${chance.pick(['true', 'true', 'false', 'x', ''])}`]
  }

  #badJson(): Shot {
    const collection = this.#chance.pick(COLLECTIONS)
    const [method, path] = this.#target(collection)
    const huge = this.#chance.happens(400)
    const body = huge ? Buffer.alloc(2 ** 20 + 1, 'x') : this.#spoilt(this.#oddObject(BODIES[collection]!, ODD_JSON))
    const shot = this.#request(method, path, [this.#signed(), JSON_TYPE], body)
    // A body that is too large is refused while it is still being sent.
    return huge ? { ...shot, ending: 'hang up' } : shot
  }

  /** Some members replaced, repeated or added. */
  #oddObject(right: object, odd: readonly string[]): string {
    const chance = this.#chance
    const members = Object.entries(right).map(([name, value]): [string, string] => [name, JSON.stringify(value)])
    for (let count = chance.below(3); count > 0; count--) {
      const place = chance.happens(3) ? members.length : chance.below(members.length)
      const name = members[place]?.[0] ?? chance.pick([...ODD_MEMBERS, ...members.map(([known]) => known)])
      members[place] = [name, chance.pick(odd)]
    }
    if (chance.happens(10)) members.splice(chance.below(members.length), 1)
    return `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`
  }

  /** Sometimes broken as bytes. */
  #spoilt(text: string): Buffer {
    const chance = this.#chance
    const bytes = Buffer.from(text)
    const at = chance.below(bytes.length + 1)
    const deep = 1 + chance.below(chance.happens(10) ? 100_000 : 200)
    switch (chance.below(16)) {
      case 0:
        return bytes.subarray(0, at)
      case 1:
        return Buffer.concat([bytes.subarray(0, at), Buffer.from([chance.below(256)]), bytes.subarray(at)])
      case 2:
        return Buffer.concat([bytes.subarray(0, at), Buffer.from(chance.pick(words`ff c328 eda080 f8 00`), 'hex')])
      case 3:
        return Buffer.from(chance.pick([`[${text}]`, text + text, `\ufeff${text}`, '', ' ', text.replaceAll('"', "'")]))
      case 4:
        return Buffer.from(chance.pick([...ODD_JSON, ...WORST_JSON]))
      case 5:
        return Buffer.from(chance.pick(['['.repeat(deep) + ']'.repeat(deep), '{"a":'.repeat(deep), '['.repeat(deep)]))
      case 6:
        return Buffer.from(text, 'utf16le')
      default:
        return bytes
    }
  }

  #badForm(): Shot {
    const chance = this.#chance
    const collection = chance.pick(COLLECTIONS)
    const [method, path] = this.#target(collection)
    const pairs = Object.entries(BODIES[collection]!).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    const send = (type: Header, text: string) => this.#request(method, path, [this.#signed(), type], this.#spoilt(text))
    const form = pairs.map(([name, value]) => `${name}=${value}`)
    if (chance.happens(3)) return send(['Content-Type', chance.pick(ODD_TYPES)], form.join('&'))
    if (chance.happens(2)) return send(FORM_TYPE, chance.shuffle([...form, ...chance.some(ODD_PAIRS, 4)]).join('&'))
    const edge = chance.pick(['edge', 'edge', 'edge', 'other', ''])
    const line = chance.pick(['\r\n', '\r\n', '\r\n', '\n'])
    const parts = pairs.map(([name, value]) => {
      const disposition = chance.pick(DISPOSITIONS).replace('NAME', name)
      return `--${edge}${line}Content-Disposition: ${disposition}${line}${line}${value}${line}`
    })
    const end = chance.pick([`--${edge}--${line}`, `--${edge}--`, `--${edge}`, '', `--${edge}--${line}rest`])
    return send(['Content-Type', 'multipart/form-data; boundary=edge'], parts.join('') + end)
  }

  #badHeaders(): Shot {
    const chance = this.#chance
    const collection = chance.pick(COLLECTIONS)
    const headers = [...this.#signedOrNot(), ...chance.some(ODD_HEADERS, 3)]
    if (chance.happens(2)) {
      const records = [`/api/${collection}/`, `/api/${collection}/1/`, `/api/${collection}/1/history/`]
      const paths = [...records, '/accounts/login/', '/accounts/tokens/', '/']
      return this.#request(chance.pick(['GET', 'HEAD', 'OPTIONS']), chance.pick(paths), headers)
    }
    const [method, path] = this.#target(collection)
    const type: Header = chance.happens(3) ? ['Content-Type', chance.pick(ODD_TYPES)] : JSON_TYPE
    return this.#request(method, path, [type, ...headers], Buffer.from('{}'))
  }

  #badPath(): Shot {
    const chance = this.#chance
    const segments = Array.from({ length: chance.below(4) }, () => chance.pick(ODD_SEGMENTS))
    const path = chance.pick(ODD_STARTS) + segments.join('/') + chance.pick(['', '/', '//'])
    const query = chance.happens(2) ? `?${chance.some(ODD_QUERIES, 3).join('&')}` : ''
    const method = chance.happens(3) ? chance.pick(METHODS) : 'GET'
    const headers = chance.happens(3) ? [this.#signed()] : chance.happens(5) ? [HTML] : []
    return this.#request(method, path + query, headers)
  }

  #badMethod(): Shot {
    const collection = this.#chance.pick(COLLECTIONS)
    const records = [`/api/${collection}/`, `/api/${collection}/1/`, `/api/${collection}/1/vote/`]
    const path = this.#chance.pick(['/', '/api/', ...records, '/healthz', '*', '/nowhere/'])
    return this.#request(this.#chance.pick(ODD_METHODS), path, this.#signedOrNot())
  }

  /** Few of these have a password that must be checked, which takes time. */
  #badAccount(): Shot {
    const chance = this.#chance
    const path = chance.pick(Object.keys(ACCOUNT_BODIES))
    const headers = [...this.#signedOrNot(), ...(chance.happens(3) ? [HTML] : [])]
    if (chance.happens(3)) {
      const form = Buffer.from('username=%00&password=&csrfmiddlewaretoken=x&next=%2F%2F&name=%00')
      return this.#request(
        'POST',
        path,
        [...headers, FORM_TYPE, chance.pick(ODD_HOSTS), chance.pick(ODD_ORIGINS)],
        form,
      )
    }
    const text = this.#oddObject(ACCOUNT_BODIES[path]!, WORST_JSON)
    return this.#request(
      chance.pick(['POST', 'POST', 'PATCH', 'PUT']),
      path,
      [...headers, JSON_TYPE],
      this.#spoilt(text),
    )
  }

  /** Disconnected before it is complete. */
  #cut({ bytes }: Shot): Shot {
    const ending = this.#chance.pick(['hang up', 'hang up', 'reset'] as const)
    return { bytes: bytes.subarray(0, this.#chance.below(bytes.length)), ending }
  }

  /** Not HTTP, or not quite. */
  #garbage(): Shot {
    const chance = this.#chance
    const noise = Buffer.from(Array.from({ length: 1 + chance.below(200) }, () => chance.below(256))).toString('latin1')
    const get = 'GET /api/queue/1/ HTTP/1.1\r\nHost: x\r\n'
    const post = `POST /api/queue/ HTTP/1.1\r\nHost: x\r\n${this.#signed().join(': ')}\r\nContent-Type: application/json\r\n`
    const chunked = `${post}Transfer-Encoding: chunked\r\n`
    const texts = [
      noise,
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET /\r\n\r\n',
      'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
      'GET / HTTP/1.1\nHost: x\n\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.0\r\n\r\n',
      'GET  /  HTTP/1.1\r\nHost: x\r\n\r\n',
      `${get}Host: y\r\n\r\n`,
      `${get}Host : y\r\n\r\n`,
      `${get} folded\r\nno colon\r\n\r\n`,
      `${get}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${get}${'A: b\r\n'.repeat(300)}\r\n`,
      '\r\n'.repeat(50),
      `${chunked}\r\nzz\r\n`,
      `${chunked}\r\n5\r\n{"a"`,
      `${chunked}\r\n10\r\n{"name":"chunk"}\r\n0\r\nX: y\r\n\r\n`,
      `${chunked}\r\nffffffffffffffff\r\nx`,
      `${chunked}Content-Length: 3\r\n\r\n0\r\n\r\n`,
      `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{"a":1`,
      `${post}Content-Length: 50\r\n\r\n{"name":`,
      `${post}Content-Length: 2\r\n\r\n{}${noise}`,
      `${get}\r\n${get}\r\n`,
      `${get}\r\n${noise}`,
      `${get}\r\nFOO /api/ HTTP/1.1\r\nHost: x\r\n\r\n${get}\r\n`,
      'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\nmore',
    ]
    return {
      bytes: Buffer.from(chance.pick(texts), 'latin1'),
      ending: chance.pick(['hang up', 'hang up', 'reset'] as const),
    }
  }
}
