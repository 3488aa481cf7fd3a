/** The document at /api/schema/ and the page at /api/docs/. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { derived, many, optionalText, owner, resource, slots, text, votes } from '../../src/declare/index.ts'
import { openBrowser, openPage } from '../support/browser.ts'
import { onEachEngine, Site } from '../support/site.ts'

const HTML = { headers: { accept: 'text/html' } }

onEachEngine('The OpenAPI document', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let document: any
  before(async () => {
    document = (await site.ask('/api/schema/')).json
  })

  test('{openapi.served} it is JSON like everything else, with an ETag, and names the base of the request', async () => {
    const { status, headers, json } = await site.ask('/api/schema/')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['vary'], 'Accept')
    assert.equal(headers['allow'], 'GET, HEAD, OPTIONS')
    assert.match(json.openapi, /^3\.1\./)
    assert.deepEqual(json.servers, [{ url: site.base }])
    assert.ok(!JSON.stringify(json).includes('base.invalid'))
    const known = await site.ask('/api/schema/', { headers: { 'if-none-match': headers['etag']! } })
    assert.equal(known.status, 304)
    const elsewhere = await site.ask('/api/schema/', { headers: { host: 'words.example:81' } })
    assert.deepEqual(elsewhere.json.servers, [{ url: 'http://words.example:81' }])
  })

  test('{openapi.served} the root index does not name it', async () => {
    const names = Object.keys((await site.ask('/api/')).json)
    assert.ok(!names.includes('schema') && !names.includes('docs'))
  })

  test('{openapi.paths} each collection has its addresses in it, and its methods are those of Allow', async () => {
    for (const name of Object.keys((await site.ask('/api/')).json)) {
      for (const path of [`/api/${name}/`, `/api/${name}/{id}/`, `/api/${name}/random/`, `/api/${name}/daily/`]) {
        assert.ok(document.paths[path], path)
      }
    }
    const methods = Object.keys(document.paths['/api/polynym/{id}/']).join()
    assert.equal(methods, 'get,head,put,patch,delete,options')
    assert.deepEqual(Object.keys(document.paths['/api/polynym/{id}/vote/']), ['post', 'delete', 'options'])
  })

  test('{openapi.lookups} every lookup is a parameter of its own', async () => {
    const named = (path: string) => {
      const references: { $ref: string }[] = document.paths[path].get.parameters
      return references.flatMap(({ $ref }) => {
        const parameter = $ref ? document.components.parameters[$ref.split('/').at(-1)!] : undefined
        return parameter ? [parameter.name] : []
      })
    }
    const lookups = ['search', 'term', 'ordering', 'area', 'area__in', 'depth__gte', 'name__icontains', 'src__isnull']
    for (const name of ['page', 'page_size', 'format', ...lookups])
      assert.ok(named('/api/polynym/').includes(name), name)
    for (const name of lookups) assert.ok(named('/api/polynym/random/').includes(name), name)
    assert.ok(named('/api/storyline/').includes('story'))
    assert.ok(!named('/api/queue/').includes('depth__gte'))
  })

  test('{openapi.lookups} what counts does not narrow, even where a member is called `by`', async () => {
    const { json } = await site.ask('/api/winner/facets/?by=app')
    assert.equal(json.count, (await site.ask('/api/winner/')).json.count)
    assert.ok(json.facets.app.length > 0)
  })

  test('{openapi.problems} every operation says how it refuses, with headers', async () => {
    const { responses } = document.paths['/api/quadranym/{id}/'].delete
    assert.equal(Object.keys(responses).join(), '200,204,400,401,403,404,406,409,412,413,415,429,500,503,default')
    const inUse = document.components.responses[responses['409'].$ref.split('/').at(-1)]
    assert.deepEqual(inUse.content['application/json'].schema.required, ['detail', 'count', 'used_by'])
    const throttled = document.components.responses[responses['429'].$ref.split('/').at(-1)]
    assert.ok(document.components.headers[throttled.headers['Retry-After'].$ref.split('/').at(-1)].required)
  })

  test('{openapi.security} reading needs nobody, writing somebody, in four ways', async () => {
    const ways = Object.keys(document.components.securitySchemes)
    assert.deepEqual(ways, ['basic', 'token', 'bearer', 'session', 'csrf'])
    assert.deepEqual(document.security[0], {})
    const writing = [{ basic: [] }, { token: [] }, { bearer: [] }, { session: [], csrf: [] }]
    assert.deepEqual(document.paths['/api/polynym/'].post.security, writing)
    assert.deepEqual(document.paths['/api/qode/parse/'].post.security, [{}, ...writing])
  })

  test('{openapi.bodies} bodies are taken as JSON, as a form and as a multipart form', async () => {
    const { content } = document.paths['/api/polynym/'].post.requestBody
    const types = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
    assert.deepEqual(Object.keys(content), types)
    const { schemas } = document.components
    assert.deepEqual(schemas['polynym-body'].required, ['name', 'mode', 'p1', 'p2'])
    assert.equal(schemas['polynym-change'].required, undefined)
    assert.deepEqual(schemas['winner-body'].required, ['user', 'app', 'score', 'round'])
    assert.ok(schemas['story-body'].properties.lines)
  })

  test('{openapi.text} where plain text can be had, the document says so', async () => {
    const types = (path: string) => Object.keys(document.paths[path].get.responses['200'].content)
    assert.deepEqual(types('/api/fortune/{id}/'), ['application/json', 'text/html', 'text/plain'])
    assert.deepEqual(types('/api/polynym/{id}/'), ['application/json', 'text/html'])
  })

  test('{openapi.examples} examples are the first records of the lists, as they were a minute ago or later', async () => {
    const { examples } = document.components
    const first = async () => (await site.ask('/api/polynym/?page_size=1')).json.results[0]
    assert.deepEqual(examples.polynym.value, await first())
    const json = { name: '!', mode: 'part', p1: 'dot', p2: 'stroke' }
    await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })
    site.clock = new Date(Date.now() + 61_000)
    const later = (await site.ask('/api/schema/')).json
    assert.deepEqual(later.components.examples.polynym.value, await first())
    assert.deepEqual(later.components.examples['polynym-body'].value, json)
    site.clock = undefined
  })

  test('{openapi.docs} a program that asks for the page gets the document', async () => {
    const { headers, json } = await site.ask('/api/docs/')
    assert.equal(headers['content-type'], 'application/json')
    assert.deepEqual(json, (await site.ask('/api/schema/')).json)
  })

  test('{openapi.docs} the page shows every operation, without a script', async () => {
    const { status, headers, text: page } = await site.ask('/api/docs/', HTML)
    assert.equal(status, 200)
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; /,
    )
    const own = page.replaceAll(/<pre.*?<\/pre>|<script type="module" src="\/static\/site\.js[^>]*>/gs, '')
    assert.ok(!/<script|javascript:|style=|https?:\/\/(?!127\.0\.0\.1)/.test(own))
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id!)
    const known = new Set(ids)
    assert.equal(known.size, ids.length)
    const items: Record<string, { operationId: string }>[] = Object.values(document.paths)
    const operations = items.flatMap((item) => Object.values(item).map(({ operationId }) => operationId))
    const anchors = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, anchor]) => anchor!)
    assert.deepEqual(new Set([...operations, ...anchors]).difference(known), new Set())
  })
})

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: {
    name: text({ max: 20 }),
    finder: owner(),
    colour: optionalText({ max: 10 }),
    likes: votes(),
    marks: derived.integer(),
    m: slots('m', { from: 1, to: 2, max: 10 }),
  },
  derive: { marks: ({ m }) => m.length },
  order: ['name'],
  unique: [['name']],
})
const box = resource('box', {
  does: 'A box of shells.',
  fields: { label: text({ max: 20 }), shells: many(shell, { min: 1, max: 9 }) },
  derive: {},
  order: ['label'],
  unique: [['label']],
})

onEachEngine('The document of a toy catalogue', { catalogue: [shell, box], sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  test('{openapi.declared} it is made from the declarations: their members, rules and references', async () => {
    const { paths, components } = (await site.ask('/api/schema/')).json
    const { schemas, parameters } = components
    assert.deepEqual(schemas.shell, {
      type: 'object',
      required: ['name', 'finder', 'marks', 'm1', 'shell_id'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 20 },
        finder: { type: 'string', maxLength: 150 },
        colour: { type: 'string', minLength: 1, maxLength: 10 },
        likes: { type: 'integer', minimum: 1 },
        voters: { type: 'array', items: { type: 'string' }, minItems: 1 },
        marks: { type: 'integer' },
        m1: { type: 'string', minLength: 1, maxLength: 10 },
        m2: { type: 'string', minLength: 1, maxLength: 10 },
        shell_id: { type: 'integer', minimum: 1 },
      },
      additionalProperties: false,
      description: 'A shell from the beach.',
    })
    assert.deepEqual(schemas['box-body'].properties.shells.items, { $ref: '#/components/schemas/shell-reference' })
    assert.deepEqual(schemas.box.properties.shells.items, { $ref: '#/components/schemas/shell' })
    assert.ok(parameters['shell.marks__gte'])
    assert.ok(paths['/api/shell/{id}/vote/'])
    assert.equal(paths['/api/box/{id}/vote/'], undefined)
    assert.equal(components.examples, undefined)
  })
})

const pages = new Site('SQLite')
let browser: Browser
before(async () => {
  await pages.start()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await pages.stop()
})

test('{openapi.docs} in a browser without scripts it unfolds, and fits a phone', async () => {
  const { page, complaints } = await openPage(browser, pages.base, { javaScriptEnabled: false })
  await page.goto('/api/docs/')
  assert.equal(await page.locator('h1').textContent(), 'The interface')
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'polynym', exact: true }).click()
  const part = page.locator('#getPolynymList')
  assert.equal(await part.getByRole('table').first().isVisible(), false)
  await part.locator('summary').click()
  assert.equal(await part.getByRole('table').first().isVisible(), true)
  const width = await page.locator('body').evaluate(({ scrollWidth, ownerDocument }) => {
    return scrollWidth - ownerDocument.documentElement.clientWidth
  })
  assert.equal(width, 0)
  assert.deepEqual(complaints, [])
})
