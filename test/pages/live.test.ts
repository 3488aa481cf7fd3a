/** The live stream of changes in a browser. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, openPage } from '../support/browser.ts'
import { Site } from '../support/site.ts'

const site = new Site('SQLite', { sample: false })
let browser: Browser
before(async () => {
  await site.start()
  browser = await openBrowser()
})
after(async () => {
  await browser.close()
  await site.stop()
  assert.deepEqual(site.bugs, [])
})

test('{live.events} {cors.origin} EventSource hears changes, on our pages and on those of other sites', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  for (const [address, stream] of [
    ['/', '/api/changes/?resource=queue'],
    ['about:blank', `${site.base}/api/changes/?resource=queue`],
  ]) {
    await page.goto(address!)
    await page.evaluate(`new Promise((opened) => {
      window.heard = []
      const source = new EventSource('${stream}')
      source.addEventListener('checkpoint', opened, { once: true })
      source.addEventListener('change', ({ data, lastEventId }) => heard.push([JSON.parse(data), lastEventId]))
    })`)
    const json = { name: `heard at ${address}` }
    const { json: made } = await site.ask('/api/queue/', { method: 'POST', as: 'gus', json })
    await page.waitForFunction('heard.length === 1')
    const [[entry, id]] = (await page.evaluate('heard')) as [[any, string]]
    assert.deepEqual([entry.action, entry.id], ['create', made.queue_id])
    assert.match(id, new RegExp(`^[0-9a-f]+:${entry.seq}$`))
  }
  assert.deepEqual(complaints, [])
})
