/** The document at /api/schema/ and the page at /api/docs/. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { derived, many, optionalText, owner, resource, slots, text, votes } from '../../src/declare/index.ts'
import { lookAt } from '../pages/looking.ts'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'

const HTML = { headers: { accept: 'text/html' } }

onEachEngine('The OpenAPI document', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  let document: any
  before(async () => {
    document = (await site.ask('/api/schema/')).json
  })

  test('{openapi.served} it is JSON like every other response, with an ETag, and names the base of the request', async () => {
    const { status, headers, json } = await site.ask('/api/schema/')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['vary'], 'Accept, Accept-Encoding')
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

  test('{openapi.paths} it has the addresses of each collection, and all methods of Allow except HEAD and OPTIONS', async () => {
    for (const name of Object.keys((await site.ask('/api/')).json)) {
      for (const path of [`/api/${name}/`, `/api/${name}/{id}/`, `/api/${name}/random/`, `/api/${name}/daily/`]) {
        assert.ok(document.paths[path], path)
      }
    }
    assert.equal(Object.keys(document.paths['/api/polynym/{id}/']).join(), 'parameters,get,put,patch,delete')
    const vote = document.paths['/api/{collection}/{id}/vote/']
    assert.equal(Object.keys(vote).join(), 'parameters,post,delete')
    const [{ schema }] = vote.parameters
    assert.ok(schema.enum.includes('polynym') && !schema.enum.includes('queue'))
    const methods = Object.values<object>(document.paths).flatMap((item) => Object.keys(item))
    assert.ok(!methods.includes('head') && !methods.includes('options'))
    assert.match(document.info.description, /^- HEAD responds like GET, without the body\. OPTIONS /m)
  })

  test('{openapi.described} every operation, parameter and member is described', async () => {
    const silent: string[] = []
    const look = (value: unknown, at: string, isMap = false): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [key, each] of Object.entries<any>(value)) {
        const here = `${at}/${key}`
        if (/\/(examples?|default|enum)$/.test(here) && !isMap) continue
        const isMember = /\/properties$/.test(at) && isMap
        const isOperation = /^\/paths\/[^ ]*\/(get|post|put|patch|delete)$/.test(here)
        if ((isMember || isOperation) && !each.description && !resolved(each).description) silent.push(here)
        if (each?.schema && each.in && !each.description && !resolved(each.schema).description) silent.push(here)
        look(each, here, key === 'properties' && !isMap)
      }
    }
    const resolved = (schema: any) =>
      schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema
    look(document, '')
    assert.deepEqual(silent, [])
  })

  test('{openapi.open} no object forbids members that it does not name', async () => {
    assert.ok(!JSON.stringify(document).includes('"additionalProperties":false'))
  })

  test('{openapi.small} it is smaller than 300 kB', async () => {
    const { length } = JSON.stringify(document)
    assert.ok(length < 300_000, `${length}`)
  })

  const parametersAt = (path: string): any[] =>
    document.paths[path].get.parameters.map((each: any) =>
      each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)] : each,
    )

  test('{openapi.lookups} every lookup is a separate parameter', async () => {
    const named = (path: string) => parametersAt(path).map(({ name }) => name)
    const lookups = ['search', 'term', 'ordering', 'area', 'area__in', 'depth__gte', 'name__icontains', 'src__isnull']
    for (const name of ['page', 'page_size', ...lookups]) assert.ok(named('/api/polynym/').includes(name), name)
    assert.ok(named('/api/storyline/').includes('story'))
    assert.ok(!named('/api/queue/').includes('depth__gte'))
    assert.ok(named('/api/fortune/{id}/').includes('format'))
  })

  test('{openapi.lookups} numbered slots are listed once, and other addresses list the filters that have an index', async () => {
    const named = (path: string) => parametersAt(path).map(({ name }) => name)
    const slots = named('/api/polynym/').filter((name) => /^p[0-9]/.test(name))
    assert.deepEqual(slots, ['p1', 'p1__isnull'])
    const random = ['seed', 'n', 'search', 'user', 'src', 'area', 'mode', 'depth']
    assert.deepEqual(named('/api/polynym/random/'), random)
    const many = named('/api/polynym/').filter((name) => /__(in|startswith)$/.test(name))
    assert.deepEqual(many, ['src__in', 'area__in', 'mode__in', 'id__in'])
    for (const query of ['p12=water', 'depth__gte=5']) {
      const { json } = await site.ask(`/api/polynym/random/?n=1&${query}`)
      assert.equal(json.count, (await site.ask(`/api/polynym/?${query}`)).json.count)
    }
  })

  test('{openapi.lookups} a lookup that collections share is described once', async () => {
    const at = (path: string) => document.paths[path].get.parameters.map(({ $ref }: any) => $ref)
    const reference = '#/components/parameters/area__in'
    assert.ok(at('/api/polynym/').includes(reference) && at('/api/story/').includes(reference))
    assert.deepEqual(document.components.parameters.area__in, {
      name: 'area__in',
      in: 'query',
      schema: { $ref: '#/components/schemas/lookup-in' },
      explode: false,
    })
  })

  test('{openapi.lookups} a counting parameter does not filter, even if a member is called `by`', async () => {
    const score = { user: 'mira', app: 'flip', score: 1, round: 1 }
    assert.equal((await site.ask('/api/winner/', { method: 'POST', as: 'staff', json: score })).status, 201)
    const { json } = await site.ask('/api/winner/facets/?by=app')
    assert.equal(json.count, (await site.ask('/api/winner/')).json.count)
    assert.ok(json.facets.app.length > 0)
  })

  test('{openapi.lookups} parameters that may be repeated are lists, and those that must be given are required', async () => {
    const parameter = (path: string, wanted: string) => {
      const { schema, ...rest } = parametersAt(path).find(({ name }) => name === wanted)
      return { ...rest, schema: schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema }
    }
    for (const [path, name] of [
      ['/api/polynym/', 'term'],
      ['/api/polynym/', 'voters'],
      ['/api/polyset/', 'polynyms'],
      ['/api/vectornym/', 'v'],
    ] as const) {
      const { schema, explode = true } = parameter(path, name)
      assert.deepEqual([schema.type, explode], ['array', true], name)
    }
    assert.equal(parameter('/api/storyline/', 'story').schema.type, 'integer')
    assert.equal(parameter('/api/storyline/', 'id__in').schema.type, 'array')
    const required = (name: string) => parameter(`/api/${name}/{id}/spin/`, 'quadranym').required ?? false
    assert.deepEqual(['phrase', 'fable', 'fortune', 'quote'].map(required), [true, true, false, false])
  })

  test('{openapi.problems} problems share one response, and have their own where there is more to say', async () => {
    const { responses } = document.paths['/api/quadranym/{id}/'].delete
    assert.equal(Object.keys(responses).join(), '200,204,409,4XX')
    const inUse = document.components.responses[responses['409'].$ref.split('/').at(-1)]
    assert.deepEqual(inUse.content['application/json'].schema.required, ['detail', 'count', 'used_by'])
    const { description, headers } = document.components.responses[responses['4XX'].$ref.split('/').at(-1)]
    const statuses = Array.from<RegExpMatchArray, string>(description.matchAll(/^- ([0-9, ]+):/gm), ([, each]) => each!)
    assert.equal(statuses.join(' '), '400 401 403 404 406 409 410 412 413 415 422 429 500 503 405 408, 417, 431')
    assert.ok(headers['Retry-After'] && headers['WWW-Authenticate'] && headers['X-Request-Id'])
  })

  test('{openapi.security} reading needs no credentials, writing does, in four ways', async () => {
    const ways = Object.keys(document.components.securitySchemes)
    assert.deepEqual(ways, ['basic', 'token', 'bearer', 'session', 'csrf'])
    const signedIn = [{ basic: [] }, { token: [] }, { bearer: [] }, { session: [], csrf: [] }]
    assert.deepEqual(document.security, signedIn)
    const { get, post } = document.paths['/api/polynym/']
    assert.deepEqual([get.security, post.security], [[], undefined])
    assert.equal(document.paths['/accounts/tokens/'].get.security, undefined)
    assert.deepEqual(document.paths['/api/qode/parse/'].post.security, [])
  })

  test('{openapi.bodies} bodies may be JSON or a form', async () => {
    const { $ref } = document.paths['/api/polynym/'].post.requestBody
    const { content } = document.components.requestBodies[$ref.split('/').at(-1)]
    assert.deepEqual(Object.keys(content), ['application/json', 'application/x-www-form-urlencoded'])
    const { schemas } = document.components
    assert.deepEqual(schemas['polynym-body'].required, ['name', 'mode', 'p1', 'p2'])
    assert.equal(schemas['polynym-change'].required, undefined)
    assert.deepEqual(schemas['winner-body'].required, ['user', 'app', 'score', 'round'])
    assert.ok(schemas['story-change'].properties.lines)
    const form = document.components.requestBodies['polyset-body'].content['application/x-www-form-urlencoded']
    assert.deepEqual(form.encoding, { polynyms: { style: 'form', explode: true } })
    const verse = document.paths['/api/qode/verse/'].post.requestBody
    const { content: forms } = verse.$ref ? document.components.requestBodies[verse.$ref.split('/').at(-1)] : verse
    const { encoding } = forms['application/x-www-form-urlencoded']
    assert.deepEqual(Object.keys(encoding), ['phrases', 'quadranyms'])
  })

  test('{openapi.text} where plain text is available, the document says so', async () => {
    const types = (path: string) => {
      const { $ref } = document.paths[path].get.responses['200']
      return Object.keys(document.components.responses[$ref.split('/').at(-1)].content)
    }
    assert.deepEqual(types('/api/fortune/{id}/'), ['application/json', 'text/plain'])
    assert.deepEqual(types('/api/polynym/{id}/'), ['application/json'])
    assert.deepEqual(Object.keys(document.components.responses['4XX'].content), ['application/json'])
  })

  test('{openapi.examples} examples are the first records of the lists, at most a minute old', async () => {
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

  test('{openapi.docs} a program that requests the page gets the document', async () => {
    const { headers, json } = await site.ask('/api/docs/')
    assert.equal(headers['content-type'], 'application/json')
    assert.deepEqual(json, (await site.ask('/api/schema/')).json)
  })

  test('{openapi.docs} the overview lists every operation, with a link to it on the page of its group', async () => {
    const { status, headers, text: page } = await site.ask('/api/docs/', HTML)
    assert.equal(status, 200)
    assert.match(
      String(headers['content-security-policy']),
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; /,
    )
    const items: Record<string, { operationId?: string }>[] = Object.values(document.paths)
    const operations = new Set(
      items.flatMap((item) => Object.values(item).flatMap(({ operationId = [] }) => operationId)),
    )
    assert.deepEqual(operations.difference(new Set(idsOn(page))), new Set())
    for (const { name } of document.tags) {
      const { text: group } = await site.ask(`/api/docs/?collection=${name}`, HTML)
      const ids = new Set(idsOn(group))
      for (const [, id] of page.matchAll(new RegExp(`href="/api/docs/\\?collection=${name}#([^"]+)"`, 'g'))) {
        assert.ok(ids.has(id!), `${name} has no ${id}`)
        operations.delete(id!)
      }
    }
    assert.deepEqual(operations, new Set())
  })

  /** Every anchor leads somewhere, and nothing comes from another site or runs by itself. */
  function idsOn(page: string): string[] {
    const own = page.replaceAll(/<pre.*?<\/pre>|<code.*?<\/code>|<script type="module" src="\/static\/[^>]*>/gs, '')
    assert.ok(!/<script|javascript:|style=|https?:\/\//.test(own))
    const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id]) => id!)
    assert.equal(new Set(ids).size, ids.length)
    const anchors = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, anchor]) => anchor!)
    assert.deepEqual(new Set(anchors).difference(new Set(ids)), new Set())
    return ids
  }
})

const shell = resource('shell', {
  does: 'A shell from the beach.',
  fields: {
    name: text({ max: 20, does: 'What people call it.' }),
    finder: owner({ does: 'Who found it.' }),
    colour: optionalText({ max: 10 }),
    likes: votes(),
    marks: derived.integer(),
    m: slots('m', { from: 1, to: 2, max: 10, does: 'A mark.' }),
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
    const { schemas } = components
    assert.deepEqual(schemas.shell, {
      type: 'object',
      required: ['name', 'finder', 'marks', 'm1', 'shell_id'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 20, description: 'What people call it.' },
        finder: { type: 'string', maxLength: 150, description: 'Who found it.' },
        colour: { type: 'string', minLength: 1, maxLength: 10 },
        likes: { type: 'integer', minimum: 1, description: 'The number of votes; left out without votes.' },
        voters: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'The user names of the voters, newest vote first; left out without votes.',
        },
        marks: { type: 'integer' },
        m1: { type: 'string', minLength: 1, maxLength: 10, description: 'A mark.' },
        m2: { type: 'string', minLength: 1, maxLength: 10, description: 'A mark.' },
        shell_id: { $ref: '#/components/schemas/id' },
      },
      description: 'A shell from the beach.',
    })
    // Other schemas describe their id in the same words.
    assert.deepEqual(schemas.id, { type: 'integer', minimum: 1, description: 'The id of the record.' })
    assert.deepEqual(schemas['box-change'].properties.shells.items, { $ref: '#/components/schemas/shell-reference' })
    assert.deepEqual(schemas.box.properties.shells.items, { $ref: '#/components/schemas/shell' })
    const names = paths['/api/shell/'].get.parameters.map(({ name }: any) => name)
    assert.ok(names.includes('marks__gte'))
    assert.deepEqual(paths['/api/{collection}/{id}/vote/'].parameters[0].schema.enum, ['shell'])
    assert.equal(components.examples, undefined)
  })
})

const { site: pages, browser } = siteInBrowser()

test('{openapi.docs} in a browser without scripts, links lead from the overview to an operation', async () => {
  const { page, complaints } = await openPage(browser, pages.base, { javaScriptEnabled: false })
  await page.goto('/api/docs/')
  assert.equal(await page.locator('h1').textContent(), 'The API')
  assert.equal(await page.locator('form.filter').isVisible(), false)
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('link', { name: 'polynym', exact: true }).click()
  await page.locator('#getPolynymList').getByRole('link').click()
  assert.equal(new URL(page.url()).hash, '#getPolynymList')
  const part = page.locator('#getPolynymList')
  assert.equal(await part.getByText('name__icontains', { exact: true }).isVisible(), false)
  await part.getByText(/^\d+ filters$/).click()
  assert.equal(await part.getByText('name__icontains', { exact: true }).isVisible(), true)
  assert.deepEqual(complaints, [])
})

test('{openapi.docs} with scripts, operations are filtered while the user types, and each has a command to copy', async () => {
  const { page, complaints } = await openPage(browser, pages.base)
  await page.goto('/api/docs/')
  await page.getByRole('searchbox', { name: 'Find an operation' }).fill('random poly')
  const shown = page.locator('ul.operations > li:visible')
  assert.equal(await shown.count(), 3)
  assert.equal(await page.locator('form.filter [role=status]').textContent(), '3 operations')
  await page.getByRole('searchbox', { name: 'Find an operation' }).fill('your vote')
  await shown.first().getByRole('link').click()
  const command = page.locator('#postVote [data-copy]')
  assert.match((await command.textContent())!, /^curl -X POST -H 'Authorization: Token YOUR_TOKEN' 'http:.*\/vote\/'$/)
  assert.equal(await page.locator('#postVote').getByRole('button', { name: 'Copy' }).isVisible(), true)
  assert.deepEqual(complaints, [])
})

test('{openapi.docs} its pages are accessible, on a phone, in light and dark', async () => {
  await lookAt(browser, pages.base, [
    '/api/docs/',
    '/api/schema/',
    '/api/docs/?collection=polynym',
    '/api/docs/?collection=text',
    '/api/docs/?collection=accounts&collection=catalogue',
  ])
})

test('{openapi.docs} the command of an operation works unchanged', async () => {
  const { text: page } = await pages.ask('/api/docs/?collection=fortune', HTML)
  const commands = Array.from(page.matchAll(/<code data-copy="true">curl '([^ ]+)'<\/code>/g), ([, each]) => each!)
  assert.ok(commands.length > 4)
  for (const address of commands) {
    const path = address.replace(pages.base, '').replaceAll('&amp;', '&')
    assert.equal((await pages.ask(path)).status, 200, path)
  }
})
