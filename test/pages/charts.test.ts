/** The pages of charts: every mark is a link to what it counts, next to a table with the same numbers. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { charts } from '../../src/catalogue/index.ts'
import { resourcesOf } from '../../src/engine/index.ts'
import { DESKTOP, openPage, siteInBrowser } from '../support/browser.ts'
import { lookAt } from './looking.ts'

const DAY_MS = 86_400_000
/** Some days ago, so that there are a few columns. */
const EARLIER = new Date(Date.now() - 3 * DAY_MS)
const { site, browser } = siteInBrowser({}, async (made) => {
  made.clock = EARLIER
  const json = { name: 'Long ago', area: 'a & b', mode: 'step', p1: 'x'.repeat(80), p2: 'fire' }
  assert.equal((await made.ask('/api/polynym/', { method: 'POST', as: 'ada', json })).status, 201)
  made.clock = undefined
})

const get = (path: string) => site.ask(path, { headers: { accept: 'text/html' } })
const addresses = charts.flatMap((chart) => {
  const [, second] = resourcesOf(chart)
  return [`/charts/${chart.name}/`, ...(second ? [`/charts/${chart.name}/?resource=${second.name}`] : [])]
})

/** The links of the picture: where they lead, and what they say. */
function marksOf(text: string): { href: string; says: string }[] {
  const [, picture = ''] = /<figure>(.*?)<\/figure>/s.exec(text) ?? []
  const links = picture.matchAll(/<a [^>]*?href="(\/[^"]*)"[^>]*?(?:aria-label="([^"]*)"[^>]*)?>(?:<title>([^<]*))?/g)
  return Array.from(links, ([, href, label, title]) => ({ href: plain(href!), says: plain(label ?? title ?? '') }))
}

const plain = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"')

describe('pages of charts', () => {
  test('the list names every chart, and the pages of sets and words lead there', async () => {
    const { status, text } = await get('/charts/')
    assert.equal(status, 200)
    for (const { name, title } of charts) assert.ok(text.includes(`href="/charts/${name}/">${title}</a>`), name)
    assert.match((await get('/sets/')).text, /href="\/charts\/">Charts/)
    assert.match((await get('/words/')).text, /href="\/charts\/words\/"/)
    assert.match((await get('/polynym/193/')).text, /href="\/charts\/network\/"/)
  })

  test('the filters of a list lead to the chart of the same values', async () => {
    for (const [kind, chart] of Object.entries({
      polynym: 'modes',
      quadranym: 'realms',
      phrase: 'areas',
      quote: 'sources',
    })) {
      const { text } = await get(`/${kind}/`)
      const links = Array.from(text.matchAll(/<p class="more"><a[^>]* href="(\/charts\/[^"]+)"/g), ([, href]) => href!)
      assert.ok(links.includes(`/charts/${chart}/?resource=${kind}`), `${kind}: ${links}`)
      for (const href of links) assert.equal((await get(href)).status, 200, href)
    }
  })

  test('every mark says a number, and leads to a page with that many', async () => {
    for (const address of addresses) {
      const { status, text } = await get(address)
      assert.equal(status, 200, address)
      const marks = marksOf(text)
      assert.ok(marks.length > 1, `${address} has ${marks.length} marks`)
      for (const { says } of marks) assert.match(says, /\d|share/, `${address}: ${says}`)
      const lists = marks.filter(({ href }) => /^\/[a-z]+\/\?(?!before)/.test(href) && !/balance/.test(address))
      for (const { href, says } of [...lists.slice(0, 2), ...lists.slice(-2)]) {
        const [, count] = /: ([\d,]+) [a-z ]+$/.exec(says)!
        const { json } = await site.ask(`/api${href}`)
        assert.equal(json.count, Number(count!.replaceAll(',', '')), `${address}: ${href} ${says}`)
      }
      const pages = new Set(marks.slice(0, 3).map(({ href }) => href))
      for (const href of pages) assert.equal((await get(href)).status, 200, `${address}: ${href}`)
      assert.match(text, /<table><caption class="unseen">/)
    }
  })

  test('a list that a chart leads to says which time it is of', async () => {
    const { json } = await site.ask('/api/chart/growth/')
    const { text } = await get(`/polynym/?${json.columns[0].query}`)
    assert.match(text, /Long ago/)
    const [from, end] = [0, DAY_MS].map((later) => new Date(EARLIER.getTime() + later).toISOString().slice(0, 10))
    assert.match(text, new RegExp(`Added since ${from}`))
    assert.match(text, new RegExp(`Added before ${end}`))
  })

  test('an unknown chart returns 404, and an unknown collection 400', async () => {
    assert.equal((await get('/charts/pies/')).status, 404)
    assert.equal((await get('/charts/modes/?resource=%3Cb%3E')).status, 400)
    assert.equal((await get('/charts/%2e%2e/')).status, 404)
  })

  test('every chart is accessible on a phone, light and dark', async () => {
    // One of each shape: others differ only in their numbers.
    const names = ['modes', 'depth-by-mode', 'words', 'network', 'balance', 'activity']
    await lookAt(browser, site.base, ['/charts/', ...names.map((name) => `/charts/${name}/`)])
  })

  test('with a keyboard, the marks are reached one after the other, and the picture can be skipped', async () => {
    const { page } = await openPage(browser, site.base, { ...DESKTOP, javaScriptEnabled: false })
    await page.goto('/charts/modes/')
    await page.locator('.skip-picture').focus()
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    assert.match((await focused.getAttribute('aria-label')) ?? '', /^type: \d+ polynyms$/)
    await page.keyboard.press('Tab')
    assert.match((await focused.getAttribute('aria-label')) ?? '', /^part: /)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/polynym/?mode=part')
    await page.goBack()
    await page.locator('.skip-picture').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    assert.equal(await page.locator(':focus').getAttribute('href'), '/polynym/?mode=type')
    await page.context().close()
  })

  test('the network is moved by dragging, grows with a button, and its nodes are still links', async () => {
    const { page, complaints } = await openPage(browser, site.base, DESKTOP)
    await page.goto('/charts/network/')
    assert.ok((await page.content()).length < 150 * 1024)
    const pan = page.locator('.pan')
    const place = () => pan.evaluate(({ scrollLeft, scrollTop }) => [Math.round(scrollLeft), Math.round(scrollTop)])
    const widthOfGraph = async () => (await page.locator('.graph').boundingBox())!.width
    const before = await widthOfGraph()
    await page.getByRole('button', { name: 'Larger' }).click()
    assert.ok((await widthOfGraph()) > before * 1.3)
    await pan.scrollIntoViewIfNeeded()
    const [left, top] = await place()
    const { x, y, width, height } = (await pan.boundingBox())!
    await page.mouse.move(x + width / 2, y + height / 3)
    await page.mouse.down()
    await page.mouse.move(x + width / 2 + 60, y + height / 3 - 40, { steps: 4 })
    await page.mouse.up()
    const [movedLeft, movedTop] = await place()
    assert.deepEqual([left! - movedLeft!, movedTop! - top!], [60, 40])
    await pan.focus()
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction((from) => document.querySelector('.pan')!.scrollTop > from, movedTop!)
    await page.getByRole('button', { name: 'Whole' }).click()
    assert.equal(await widthOfGraph(), before)
    await page.locator('.nodes circle').first().click()
    await page.waitForURL(/\/polynym\/\d+\/$/)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
})
