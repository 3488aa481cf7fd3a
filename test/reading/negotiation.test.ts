/** JSON or a page for people: what Accept, the format parameter and a suffix of the path decide. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { onEachEngine, type Reply } from '../support/site.ts'

const JSON_TYPE = 'application/json'
const HTML_TYPE = 'text/html; charset=utf-8'
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const NOT_ACCEPTABLE = '{"detail":"Could not satisfy the request Accept header."}'

/** The JSON that a person reads on a page; what stands for it while it is folded is not part of it. */
function jsonOn({ text }: Reply): unknown {
  const marks: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
  const [, json = ''] = /<div class="json">(.*?)<\/code><\/div>/s.exec(text) ?? []
  const plain = json.replaceAll(/<span class="j-holds">.*?<\/span>/gs, '').replaceAll(/<[^>]*>/g, '')
  return JSON.parse(plain.replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (mark) => marks[mark]!))
}

const linksOf = ({ text }: Reply) =>
  Array.from(text.matchAll(/href="([^"]*)"/g), ([, to]) => to!.replaceAll('&amp;', '&'))

onEachEngine('JSON or HTML', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const ask = (path: string, accept?: string, method = 'GET') =>
    site.ask(path, { method, headers: accept === undefined ? {} : { accept } })
  async function decides(rows: Record<string, string | 406>): Promise<void> {
    for (const [accept, type] of Object.entries(rows)) {
      const { status, headers, text } = await ask('/api/queue/', accept)
      assert.equal(headers['content-type'], type === 406 ? JSON_TYPE : type, accept)
      assert.equal(status, type === 406 ? 406 : 200, accept)
      if (type === 406) assert.equal(text, NOT_ACCEPTABLE)
    }
  }

  test('{json.everywhere} without Accept, and with what programs send, everything below /api/ is JSON', async () => {
    for (const path of [
      '/api/',
      '/api/queue/',
      '/api/queue/1/',
      '/api/queue/0/',
      '/api/nothing/',
      '/api/%ff/',
      '/api',
    ]) {
      for (const accept of [undefined, '', '*/*', JSON_TYPE, 'application/*', 'application/json, text/plain, */*']) {
        const { headers, json } = await ask(path, accept)
        assert.equal(headers['content-type'], JSON_TYPE)
        assert.ok(json)
      }
    }
  })

  test('{accept.html} a client that names text/html or text/* and prefers it gets HTML', async () => {
    await decides({
      'text/html': HTML_TYPE,
      'text/*': HTML_TYPE,
      'TEXT/HTML': HTML_TYPE,
      [BROWSER]: HTML_TYPE,
      'text/html, */*': HTML_TYPE,
      'text/html, image/png': HTML_TYPE,
      '*/*': JSON_TYPE,
      'image/png, */*;q=0.1': JSON_TYPE,
    })
  })

  test('{accept.quality} q-values count', async () => {
    await decides({
      'application/json;q=0.1, text/html;q=0.9': HTML_TYPE,
      'application/json;q=0.9, text/html;q=0.1': JSON_TYPE,
      'text/html;q=0.5, */*;q=0.9': JSON_TYPE,
      'text/html; q=0.9 , */* ; q=0.5': HTML_TYPE,
      'text/*;q=0.3, text/html;q=0.7, application/*;q=0.5': HTML_TYPE,
    })
  })

  test('{accept.tie} between equals the type that is named more exactly wins, and then JSON', async () => {
    await decides({
      'application/json, text/html': JSON_TYPE,
      'text/html, application/json': JSON_TYPE,
      'text/html;q=0.5, application/json;q=0.5': JSON_TYPE,
      'text/html, application/*': HTML_TYPE,
      'text/*, application/json': JSON_TYPE,
      'text/*, application/*': JSON_TYPE,
      'text/*, */*': HTML_TYPE,
    })
  })

  test('{accept.zero} q=0 excludes a type', async () => {
    await decides({
      'text/html;q=0, */*': JSON_TYPE,
      'application/json;q=0, */*': 406,
      'application/json;q=0, text/html;q=0.1': HTML_TYPE,
      'application/json;q=0': 406,
      '*/*;q=0': 406,
    })
  })

  test('{accept.none} what nothing satisfies returns 406', async () => {
    await decides({ 'application/xml': 406, 'image/*': 406, garbage: 406, 'text/plain': 406, 'application/json2': 406 })
    for (const [path, method, allow] of [
      ['/api/', 'GET', 'GET, HEAD, OPTIONS'],
      ['/api/queue/1/', 'GET', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
      ['/api/queue/0/', 'GET', 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS'],
      ['/api/queue/', 'OPTIONS', 'GET, POST, HEAD, OPTIONS'],
    ] as const) {
      const { status, text, headers } = await ask(path, 'image/png', method)
      assert.deepEqual([status, text, headers.allow, headers.vary], [406, NOT_ACCEPTABLE, allow, 'Accept'])
    }
  })

  test('{accept.indent} an indent of 1 to 8 is given; more means 8, and what is no number none', async () => {
    const record = (await ask('/api/polyset/1/')).json
    for (const [indent, spaces] of Object.entries({
      1: 1,
      4: 4,
      8: 8,
      9: 8,
      99: 8,
      0: 0,
      '-3': 0,
      x: 0,
      '': 0,
      '2.5': 0,
    })) {
      for (const accept of [
        `application/json; indent=${indent}`,
        `application/json;indent=${indent};q=0.9, text/plain`,
      ]) {
        const { text, headers } = await ask('/api/polyset/1/', accept)
        assert.equal(text, JSON.stringify(record, null, spaces), accept)
        assert.equal(headers['content-type'], JSON_TYPE)
      }
    }
    assert.equal((await ask('/api/queue/0/', 'application/json; indent=2')).text, '{\n  "detail": "Not found."\n}')
  })

  test('{format.json} ?format=json gives JSON whatever Accept says', async () => {
    for (const accept of [undefined, 'text/html', BROWSER, 'image/png', 'application/json;q=0']) {
      for (const path of ['/api/?format=json', '/api/queue/?format=json', '/api/queue/0/?format=json']) {
        assert.equal((await ask(path, accept)).headers['content-type'], JSON_TYPE)
      }
    }
    const { text } = await ask('/api/queue/1/?format=json', BROWSER)
    assert.equal(text, (await ask('/api/queue/1/')).text)
  })

  test('{format.json} also where there is nothing', async () => {
    const { status, text } = await ask('/api/nothing/?format=json', BROWSER)
    assert.deepEqual([status, text], [404, '{"detail":"Not found."}'])
  })

  test('{format.api-html} ?format=api gives HTML to who names it, whatever it prefers', async () => {
    for (const accept of ['text/html', BROWSER, 'application/json, text/html;q=0.1', 'text/*;q=0.1, */*']) {
      for (const path of ['/api/?format=api', '/api/queue/?format=api', '/api/queue/1/?format=api']) {
        assert.equal((await ask(path, accept)).headers['content-type'], HTML_TYPE)
      }
    }
  })

  test('{format.api-json} for other clients ?format=api returns JSON, indented by 4', async () => {
    for (const accept of [
      undefined,
      '*/*',
      JSON_TYPE,
      'image/png',
      'text/html;q=0, */*',
      'application/json; indent=2',
    ]) {
      const { status, text, json, headers } = await ask('/api/queue/?format=api', accept)
      assert.equal(text, JSON.stringify(json, null, 4))
      assert.equal(json.next, `${site.base}/api/queue/?format=api&page=2`)
      assert.deepEqual([status, headers['content-type'], headers.vary], [200, JSON_TYPE, 'Accept'])
    }
  })

  test('{format.unknown} any other format returns 404, and a blank one is ignored', async () => {
    for (const path of ['/api/?format=xml', '/api/queue/?format=JSON', '/api/queue/1/?format=html', '/api/queue.xml']) {
      for (const accept of [undefined, 'text/html']) {
        const { status, text, headers } = await ask(path, accept)
        assert.deepEqual([status, text, headers.vary], [404, '{"detail":"Not found."}', 'Accept'])
        assert.ok(headers.allow)
      }
    }
    assert.equal((await ask('/api/queue/1/?format=')).text, (await ask('/api/queue/1/')).text)
    assert.equal((await ask('/api/queue/1/?format=', 'text/html')).headers['content-type'], HTML_TYPE)
  })

  test('{suffix.format} a path may end in .json or .api', async () => {
    const record = (await ask('/api/queue/1/')).json
    assert.equal((await ask('/api/queue/1.json', BROWSER)).text, JSON.stringify(record))
    assert.equal((await ask('/api/queue/1.api')).text, JSON.stringify(record, null, 4))
    assert.equal((await ask('/api/queue/1.api', 'text/html')).headers['content-type'], HTML_TYPE)
    assert.equal(
      (await ask('/api/quadranym-id.json', BROWSER)).json.count,
      (await ask('/api/quadranym-id/')).json.count,
    )
    assert.equal((await ask('/api/.json', BROWSER)).json.queue, `${site.base}/api/queue.json`)
    for (const path of [
      '/api/queue.json/',
      '/api/queue/1.json/',
      '/api/queue/1.JSON',
      '/api.json',
      '/api/nothing.json',
    ]) {
      const { status } = await ask(path)
      // In another letter case it is not a suffix but an id without its slash.
      assert.equal(status, path.endsWith('JSON') ? 301 : 404, path)
    }
  })

  test('{suffix.wins} a suffix overrides the parameter, and page links keep both', async () => {
    const { text, json } = await ask('/api/queue.json?format=api&page=2&page_size=5', BROWSER)
    assert.equal(text, JSON.stringify(json))
    const link = (page: number) => `${site.base}/api/queue.json?format=api&page=${page}&page_size=5`
    assert.deepEqual([json.previous, json.next], [link(1), link(3)])
    assert.equal((await ask('/api/queue/1.json?format=xml')).status, 200)
    assert.equal((await ask('/api/queue/1.xml?format=json')).status, 404)
  })

  test('{html.headers} {html.rights} a page for people is private, and has few permissions', async () => {
    for (const [path, status] of [
      ['/', 200],
      ['/api/', 200],
      ['/api/queue/', 200],
      ['/api/queue/1/', 200],
      ['/api/queue/0/', 404],
      ['/api/nothing/', 404],
    ] as const) {
      const { headers, ...reply } = await ask(path, BROWSER)
      assert.equal(reply.status, status)
      assert.equal(headers['content-type'], HTML_TYPE)
      assert.equal(headers.vary, 'Accept, Cookie')
      assert.equal(headers['cache-control'], 'private, no-cache')
      assert.equal(headers.etag !== undefined, path === '/')
      assert.match(
        String(headers['content-security-policy']),
        /^default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/,
      )
      assert.match(String(headers['permissions-policy']), /camera=\(\).*geolocation=\(\).*microphone=\(\)/)
      assert.equal(headers['referrer-policy'], 'same-origin')
    }
    const piece = await ask('/make/quadranym/picture/?name=lamp', BROWSER)
    assert.match(String(piece.headers['content-security-policy']), /^default-src 'none'; /)
    assert.match(String(piece.headers['permissions-policy']), /camera=\(\)/)
  })

  test('{html.content} it shows the JSON and links to the other pages', async () => {
    for (const path of [
      '/api/',
      '/api/polyset/?page=2&page_size=5',
      '/api/polyset/1/',
      '/api/fortune/6/',
      '/api/quote/?x=<i>"&\'',
    ]) {
      const page = await ask(path.replaceAll('"', '%22'), BROWSER)
      const { json } = await ask(path.replaceAll('"', '%22'))
      assert.deepEqual(jsonOn(page), json, path)
      for (const to of [json.next, json.previous]) if (to) assert.ok(linksOf(page).includes(to), to)
    }
    const index = await ask('/api/', BROWSER)
    for (const to of Object.values((await ask('/api/')).json)) assert.ok(linksOf(index).includes(String(to)))
  })

  test('{html.errors} errors are HTML, too, with the same status', async () => {
    for (const [path, method, status, detail] of [
      ['/api/queue/0/', 'GET', 404, 'Not found.'],
      ['/api/queue/?page=0', 'GET', 404, 'Invalid page.'],
      ['/api/nothing/', 'GET', 404, 'Not found.'],
      ['/api/queue/', 'PUT', 405, 'Method "PUT" not allowed.'],
      ['/api/queue/', 'POST', 401, 'Authentication credentials were not provided.'],
      ...['/api/queue/1/', '/api/queue/999/', '/api/queue/abc/', '/api/polynym/999/vote/'].flatMap((path) =>
        (path.endsWith('vote/') ? ['POST', 'DELETE'] : ['PUT', 'PATCH', 'DELETE']).map(
          (method) => [path, method, 401, 'Authentication credentials were not provided.'] as const,
        ),
      ),
      ['/api/queue/abc/', 'OPTIONS', 404, 'Not found.'],
      ['/api/fortune/999/spin/', 'GET', 404, 'Not found.'],
    ] as const) {
      const page = await ask(path, BROWSER, method)
      assert.equal(page.status, status)
      assert.equal(page.headers['content-type'], HTML_TYPE)
      assert.deepEqual(jsonOn(page), { detail })
    }
    const wrong = { accept: BROWSER, authorization: 'Token wrong' }
    for (const method of ['GET', 'PUT']) {
      const page = await site.ask('/api/queue/999/', { method, headers: wrong })
      assert.deepEqual([page.status, jsonOn(page)], [401, { detail: 'Invalid token.' }])
    }
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const page = await site.ask('/api/queue/999/', { method, as: 'gus', json: {}, headers: { accept: BROWSER } })
      assert.deepEqual([page.status, jsonOn(page)], [404, { detail: 'Not found.' }])
    }
    assert.deepEqual(site.bugs, [])
  })

  test('{version.none} a version in Accept changes nothing', async () => {
    const { text, headers } = await ask('/api/queue/')
    for (const accept of ['application/json; version=2', 'application/json; version=1.0', '*/*; version=9']) {
      const versioned = await ask('/api/queue/', accept)
      assert.deepEqual([versioned.text, versioned.headers.etag], [text, headers.etag])
    }
    for (const path of ['/api/v1/', '/v1/api/']) assert.equal((await ask(path)).status, 404)
  })
})
