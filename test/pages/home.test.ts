/** The front page and its links, in a real Chromium; and a crawl of all pages. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clickThrough, hasFocus, openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { expected, lookAt } from './looking.ts'

const MOST_KILOBYTES = 60
const MOST_FONT_KILOBYTES = 40

describe('the front page', () => {
  const { site, browser } = siteInBrowser()

  test('it has the saying of the day in colours, with links to its quadranym and its own page', async () => {
    site.clock = new Date('2026-03-03T12:00:00Z')
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/')
    const { json } = await site.ask('/api/fortune/daily/?depth__gte=2')
    assert.equal(await page.locator('.today .text').textContent(), json.body)
    assert.equal(await page.locator('.today .tok').count(), json.subs.length)
    assert.equal(await page.locator('.today .tok').first().getAttribute('class'), `tok ${json.subs[0]}`)
    const [topic] = [...json.q2, ...json.q1]
    assert.equal(await page.locator('.today figure a').getAttribute('href'), `/quadranym/${topic.quadranym_id}/`)
    await page.getByRole('link', { name: 'Choose the topic' }).click()
    await page.waitForURL(`/fortune/${json.fortune_id}/`)
    assert.deepEqual(complaints, [])
  })

  test('the next day it has a quote', async () => {
    site.clock = new Date('2026-03-04T12:00:00Z')
    const { text } = await site.ask('/', { headers: { accept: 'text/html' } })
    assert.match(text, /Quote of the day/)
  })

  test('Turn rolls the words over, and its address shows the same on another day', async () => {
    site.clock = new Date('2026-03-04T12:00:00Z')
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/')
    const [told, by] = [page.locator('.today .text'), page.locator('.today [data-turn=attribution]')]
    const [own, author] = [await told.textContent(), await by.textContent()]
    await page.getByRole('button', { name: 'Turn' }).press('Space')
    await page.waitForURL(/\/\?quote=\d+&quadranym=\d+&turn=1$/)
    await page.locator('.tok[data-was]').first().waitFor()
    const turned = await told.textContent()
    assert.notEqual(turned, own)
    assert.equal(await by.textContent(), `after ${author}`)
    assert.equal(await page.locator('[data-said]').textContent(), `${turned}, after ${author}`)
    assert.ok((await page.title()).includes(` · after ${author} · `))
    await page.getByRole('button', { name: 'Turn again' }).press('Enter')
    await page.waitForURL(/turn=2$/)
    assert.notEqual(await told.textContent(), turned)
    await page.goBack()
    await page.locator('.today .text', { hasText: turned ?? '' }).waitFor()
    await page.locator('.tok[data-was]').first().waitFor({ state: 'detached' })

    site.clock = new Date('2026-03-07T12:00:00Z')
    await page.reload()
    assert.equal(await told.textContent(), turned)
    await page.getByRole('link', { name: 'Back to the original' }).click()
    await page.locator('.today .text', { hasText: own ?? '' }).waitFor()
    assert.equal(await by.textContent(), author)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('without scripts Turn is a link, and the link to the turned text shows it on its own page', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/')
    const own = await page.locator('.today .text').textContent()
    await clickThrough(page, page.getByRole('link', { name: 'Turn', exact: true }))
    const turned = await page.locator('.today .text').textContent()
    assert.notEqual(turned, own)
    await clickThrough(page, page.getByRole('link', { name: 'Link to this' }))
    assert.equal(await page.locator('[data-turn=told]').textContent(), turned)
    await page.goto('/?quote=999999&quadranym=999999&turn=x')
    assert.equal(await page.locator('.today .text').textContent(), own)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('what is new has dates, and is mixed by kind and person: nobody fills it alone', async () => {
    const rows = async () => {
      const { text } = await site.ask('/', { headers: { accept: 'text/html' } })
      const [, list] = /<ul class="newest">(.*?)<\/ul>/s.exec(text)!
      return list!.split('</li>').slice(0, -1)
    }
    site.clock = new Date('2027-01-01T12:00:00Z')
    const before = await rows()
    assert.equal(before.length, 8)
    assert.ok(before.every((row) => /<time datetime="[^"]+" title="[^"]+UTC">[^<]+<\/time>/.test(row)))
    const create = async (kind: string, json: object) => {
      const { status } = await site.ask(`/api/${kind}/`, { method: 'POST', as: 'flood', json })
      assert.equal(status, 201)
    }
    for (let i = 0; i < 10; i++) {
      await create('quadranym', { name: `flood ${i}`, e: 'rise', r: 'sink', o: 'water', s: 'fear' })
      await create('polynym', { name: `flood ${i}`, mode: 'type', p1: 'sea', p2: 'rain', p3: `river ${i}` })
      await create('phrase', { name: `flood ${i}`, qode: `The ${i}. q1n_NN rises.` })
    }
    const after = await rows()
    assert.ok(after.length >= 6, `${after.length} rows`)
    assert.equal(after.filter((row) => row.includes('/people/flood/')).length, 2)
    assert.ok(new Set(after.map((row) => /<span class="soft">([a-z]+)/.exec(row)![1])).size >= 5)
  })

  test('each kind has a link, with its number of records', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/')
    for (const [kind, title] of [
      ['polynym', 'Polynyms'],
      ['quadranym', 'Quadranyms'],
      ['polyset', 'Polysets'],
      ['quadraset', 'Quadrasets'],
      ['vectornym', 'Vectornyms'],
      ['polymap', 'Polymaps'],
      ['fortune', 'Fortunes'],
      ['quote', 'Quotes'],
      ['phrase', 'Phrases'],
      ['fable', 'Fables'],
      ['story', 'Stories'],
      ['tale', 'Tales'],
    ]) {
      const { json } = await site.ask(`/api/${kind}/?page_size=1`)
      const way = page.locator('.ways a', { has: page.getByText(title!, { exact: true }) })
      assert.equal(await way.locator('.number').textContent(), String(json.count))
      assert.equal(await way.getAttribute('href'), `/${kind}/`)
    }
  })

  test('the numbers of records touch nothing on a narrow phone', async () => {
    const { page } = await openPage(browser, site.base, { viewport: { width: 320, height: 640 } })
    await page.goto('/')
    const touching: unknown = await page.evaluate(`Array.from(document.querySelectorAll('.ways a')).filter((way) => {
      const { left, right } = way.querySelector('.number').getBoundingClientRect()
      const isApart = left - way.querySelector('b').getBoundingClientRect().right >= 4
      return !isApart || right > way.getBoundingClientRect().right + 1
    }).map((way) => way.textContent)`)
    assert.deepEqual(touching, [])
    await page.context().close()
  })

  test('it is under 60 KB with its style sheet and scripts, and its fonts under 40 KB', async () => {
    const { page } = await openPage(browser, site.base)
    const sizes: Promise<{ isFont: boolean; bytes: number }>[] = []
    page.on('requestfinished', (request) => {
      const isFont = request.resourceType() === 'font'
      sizes.push(request.sizes().then((each) => ({ isFont, bytes: each.responseBodySize + each.responseHeadersSize })))
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    const loaded = await Promise.all(sizes)
    const bytesOf = (some: typeof loaded) => some.reduce((sum, { bytes }) => sum + bytes, 0)
    const [fonts, others] = [loaded.filter(({ isFont }) => isFont), loaded.filter(({ isFont }) => !isFont)]
    assert.ok(others.length >= 3)
    assert.ok(bytesOf(others) < MOST_KILOBYTES * 1024, `${bytesOf(others)} bytes`)
    assert.ok(bytesOf(fonts) < MOST_FONT_KILOBYTES * 1024, `${bytesOf(fonts)} bytes of fonts`)
  })

  test('the first thing a keyboard reaches is the link to the content', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto('/')
    await page.keyboard.press('Tab')
    await hasFocus(page, 'Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.locator('main:focus, main :focus').waitFor()
  })

  test('error pages say what is wrong, and are accessible', async () => {
    await lookAt(browser, site.base, ['/', '/nothing/', '/sets/', '/texts/'])
    const { page } = await openPage(browser, site.base)
    await page.goto('/nothing/')
    assert.equal(await page.locator('h1').textContent(), 'There is nothing here')
    assert.equal(
      await page.getByRole('link', { name: 'Sign in' }).getAttribute('href'),
      '/accounts/login/?next=%2Fnothing%2F',
    )
  })

  test('/random/ redirects to a record, of any kind or of a given one', async () => {
    const any = await site.ask('/random/', { headers: { accept: 'text/html' } })
    assert.equal(any.status, 303)
    assert.match(any.headers.location!, /^\/[a-z]+\/[0-9]+\/$/)
    assert.match(any.headers['cache-control']!, /no-store/)
    const one = await site.ask('/random/?kind=polynym&name=Rainbow', { headers: { accept: 'text/html' } })
    const { json } = await site.ask('/api/polynym/?name=Rainbow')
    assert.equal(one.headers.location, `/polynym/${json.results[0].polynym_id}/`)
  })

  test('a crawl of all links finds no page that is broken, wider than a phone, or has console errors', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    const seen = new Set<string>()
    const waiting = ['/', '/accounts/signup/']
    for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
      const answer = await page.goto(address)
      // Pages for signed-in users say so to others.
      assert.ok(answer!.status() < 400 || answer!.status() === 401, `${address} is ${answer!.status()}`)
      const { width, hrefs } = (await page.evaluate(WIDTH_AND_LINKS)) as { width: number; hrefs: string[] }
      assert.ok(width <= 360, `${address} is ${width} px wide`)
      assert.deepEqual(expected(complaints), [], address)
      for (const href of hrefs) {
        const kind = kindOf(href)
        if (kind === undefined || seen.has(kind)) continue
        seen.add(kind)
        waiting.push(href)
      }
    }
    for (const kind of ['/polynym/', '/polynym/:id/', '/word/:id/', '/people/:id/', '/quote/:id/', '/sets/']) {
      assert.ok(seen.has(kind), `${kind} was never reached`)
    }
    assert.deepEqual(site.bugs, [])
  })
})

/** In one question: a crawl asks it hundreds of times. */
const WIDTH_AND_LINKS = `({
  width: document.documentElement.scrollWidth,
  hrefs: Array.from(document.querySelectorAll('a[href^="/"]'), (link) => link.getAttribute('href')),
})`

/** Addresses that have the same page; those of the API are tested elsewhere, and files are not pages. */
function kindOf(href: string): string | undefined {
  const { pathname, searchParams } = new URL(href, 'http://localhost')
  if (/^\/(api|static|random)\//.test(pathname) || /\.[a-z]+$/.test(pathname)) return undefined
  const path = pathname.replace(/^(\/(?:author|people|word)\/)[^/]+/, '$1:id').replaceAll(/\/[0-9]+(?=\/)/g, '/:id')
  return [...searchParams.keys()].some((key) => key !== 'next') ? `${path}?` : path
}

onEachEngine('an empty catalogue', { sample: false }, (site) => {
  test('every page says that there is nothing yet, under a title of its own', async () => {
    const titles: string[] = []
    for (const path of [
      '/',
      '/polynym/',
      '/quote/',
      '/winner/',
      '/sets/',
      '/texts/',
      '/stories/',
      '/story/',
      '/people/',
      '/learn/',
      '/help/',
      '/words/',
      '/tell/',
      '/tell/verse/',
      '/tell/tale/',
      '/bench/',
      '/bench/results/',
      '/feel/',
      '/feel/orient/?text=anything',
      '/explore/',
      '/compare/',
      '/nested/',
      '/posters/',
    ]) {
      const { status, text } = await site.ask(path, { headers: { accept: 'text/html' } })
      assert.equal(status, 200, path)
      assert.match(text, /<h1/)
      titles.push(/<title>([^<]*)/.exec(text)?.[1] ?? '')
    }
    assert.equal(new Set(titles).size, titles.length, titles.join(', '))
    const { text: front } = await site.ask('/', { headers: { accept: 'text/html' } })
    assert.match(front, /Nothing here yet/)
    assert.ok(!/class="ways"|class="newest"|class="number"/.test(front))
    const { text } = await site.ask('/polynym/', { headers: { accept: 'text/html' } })
    assert.match(text, /There are no polynyms yet/)
    assert.equal((await site.ask('/random/')).headers.location, '/')
    assert.deepEqual(site.bugs, [])
  })
})
