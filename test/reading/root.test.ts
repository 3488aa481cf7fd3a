/** The root index, and the addresses next to the API: the front page, health, and the files of the pages. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'

const NAMES = `fable fortune phrase polynym polymap polyset quadranym quadranym-id quadraset queue quote story tale
  storyline taleline vectornym winner`.split(/\s+/)

onEachEngine('The root index', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const index = (query = '') =>
    NAMES.map((name) => {
      const target = name === 'quadranym' ? 'quadranym-id' : name
      return [name, `${site.base}/api/${target}/${query}`]
    })

  test('{root.names} {root.quadranym} it lists the seventeen collections, in order, with their addresses', async () => {
    const { status, text } = await site.ask('/api/')
    assert.equal(text, JSON.stringify(Object.fromEntries(index())))
    assert.equal(status, 200)
  })

  test('{root.pages} every address in it returns a page', async () => {
    for (const address of Object.values<string>((await site.ask('/api/')).json)) {
      const { status, json } = await site.ask(address.slice(site.base.length))
      assert.equal(status, 200)
      assert.deepEqual(Object.keys(json), ['count', 'next', 'previous', 'results'])
    }
  })

  test('{root.quadranym} full records are at /api/quadranym/', async () => {
    const [entry] = (await site.ask('/api/quadranym-id/')).json.results
    const [record] = (await site.ask('/api/quadranym/')).json.results
    assert.deepEqual(Object.keys(entry), ['name', 'quadranym_id'])
    assert.ok(Object.keys(record).length > 6)
    assert.deepEqual(entry, { name: record.name, quadranym_id: record.quadranym_id })
  })

  test('{root.format} a format parameter is added to every address', async () => {
    const { json } = await site.ask('/api/?format=json&x=1')
    assert.deepEqual(Object.entries(json), index('?format=json'))
    const { text } = await site.ask('/api/?format=api')
    assert.equal(text, JSON.stringify(Object.fromEntries(index('?format=api')), null, 4))
    assert.deepEqual(Object.entries((await site.ask('/api/?format=')).json), index())
  })

  test('{root.suffix} {root.pages} a suffix is added to every address, and a format that it overrides is not', async () => {
    for (const suffix of ['.json', '.api']) {
      for (const query of ['', '?format=xml', '?format=json']) {
        const { json } = await site.ask(`/api/${suffix}${query}`)
        const expected = index().map(([name, address]) => [name, address!.replace(/\/$/, suffix)])
        assert.deepEqual(Object.entries(json), expected)
        assert.equal((await site.ask(json.fable.slice(site.base.length))).status, 200)
      }
    }
  })

  test('{options.root} OPTIONS returns the index', async () => {
    const { status, text, headers } = await site.ask('/api/', { method: 'OPTIONS' })
    assert.equal(text, (await site.ask('/api/')).text)
    assert.deepEqual([status, headers.allow], [200, 'GET, HEAD, OPTIONS'])
  })

  test('{site.root} / is a page for people, whatever the client accepts', async () => {
    for (const method of ['GET', 'HEAD']) {
      for (const accept of ['*/*', 'text/html', 'application/json']) {
        const { status, headers } = await site.ask('/', { method, headers: { accept } })
        assert.deepEqual([status, headers['content-type']], [200, 'text/html; charset=utf-8'])
      }
    }
  })

  test('{health.plain} /healthz and the files of the pages ignore Accept, format and credentials', async () => {
    for (const path of ['/healthz', '/readyz', '/static/look.css']) {
      const plain = await site.ask(path)
      assert.equal(plain.status, 200)
      for (const accept of ['text/html', 'image/png', 'application/json;q=0']) {
        const { status, text, headers } = await site.ask(`${path}?format=xml`, {
          headers: { accept, authorization: 'Token wrong' },
        })
        assert.deepEqual([status, text, headers.vary], [200, plain.text, undefined])
        assert.equal(headers['content-type'], plain.headers['content-type'])
      }
    }
  })

  test('{health.ok} {health.ready} /healthz says what works, and /readyz that the server wants requests', async () => {
    const health = await site.ask('/healthz')
    assert.deepEqual([health.status, health.text], [200, '{"status":"ok","database":"ok","writes":"ok"}'])
    const ready = await site.ask('/readyz')
    assert.deepEqual([ready.status, ready.text], [200, '{"status":"ready"}'])
    for (const { headers } of [health, ready]) {
      assert.deepEqual([headers['cache-control'], headers['content-type']], ['no-store', 'application/json'])
    }
  })
})
