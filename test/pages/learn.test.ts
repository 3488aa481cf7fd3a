/** /learn/, /help/, and the labels that explain themselves, in a real Chromium. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GLOSSARY } from '../../src/web/glossary.ts'
import { hasFocus, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { faultsOf, lookAt, widthOf } from './looking.ts'

describe('learning', () => {
  const { site, browser } = siteInBrowser()
  const open = (path: string) => site.page(path)

  for (const javaScriptEnabled of [true, false]) {
    test(`a picture is built up in four steps, ${javaScriptEnabled ? 'with' : 'without'} scripts`, async () => {
      const { page } = await openPage(browser, site.base, { javaScriptEnabled })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.goto('/learn/')
      const stages = page.locator('.stages > div')
      assert.equal(await stages.nth(3).isVisible(), true)
      await page
        .getByLabel(/^What does it open to/)
        .first()
        .check()
      assert.deepEqual(await Promise.all([0, 1, 2, 3].map((i) => stages.nth(i).isVisible())), [
        false,
        true,
        false,
        false,
      ])
      assert.match((await stages.nth(1).textContent())!, /open\s*opens to/)
      await page.keyboard.press('ArrowUp')
      assert.equal(await stages.nth(0).isVisible(), true)
      await page.context().close()
    })
  }

  test('the steps play by themselves, until the visitor presses something', async () => {
    const { page } = await openPage(browser, site.base)
    await page.clock.install()
    await page.goto('/learn/')
    const checked = () => page.locator('.build input:checked').inputValue()
    assert.equal(await checked(), '1')
    await page.clock.runFor(1600)
    assert.equal(await checked(), '2')
    await page.keyboard.press('Tab')
    await page.clock.runFor(10_000)
    assert.equal(await checked(), '2')
    await page.context().close()
  })

  test('the words of a visitor are drawn while they type, and go to the maker', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto('/learn/')
    await page.getByRole('textbox', { name: 'A topic' }).fill('fire')
    await page.getByLabel('What is it from inside?').fill('warmth')
    await page.locator('#try figure').getByText('warmth').waitFor()
    assert.match((await page.locator('#try svg').getAttribute('aria-label'))!, /^fire: .*warmth \(subjective\)/)
    // On a phone the picture is below the questions, as wide as they are.
    const [asked, drawn] = [
      await page.locator('#try form').boundingBox(),
      await page.locator('#try figure').boundingBox(),
    ]
    assert.deepEqual([drawn!.width, drawn!.y > asked!.y + asked!.height], [asked!.width, true])
    await page.getByRole('textbox', { name: 'A topic' }).press('Enter')
    assert.equal(new URL(page.url()).pathname, '/learn/')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.waitForURL(/\/make\/quadranym\/\?name=fire&e=&r=&o=&s=warmth/)
    const next = await page.getByRole('main').getByRole('link', { name: 'Sign in' }).getAttribute('href')
    assert.match(decodeURIComponent(next!), /name=fire/)
    assert.deepEqual(
      complaints.filter((each) => !/401/.test(each)),
      [],
    )
    await page.context().close()
  })

  test('without scripts the server draws them', async () => {
    const { text } = await open('/learn/?name=fire&e=light&s=%3Cb%3E')
    assert.match(text, /aria-label="fire: light \(expansive\) against blank \(reductive\)/)
    assert.match(text, /&lt;b>/)
    assert.match(text, /<input id="try-name" name="name" value="fire"/)
  })

  test('it has a saying of the catalogue to turn, and a sentence for every label', async () => {
    const { text } = await open('/learn/')
    const { json } = await site.ask('/api/fortune/daily/?depth__gte=2')
    assert.match(text, new RegExp(`<a class="btn go" href="/fortune/${json.fortune_id}/">Turn it yourself</a>`))
    for (const [name, { sentence }] of Object.entries(GLOSSARY)) {
      assert.ok(text.includes(`id="${name}"`), name)
      assert.ok(text.includes(sentence), name)
    }
  })

  test('every kind of the catalogue has its sentence, on its list and next to its name', async () => {
    const index = Object.keys((await site.ask('/api/')).json).filter(
      (name) => !name.includes('-') && !/line$/.test(name),
    )
    for (const name of index) {
      assert.ok(Object.hasOwn(GLOSSARY, name), name)
      const list = await open(`/${name}/`)
      assert.ok(list.text.includes(Object.entries(GLOSSARY).find(([each]) => each === name)![1].sentence), name)
      const [first] = (await site.ask(`/api/${name}/?page_size=1`)).json.results
      // The sample has no winners.
      if (!first) continue
      const record = await open(`/${name}/${first[`${name}_id`]}/`)
      assert.match(record.text, new RegExp(`<a class="gloss[^>]* href="/learn/#${name}"`), name)
    }
  })

  test('every label on a page leads to an entry of /learn/', async () => {
    const pages = [
      '/',
      '/quadranym/',
      '/polynym/',
      '/fortune/',
      '/quadranym/1/',
      '/polynym/1/',
      '/polymap/1/',
      '/tale/1/',
    ]
    const labels = (await Promise.all(pages.map(open))).flatMap(({ text }) =>
      Array.from(text.matchAll(/href="\/learn\/#([a-z]+)"/g), ([, name]) => name!),
    )
    assert.deepEqual(
      labels.filter((name) => !Object.hasOwn(GLOSSARY, name)),
      [],
    )
    for (const name of ['expansive', 'topic', 'realm', 'area', 'mode', 'depth', 'relation', 'fable', 'phrase']) {
      assert.ok(labels.includes(name), name)
    }
  })

  test('so does every label of a form, of a table, and of the table of many sets', async () => {
    for (const [path, names] of [
      ['/make/quadranym/', ['quadranym', 'topic', 'expansive', 'reductive', 'objective', 'subjective', 'realm', 'pos']],
      ['/make/polynym/', ['polynym', 'mode', 'area']],
      ['/make/polyset/', ['polyset', 'polynym']],
      ['/make/vectornym/', ['vectornym', 'polynym']],
      ['/make/polymap/', ['polymap', 'polynym', 'relation']],
      ['/make/phrase/', ['phrase', 'token']],
      ['/make/story/', ['story', 'phrase', 'topic', 'realm']],
      ['/make/tale/', ['tale', 'fable', 'topic']],
      ['/make/polynym/table/', ['polynym', 'mode', 'area']],
      ['/make/quadranym/table/', ['topic', 'expansive', 'realm', 'pos']],
      ['/quadranym/?view=table', ['topic', 'expansive', 'subjective', 'realm']],
      ['/polynym/?view=table', ['mode', 'depth', 'area']],
      ['/polymap/?view=table', ['relation', 'polynym']],
      ['/quote/?view=table&columns=qode,width', ['token', 'width']],
    ] as const) {
      const { text } = await site.page(path, 'ada')
      const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(text) ?? []
      const labels = new Set(
        Array.from(main.matchAll(/class="gloss[^>]* href="\/learn\/#([a-z]+)"/g), ([, name]) => name),
      )
      for (const name of names) assert.ok(labels.has(name), `${path} ${name}`)
      for (const name of labels) assert.ok(Object.hasOwn(GLOSSARY, name!), `${path} ${name}`)
    }
  })

  test('a label in a form and in the head of a table is explained at a tap, and the form keeps what was written', async () => {
    const { page, complaints } = await openPage(browser, site.base, PHONE)
    const data = { username: 'lena', password: 'a long enough secret' }
    assert.equal((await page.request.post('/accounts/signup/', { data })).status(), 201)
    await page.goto('/make/quadranym/')
    await page.getByLabel('Name', { exact: true }).fill('lamp')
    await page.getByRole('main').getByRole('link', { name: 'What does expansive mean?' }).tap()
    const about = page.getByRole('dialog', { name: 'Expansive' })
    await about.waitFor()
    assert.match((await about.textContent())!, /what the topic opens to/)
    await page.keyboard.press('Escape')
    assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'lamp')
    assert.ok((await widthOf(page)) <= 390)
    await page.goto('/make/polynym/table/')
    await page.locator('.grid-table').getByRole('link', { name: 'What the words are' }).tap()
    await page.getByRole('dialog', { name: 'Mode' }).waitFor()
    await page.goto('/polynym/?view=table')
    await page.getByRole('columnheader', { name: /^Mode/ }).getByRole('link', { name: 'What does mode mean?' }).tap()
    await page.getByRole('dialog', { name: 'Mode' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a label shows its sentence at a tap, and gives the focus back', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/quadranym/1/')
    const label = page.locator('dl .gloss', { hasText: 'expansive' })
    await label.focus()
    await page.keyboard.press('Enter')
    const about = page.getByRole('dialog', { name: 'Expansive' })
    await about.waitFor()
    assert.match((await about.textContent())!, /what the topic opens to/)
    assert.equal(new URL(page.url()).pathname, '/quadranym/1/')
    assert.deepEqual(await faultsOf(page), [])
    const box = (await about.boundingBox())!
    assert.ok(box.x >= 0 && box.x + box.width <= 360, `${box.x} + ${box.width}`)
    await page.keyboard.press('Escape')
    assert.equal(await about.isVisible(), false)
    await hasFocus(page, 'expansive')
    await label.click()
    await about.waitFor()
    await label.click()
    assert.equal(await about.isVisible(), false)
    await label.click()
    await about.getByRole('link', { name: 'Learn more' }).click()
    await page.waitForURL('/learn/#expansive')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('words can be looked up, with and without an idea', async () => {
    assert.equal((await open('/words/?q=+Fire+')).headers.location, '/word/fire/')
    const { text } = await open('/words/')
    const words = Array.from(text.matchAll(/href="(\/word\/[^"]+)"/g), ([, href]) => href!)
    assert.ok(words.length >= 30, String(words.length))
    assert.equal((await open(words[0]!)).status, 200)
  })

  test('the pages are accessible, and fit a phone of 320 px', async () => {
    await lookAt(browser, site.base, ['/learn/', '/help/'])
    const { page } = await openPage(browser, site.base, { javaScriptEnabled: false })
    await page.setViewportSize({ width: 320, height: 640 })
    for (const path of ['/learn/', '/help/', '/', '/vectornym/1/']) {
      await page.goto(path)
      assert.ok((await widthOf(page)) <= 320, path)
    }
    await page.context().close()
  })
})
