/** The live stream of changes in a browser. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'

const { site, browser } = siteInBrowser({ sample: false })

test('{live.events} EventSource hears changes on our pages', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  await page.goto('/')
  await page.evaluate(`{
    const source = new EventSource('/api/changes/?resource=queue')
    for (const name of ['checkpoint', 'change'])
      source.addEventListener(name, ({ data, lastEventId }) => {
        const heard = document.createElement('output')
        heard.textContent = JSON.stringify([name, JSON.parse(data), lastEventId])
        document.body.append(heard)
      })
  }`)
  const heard = async (name: string) => JSON.parse((await page.locator('output', { hasText: name }).textContent())!)
  await heard('checkpoint')
  const { json: made } = await site.ask('/api/queue/', { method: 'POST', as: 'gus', json: { name: 'heard' } })
  const [, entry, id] = await heard('"change"')
  assert.deepEqual([entry.action, entry.id], ['create', made.queue_id])
  assert.match(id, new RegExp(`^[0-9a-f]+:${entry.seq}$`))
  assert.deepEqual(complaints, [])
})
