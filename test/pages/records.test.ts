/** The page of each record: its content, its links, and its actions. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogue } from '../../src/catalogue/index.ts'
import { kindsOf } from '../../src/web/kinds/index.ts'
import { signedUp } from '../accounts/browser.ts'
import { clickThrough, openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine, type Reply, type Site } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'
import { expected, lookAt, widthOf } from './looking.ts'

/** Kinds whose pages look alike: lines are shown on other pages, and sayings have their own pages. */
const RECORDS = kindsOf(catalogue).all.filter(({ name, lineOf }) => !lineOf && name !== 'fortune' && name !== 'quote')
const KINDS = RECORDS.map(({ name }) => name)

async function make(site: Site, kind: string, json: object, as = 'lea'): Promise<number> {
  const made = await site.ask(`/api/${kind}/`, { method: 'POST', as, json })
  assert.equal(made.status, 201, made.text)
  return made.json[`${kind}_id`]
}

async function idOf(site: Site, kind: string, query: string): Promise<number> {
  const { json } = await site.ask(`/api/${kind}/?${query.replaceAll(' ', '+')}`)
  return json.results[0][`${kind}_id`]
}

const titleOf = ({ text }: Reply) => /<title>([^<]*)<\/title>/.exec(text)![1]

onEachEngine('a record', {}, (site) => {
  before(() => addWinners(site))
  const open = (path: string, as?: string) =>
    site.ask(path, { headers: { accept: 'text/html' }, ...(as ? { as } : {}) })

  test('of every kind has a page with its name, and links to its data', async () => {
    for (const { name: kind, one: title, draw, nameOf } of RECORDS) {
      const page = await open(`/${kind}/1/`)
      const { json } = await site.ask(`/api/${kind}/1/`)
      assert.equal(page.status, 200, kind)
      assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(titleOf(page), `${nameOf(json)} · ${title} · Nymdex`)
      assert.ok(page.text.includes(`>${nameOf(json)}</h1>`), kind)
      assert.ok(page.text.includes(`href="/api/${kind}/1/?format=json"`))
      assert.ok(page.text.includes(`value="${site.base}/${kind}/1/`))
      assert.equal(page.text.includes(`href="/${kind}/1.svg"`), draw !== undefined)
    }
    assert.deepEqual(site.bugs, [])
  })

  test('that does not exist has a page that says so', async () => {
    for (const kind of KINDS) {
      for (const id of ['99999', 'nothing', '0', '1.5', '%2e%2e', "1'--"]) {
        for (const rest of ['', 'delete/']) {
          const page = await open(`/${kind}/${id}/${rest}`)
          assert.equal(page.status, 404, `/${kind}/${id}/${rest}`)
          assert.match(page.text, /There is nothing here/)
        }
      }
    }
    assert.equal((await open('/quadranym/99999/uses/')).status, 404)
    assert.deepEqual(site.bugs, [])
  })

  test('shows its owner, its source, and who likes it', async () => {
    const id = await make(site, 'quadranym', {
      name: 'harbour',
      e: 'arrive',
      r: 'leave',
      o: 'quay',
      s: 'rest',
      pos: 'NN',
      epos: 'VB',
      src: 'a sailor',
      area: 'sea & sky',
      wiki: 'https://en.wikipedia.org/wiki/Port_of_call',
      realm: 'Spatial',
    })
    await site.ask(`/api/quadranym/${id}/vote/`, { method: 'POST', as: 'nora' })
    const { text } = await open(`/quadranym/${id}/`)
    for (const part of [
      'by <a href="/people/lea/">lea</a>',
      '<a rel="nofollow" href="/quadranym/?area=sea%20%26%20sky">sea &amp; sky</a>',
      '<a rel="nofollow" href="/quadranym/?realm=Spatial">Spatial</a>',
      '<span>from <a href="/author/a%20sailor/">a sailor</a></span>',
      '1 like, from <a href="/people/nora/">nora</a>',
      '<a href="https://en.wikipedia.org/wiki/Port_of_call" rel="noopener nofollow external">en.wikipedia.org/wiki/Port of call</a>',
      'aria-label="harbour: arrive (expansive) against leave (reductive), quay (objective) against rest (subjective)"',
      '<dt><a class="gloss" href="/learn/#expansive">expansive</a> <small>verb</small></dt><dd><a class="e" href="/word/arrive/">arrive</a>',
    ]) {
      assert.ok(text.includes(part), part)
    }
  })

  test('in Arabic runs from right to left, and so do the arrows of its steps', async () => {
    const words = { p1: 'صباح', p2: 'ظهر', p3: 'مساء' }
    const id = await make(site, 'polynym', { name: 'اليوم', mode: 'step', ...words })
    assert.match((await open(`/polynym/${id}/`)).text, /<h1 dir="auto">اليوم<\/h1>.*<ol class="words" dir="auto">/s)
    assert.match((await open('/polynym/?ordering=-id')).text, /<ol class="terms step" dir="auto"><li>صباح<\/li>/)
  })

  test('links only web addresses', async () => {
    for (const wiki of [
      'javascript:alert(1)',
      'data:text/html,x',
      'see the encyclopedia',
      'https://[',
      'HTTPS://example.org/%zz',
    ]) {
      const id = await make(site, 'polynym', { name: 'Linked', mode: 'part', p1: 'a', p2: wiki, wiki })
      const { text } = await open(`/polynym/${id}/`)
      const hrefs = Array.from(text.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => href!)
      const out = hrefs.filter((href) => !href.startsWith('/') && !href.startsWith('#'))
      assert.deepEqual(out, wiki.startsWith('HTTPS') ? ['https://example.org/%zz'] : [], wiki)
    }
  })

  test('shows the other senses of a name, the quadranyms of its words, and records that share them', async () => {
    const door = await idOf(site, 'quadranym', 'name=door&e=open')
    const { text } = await open(`/quadranym/${door}/`)
    assert.match(
      text,
      /<h2>Other <a class="gloss" href="\/learn\/#sense">senses<\/a> of door<\/h2>.*aria-label="door: welcome \(expansive\)/,
    )
    assert.match(
      text,
      /href="\/word\/passage\/">passage<\/a><span class="soft"> also a topic: <a href="\/quadranym\/\d+\/">quote, omit<\/a>/,
    )
    assert.match(text, /<h2>Said with it<\/h2><p class="text">.*class="tok [eronsn]"/)
    assert.match(text, /Turn it<\/a>/)
    assert.match(text, /<h2>Shares words with<\/h2>.*quadranym, shares /)
  })

  test('has a page of everything that uses it', async () => {
    const egg = await idOf(site, 'quadranym', 'name=egg')
    const used = await open(`/quadranym/${egg}/uses/`)
    assert.equal(used.status, 200)
    assert.match(
      used.text,
      /<h2>In <a class="gloss" href="\/learn\/#fortune">fortunes<\/a> <span class="soft">\d+<\/span><\/h2>/,
    )
    const door = await open(`/quadranym/${await idOf(site, 'quadranym', 'name=door&e=open')}/uses/`)
    assert.match(
      door.text,
      /<h2>In <a class="gloss" href="\/learn\/#quadraset">quadrasets<\/a> <span class="soft">\d+<\/span><\/h2>.*Around the house/,
    )
    const gods = await idOf(site, 'polynym', 'name=Olympians')
    const page = await open(`/polynym/${gods}/uses/`)
    assert.match(
      page.text,
      />polysets<.*Gods and heroes.*>vectornyms<.*Gods side by side.*>polymaps<.*Greek gods in Roman dress/,
    )
    const alone = await make(site, 'quadranym', { name: 'hermit', e: 'far', r: 'near' })
    assert.match((await open(`/quadranym/${alone}/uses/`)).text, /Nowhere yet/)
    const phrase = await open(`/phrase/${await idOf(site, 'phrase', 'name=Departure')}/`)
    assert.match(phrase.text, />stories<\/a> .*Down to the sea/)
  })

  test('of a story or a tale is told, each word with its own topic', async () => {
    const story = await idOf(site, 'story', 'name=Down to the sea')
    const { text } = await open(`/story/${story}/`)
    const told = await site.ask(`/api/story/${story}/tell/`)
    const [, shown = ''] = /<div class="text told">(.*?)<\/div>/.exec(text)!
    assert.equal(shown.replaceAll(/<[^>]*>/g, '').replaceAll('&#39;', "'"), told.json.text)
    assert.match(shown, /data-tip="pavement, the objective of road"/)
    const [line] = (await site.ask(`/api/storyline/?story=${story}&page_size=1`)).json.results
    assert.equal((await open(`/storyline/${line.storyline_id}/`)).headers.location, `/story/${story}/#lines`)
    assert.equal((await open('/storyline/9999999/')).status, 404)
    const [first] = told.json.lines
    assert.ok((await open('/stories/')).text.includes(first.text.replaceAll("'", '&#39;')), first.text)
    const broken = await site.ask(`/api/storyline/?phrase=${await idOf(site, 'phrase', 'name=-')}`)
    const lines = await open(`/story/${broken.json.results[0].story.story_id}/`)
    assert.match(lines.text, /<li><span class="soft">New paragraph<\/span><\/li>/)
    const tale = await open(`/tale/${await idOf(site, 'tale', 'name=Door and wall')}/`)
    assert.match(tale.text, /data-tip="exclude, the reductive of wall">exclude<\/a>/)
    // The API takes tales without topics; readers see no code.
    const fable = await idOf(site, 'fable', 'name=The two builders')
    const bare = `/tale/${await make(site, 'tale', { name: 'Without topics', fable, lines: [] })}/`
    const untold = await open(bare)
    assert.match(untold.text, /trusted the <span class="tok open n">topic 1<\/span>/)
    assert.match(untold.text, /<span class="tok open [eros]">a word of topic [12]<\/span>/)
    assert.doesNotMatch(untold.text, /q[0-9]+[neros]|id="lines"/)
    const embedded = await site.ask(`/oembed?url=${encodeURIComponent(`${site.base}${bare}`)}`)
    assert.match(embedded.text, /trusted the topic 1/)
    assert.match(
      tale.text,
      /After the <a class="gloss" href="\/learn\/#fable">fable<\/a> <a href="\/fable\/\d+\/">The two builders<\/a>/,
    )
  })

  test('of a vectornym is a table, of a polymap lists its relations, and of a wish says whether it came true', async () => {
    const gods = await open(`/vectornym/${await idOf(site, 'vectornym', 'name=Gods side by side')}/`)
    assert.match(gods.text, /<th scope="col"><a href="\/polynym\/\d+\/">Olympians<\/a><\/th>/)
    assert.match(
      gods.text,
      /<td><a href="\/word\/zeus\/">Zeus<\/a><\/td><td><a href="\/word\/jupiter\/">Jupiter<\/a><\/td>/,
    )
    const map = await open(`/polymap/${await idOf(site, 'polymap', 'name=Greek gods in Roman dress')}/`)
    assert.match(map.text, /href="\/word\/zeus\/">Zeus<\/a> <i>similar to<\/i> <a href="\/word\/jupiter\/">Jupiter/)
    const wish = await make(site, 'queue', { name: 'gondola' })
    assert.match((await open(`/queue/${wish}/`)).text, /href="\/make\/quadranym\/\?name=gondola">Make it/)
    await make(site, 'quadranym', { name: 'gondola', e: 'glide', r: 'moor' })
    assert.match((await open(`/queue/${wish}/`)).text, /has a quadranym by now/)
  })

  test('of a polymap shows rows that no longer match its polynyms unchanged', async () => {
    const [pa, pb] = await Promise.all(
      ['Left', 'Right'].map((name) =>
        make(site, 'polynym', { name, mode: 'part', p1: `${name} one`, p2: `${name} two` }),
      ),
    )
    const id = await make(site, 'polymap', {
      name: 'Sides',
      pa,
      pb,
      r1: 'Left one,IsA,Right one',
      r2: 'Left two,IsA,Right two',
    })
    await site.ask(`/api/polynym/${pa}/`, { method: 'PATCH', as: 'lea', json: { p2: 'Left three' } })
    const { text } = await open(`/polymap/${id}/`)
    assert.match(text, /1 <a [^>]*>relation<.*No longer matches.*<li>Left two,IsA,Right two<\/li>/)
  })

  test('can be edited and deleted only by its owner and by staff', async () => {
    const ids: Record<string, number> = {
      quadranym: await make(site, 'quadranym', { name: 'anchor', e: 'hold', r: 'weigh' }),
      queue: await make(site, 'queue', { name: 'lantern' }),
    }
    for (const [kind, id] of Object.entries(ids)) {
      for (const [as, may] of [
        ['lea', true],
        ['staff', true],
        ['nora', false],
        [undefined, false],
      ] as const) {
        const { text } = await open(`/${kind}/${id}/`, as)
        assert.equal(text.includes(`href="/make/${kind}/${id}/"`), may, `${as} edits ${kind}`)
        assert.equal(text.includes(`href="/${kind}/${id}/delete/"`), may, `${as} deletes ${kind}`)
        const asking = await open(`/${kind}/${id}/delete/`, as)
        assert.equal(asking.status, may ? 200 : as ? 403 : 401)
      }
    }
    const refused = await site.ask(`/quadranym/${ids['quadranym']}/delete/`, { method: 'POST', as: 'nora', form: {} })
    assert.equal(refused.status, 403)
    const nobody = await site.ask(`/quadranym/${ids['quadranym']}/delete/`, { method: 'POST', form: {} })
    assert.equal(nobody.status, 401)
    assert.match(nobody.text, /href="\/accounts\/login\/\?next=/)
    const winner = await open('/winner/1/', 'mira')
    assert.match(winner.text, /points in round/)
    assert.ok(!winner.text.includes('/winner/1/delete/'))
  })

  test('that others use is not deleted, and the page says where it is used and what its words are', async () => {
    const id = await make(site, 'quadranym', { name: 'sail', e: 'hoist', r: 'furl', o: 'canvas', s: 'freedom' })
    await make(site, 'quadraset', { name: 'On deck', quadranyms: [id] })
    const phrase = await make(site, 'phrase', { name: 'Hoisted', qode: 'They q1e_VBD the q1n_NN at last.' })
    await make(site, 'story', { name: 'A voyage', lines: [{ phrase, quadranym: id }] })
    assert.match((await open(`/phrase/${phrase}/`)).text, /Takes expansive as verb, topic as noun\./)
    assert.match((await open(`/quadranym/${id}/`)).text, /<small>noun or verb<\/small>/)
    const refused = await site.ask(`/quadranym/${id}/delete/`, { method: 'POST', as: 'lea', form: {} })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /“sail” is still in use/)
    assert.match(refused.text, /2 other records use it/)
    assert.match(refused.text, /<a href="\/quadraset\/\d+\/">On deck<\/a> <span class="soft">quadraset<\/span>/)
    assert.match(refused.text, /<a href="\/story\/\d+\/">A voyage, line 1<\/a>/)
    assert.ok(!refused.text.includes('name="cascade"'))
    const staff = await site.ask(`/quadranym/${id}/delete/`, { method: 'POST', as: 'staff', form: {} })
    assert.match(staff.text, /name="cascade" value="true"/)
    const gone = await site.ask(`/quadranym/${id}/delete/`, { method: 'POST', as: 'staff', form: { cascade: 'true' } })
    assert.deepEqual([gone.status, gone.headers['location']], [303, '/quadranym/'])
    assert.equal((await open(`/quadranym/${id}/`)).status, 404)
  })

  test('is liked by a signed-in user, once', async () => {
    const id = await make(site, 'phrase', { name: 'Ebb', qode: 'The q1n_NN will turn.' })
    const stranger = await open(`/phrase/${id}/`)
    assert.ok(
      stranger.text.includes(`href="/accounts/login/?next=%2Fphrase%2F${id}%2F&amp;like=true">Sign in to like</a>`),
    )
    const visitor = await signedUp(site, 'olga')
    for (const [vote, likes] of [
      ['give', 1],
      ['give', 1],
      ['take back', undefined],
      ['take back', undefined],
    ] as const) {
      const page = await visitor.ask(`/phrase/${id}/`)
      const [, csrfmiddlewaretoken = ''] = /name="csrfmiddlewaretoken" value="([^"]+)"/.exec(page.text)!
      const form = { csrfmiddlewaretoken, vote }
      const sent = await visitor.ask(`/phrase/${id}/vote/`, { method: 'POST', form, headers: { origin: site.base } })
      assert.deepEqual([sent.status, sent.headers['location']], [303, `/phrase/${id}/#like`])
      assert.equal((await site.ask(`/api/phrase/${id}/`)).json.likes, likes)
    }
    const forged = await visitor.ask(`/phrase/${id}/vote/`, { method: 'POST', form: { vote: 'give' } })
    assert.equal(forged.status, 403)
    const ended = await site.ask(`/phrase/${id}/vote/`, { method: 'POST', form: { vote: 'give' } })
    assert.equal(ended.headers['location'], `/accounts/login/?next=%2Fphrase%2F${id}%2F`)
    assert.equal((await site.ask('/phrase/99999/vote/', { method: 'POST', as: 'olga', form: {} })).status, 404)
    assert.equal((await site.ask(`/phrase/${id}/vote/`)).headers['location'], `/phrase/${id}/`)
    assert.equal((await site.ask('/quadraset/1/vote/', { method: 'POST', as: 'olga', form: {} })).status, 404)
    assert.deepEqual(site.bugs, [])
  })
})

/** One of every kind, with the text in every member that takes a text. */
async function makeHostile(site: Site, text: string): Promise<Record<string, number>> {
  const head = { name: text, src: text, area: text.slice(0, 60), wiki: text }
  const quadranym = await make(site, 'quadranym', {
    ...head,
    e: text,
    r: text,
    o: text,
    s: text,
    realm: text.slice(0, 60),
  })
  const polynym = await make(site, 'polynym', { ...head, mode: 'step', p1: text, p2: text, p3: text })
  const other = await make(site, 'polynym', { ...head, mode: 'type', p1: text, p2: text })
  const phrase = await make(site, 'phrase', { ...head, qode: `${text} q1e_NN` })
  const fable = await make(site, 'fable', { ...head, qode: `${text} q1e_NN q2n_NN` })
  return {
    quadranym,
    polynym,
    phrase,
    fable,
    polyset: await make(site, 'polyset', { ...head, polynyms: [polynym, other] }),
    quadraset: await make(site, 'quadraset', { ...head, quadranyms: [quadranym] }),
    vectornym: await make(site, 'vectornym', { ...head, v1: polynym, v2: other }),
    polymap: await make(site, 'polymap', { ...head, pa: polynym, pb: other, r1: `${text},IsA,${text}` }),
    story: await make(site, 'story', { ...head, lines: [{ phrase, quadranym }] }),
    tale: await make(site, 'tale', { ...head, fable, lines: [quadranym, quadranym] }),
    queue: await make(site, 'queue', { name: text }),
  }
}

describe('a record in a browser', () => {
  const { site, browser } = siteInBrowser()

  test('is liked, unliked and deleted, without a script', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.goto('/accounts/signup/')
    await page.getByLabel('User name').fill('pia')
    await page.getByLabel('Password').fill('a long enough secret')
    await page.getByLabel('Repeat it').fill('a long enough secret')
    await clickThrough(page, page.getByRole('button', { name: 'Sign up' }))
    const id = await make(site, 'quadranym', { name: 'pier', e: 'reach', r: 'rot', o: 'planks', s: 'longing' }, 'pia')
    await page.goto(`/quadranym/${id}/`)
    await clickThrough(page, page.getByRole('button', { name: 'Like' }))
    assert.match((await page.locator('.meta').first().textContent())!, /1 like, from pia/)
    await clickThrough(page, page.getByRole('button', { name: 'Take your like back' }))
    assert.equal(await page.getByRole('button', { name: 'Like', exact: true }).count(), 1)
    await clickThrough(page, page.getByRole('link', { name: 'Delete' }))
    assert.equal(await page.locator('h1').textContent(), 'Delete “pier”?')
    await clickThrough(page, page.getByRole('link', { name: 'Keep it' }))
    await clickThrough(page, page.getByRole('link', { name: 'Delete' }))
    await clickThrough(page, page.getByRole('button', { name: 'Delete' }))
    assert.equal(new URL(page.url()).pathname, '/quadranym/')
    assert.equal((await site.ask(`/api/quadranym/${id}/`)).status, 404)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('loads its uses, and without a script has a link to them', async () => {
    const egg = await idOf(site, 'quadranym', 'name=egg')
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto(`/quadranym/${egg}/`)
    await page.getByRole('heading', { name: /In fortunes/ }).waitFor()
    await page.getByText('Share, embed, data').click()
    assert.equal(await page.getByLabel('Link', { exact: true }).inputValue(), `${site.base}/quadranym/${egg}/`)
    assert.match(
      await page.getByLabel('Picture for a page', { exact: true }).inputValue(),
      /<img src="http[^"]*\/quadranym\/\d+\.svg" alt="egg: hatch/,
    )
    await page.getByRole('button', { name: 'Copy: Link' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
    const plain = await openPage(browser, site.base, { javaScriptEnabled: false })
    await plain.page.goto(`/quadranym/${egg}/`)
    await clickThrough(plain.page, plain.page.getByRole('link', { name: 'Sets, sayings and stories with it' }))
    assert.equal(await plain.page.locator('h1').textContent(), 'Where “egg” is used')
    await plain.page.context().close()
  })

  test('of every kind is accessible, light and dark, on a phone', async () => {
    const gods = await idOf(site, 'polynym', 'name=Olympians')
    await lookAt(browser, site.base, [
      ...KINDS.map((kind) => `/${kind}/1/`),
      `/polynym/${gods}/uses/`,
      '/quadranym/99999/',
    ])
  })

  test('shows user input unchanged; nothing runs, and nothing is wider than a phone', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    const texts = [
      `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>&lt;b&gt;`,
      'W'.repeat(150),
      `'\`\${alert(1)}{{7*7}}\u202e\u0007\u2028]]>--><!--`,
    ]
    for (const text of texts) {
      for (const [kind, id] of Object.entries(await makeHostile(site, text))) {
        for (const address of [`/${kind}/${id}/`, ...(kind === 'polynym' ? [`/${kind}/${id}/uses/`] : [])]) {
          await page.goto(address)
          assert.ok(!(await page.title()).startsWith('owned'), address)
          assert.equal(
            await page.locator('main img:not(.shot img), main script, main b:text-is("b")').count(),
            0,
            address,
          )
          assert.ok(
            (await widthOf(page)) <= 360,
            `${address} is ${await widthOf(page)} px wide with ${text.slice(0, 9)}`,
          )
        }
        const asking = await site.ask(`/${kind}/${id}/delete/`, { as: 'lea' })
        assert.ok(!asking.text.includes('<img'), kind)
      }
    }
    assert.deepEqual(complaints, [])
    assert.deepEqual(site.bugs, [])
    await page.context().close()
  })
})
