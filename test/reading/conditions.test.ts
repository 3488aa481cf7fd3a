/** ETags and conditional reading. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine, type Reply } from '../support/site.ts'

const PATHS = ['/api/', '/api/polyset/', '/api/polyset/?page=2&page_size=3', '/api/polyset/1/', '/api/quadranym-id/1/']

/** What differs between responses, and what only a body has. */
const PASSING = new Set(['date', 'x-request-id', 'content-length', 'connection', 'keep-alive', 'transfer-encoding'])
const lasting = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PASSING.has(name)))

onEachEngine('Conditions', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    site.ask(path, { method, headers })

  test('{etag.present} JSON has a strong ETag; HTML, errors, redirects and OPTIONS have none', async () => {
    for (const path of PATHS) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await ask(path, {}, method)
        assert.equal(status, 200)
        assert.match(headers.etag!, /^"[A-Za-z0-9_-]+"$/)
      }
      assert.equal((await ask(path, { accept: 'text/html' })).headers.etag, undefined)
      assert.equal((await ask(path, {}, 'OPTIONS')).headers.etag, undefined)
    }
    for (const path of ['/api/polyset/0/', '/api/polyset/?page=0', '/api/nothing/', '/api/polyset', '/healthz']) {
      assert.equal((await ask(path)).headers.etag, undefined)
    }
  })

  test('{etag.hash} the same bytes have the same ETag, other bytes have another', async () => {
    const tags = new Map<string, string>()
    for (const path of [...PATHS, '/api/polyset/2/', '/api/polyset/?page_size=3', '/api/polyset/1.json']) {
      const { text, headers } = await ask(path)
      assert.equal(tags.get(text) ?? headers.etag, headers.etag)
      tags.set(text, headers.etag!)
      assert.equal((await ask(path)).headers.etag, headers.etag)
    }
    assert.equal(new Set(tags.values()).size, tags.size)
    const elsewhere = { host: 'nymdex.example' }
    assert.notEqual((await ask('/api/polyset/', elsewhere)).headers.etag, (await ask('/api/polyset/')).headers.etag)
    assert.equal((await ask('/api/polyset/1/', elsewhere)).headers.etag, (await ask('/api/polyset/1/')).headers.etag)
  })

  test('{etag.hash} a change gives another ETag, and undoing it gives the old one', async () => {
    const tags = async () => {
      const replies = await Promise.all(['/api/polyset/1/', '/api/polyset/?page_size=1000'].map((path) => ask(path)))
      return replies.map(({ headers }) => headers.etag)
    }
    const before = await tags()
    await site.ask('/api/polyset/1/vote/', { method: 'POST', as: 'gus' })
    const between = await tags()
    await site.ask('/api/polyset/1/vote/', { method: 'DELETE', as: 'gus' })
    assert.notEqual(between[0], before[0])
    assert.notEqual(between[1], before[1])
    assert.deepEqual(await tags(), before)
  })

  test('{etag.indent} an indented response has the hash with a suffix', async () => {
    const hash = (await ask('/api/polyset/1/')).headers.etag!.slice(1, -1)
    for (const indent of [1, 4, 8]) {
      const { headers } = await ask('/api/polyset/1/', { accept: `application/json; indent=${indent}` })
      assert.equal(headers.etag, `"${hash}-i${indent}"`)
    }
    const api = '/api/polyset/1/?format=api'
    assert.equal((await ask(api)).headers.etag, `"${hash}-i4"`)
    // Each rendering has its own tag.
    assert.equal((await ask(api, { 'if-none-match': `"${hash}"` })).status, 200)
    assert.equal((await ask(api, { 'if-none-match': `"${hash}-i4"` })).status, 304)
  })

  test('{etag.not-modified} {etag.headers} a client that has it already gets 304, with the headers of the 200 and no body', async () => {
    for (const path of PATHS) {
      const full = await ask(path)
      for (const method of ['GET', 'HEAD']) {
        const known = await ask(path, { 'if-none-match': full.headers.etag! }, method)
        assert.deepEqual([known.status, known.text], [304, ''])
        assert.deepEqual(lasting(known), lasting(full))
        assert.ok(known.headers['x-request-id'])
      }
      const names = Object.keys(lasting(full))
      for (const name of ['etag', 'vary', 'content-type', 'allow', 'access-control-allow-origin']) {
        assert.ok(names.includes(name), name)
      }
      assert.equal(names.includes('link'), !/\/1\/$/.test(path), path)
    }
  })

  test('{etag.condition} If-None-Match may be a list, contain weak tags, and be *', async () => {
    const tag = (await ask('/api/polyset/1/')).headers.etag!
    const cases: Record<string, number> = {
      [tag]: 304,
      [`W/${tag}`]: 304,
      [`"other", ${tag}`]: 304,
      [`"other",W/${tag} , "more"`]: 304,
      '*': 304,
      '"other"': 200,
      [tag.replaceAll('"', '')]: 200,
      [tag.toUpperCase()]: 200,
    }
    for (const [condition, status] of Object.entries(cases)) {
      assert.equal((await ask('/api/polyset/1/', { 'if-none-match': condition })).status, status, condition)
    }
    for (const path of ['/api/polyset/0/', '/api/nothing/']) {
      assert.equal((await ask(path, { 'if-none-match': '*' })).status, 404)
    }
    assert.equal((await ask('/api/polyset/1/', { 'if-none-match': '*', accept: 'text/html' })).status, 200)
  })
})
