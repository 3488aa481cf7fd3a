/** Previews: pictures that other sites show with a link. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { siteInBrowser } from '../support/browser.ts'

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
  const { site, browser } = siteInBrowser()
  let page: Page
  before(async () => {
    page = await browser.newPage({ bypassCSP: true, colorScheme: 'light' })
    await page.goto(site.base)
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
        // Most pixels are like the one before them.
        const pixels = new Uint32Array(data.buffer)
        const times = new Map<number, number>()
        for (let from = 0, to = 0; from < pixels.length; from = to) {
          const pixel = pixels[from]!
          while (pixels[to] === pixel) to++
          times.set(pixel, (times.get(pixel) ?? 0) + to - from)
        }
        const counts: Record<string, number> = {}
        for (const [name, colour] of Object.entries(colours)) {
          const wanted = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
          counts[name] = 0
          for (const [pixel, number] of times) {
            const distance = wanted.reduce((sum, each, i) => sum + Math.abs(((pixel >>> (8 * i)) & 255) - each), 0)
            if (distance < 9) counts[name] += number
          }
        }
        return { width, height, counts }
      },
      { address, colours: { ...SLOT_COLOURS, ...BACKGROUNDS } },
    )
  }

  test('{previews.size} every record, every word and the site have a PNG of 1200 by 630 pixels', async () => {
    const paths = KINDS.split(' ').map((kind) => `/${kind}/1.png`)
    for (const path of [
      ...paths,
      '/word/fire.png',
      '/word/nothing-has-this.png',
      '/author/Oscar%20Wilde.png',
      '/preview.png',
    ]) {
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
    // A page that shows the tokens, or gaps, has a picture that shows them, too.
    const tokens = 'The only way to get rid of a q1n_NN is to q1e_VB to it.'
    assert.equal(words(await svg('?view=template')), `${tokens} – Oscar Wilde, The Picture of Dorian Gray`)
    assert.match(words(await svg('?quadranym=183&view=template')) ?? '', /q1n_NN is to q1e_VB to it\. – after Oscar/)
    assert.match(words(await svg('?view=blanks')) ?? '', /^The only way to get rid of a _+ is to _+ to it\./)
    for (const query of ['?view=template', '?quadranym=183&view=template', '?quadranym=183&view=blanks']) {
      const { text } = await site.page(`/quote/43/${query}`)
      const escaped = query.replace('&', '&amp;')
      assert.ok(text.includes(`property="og:image" content="${site.base}/quote/43.png${escaped}"`), query)
      assert.ok(text.includes(`property="og:url" content="${site.base}/quote/43/${escaped}"`), query)
      const link = encodeURIComponent(`${site.base}/quote/43/${query}`)
      const { json } = await site.ask(`/oembed?url=${link}`)
      assert.equal(json.thumbnail_url, `${site.base}/quote/43.png${query}`)
    }
    const [drawn, alone] = [await decode('/quote/43.png?view=template'), await decode('/quote/43.png')]
    assert.ok((drawn.counts['n'] ?? 0) > 300 && drawn.counts['n'] !== alone.counts['n'])
    assert.match((await site.ask('/phrase/1.svg?view=template')).text, /<title>[^<]*q1[neros]_?/)
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

  test('words that are wider than a line are broken, not left out', async () => {
    const address = `https://example.com/${'a-long-way/'.repeat(8)}end`
    for (const body of [
      `See ${address} for more.`,
      '人皆知有用之用而莫知無用之用也'.repeat(4),
      `${'i'.repeat(300)}.`,
    ]) {
      const { json } = await site.ask('/api/fortune/', { method: 'POST', as: 'ada', json: { body } })
      const { text } = await site.ask(`/fortune/${json.fortune_id}.svg`)
      const drawn = Array.from(text.matchAll(/<text x[^>]*font-size[^>]*>([^<]*)<\/text>/g), ([, line]) => line)
      const letters = drawn.join('').replaceAll(/[\s-]/g, '')
      assert.ok(letters.includes(body.replaceAll(/[\s-]/g, '')), `${body}: ${drawn.join('|')}`)
    }
  })

  /** What the head of a page tells other sites. */
  async function tagsOf(path: string) {
    const { status, text } = await site.ask(path, { headers: { accept: 'text/html' } })
    assert.equal(status, 200, path)
    const unescaped = (value = '') => value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&lt;', '<')
    const tags = text.matchAll(/<meta (?:property|name)="([^"]+)" content="([^"]*)"/g)
    const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? []
    return {
      text,
      tags: Object.fromEntries(Array.from(tags, ([, name, content]) => [name, unescaped(content)])),
      data: data === undefined ? undefined : JSON.parse(data),
    }
  }

  test('{share.tags} every page tells other sites its title, its address and its picture', async () => {
    for (const [path, picture, type] of [
      ['/', '/preview.png', 'website'],
      ['/polynym/', '/preview.png', 'website'],
      ['/learn/', '/preview.png', 'website'],
      ['/api/polynym/', '/preview.png', 'website'],
      ['/quadranym/1/', '/quadranym/1.png', 'article'],
      ['/story/1/', '/story/1.png', 'article'],
      ['/word/fire/', '/word/fire.png', 'article'],
      ['/queue/1/', '/queue/1.png', 'article'],
      ['/quote/43/', '/quote/43.png', 'article'],
      ['/quote/43/?quadranym=183', '/quote/43.png?quadranym=183', 'article'],
      ['/compare/?set=polynym:193&set=polynym:244', '/compare.png?set=polynym:193&set=polynym:244', 'article'],
      ['/compare/?set=polyset:1&set=quadranym:1&view=table', '/compare.png?set=polyset:1&set=quadranym:1', 'article'],
      ['/posters/?set=polynym:193&columns=8', '/polynym/193.png', 'article'],
      ['/nested/?quadranym=1&open=s:73', '/nested.png?quadranym=1&open=s:73', 'article'],
    ] as const) {
      const { tags } = await tagsOf(path)
      assert.equal(tags['og:image'], site.base + picture, path)
      assert.equal(tags['og:url'], site.base + path)
      assert.deepEqual([tags['og:image:width'], tags['og:image:height']], ['1200', '630'])
      assert.equal(tags['twitter:card'], 'summary_large_image')
      assert.equal(tags['og:type'], type)
      for (const name of ['og:title', 'og:description', 'og:image:alt']) assert.ok(tags[name], `${path} ${name}`)
      const { status } = await site.ask(picture)
      assert.equal(status, 200, picture)
    }
    // A page with open topics names those that it chose, so that its picture shows the same.
    const { tags } = await tagsOf('/fable/1/')
    assert.match(tags['og:image'] ?? '', /\/fable\/1\.png\?quadranym=\d+/)
    assert.equal(tags['og:url'], `${site.base}/fable/1/`)
  })

  test('{share.data} quotes and sets of words are described in the vocabulary of schema.org', async () => {
    const { data: quote } = await tagsOf('/quote/43/')
    assert.deepEqual(quote, {
      '@context': 'https://schema.org',
      text: 'The only way to get rid of a temptation is to yield to it.',
      inLanguage: 'en',
      url: `${site.base}/quote/43/`,
      '@type': 'Quotation',
      creator: { '@type': 'Person', name: 'Oscar Wilde' },
      isPartOf: { '@type': 'CreativeWork', name: 'The Picture of Dorian Gray' },
    })
    const { data: turned } = await tagsOf('/quote/43/?quadranym=183')
    assert.deepEqual([turned['@type'], turned.isBasedOn], ['CreativeWork', `${site.base}/quote/43/`])
    assert.ok(!JSON.stringify(turned).includes('Wilde'))
    const { data: topic } = await tagsOf('/quadranym/1/')
    assert.deepEqual([topic['@type'], topic.inDefinedTermSet.url], ['DefinedTerm', `${site.base}/quadranym/`])
    const { data: set } = await tagsOf('/polynym/1/')
    const { json } = await site.ask('/api/polynym/1/')
    assert.equal(set['@type'], 'DefinedTermSet')
    assert.deepEqual(set.hasDefinedTerm[0].name, json.p1)
    assert.equal((await tagsOf('/word/fire/')).data['@type'], 'DefinedTerm')
    const name = '</script><script>alert(1)</script>'
    const made = await site.ask('/api/polynym/', {
      method: 'POST',
      as: 'ada',
      json: { name, mode: 'part', p1: name, p2: 'b' },
    })
    const { data, text } = await tagsOf(`/polynym/${made.json.polynym_id}/`)
    assert.equal(data.name, name)
    assert.ok(!text.includes('<script>alert'))
  })

  test('{share.panel} a newcomer turns a saying, copies the link, and it opens the same, with its picture', async () => {
    const context = await browser.newContext({
      baseURL: site.base,
      viewport: { width: 390, height: 844 },
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const visit = await context.newPage()
    const complaints: string[] = []
    visit.on('console', (message) => complaints.push(message.text()))
    await visit.goto('/quote/43/')
    const told = visit.locator('[data-turn=told]')
    await visit.locator('.turn-panel .chips a:not([aria-current])').first().click()
    await visit.waitForURL(/quadranym=/)
    const turned = await told.textContent()
    await visit.getByText('Share', { exact: true }).click()
    const copied = async (label: string) => {
      await visit.getByRole('button', { name: `Copy: ${label}`, exact: true }).click()
      await visit
        .getByRole('status')
        .filter({ hasText: `Copied: ${label}.` })
        .waitFor()
      return String(await visit.evaluate('navigator.clipboard.readText()'))
    }
    const [link, text, embed] = [await copied('Link'), await copied('Text'), await copied('Picture for a page')]
    assert.match(link, /\/quote\/43\/\?quadranym=\d+$/)
    assert.equal(text, `${turned}\n– after Oscar Wilde, The Picture of Dorian Gray\n${link}`)
    const picture = link.replace('/?', '.png?')
    assert.ok(embed.startsWith(`<a href="${link}"><img src="${picture}" width="600" height="315" alt="`), embed)
    const shown = visit.locator('.share .shot img')
    await shown.scrollIntoViewIfNeeded()
    assert.equal(await shown.evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)), 1200)
    assert.equal(
      await visit.getByRole('link', { name: 'Download the picture' }).getAttribute('download'),
      'nymdex-quote-43.png',
    )
    const friend = await context.newPage()
    await friend.goto(link)
    assert.equal(await friend.locator('[data-turn=told]').textContent(), turned)
    assert.equal(await friend.locator('meta[property="og:image"]').getAttribute('content'), picture)
    assert.deepEqual(complaints, [])
    await context.close()
  })

  test('{share.panel} without scripts, what can be shared is in fields', async () => {
    const context = await browser.newContext({ baseURL: site.base, javaScriptEnabled: false })
    const visit = await context.newPage()
    const shared = ['/quote/43/?quadranym=183', '/fable/1/?quadranym=5&quadranym=7', '/polynym/1/']
    for (const path of [...shared, '/word/fire/', '/author/Oscar%20Wilde/']) {
      await visit.goto(path)
      await visit.locator('details.share summary').click()
      assert.equal(await visit.getByLabel('Link', { exact: true }).inputValue(), site.base + path)
      assert.ok((await visit.getByLabel('Text', { exact: true }).inputValue()).endsWith(site.base + path))
      assert.equal(await visit.getByRole('button', { name: /^Copy/ }).count(), 0)
    }
    await context.close()
  })

  test('{share.oembed} a page names the address that tells how to embed it', async () => {
    const { text } = await tagsOf('/quote/43/?quadranym=183')
    const links = Array.from(text.matchAll(/<link rel="alternate" type="([a-z/+]+)oembed" href="([^"]+)"/g))
    assert.deepEqual(
      links.map(([, type]) => type),
      ['application/json+', 'text/xml+'],
    )
    const author = encodeURIComponent(`${site.base}/author/Oscar%20Wilde/`)
    const embedded = (await site.ask(`/oembed?url=${author}`)).json
    assert.deepEqual([embedded.title, embedded.thumbnail_url], ['Oscar Wilde', `${site.base}/author/Oscar%20Wilde.png`])
    const [json, xml] = links.map(([, , href = '']) => href.replaceAll('&amp;', '&').replace(site.base, ''))
    const answer = await site.ask(json ?? '')
    assert.equal(answer.status, 200)
    const picture = `${site.base}/quote/43.png?quadranym=183`
    assert.deepEqual(answer.json, {
      version: '1.0',
      type: 'rich',
      title: answer.json.title,
      author_name: 'after Oscar Wilde, The Picture of Dorian Gray',
      provider_name: 'Nymdex',
      provider_url: `${site.base}/`,
      cache_age: 86400,
      thumbnail_url: picture,
      thumbnail_width: 1200,
      thumbnail_height: 630,
      width: 600,
      height: 315,
      html: `<a href="${site.base}/quote/43/?quadranym=183"><img src="${picture}" width="600" height="315" alt="${answer.json.title}"></a>`,
    })
    const other = await site.ask(xml ?? '')
    assert.deepEqual([other.status, other.headers['content-type']], [200, 'text/xml; charset=utf-8'])
    assert.ok(other.text.includes('<type>rich</type>') && other.text.includes('&lt;a href=&quot;'))
    const small = await site.ask(`${json}&maxwidth=300&maxheight=100`)
    assert.deepEqual([small.json.width, small.json.height], [190, 99])
    for (const path of ['/polynym/1/', '/word/fire/', '/story/1', '/queue/1/']) {
      const { status, json } = await site.ask(`/oembed?url=${encodeURIComponent(site.base + path)}`)
      assert.deepEqual([status, json.type], [200, 'rich'], path)
    }
  })

  test('{share.unknown} what cannot be embedded is refused with the reason', async () => {
    const own = encodeURIComponent(`${site.base}/quote/43/`)
    for (const [query, status, member] of [
      ['', 400, 'url'],
      ['url=', 400, 'url'],
      ['url=quote', 400, 'url'],
      ['url=javascript:alert(1)', 400, 'url'],
      [`url=${own}&maxwidth=0`, 400, 'maxwidth'],
      [`url=${own}&maxheight=x`, 400, 'maxheight'],
      [`url=${own}&format=yaml`, 501, 'detail'],
      [`url=${encodeURIComponent('https://example.com/quote/43/')}`, 404, 'detail'],
      [`url=${encodeURIComponent(`${site.base}/quote/99999/`)}`, 404, 'detail'],
      [`url=${encodeURIComponent(`${site.base}/make/quote/`)}`, 404, 'detail'],
      [`url=${encodeURIComponent(`${site.base}/polynym/`)}`, 404, 'detail'],
    ] as const) {
      const answer = await site.ask(`/oembed?${query}`)
      assert.equal(answer.status, status, query)
      assert.ok(member in answer.json, query)
    }
  })

  test('what does not exist has no picture', async () => {
    for (const path of ['/quote/99999.png', '/quadranym/x.png', '/polynym/1.5.png', '/vectornym/-1.png']) {
      assert.equal((await site.ask(path)).status, 404, path)
    }
    const { status, headers } = await site.ask('/quote/43?quadranym=183')
    assert.deepEqual([status, headers['location']], [303, '/quote/43/?quadranym=183'])
  })
})
