/** Previews: pictures that other sites show with a link. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser.ts'
import { Site } from '../support/site.ts'

const KINDS = 'polynym quadranym polyset quadraset vectornym polymap fortune quote phrase story tale fable queue'

interface Decoded {
  readonly width: number
  readonly height: number
  /** How many pixels are close to each colour. */
  readonly counts: Readonly<Record<string, number>>
}

const SLOT_COLOURS = { e: '#9c4208', r: '#0a666f', o: '#2f55b0', s: '#a61e57', n: '#3c6616', ink: '#211d17' }
const BACKGROUNDS = { 'e-bg': '#fbe7d6', 'n-bg': '#e6f0d8', paper: '#fbf8f1' }

describe('previews', () => {
  const site = new Site('SQLite')
  let browser: Browser
  let page: Page
  before(async () => {
    await site.start()
    browser = await openBrowser()
    page = await browser.newPage({ bypassCSP: true, colorScheme: 'light' })
    await page.goto(site.base)
  })
  after(async () => {
    await browser.close()
    await site.stop()
    assert.deepEqual(site.bugs, [])
  })

  /** Counts pixels of a PNG or an SVG, drawn by the browser on a canvas of the size of a preview. */
  async function decode(address: string): Promise<Decoded> {
    return await page.evaluate(
      async ({ address, colours }) => {
        const image = new Image()
        image.src = address
        await image.decode()
        const { naturalWidth: width, naturalHeight: height } = image
        const canvas = new OffscreenCanvas(1200, 630)
        const context = canvas.getContext('2d')
        if (!context) throw new Error('no canvas')
        // A file has a margin of 12 around the drawing.
        const margin = width === 1224 ? 12 : 0
        context.drawImage(image, -margin, -margin)
        const { data } = context.getImageData(0, 0, 1200, 630)
        const counts: Record<string, number> = {}
        for (const [name, colour] of Object.entries(colours)) {
          const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
          counts[name] = 0
          for (let i = 0; i < data.length; i += 4) {
            const distance =
              Math.abs((data[i] ?? 0) - red) +
              Math.abs((data[i + 1] ?? 0) - green) +
              Math.abs((data[i + 2] ?? 0) - blue)
            if (distance < 9) counts[name]++
          }
        }
        return { width, height, counts }
      },
      { address, colours: { ...SLOT_COLOURS, ...BACKGROUNDS } },
    )
  }

  test('{previews.size} every record, every word and the site have a PNG of 1200 by 630 pixels', async () => {
    const paths = KINDS.split(' ').map((kind) => `/${kind}/1.png`)
    for (const path of [...paths, '/word/fire.png', '/word/nothing-has-this.png', '/preview.png']) {
      const answer = await fetch(site.base + path)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'], path)
      assert.match(answer.headers.get('cache-control') ?? '', /^public, max-age=86400/)
      // The header of a PNG has its size.
      const bytes = Buffer.from(await answer.arrayBuffer())
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630], path)
      assert.ok(bytes.length > 5000, `${path} has ${bytes.length} bytes`)
    }
  })

  test('{previews.size} a text is drawn as its SVG is, in the colours of its slots', async () => {
    for (const path of ['/quote/43', '/fable/1', '/story/1']) {
      const [png, svg] = [await decode(`${path}.png`), await decode(`${path}.svg`)]
      for (const name of ['e-bg', 'n-bg', 'paper', 'e', 'n', 'ink']) {
        const [drawn = 0, expected = 0] = [png.counts[name], svg.counts[name]]
        // In the browser, a file has another font, in nearly the same size.
        const tolerance = name.endsWith('bg') || name === 'paper' ? 0.15 : 0.45
        assert.ok(
          expected > 0 && Math.abs(drawn - expected) <= tolerance * expected,
          `${path} ${name}: ${drawn} of ${expected}`,
        )
      }
    }
    const { counts } = await decode('/quadranym/1.png')
    for (const slot of ['e', 'r', 'o', 's', 'n']) assert.ok((counts[slot] ?? 0) > 300, `${slot}: ${counts[slot]}`)
  })

  test('{previews.turned} a turned text has its own picture, under "after" its author', async () => {
    const svg = async (query: string) => (await site.ask(`/quote/43.svg${query}`)).text
    const words = (text: string) => /<title>([^<]*)<\/title>/.exec(text)?.[1]
    assert.equal(
      words(await svg('')),
      'The only way to get rid of a temptation is to yield to it. – Oscar Wilde, The Picture of Dorian Gray',
    )
    const turned = await svg('?quadranym=183')
    assert.match(words(turned) ?? '', /^The only way to get rid of a \w+ is to \w+ to it\. – after Oscar Wilde/)
    assert.equal(words(turned)?.includes('temptation'), false)
    // Topics that do not exist change nothing.
    assert.equal(await svg('?quadranym=99999999&quadranym=x'), await svg(''))
    const [own, other] = [await site.ask('/quote/43.png'), await site.ask('/quote/43.png?quadranym=183')]
    assert.notEqual(own.headers['etag'], other.headers['etag'])
  })

  test('{previews.cached} clients that have a picture get 304', async () => {
    const { headers } = await site.ask('/quadranym/1.png')
    const again = await site.ask('/quadranym/1.png', { headers: { 'if-none-match': headers['etag'] ?? '' } })
    assert.equal(again.status, 304)
  })

  test('{previews.busy} more pictures at a time than the server can draw are refused with 503', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => site.ask(`/quote/43.png?quadranym=${i + 20}`)),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    assert.deepEqual([...statuses].toSorted(), [200, 503])
    for (const { status, headers } of answers) if (status === 503) assert.ok(headers['retry-after'])
    assert.equal((await site.ask('/quote/43.png?quadranym=79')).status, 200)
  })

  test('{previews.fallback} letters that the font lacks do not prevent a picture', async () => {
    const json = { name: '永遠 عربي 👩‍👩‍👧‍👦', e: '永', r: 'Ωμέγα', o: 'Пушкин', s: 'x\u0007y', realm: 'Physical' }
    const made = await site.ask('/api/quadranym/', { method: 'POST', as: 'ada', json })
    assert.equal(made.status, 201)
    const { width } = await decode(`/quadranym/${made.json.quadranym_id}.png`)
    assert.equal(width, 1200)
  })

  test('what does not exist has no picture', async () => {
    for (const path of ['/quote/99999.png', '/quadranym/x.png', '/polynym/1.5.png', '/vectornym/-1.png']) {
      assert.equal((await site.ask(path)).status, 404, path)
    }
    const { status, headers } = await site.ask('/quote/43?quadranym=183')
    assert.deepEqual([status, headers['location']], [303, '/quote/43/?quadranym=183'])
  })
})
