/** The font that pages load, and the widths by which pictures break their lines. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { widthOf } from '../../src/web/pictures/measure.ts'
import { openPage, siteInBrowser } from '../support/browser.ts'

const { site, browser } = siteInBrowser({ sample: false })

const TEXTS = ['temptation and desire', 'Wholeness, in four words', 'grand jeté', 'Łódź, Škoda, Ağrı', '“1,234” – 56 %']

test('{static.cached} files of pages are cached for a year under the names that pages use', async () => {
  const { text } = await site.ask('/', { headers: { accept: 'text/html' } })
  const [, font] = /<link rel="preload" as="font" [^>]*href="([^"]+)"/.exec(text) ?? []
  assert.ok(font)
  const cached = async (path: string) => (await site.ask(path)).headers['cache-control']
  assert.equal(await cached(font), 'public, max-age=31536000, immutable')
  for (const path of [font.replace(/\?.*/, ''), font.replace(/.$/, '~'), font.replace(/\?.*/, '?v=')]) {
    assert.equal(await cached(path), 'public, max-age=3600', path)
  }
  assert.equal((await site.ask(font)).headers['content-type'], 'font/woff2')
})

test('pages load the font, and the server measures words as browsers do', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  await page.goto('/')
  const measured = await page.evaluate(async (texts) => {
    const found: [string, number, number][] = []
    for (const weight of [400, 600]) {
      await document.fonts.load(`${weight} 100px Literata`, texts.join(''))
      for (const text of texts) {
        const line = document.createElement('span')
        line.textContent = text
        Object.assign(line.style, { font: `${weight} 100px Literata`, whiteSpace: 'pre', position: 'absolute' })
        document.body.append(line)
        found.push([text, weight, line.getBoundingClientRect().width])
      }
    }
    return found
  }, TEXTS)
  for (const [text, weight, width] of measured) {
    const ours = widthOf(text, 100, weight === 600)
    // Browsers also move some pairs of letters closer together.
    assert.ok(width <= ours * 1.01 && width >= ours * 0.95, `${text} in ${weight}: ${width} px, measured ${ours}`)
  }
  assert.deepEqual(complaints, [])
  await page.context().close()
})
