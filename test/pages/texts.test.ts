/** Pages of fortunes and quotes: tokens, views, turning, sharing, deleting. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fitOf, tokensInPlace } from '../../src/language/index.ts'
import { clickThrough, hasFocus, openPage, siteInBrowser } from '../support/browser.ts'
import { onEachEngine, type Site } from '../support/site.ts'
import { expected, faultsOf, lookAt } from './looking.ts'

const UP = 'What goes up must come down.'

async function idOf(site: Site, body: string): Promise<number> {
  const { json } = await site.ask(`/api/fortune/?body=${encodeURIComponent(body)}`)
  return json.results[0].fortune_id
}

async function quadranym(site: Site, name: string, e: string): Promise<number> {
  const { json } = await site.ask(`/api/quadranym/?name=${name}&e=${e}`)
  return json.results[0].quadranym_id
}

onEachEngine('a text', {}, (site) => {
  const get = (path: string, as?: string) => site.page(path, as)

  test('its tokens link to their quadranyms, and say which term of which topic they are', async () => {
    const id = await idOf(site, UP)
    const { status, text } = await get(`/fortune/${id}/`)
    assert.equal(status, 200)
    assert.match(
      text,
      /What <a class="tok r" href="\/quadranym\/\d+\/" data-tip="go, the reductive of visit">goes<\/a> <a class="tok e" href="\/quadranym\/\d+\/" data-tip="up, the expansive of direction">up<\/a> must/,
    )
  })

  test('it is also shown as a template and with blanks', async () => {
    const id = await idOf(site, UP)
    const template = await get(`/fortune/${id}/?view=template`)
    assert.match(template.text, />q1r_VBZ<\/a> <a [^>]*>q2e_RP<\/a> must/)
    const blanks = await get(`/fortune/${id}/?view=blanks`)
    assert.match(blanks.text, /data-tip="reductive of topic 1, verb with -s">_____<\/span>/)
    assert.ok(!/>goes</.test(blanks.text))
  })

  test('the address says which quadranyms are used, and the page shows what the API returns', async () => {
    const id = await idOf(site, UP)
    const door = await quadranym(site, 'door', 'open')
    const { json } = await site.ask(`/api/fortune/${id}/spin/?quadranym=${door}`)
    const { text } = await get(`/fortune/${id}/?quadranym=${door}`)
    assert.ok(text.includes(`<title>${json.text} · Nymdex</title>`))
    assert.match(text, /Told with <a href="\/quadranym\/\d+\/">door<\/a> in place of visit/)
    assert.ok(text.includes(`href="${site.base}/fortune/${id}/?quadranym=${door}">Link to this</a>`))
  })

  test('a turned quote is after its author: below the text, in the title, in the description and as plain text', async () => {
    const { json } = await site.ask('/api/quote/?src__startswith=Oscar%20Wilde&page_size=1')
    const { quote_id: id, src, body } = json.results[0]
    const door = await quadranym(site, 'door', 'open')
    const attributed = (text: string) => ({
      below: /data-turn="attribution">(.*?)<\/p>/.exec(text)![1]!.replaceAll(/<[^>]*>/g, ''),
      title: /<title>[^<]* · ([^<]*) · Nymdex</.exec(text)![1],
      description: /name="description" content="[^"]* -- ([^"]*)"/.exec(text)![1],
    })
    const own = await get(`/quote/${id}/`)
    assert.deepEqual(attributed(own.text), { below: src, title: src, description: src })
    const turned = await get(`/quote/${id}/?quadranym=${door}`)
    const after = `after ${src}`
    assert.deepEqual(attributed(turned.text), { below: after, title: after, description: after })
    const plain = `/api/quote/${id}/spin/?quadranym=${door}&format=txt`
    assert.ok(turned.text.includes(`href="${plain.replaceAll('&', '&amp;')}"`))
    const { text } = await site.ask(plain)
    assert.ok(text.endsWith(`\t\t-- ${after}\n`) && !text.includes(body))
  })

  const offered = (text: string, topic = 0) =>
    Array.from(text.matchAll(new RegExp(`data-key="${topic}-([0-9]+)"`, 'g')), ([, id]) => Number(id))

  test('each turn offers other quadranyms from the whole catalogue, those that read well first', async () => {
    const { json } = await site.ask('/api/quote/?subs=e&page_size=100')
    const { quadranym, quote_id: id, qode } = json.results.find((quote: any) => quote.qode.includes('q1e_VB'))
    const all = new Map(
      (await site.ask('/api/quadranym/?page_size=1000')).json.results.map((q: any) => [q.quadranym_id, q]),
    )
    const names = new Set<string>()
    for (let turn = 1; turn <= 12; turn++) {
      const { text } = await get(`/quote/${id}/?turn=${turn}`)
      assert.equal((await get(`/quote/${id}/?turn=${turn}`)).text, text, 'the address says it all')
      const others = offered(text).filter((each) => each !== quadranym.quadranym_id)
      const degrees = others.map((each) => fitOf(tokensInPlace(qode), all.get(each) as any))
      assert.deepEqual(
        degrees,
        degrees.toSorted((a, b) => b - a),
      )
      for (const each of others) names.add((all.get(each) as any).name)
    }
    assert.ok(names.size > 30, `${names.size} names`)
    assert.ok([...names].some((name) => name < 'c') && [...names].some((name) => name > 's'))
  })

  test('where a word of the chosen topic does not fit, the page offers another sense of it', async () => {
    const id = await idOf(site, 'He who hesitates is lost.')
    const [future, quicken] = [await quadranym(site, 'time', 'future'), await quadranym(site, 'time', 'quicken')]
    const { text } = await get(`/fortune/${id}/?quadranym=${future}`)
    const [, senses = ''] = /Another time fits better:(.*?)<\/p>/s.exec(text) ?? []
    assert.match(senses, /^ </, 'a space before the link')
    assert.ok(senses.includes(`href="/fortune/${id}/?quadranym=${quicken}">quicken, slow, meter, pulse</a>`))
    assert.ok(!senses.includes('save, waste'), 'nobody who wastes is lost')
    const fitting = await get(`/fortune/${id}/?quadranym=${quicken}`)
    assert.ok(!fitting.text.includes('fits better'))
  })

  test('Turn leads to a text with other topics, and the next turn to others again', async () => {
    const id = await idOf(site, UP)
    const turnOf = (text: string) => /class="btn go turn"[^>]* href="([^"]+)"/.exec(text)![1]!.replaceAll('&amp;', '&')
    let path = `/fortune/${id}/`
    const seen = new Set<string>()
    for (let turn = 1; turn <= 4; turn++) {
      path = turnOf((await get(path)).text)
      assert.match(path, new RegExp(`^/fortune/${id}/\\?quadranym=\\d+&quadranym=\\d+&turn=${turn}$`))
      seen.add(/<title>([^<]*)</.exec((await get(path)).text)![1]!)
    }
    assert.equal(seen.size, 4)
    for (const odd of ['0', '-1', '1.5', '1000', 'x', '%00']) {
      assert.equal((await get(`/fortune/${id}/?turn=${odd}`)).status, 200)
    }
    assert.match(turnOf((await get(`/fortune/${id}/?turn=999`)).text), /&turn=1$/)
  })

  test('a fable opens with a topic of its own for each role', async () => {
    const { json } = await site.ask('/api/fable/?page_size=100')
    for (const { fable_id, name, length } of json.results) {
      const { text } = await get(`/fable/${fable_id}/`)
      const [, told] = /Told with (.*?) · /.exec(text)!
      const topics = Array.from(told!.matchAll(/>([^<]+)<\/a>/g), ([, each]) => each)
      assert.equal(new Set(topics).size, topics.length, `${name} is told with ${topics}`)
      assert.ok(topics.length <= length)
    }
  })

  test('an unknown quadranym is named, and the text stays unchanged', async () => {
    const id = await idOf(site, UP)
    const { status, text } = await get(`/fortune/${id}/?quadranym=999999&quadranym=&quadranym=x`)
    assert.equal(status, 200)
    assert.match(text, /There is no quadranym 999999\./)
    assert.match(text, /<title>What goes up must come down\./)
  })

  test('a search without a script shows the choices, or that there are none', async () => {
    const id = await idOf(site, UP)
    const door = await quadranym(site, 'door', 'welcome')
    const found = await get(`/fortune/${id}/?topic=2&find=door`)
    assert.match(
      found.text,
      new RegExp(`href="/fortune/${id}/\\?quadranym=\\d+&amp;quadranym=${door}">door \\(welcome\\)</a>`),
    )
    const none = await get(`/fortune/${id}/?topic=1&find=zzzz`)
    assert.match(
      none.text,
      /No quadranym has “zzzz”\. <a rel="nofollow" href="\/make\/quadranym\/\?name=zzzz">Make it<\/a>/,
    )
  })

  test('a text without tokens links to the annotator', async () => {
    const { json } = await site.ask('/api/fortune/?depth=0&page_size=1')
    const id = json.results[0].fortune_id
    const { text } = await get(`/fortune/${id}/`)
    assert.ok(
      text.includes(`None of its words is marked yet. <a rel="nofollow" href="/annotate/?fortune=${id}">Mark them</a>`),
    )
    assert.ok(!text.includes('Turn it'))
  })

  test('only its owner may delete it, after a question', async () => {
    const body = `To be deleted on ${site.database}.`
    const made = await site.ask('/api/fortune/', { method: 'POST', as: 'ada', json: { body } })
    const path = `/fortune/${made.json.fortune_id}/`
    assert.ok((await get(path, 'ada')).text.includes(`href="${path}delete/"`))
    assert.ok(!(await get(path, 'eve')).text.includes('delete/'))
    assert.ok(!(await get(path)).text.includes('delete/'))
    assert.equal((await get(`${path}delete/`)).status, 401)
    assert.equal((await get(`${path}delete/`, 'eve')).status, 403)
    assert.match((await get(`${path}delete/`, 'ada')).text, /Delete it\?/)
    const html = { accept: 'text/html' }
    const theirs = await site.ask(`${path}delete/`, { method: 'POST', as: 'eve', headers: html, form: {} })
    assert.equal(theirs.status, 403)
    const mine = await site.ask(`${path}delete/`, { method: 'POST', as: 'ada', headers: html, form: {} })
    assert.deepEqual([mine.status, mine.headers.location], [303, '/texts/'])
    assert.equal((await get(path)).status, 404)
  })

  test('an unknown text returns 404', async () => {
    assert.equal((await get('/fortune/999999/')).status, 404)
    assert.equal((await get('/quote/0/')).status, 404)
    assert.equal((await get('/quote/999999/delete/')).status, 404)
    assert.deepEqual(site.bugs, [])
  })
})

describe('a text in a browser', () => {
  const { site, browser } = siteInBrowser()

  test('it is turned at once, without leaving the page, and the link keeps it', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    const id = await idOf(site, UP)
    await page.goto(`/fortune/${id}/`)
    await page.evaluate('window.stayed = true')
    const told = page.locator('[data-turn=told]')
    const chip = page.locator('.topic').first().locator('a').nth(2)
    const name = await chip.textContent()
    await chip.press('Enter')
    await page.locator('.toldwith', { hasText: `Told with ${name!.replace(/ \(.*/, '')} in place of visit` }).waitFor()
    assert.notEqual(await told.textContent(), UP)
    await hasFocus(page, name!)
    const box = page.getByRole('combobox', { name: 'Another topic in place of topic 2' })
    await box.fill('doo')
    await page.getByRole('option').nth(1).waitFor()
    await box.press('ArrowDown')
    await box.press('ArrowDown')
    await box.press('Enter')
    await page.locator('.toldwith', { hasText: 'door in place of direction' }).waitFor()
    await page.getByRole('link', { name: 'template' }).click()
    await page.locator('.text.qode').waitFor()
    await page.getByRole('link', { name: 'told', exact: true }).click()
    await page.locator('.text.short').waitFor()
    assert.equal(await page.evaluate('window.stayed'), true)
    const [turned, link] = [await told.textContent(), await page.locator('.permalink').getAttribute('href')]
    assert.equal(page.url(), link)

    const other = await openPage(browser, site.base)
    await other.page.goto(link!)
    assert.equal(await other.page.locator('[data-turn=told]').textContent(), turned)
    await other.page.context().close()

    await page.goBack()
    await page.locator('.text.qode').waitFor()
    await page.getByRole('link', { name: 'Back to the original' }).click()
    await page.locator('.toldwith', { hasNotText: 'Told with' }).waitFor()
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('Turn rolls the words over by keyboard, says the new text, and the back button brings the old one back', async () => {
    const { page, complaints } = await openPage(browser, site.base)
    await page.goto(`/fortune/${await idOf(site, UP)}/`)
    const turn = page.getByRole('button', { name: 'Turn' })
    const told = page.locator('[data-turn=told]')
    await turn.focus()
    await page.keyboard.press('Space')
    await page.waitForURL(/turn=1$/)
    await page.locator('.tok[data-was]').first().waitFor()
    assert.notEqual(await page.evaluate('document.getAnimations().length'), 0)
    const first = await told.textContent()
    assert.notEqual(first, UP)
    assert.equal(await page.locator('[data-said]').textContent(), first)
    await hasFocus(page, 'Turn')
    await page.locator('.tok[data-was]').first().waitFor({ state: 'detached' })
    assert.equal(await told.textContent(), first)
    await page.keyboard.press('Enter')
    await page.waitForURL(/turn=2$/)
    assert.notEqual(await told.textContent(), first)
    await page.goBack()
    await page.locator('[data-turn=told]', { hasText: first ?? '' }).waitFor()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await turn.click()
    await page.waitForURL(/turn=2$/)
    assert.equal(await page.locator('.tok[data-was]').count(), 0)
    assert.equal(await page.evaluate('document.getAnimations().length'), 0)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('it is turned without a script', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
    const id = await idOf(site, UP)
    await page.goto(`/fortune/${id}/`)
    await page.getByLabel('Another topic in place of topic 1').fill('welcome')
    await clickThrough(page, page.getByRole('button', { name: 'Find' }).first())
    await clickThrough(page, page.locator('.topic').first().getByRole('link', { name: 'door' }))
    assert.equal(await page.locator('[data-turn=told]').textContent(), 'What refuses up must welcome down.')
    await clickThrough(page, page.getByRole('link', { name: 'blanks' }))
    assert.equal(await page.locator('[data-turn=told]').textContent(), 'What _____ _____ must _____ _____.')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a token says what it means when it is reached by keyboard', async () => {
    const { page } = await openPage(browser, site.base)
    await page.goto(`/fortune/${await idOf(site, UP)}/`)
    const token = page.locator('.text .tok').first()
    const tip = () => page.evaluate('getComputedStyle(document.querySelector(".text .tok"), "::after").content')
    assert.equal(await tip(), 'none')
    await page.keyboard.press('Tab')
    await token.focus()
    assert.equal(await tip(), '"go, the reductive of visit"')
    await page.context().close()
  })

  test('user input is shown unchanged, and never run', async () => {
    const hostile = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script> ${'x'.repeat(400)} open`
    const named = {
      name: `<b>${hostile}`,
      e: 'open',
      r: '</script>',
      o: "'><svg onload=alert(1)>",
      s: hostile.slice(0, 190),
    }
    const topic = await site.ask('/api/quadranym/', {
      method: 'POST',
      as: 'mallory',
      json: { ...named, name: hostile.slice(0, 190) },
    })
    assert.equal(topic.status, 201)
    const made = await site.ask('/api/quote/', {
      method: 'POST',
      as: 'mallory',
      json: { body: hostile, src: hostile.slice(0, 199), quadranym: topic.json.quadranym_id },
    })
    assert.equal(made.status, 201)
    const { page, complaints } = await openPage(browser, site.base)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const query of ['', '?view=template', '?view=blanks', `?find=${encodeURIComponent(hostile)}&topic=1`]) {
      await page.goto(`/quote/${made.json.quote_id}/${query}`)
      assert.equal(await page.locator('main img:not(.shot img), main script').count(), 0)
      assert.doesNotMatch(await page.title(), /^owned/)
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360, query)
    }
    assert.equal((await page.goto(`/quote/${made.json.quote_id}/`))?.status(), 200)
    assert.deepEqual(await faultsOf(page), [])
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('the pages of texts are accessible', async () => {
    const id = await idOf(site, UP)
    const door = await quadranym(site, 'door', 'open')
    const plain = await site.ask('/api/fortune/?depth=0&page_size=1')
    await lookAt(browser, site.base, [
      `/fortune/${id}/`,
      `/fortune/${id}/?quadranym=${door}&view=template`,
      `/fortune/${id}/?view=blanks&quadranym=999999`,
      `/fortune/${plain.json.results[0].fortune_id}/`,
      '/quote/50/',
      '/quote/50/delete/',
      '/fortune/999999/',
    ])
    assert.deepEqual(site.bugs, [])
  })
})
