/** Pages to see and compare: /compare/, /nested/, /posters/ and /explore/. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openPage, siteInBrowser } from '../support/browser.ts'
import { lookAt } from './looking.ts'

const ELEMENTS = 'set=polynym:193&set=polynym:244'
const THREE = `${ELEMENTS}&set=quadranym:1`
const FIVE = `${THREE}&set=polynym:74&set=polyset:1`

describe('seeing and comparing', () => {
  const { site, browser } = siteInBrowser()

  const get = async (path: string) => {
    const { status, text } = await site.ask(path, { headers: { accept: 'text/html' } })
    assert.equal(status, 200, path)
    return text.replaceAll('&amp;', '&')
  }
  const plain = (html: string) => html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  const compared = async (sets: string) => (await site.ask(`/api/compare/?${sets}`)).json
  const sent = async (path: string) => {
    const { status, headers } = await site.ask(path, { headers: { accept: 'text/html' } })
    assert.equal(status, 303, path)
    return headers['location'] ?? ''
  }

  test('two sets are drawn as a cross, with what they share in the middle, and every view is a link', async () => {
    const html = await get(`/compare/?${ELEMENTS}`)
    assert.match(
      html,
      /aria-label="Elements and Elements share fire, earth, water; only Elements: air; only Elements: wood, metal"/,
    )
    assert.match(html, /3 of 6 words are in both: fire, earth, water\./)
    assert.match(html, /<a href="\/word\/fire\/"><text/)
    for (const view of ['table', 'algebra', 'convergence']) {
      assert.ok(html.includes(`href="/compare/?${ELEMENTS}&view=${view}"`), view)
      assert.match(
        await get(`/compare/?${ELEMENTS}&view=${view}`),
        /aria-current="page">(?:Table|Algebra|Convergence)</,
      )
    }
    // Each set can be left out, and leads to its page.
    assert.ok(html.includes('href="/compare/?set=polynym:244"'))
    assert.match(html, /<a href="\/polynym\/193\/">Elements<\/a>/)
    assert.match(plain(html), /A Elements polynym: air, fire, .*B Elements polynym: wood, fire, /)
    const many = await get(`/compare/?${FIVE}`)
    assert.match(many, /aria-label="Elements, Elements, door, Planets, [^"]* share .*fire in Elements and Elements/)
    assert.match(many, /Elements \(A\), Elements \(B\) and 3 more/)
  })

  test('the table, the algebra and the convergence say what the API says', async () => {
    const json = await compared(FIVE)
    const table = await get(`/compare/?${FIVE}&view=table`)
    const rows = Array.from(
      table.matchAll(/<tr[^>]*><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g),
      ([, word = '', cells = '']) => {
        const inSets = cells.split('</td>').flatMap((cell, i) => (cell.includes('yes') ? [i] : []))
        return [plain(word).trim().replaceAll('&#39;', "'"), inSets]
      },
    )
    const terms = json.terms.map((each: any) => [each.term, each.in])
    assert.deepEqual(rows.toSorted(), terms.toSorted())
    const algebra = plain(await get(`/compare/?${ELEMENTS}&view=algebra`))
    for (const law of [
      'A ∩ B In both 3 fire · earth · water',
      'A ∪ B In any of them 6 air · fire · earth · water · wood · metal',
      'A − B Only in Elements (A) 1 air',
      'B − A Only in Elements (B) 2 wood · metal',
      'A △ B In one of them, not in both 3 air · wood · metal',
      'A ∩ B Elements (A) overlaps with Elements (B). They share 3 of 6 words: a similarity of 50%.',
      'One word of each set: 20 combinations.',
      'air × wood',
    ]) {
      assert.ok(algebra.includes(law), law)
    }
    const pairs = await get(`/compare/?${FIVE}&view=algebra`)
    assert.match(
      pairs,
      new RegExp(
        `href="/compare/\\?${ELEMENTS}&view=algebra" aria-label="Elements \\(A\\) overlaps with Elements \\(B\\): 3 shared words"`,
      ),
    )
    assert.equal(pairs.match(/aria-label="[^"]*shared words?"/g)?.length, json.pairs.length)
    assert.ok(plain(pairs).includes(`${BigInt(json.product.count).toLocaleString('en')} combinations`))
    assert.match(pairs, /href="[^"]*offset=24#product"[^>]*>Next</)
    assert.match(plain(await get(`/compare/?${FIVE}&view=algebra&offset=24`)), /These are 25 to 48\./)
    const rates = plain(await get(`/compare/?${FIVE}&view=convergence`))
    for (const { all, distinct, rate } of json.convergence) {
      assert.ok(rates.includes(`${Math.round(rate * 100)}% ${all} value`), `${rate}`)
      assert.ok(rates.includes(`${distinct} different`))
    }
  })

  test('sets are picked by search, by what crosses one of them, and at random', async () => {
    const one = await get('/compare/?set=polynym:193&q=seasons')
    const { json } = await site.ask('/api/polynym/?search=seasons&page_size=1')
    assert.ok(one.includes(`href="/compare/?set=polynym:193&set=polynym:${json.results[0].polynym_id}"`))
    assert.match(plain(one), /Sets that cross Elements Elements polynym, shares fire, earth, water/)
    assert.match(
      plain(await get(`/compare/?${ELEMENTS}&near=polynym:244`)),
      /Sets that cross Elements .*polynym, shares metal|wood|earth/,
    )
    assert.match(await get('/compare/?q=qwertyuiop'), /No set has “qwertyuiop”/)
    assert.match(await get('/compare/'), /Some that cross/)
    const setsIn = (address: string) => new URL(address, site.base).searchParams.getAll('set')
    assert.equal(setsIn(await sent('/compare/random/')).length, 2)
    assert.equal(setsIn(await sent('/compare/random/?n=5')).length, 5)
    const [first, ...others] = setsIn(await sent('/compare/random/?set=polyset:1'))
    assert.deepEqual([first, others.length], ['polyset:1', 1])
    const crossing = await compared(
      setsIn(await sent('/compare/random/?crossing=yes'))
        .map((set) => `set=${set}`)
        .join('&'),
    )
    assert.ok(crossing.shared.length > 0)
  })

  test('sets that do not exist are named, and the others are compared', async () => {
    const html = await get(`/compare/?set=polynym:99999999&set=fortune:1&set=nonsense&${ELEMENTS}&set=polynym:193`)
    assert.match(html, /There is no record polynym:99999999\.|is not a collection/)
    assert.match(html, /3 of 6 words are in both/)
    assert.match(await get('/compare/?set=nonsense&set=polynym:99999999'), /role="alert"/)
    const many = Array.from({ length: 25 }, (_, i) => `set=polynym:${i + 1}`).join('&')
    assert.match(await get(`/compare/?${many}&view=table`), /as many sets as can be compared/)
    assert.match(
      await get('/compare/?set=quadranym:1&set=quadranym:2&view=%3Cb%3E&offset=x&near=%00'),
      /aria-current="page">Cross</,
    )
    assert.deepEqual(site.bugs, [])
  })

  test('a word of a quadranym that is a topic opens in place, and the address keeps what is open', async () => {
    const { json } = await site.ask('/api/quadranym/1/nested/?depth=1')
    const passage = json.nested.find(({ slot }: any) => slot === 's').records[0].quadranym_id
    const closed = await get('/nested/?quadranym=1')
    const open = `/nested/?quadranym=1&open=s:${passage}`
    assert.ok(new RegExp(`<a [^>]*href="${RegExp.escape(open)}#picture" aria-label="Open passage"`).test(closed))
    const html = await get(open)
    assert.match(html, /aria-label="door: open, passage \(passage: quote, context, paragraph, omit\), barrier, close"/)
    assert.match(html, /aria-label="Close passage"/)
    assert.ok(html.includes(`"${site.base}/nested.png?quadranym=1&open=s:${passage}"`))
    // What is not there is left closed.
    for (const query of ['open=s:99999', `open=e:${passage}`, `open=se:${passage}`, 'open=x', 'open=s:']) {
      assert.doesNotMatch(await get(`/nested/?quadranym=1&${query}`), /aria-label="Close/, query)
    }
    assert.match(await get('/nested/?quadranym=99999999'), /There is no quadranym 99999999/)
    assert.match(await get('/nested/?q=door'), /href="\/nested\/\?quadranym=1#picture"/)
    assert.match(await get(await sent('/nested/random/')), /<h1[^>]*>Inside /)
    assert.match(
      await get('/nested/'),
      /<h2>Today: <a [^>]*href="\/nested\/\?quadranym=\d+[^"]*"[^>]*>inside [^<]+<\/a><\/h2>/,
    )
  })

  test('{previews.compared} comparisons and nested quadranyms have pictures', async () => {
    for (const path of [`/compare.png?${ELEMENTS}`, `/compare.png?${FIVE}`, '/nested.png?quadranym=1&open=s:73']) {
      const { status, headers } = await site.ask(path)
      assert.deepEqual([status, headers['content-type']], [200, 'image/png'], path)
    }
    assert.match(
      (await site.ask(`/compare.svg?${ELEMENTS}`)).text,
      /<title>Elements and Elements share fire, earth, water;/,
    )
    for (const path of ['/compare.png', '/compare.svg?set=polynym:193', `/compare.png?${ELEMENTS}&set=fortune:1`]) {
      assert.equal((await site.ask(path)).status, 400, path)
    }
    assert.equal((await site.ask('/nested.png?quadranym=99999999')).status, 404)
  })

  test('a quadranym that contains itself can be opened again and again', async () => {
    const make = async (name: string, e: string) => {
      const json = { name, e, r: 'not', o: 'thing', s: 'feeling' }
      return (await site.ask('/api/quadranym/', { method: 'POST', as: 'ada', json })).json.quadranym_id
    }
    const [hen, egg] = [await make('zhen', 'zegg'), await make('zegg', 'zhen')]
    const opened = Array.from({ length: 45 }, (_, i) => `open=${'e'.repeat(i + 1)}:${i % 2 === 0 ? egg : hen}`)
    const html = await get(`/nested/?quadranym=${hen}&${opened.join('&')}`)
    // The list below the picture has each link again.
    assert.equal(html.match(/aria-label="Close z/g)?.length, 80)
    assert.doesNotMatch(html, /aria-label="Open z/)
  })

  test('{previews.poster} posters are sheets of A4 that say what the sets say', async () => {
    const svg = async (query: string) => {
      const { status, text, headers } = await site.ask(`/posters.svg?${query}`)
      assert.deepEqual([status, headers['content-type']], [200, 'image/svg+xml'], query)
      assert.match(
        text,
        /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" class="drawing" width="(?:210|297)mm" height="(?:297|210)mm"/,
      )
      assert.doesNotMatch(text, /<a |prefers-color-scheme|\/static\//)
      return text
    }
    const wordsIn = (text: string) => Array.from(text.matchAll(/<tspan x[^>]*>([^<]*)<\/tspan>/g), ([, word]) => word)
    const tile = wordsIn(await svg('set=polynym:193&columns=0&rows=10&name=no'))
    assert.deepEqual(tile.slice(0, 8), ['air', 'fire', 'earth', 'water', 'fire', 'earth', 'water', 'air'])
    // Below the pattern: what it is, and where it is found.
    assert.match(tile[40] ?? '', /^Polynym/)
    assert.deepEqual(tile.slice(41), [`${site.base.replace('http://', '')}/polynym/193/`])
    const usual = await svg('set=polynym:193')
    assert.match(usual, /class="strong"[^>]*><tspan[^>]*>Elements</)
    assert.match(usual, /width="210mm"/)
    assert.match(await svg('set=polynym:193&columns=12&rows=10'), /width="297mm"/)
    const opened = wordsIn(await svg('set=quadranym:1'))
    assert.ok(opened.includes('paragraph') && opened.includes('close'))
    assert.ok(!wordsIn(await svg('set=quadranym:1&depth=0')).includes('paragraph'))
    for (const [kind, members] of [
      ['polyset', 'polynyms'],
      ['quadraset', 'quadranyms'],
    ] as const) {
      const { json } = await site.ask(`/api/${kind}/1/`)
      const words = wordsIn(await svg(`set=${kind}:1`)).join(' ')
      for (const { name } of json[members].slice(0, 40)) assert.ok(words.includes(name), name)
    }
    for (const kind of ['vectornym', 'polymap']) await svg(`set=${kind}:1`)
    assert.equal(await svg('set=polynym:193&columns=7&rows=x&depth=9&sheet=0&name=maybe'), usual)
    for (const set of ['polynym:99999999', 'fortune:1', 'nonsense', '']) {
      assert.equal((await site.ask(`/posters.svg?set=${set}`)).status, 404, set)
    }
    const html = await get('/posters/?set=polynym:193&columns=8&rows=30&name=no')
    assert.ok(html.includes('src="/posters.svg?set=polynym:193&columns=8&rows=30&name=no"'))
    assert.match(await get('/posters/?set=polynym:99999999'), /There is no set polynym:99999999 to print/)
    const sheets = (await get('/posters/')).matchAll(/<img src="(\/posters\.svg\?set=([a-z]+):\d+)"/g)
    const kinds = await Promise.all(
      Array.from(sheets, async ([, address = '', kind = '']) => {
        assert.equal((await site.ask(address)).status, 200)
        return kind
      }),
    )
    assert.deepEqual(kinds, ['polynym', 'quadranym', 'quadraset'])
    assert.match(await sent('/posters/random/'), /^\/posters\/\?set=(?:polynym|quadranym):\d+$/)
  })

  test('a set of more sets than a sheet has room for is printed on several', async () => {
    const { json: list } = await site.ask('/api/polynym/?page_size=45&fields=polynym_id,name')
    const json = { name: 'Many of them', polynyms: list.results.map((each: any) => each.polynym_id) }
    const made = await site.ask('/api/polyset/', { method: 'POST', as: 'ada', json })
    assert.equal(made.status, 201)
    const set = `set=polyset:${made.json.polyset_id}`
    assert.match(plain(await get(`/posters/?${set}`)), /Sheet 1 of 2 2 of 2/)
    const last = await site.ask(`/posters.svg?${set}&sheet=2`)
    assert.equal(last.text.match(/class="tint"/g)?.length, 5)
    assert.equal((await site.ask(`/posters.svg?${set}&sheet=9`)).text, last.text)
  })

  test('one page lists what there is to do, and every entry leads somewhere', async () => {
    const html = await get('/explore/')
    const addresses = Array.from(html.matchAll(/<h3><a class="open"[^>]* href="([^"]+)"/g), ([, href = '']) => href)
    for (const address of ['/compare/', '/nested/', '/charts/', '/posters/', '/tell/', '/bench/'])
      assert.ok(addresses.includes(address), address)
    for (const address of addresses) {
      const { status } = await site.ask(address, { headers: { accept: 'text/html' } })
      assert.ok(status === 200 || status === 303, address)
    }
    for (const page of ['/', '/learn/']) assert.match(await get(page), /href="\/explore\/"/)
    assert.match(await get('/polynym/193/'), /href="\/compare\/\?set=polynym:193"[^>]*>Compare with …</)
    for (const kind of ['polynym', 'polyset', 'quadraset', 'vectornym', 'polymap']) {
      assert.ok((await get(`/${kind}/1/`)).includes(`href="/posters/?set=${kind}:1"`), kind)
    }
    assert.match(await get('/quadranym/1/'), /href="\/nested\/\?quadranym=1"/)
    assert.match(await get('/word/fire/'), /href="\/compare\/\?set=[^"]+&set=[^"]+"[^>]*>Compare these sets/)
  })

  test('without scripts, a comparison is made and changed with the keyboard', async () => {
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/compare/')
    await page.getByRole('searchbox', { name: 'A set to add' }).fill('Elements')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Found' }).getByRole('link', { name: 'Elements' }).first().focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/set=polynym:193|set=polynym:244/)
    await page.getByRole('heading', { name: 'Sets that cross Elements' }).waitFor()
    await page.locator('#add .hits a').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Algebra' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/view=algebra/)
    await page.getByRole('link', { name: 'Leave Elements out' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Compare Elements with …' }).waitFor()
    await page.goto('/nested/?quadranym=1')
    await page.getByRole('link', { name: 'Open passage' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Close passage' }).first().waitFor()
    await page.goto('/posters/?set=quadranym:1')
    const sheets = await page.pdf({ preferCSSPageSize: true })
    assert.deepEqual(String(sheets).match(/\/MediaBox \[[^\]]*\]/g)?.length, 1)
    await page.context().close()
  })

  test('the pages are accessible', async () => {
    await lookAt(browser, site.base, [
      '/compare/?q=fire',
      `/compare/?${THREE}`,
      `/compare/?${THREE}&view=table`,
      `/compare/?${THREE}&view=algebra`,
      `/compare/?${THREE}&view=convergence`,
      '/nested/?quadranym=1&open=s:73',
      '/posters/?set=polynym:193',
      '/explore/',
    ])
  })
})
