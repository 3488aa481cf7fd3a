/** Lists of records: filtered, ordered and paged, with the state in the address. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { lookAt } from './looking.ts'

const KINDS =
  'polynym quadranym polyset quadraset vectornym polymap fortune quote phrase story tale fable storyline taleline queue winner'

onEachEngine('lists', {}, (site) => {
  const get = (path: string) => site.page(path)
  const names = (text: string) => Array.from(text.matchAll(/<a class="open"[^>]*>([^<]*)</g), ([, name]) => name)

  test('every kind has a list', async () => {
    for (const kind of KINDS.split(' ')) {
      const { status, headers, text } = await get(`/${kind}/`)
      assert.equal(status, 200, kind)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const { json } = await site.ask(`/api/${kind}/`)
      assert.match(text, new RegExp(`<p class="kind">${json.count} [a-z ]+s?</p>`), kind)
    }
    assert.deepEqual(site.bugs, [])
  })

  test('a list shows the same records as the API, in the same order, from page to page', async () => {
    const query = 'mode=step&ordering=-likes'
    for (const page of [1, 2]) {
      const { json } = await site.ask(`/api/polynym/?${query}&page_size=24&page=${page}`)
      const { text } = await get(`/polynym/?${query}&page=${page}`)
      assert.deepEqual(
        names(text),
        json.results.map(({ name }: { name: string }) => name.replaceAll("'", '&#39;')),
      )
    }
  })

  test('an invalid filter is reported on the list; a page that does not exist returns 404', async () => {
    const bad = await get('/polynym/?depth=many')
    assert.equal(bad.status, 400)
    assert.match(bad.text, /role="alert">Enter a whole number\./)
    const gone = await get('/polynym/?page=99')
    assert.equal(gone.status, 404)
    assert.match(gone.text, /There is nothing here/)
  })

  test('a list without matches says so and links back', async () => {
    const { status, text } = await get('/polynym/?search=zzzz&area=music')
    assert.equal(status, 200)
    assert.match(text, /Nothing matches/)
    assert.match(text, /href="\/find\/\?q=zzzz"/)
    assert.deepEqual(site.bugs, [])
  })

  const cellsOf = (text: string) =>
    Array.from(text.matchAll(/<th scope="row"><a href="([^"]*)">([^<]*)</g), ([, href, name]) => ({ href, name }))

  test('every list is also a table of the same records, with chosen columns and an order for each', async () => {
    for (const kind of KINDS.split(' ')) {
      const { status, text } = await get(`/${kind}/?view=table`)
      assert.equal(status, 200, kind)
      const { json } = await site.ask(`/api/${kind}/?page_size=50`)
      assert.equal(text.split('name="id" value="').length - 1, json.results.length, kind)
    }
    const query = 'mode=step&ordering=-depth'
    const { text } = await get(`/polynym/?view=table&${query}&columns=depth,nonsense&columns=area`)
    const { json } = await site.ask(`/api/polynym/?${query}&page_size=50`)
    assert.deepEqual(
      cellsOf(text).map(({ href }) => href),
      json.results.map(({ polynym_id }: { polynym_id: number }) => `/polynym/${polynym_id}/`),
    )
    const heads = Array.from(text.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs), ([, head]) =>
      head!.replaceAll(/<[^>]*>/g, ''),
    )
    assert.deepEqual(heads, ['Select', 'Name', 'Depth ↓?', 'Area?'])
    assert.match(text, /aria-sort="descending"/)
    assert.match(text, /<link rel="canonical" href="[^"?]*\/polynym\/"/)
    const csv = /href="(\/api\/polynym\.csv\?[^"]*)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    const rows = (await site.ask(csv)).text.trim().split(/\r?\n/)
    assert.equal(rows[0], 'name,area,depth,polynym_id')
    assert.equal(rows.length - 1, json.count)
    assert.deepEqual(site.bugs, [])
  })

  test('selected records are exported, and own ones deleted together after a question', async () => {
    const make = async (name: string, as: string) => {
      const json = { name, mode: 'part', p1: 'one', p2: 'two' }
      return (await site.ask('/api/polynym/', { method: 'POST', as, json })).json.polynym_id
    }
    const [first, second, used] = [await make('Sel 1', 'sel'), await make('Sel 2', 'sel'), await make('Sel 3', 'sel')]
    const foreign = await make('Sel 4', 'ada')
    await site.ask('/api/polyset/', { method: 'POST', as: 'sel', json: { name: 'Selected', polynyms: [used] } })
    const ids = [first, second, used, foreign]
    const chosen = ids.map((id) => `id=${id}`).join('&')
    const exported = await get(`/polynym/selected/?do=csv&${chosen}`)
    assert.equal(exported.headers.location, `/api/polynym.csv?id__in=${ids}`)
    assert.equal((await get('/polynym/selected/?do=csv')).status, 400)
    assert.equal((await get(`/polynym/selected/?do=delete&${chosen}`)).status, 401)
    const html = { headers: { accept: 'text/html' }, as: 'sel' }
    const asked = await site.ask(`/polynym/selected/?do=delete&${chosen}`, html)
    assert.match(asked.text, /Delete 3 polynyms\?/)
    assert.match(asked.text, /1 other of the selected belongs to somebody else/)
    const form = { id: ids.map(String) }
    const done = await site.ask('/polynym/selected/', { ...html, method: 'POST', form })
    assert.equal(done.status, 200)
    assert.match(done.text, /Deleted 2 polynyms/)
    assert.match(done.text, /2 polynyms could not be deleted/)
    const left = (await site.ask(`/api/polynym/?id__in=${ids}`)).json.results
    assert.deepEqual(
      left.map(({ name }: { name: string }) => name),
      ['Sel 3', 'Sel 4'],
    )
    assert.deepEqual(site.bugs, [])
  })

  test('a topic is asked for on the list of wanted topics, which tells those that exist by now', async () => {
    const { text } = await get('/queue/')
    const [open, done] = text.split('<details class="fulfilled">')
    assert.match(done!, /<a href="\/queue\/[0-9]+\/">bread<\/a>.*href="\/quadranym\/[0-9]+\/"/)
    assert.doesNotMatch(open!, />bread</)
    assert.match(open!, />umbrella</)
    assert.match((await get('/queue/?wish=Time')).text, /“Time” is here already: <a href="\/quadranym\//)
    assert.match((await get('/queue/?wish=marble')).text, /Nobody has asked for “marble” yet/)
    const ask = (wish: string, as?: string) =>
      site.ask('/queue/', { method: 'POST', form: { wish }, headers: { accept: 'text/html' }, ...(as ? { as } : {}) })
    const before = (await site.ask('/api/queue/')).json.count
    assert.equal((await ask('time', 'ida')).headers.location, '/queue/?wish=time')
    assert.equal((await ask('umbrella', 'ida')).headers.location, '/queue/?wish=umbrella')
    assert.equal((await ask('x'.repeat(201), 'ida')).status, 400)
    assert.equal((await site.ask('/api/queue/')).json.count, before)
    assert.equal((await ask(' marble ', 'ida')).headers.location, '/queue/?wish=marble')
    assert.match((await get('/queue/?wish=marble')).text, /“marble” is on the list/)
    const { json } = await site.ask('/api/queue/?user=ida')
    assert.deepEqual(
      json.results.map(({ name }: { name: string }) => name),
      ['marble'],
    )
    assert.deepEqual(site.bugs, [])
  })

  test('user input is text, in every kind of list and in every form', async () => {
    const hostile = `"><img src=x onerror=alert(1)>`
    const quadranym = { name: hostile, e: hostile, r: 'r', o: 'o', s: 's', area: hostile, realm: hostile }
    const made = await site.ask('/api/quadranym/', { method: 'POST', as: 'mallory', json: quadranym })
    assert.equal(made.status, 201)
    for (const path of [
      '/quadranym/?ordering=-id',
      '/quadranym/?ordering=-id&view=table',
      `/find/?q=${encodeURIComponent(hostile)}`,
      '/people/mallory/',
      '/',
    ]) {
      const { text } = await get(path)
      assert.ok(text.includes('&lt;img src'), path)
      assert.ok(!text.includes('<img'), path)
    }
  })
})

describe('lists in a browser', () => {
  const { site, browser } = siteInBrowser()

  for (const javaScriptEnabled of [true, false]) {
    test(`links and the form filter a list, and remove filters (scripts: ${javaScriptEnabled})`, async () => {
      const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled })
      await page.goto('/quadranym/')
      const counted = async () => Number(/^[0-9]+/.exec((await page.locator('.kind').first().textContent())!)![0])
      const all = await counted()
      await page.locator('.facets').getByRole('link', { name: 'Spatial' }).click()
      await page.waitForURL('/quadranym/?realm=Spatial')
      const spatial = await counted()
      assert.ok(spatial > 0 && spatial < all)
      assert.equal(await page.locator('.facets a[aria-current]').textContent(), 'Spatial')
      await page.getByLabel('Made by').selectOption('mira')
      // With scripts, each filter applies at once.
      if (javaScriptEnabled) await page.waitForURL(/user=mira/)
      await page.getByLabel('Order').selectOption('Newest')
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Show' }).click()
      await page.waitForURL(/ordering=-id/)
      const { searchParams } = new URL(page.url())
      assert.equal(searchParams.get('realm'), 'Spatial')
      assert.equal(searchParams.get('user'), 'mira')
      assert.equal(searchParams.get('ordering'), '-id')
      assert.equal(searchParams.has('search'), !javaScriptEnabled)
      const { json } = await site.ask('/api/quadranym/?realm=Spatial&user=mira')
      assert.equal(await counted(), json.count)
      await page.getByRole('link', { name: 'Without Realm: Spatial' }).click()
      await page.waitForURL((url) => !url.searchParams.has('realm'))
      assert.ok((await counted()) > json.count)
      await page.goto('/quadranym/')
      await page.getByRole('link', { name: 'Next' }).click()
      await page.waitForURL('/quadranym/?page=2')
      assert.equal(await page.locator('.pager [aria-current]').textContent(), '2')
      assert.deepEqual(complaints, [])
    })
  }

  test('arrow keys pass filters without applying them, until Enter; Back brings the filters of the address', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/quadranym/')
    await page.getByLabel('Order').focus()
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.getByLabel('Order').inputValue(), '-likes')
    await page.keyboard.press('ArrowDown')
    assert.equal(new URL(page.url()).search, '')
    await page.keyboard.press('Enter')
    await page.waitForURL('/quadranym/?ordering=-id')
    await page.goBack()
    await page.locator('select[name=ordering] option:checked[value=""]').waitFor({ state: 'attached' })
    assert.equal(new URL(page.url()).search, '')
  })

  test('a list is printed without its filters', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/polynym/')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.narrow').isVisible(), false)
    assert.equal(await page.locator('.facets').isVisible(), false)
    assert.equal(await page.locator('.card').first().isVisible(), true)
    const ink = () => page.locator('.brand b').evaluate((name) => getComputedStyle(name).color)
    const printed = await ink()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    assert.equal(await ink(), printed, 'paper is white')
  })

  test('the table of a vectornym says that it scrolls only if it does', async () => {
    const { page } = await openPage(browser, site.base)
    await page.setViewportSize({ width: 768, height: 1024 })
    for (const [path, scrolls] of [
      ['/vectornym/3/', false],
      ['/vectornym/5/', true],
    ] as const) {
      await page.goto(path)
      assert.equal(await page.getByText('Scroll sideways to see all of them.').isVisible(), scrolls, path)
      const isWider = await page.locator('.table').evaluate((table) => table.scrollWidth > table.clientWidth)
      assert.equal(isWider, scrolls, path)
    }
  })

  test('the whole card links to the record, and the names in it link elsewhere', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/polynym/?name=Rainbow')
    const { x, y } = (await page.locator('.card .gist').boundingBox())!
    await page.mouse.click(x + 5, y + 5)
    await page.waitForURL(/\/polynym\/[0-9]+\/$/)
    await page.goBack()
    await page.locator('.card .meta a').last().click()
    await page.waitForURL(/\/people\/[a-z]+\/$/)
  })

  test('one box selects all records of a table', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/queue/?view=table&page_size=3')
    assert.equal(await page.getByRole('button', { name: 'Export CSV' }).isDisabled(), true)
    await page.getByLabel('Select all of this page').check()
    assert.equal(await page.locator('[data-selected]').textContent(), '3 selected')
    await page.locator('tbody input').first().uncheck()
    await page.getByRole('button', { name: 'Export JSON' }).click()
    await page.waitForURL(/\/api\/queue\/\?format=json&id__in=[0-9]+(,|%2C)[0-9]+&page_size=100$/)
    assert.deepEqual(complaints, [])
  })

  test('every list is accessible, light and dark, on a phone', async () => {
    await lookAt(browser, site.base, [
      '/polynym/?view=table',
      '/queue/?wish=time',
      '/quadranym/?realm=Spatial&search=a',
      '/polynym/?area=nowhere',
      '/quote/',
      '/polymap/',
      '/queue/',
      '/winner/',
    ])
  })
})
