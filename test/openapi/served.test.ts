/** How the document is served: in parts, as YAML, compressed, as pages; and how clients find it. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { createRequire } from 'node:module'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { onEachEngine, type Site } from '../support/site.ts'

const yaml: { load(text: string): unknown } = createRequire(import.meta.url)('js-yaml')

const HTML = { headers: { accept: 'text/html' } }

/** The raw bytes of a response. */
async function bytesOf(site: Site, path: string, headers: Record<string, string>) {
  return await new Promise<{ headers: Record<string, unknown>; bytes: Buffer }>((got, failed) => {
    const asked = request({ host: '127.0.0.1', port: site.port, path, headers, agent: false }, (reply) => {
      const pieces: Buffer[] = []
      reply.on('data', (piece: Buffer) => pieces.push(piece))
      reply.on('end', () => got({ headers: reply.headers, bytes: Buffer.concat(pieces) }))
    })
    asked.on('error', failed)
    asked.end()
  })
}

onEachEngine('Serving the document', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let whole: any
  before(async () => {
    whole = (await site.ask('/api/schema/')).json
  })

  /** Every reference has its component, and every component is used. */
  function assertWhole(document: any): void {
    const text = JSON.stringify(document)
    const wanted = new Set(Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, name]) => name!))
    const { securitySchemes, ...components } = document.components
    const there = Object.entries<object>(components).flatMap(([kind, named]) =>
      Object.keys(named).map((name) => `${kind}/${name}`),
    )
    assert.deepEqual(new Set(there), wanted)
    assert.deepEqual(securitySchemes, whole.components.securitySchemes)
  }

  test('{openapi.part} `collection` returns the part for one collection, which is a complete document', async () => {
    const { status, text, json, headers } = await site.ask('/api/schema/?collection=polynym')
    assert.equal(status, 200)
    const paths = Object.keys(json.paths)
    const shared = ['vote', 'related', 'nested', 'history'].map((last) => `/api/{collection}/{id}/${last}/`)
    assert.deepEqual(
      paths.filter((path) => !path.startsWith('/api/polynym/')),
      shared,
    )
    assert.deepEqual(json.paths['/api/polynym/{id}/'], whole.paths['/api/polynym/{id}/'])
    assert.deepEqual(
      json.tags.map(({ name }: { name: string }) => name),
      ['polynym'],
    )
    assert.deepEqual([json.info, json.servers], [whole.info, whole.servers])
    assert.ok(text.length < 50_000)
    assertWhole(json)
    const again = await site.ask('/api/schema/?collection=polynym', { headers: { 'if-none-match': headers['etag']! } })
    assert.equal(again.status, 304)
  })

  test('{openapi.part} it may be repeated, in any order, and also takes the other groups', async () => {
    const { json, text } = await site.ask('/api/schema/?collection=tale&collection=accounts&collection=')
    assert.deepEqual(
      json.tags.map(({ name }: { name: string }) => name),
      ['tale', 'accounts'],
    )
    assert.ok(json.paths['/api/tale/'] && json.paths['/accounts/tokens/'] && !json.paths['/api/fable/'])
    assertWhole(json)
    assert.ok(json.paths['/api/{collection}/{id}/vote/'] && !json.paths['/api/{collection}/{id}/related/'])
    assert.equal((await site.ask('/api/schema/?collection=accounts&collection=tale')).text, text)
    assert.equal((await site.ask('/api/docs/?collection=tale&collection=accounts')).text, text)
  })

  test('{openapi.part} an unknown collection returns 400, with its name', async () => {
    const { status, json } = await site.ask('/api/schema/?collection=polynim&collection=tale&collection=x')
    assert.equal(status, 400)
    assert.deepEqual(json, { collection: ['"polynim" is not a valid choice.', '"x" is not a valid choice.'] })
    assert.equal((await site.ask('/api/docs/?collection=polynim', HTML)).status, 400)
  })

  test('{openapi.yaml} it is available as YAML, by format, by suffix and by Accept', async () => {
    const accept = (type: string) => ({ headers: { accept: type } })
    const answers = await Promise.all([
      site.ask('/api/schema/?format=yaml'),
      site.ask('/api/schema.yaml'),
      site.ask('/api/schema/', accept('application/yaml')),
      site.ask('/api/schema/', accept('application/yaml, application/json;q=0.9, */*;q=0.1')),
    ])
    for (const { status, headers, text } of answers) {
      assert.deepEqual([status, headers['content-type']], [200, 'application/yaml'])
      assert.equal(text, answers[0].text)
    }
    assert.deepEqual(yaml.load(answers[0].text), whole)
    const part = await site.ask('/api/schema.yaml?collection=queue')
    assert.deepEqual(yaml.load(part.text), (await site.ask('/api/schema/?collection=queue')).json)
    const etag = answers[0].headers['etag']!
    assert.equal((await site.ask('/api/schema.yaml', { headers: { 'if-none-match': etag } })).status, 304)
    for (const path of ['/api/schema/', '/api/docs/?format=yaml', '/api/polynym/?format=yaml']) {
      const wanted = path === '/api/schema/' ? 'text/x-yaml' : '*/*'
      assert.ok([404, 406].includes((await site.ask(path, accept(wanted))).status), path)
    }
  })

  test('{openapi.type} `application/vnd.oai.openapi+json` is the same JSON under its own type', async () => {
    const type = 'application/vnd.oai.openapi+json'
    const { status, headers, text } = await site.ask('/api/schema/', { headers: { accept: `${type};version=3.1` } })
    assert.deepEqual([status, headers['content-type']], [200, type])
    const plain = await site.ask('/api/schema/', { headers: { accept: `${type}, application/json` } })
    assert.equal(plain.headers['content-type'], 'application/json')
    assert.equal(text, plain.text)
    assert.notEqual(headers['etag'], plain.headers['etag'])
    assert.equal((await site.ask('/api/polynym/', { headers: { accept: type } })).status, 406)
  })

  test('{openapi.found} the responses of /api/ link to the document and its page, and the index is unchanged', async () => {
    const link =
      '</api/schema/>; rel="service-desc"; type="application/vnd.oai.openapi+json", </api/docs/>; rel="service-doc"; type="text/html"'
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      assert.equal((await site.ask('/api/', { method })).headers['link'], link, method)
    }
    const etag = (await site.ask('/api/')).headers['etag']!
    const known = await site.ask('/api/', { headers: { 'if-none-match': etag } })
    assert.deepEqual([known.status, known.headers['link']], [304, link])
    assert.ok(!(await site.ask('/api/', HTML)).text.includes('class="pager"'))
    for (const [, target] of link.matchAll(/<([^>]+)>/g)) assert.equal((await site.ask(target!)).status, 200)
  })

  test('{openapi.compressed} clients that accept gzip or br get it compressed, whatever the operator has set', async () => {
    for (const [path, accept] of [
      ['/api/schema/', 'application/json'],
      ['/api/schema/?collection=polynym', 'application/yaml'],
      ['/api/docs/', 'text/markdown'],
      ['/api/docs/', 'text/html'],
      ['/api/schema/', 'text/html'],
    ] as const) {
      const plain = await bytesOf(site, path, { accept })
      const vary = accept === 'text/html' ? 'Accept, Cookie, Accept-Encoding' : 'Accept, Accept-Encoding'
      assert.deepEqual([plain.headers['content-encoding'], plain.headers['vary']], [undefined, vary])
      for (const [encoding, unpack] of [
        ['gzip', gunzipSync],
        ['br', brotliDecompressSync],
      ] as const) {
        const packed = await bytesOf(site, path, { accept, 'accept-encoding': encoding })
        assert.deepEqual([packed.headers['content-encoding'], packed.headers['vary']], [encoding, vary])
        assert.ok(packed.bytes.length < plain.bytes.length / 2)
        assert.deepEqual(unpack(packed.bytes), plain.bytes)
        if (accept === 'text/html') continue
        assert.equal(packed.headers['etag'], String(plain.headers['etag']).replace(/"$/, `-${encoding}"`))
        const known = { accept, 'accept-encoding': encoding, 'if-none-match': String(packed.headers['etag']) }
        assert.equal((await bytesOf(site, path, known)).bytes.length, 0)
      }
    }
    const elsewhere = await bytesOf(site, '/api/polynym/', { 'accept-encoding': 'gzip' })
    assert.deepEqual([elsewhere.headers['content-encoding'], elsewhere.headers['vary']], [undefined, 'Accept'])
  })

  test('{openapi.manual} this manual is available at /api/docs/ as Markdown', async () => {
    const answers = await Promise.all([
      site.ask('/api/docs/?format=md'),
      site.ask('/api/docs.md'),
      site.ask('/api/docs/', { headers: { accept: 'text/markdown' } }),
    ])
    for (const { status, headers, text } of answers) {
      assert.deepEqual([status, headers['content-type']], [200, 'text/markdown; charset=utf-8'])
      assert.ok(text.startsWith('# The interface of Nymdex\n'))
      assert.match(String(headers['etag']), /^"[\w-]+"$/)
    }
    assert.equal((await site.ask('/api/schema/?format=md')).status, 404)
  })

  test('{openapi.light} its pages are small, also for a signed-in visitor', async () => {
    const all = whole.tags.map(({ name }: { name: string }) => `collection=${name}`).join('&')
    const limits = {
      [`/api/docs/?${all}`]: 150_000,
      '/api/docs/': 150_000,
      '/api/schema/': 20_000,
      '/api/docs/?collection=polynym': 150_000,
    }
    for (const [path, most] of Object.entries(limits)) {
      const { status, text } = await site.ask(path, HTML)
      assert.equal(status, 200)
      assert.ok(text.length < most, `${path} has ${text.length} characters`)
      const named = await site.ask(path, { ...HTML, as: 'ada' })
      assert.ok(named.text.includes('>ada</a>') && !text.includes('>ada</a>'))
      const head = await site.ask(path, { ...HTML, method: 'HEAD' })
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(text)))
    }
    const { text } = await site.ask('/api/schema/', HTML)
    for (const target of ['?format=json', '?format=yaml', '?collection=polynym&amp;format=json']) {
      assert.ok(text.includes(`href="/api/schema/${target}"`), target)
    }
    assert.ok(text.includes('href="/api/docs/"'))
  })
})
