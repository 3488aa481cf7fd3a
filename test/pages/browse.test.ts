/** The plain pages for people, in a real Chromium. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clickThrough, openPage, siteInBrowser } from '../support/browser.ts'

const { site, browser } = siteInBrowser()

test('the root index links to lists, and lists link from page to page', async () => {
  const { page, complaints } = await openPage(browser, site.base)
  await page.goto('/api/')
  assert.equal(await page.title(), 'Api Root · Nymdex')
  await page.getByRole('link', { name: `${site.base}/api/polynym/` }).click()
  assert.equal(await page.locator('h1').textContent(), 'Polynym List')
  assert.equal(await page.locator('.request').textContent(), 'GET /api/polynym/')
  assert.match((await page.locator('.answer .headers').textContent())!, /^HTTP 200 OK\n/)
  await page.getByRole('link', { name: 'Next' }).first().click()
  assert.equal(new URL(page.url()).search, '?page=2')
  await page.getByRole('link', { name: 'Last' }).first().click()
  assert.equal(await page.locator('.pager').first().locator('span').allTextContents().then(String), 'Next')
  await page.getByRole('link', { name: 'GET json', exact: true }).click()
  assert.match(page.url(), /format=json/)
  assert.deepEqual(complaints, [])
})

test('texts from users are shown as they wrote them, and never run', async () => {
  const hostile = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>&lt;b&gt;`
  const made = await site.ask('/api/queue/', { method: 'POST', as: 'mallory', json: { name: hostile } })
  assert.equal(made.status, 201)
  const { page, complaints } = await openPage(browser, site.base)
  await page.goto(`/api/queue/${made.json.queue_id}/?x=${encodeURIComponent(hostile)}`)
  assert.equal(await page.title(), 'Queue Instance · Nymdex')
  assert.ok((await page.locator('.answer').textContent())!.includes(JSON.stringify(hostile)))
  assert.equal(await page.locator('img').count(), 0)
  assert.deepEqual(complaints, [])
})

test('only web addresses become links', async () => {
  const json = {
    name: 'Links',
    mode: 'part',
    p1: 'javascript:alert(1)',
    p2: 'https://example.org/"x',
    wiki: 'https://example.org/w',
  }
  const made = await site.ask('/api/polynym/', { method: 'POST', as: 'mallory', json })
  const { page } = await openPage(browser, site.base)
  await page.goto(`/api/polynym/${made.json.polynym_id}/`)
  const id = String(made.json.polynym_id)
  assert.deepEqual(await page.locator('.answer a').allTextContents(), ['https://example.org/w', id])
  await page.locator('.answer').getByRole('link', { name: id }).click()
  assert.equal(new URL(page.url()).pathname, `/api/polynym/${id}/`)
})

test('{html.long} the page shows the beginning of a long response, and links to the rest', async () => {
  const long = 'long words '.repeat(45).trim()
  const slots = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`p${i + 2}`, long]))
  const ids: number[] = []
  for (let i = 10; i < 50; i++) {
    const json = { name: `Long, "[{${i}`, mode: 'part', p1: `{"[,${i}`, ...slots }
    ids.push((await site.ask('/api/polynym/', { method: 'POST', as: 'ada', json })).json.polynym_id)
  }
  const { page } = await openPage(browser, site.base)
  await page.goto('/api/polynym/?name__startswith=Long&page_size=100&page=1')
  const note = page.locator('.answer .note')
  assert.match(
    (await note.textContent())!,
    /^\s*This response has 2[0-9]{2} KiB of JSON; the page shows the first 1[0-9] records\./,
  )
  const shown = await page
    .locator('.answer .json')
    .getByText(/^"Long, /)
    .count()
  assert.ok((await note.textContent())!.includes(`first ${shown} records`))
  assert.equal(await page.locator('.answer .json').getByText('"polynym_id"').count(), shown)
  assert.ok((await page.content()).length < 150_000)
  await note.getByRole('link', { name: 'ask for smaller pages' }).click()
  assert.equal(new URL(page.url()).search, `?name__startswith=Long&page_size=${shown}`)
  assert.equal(await page.locator('.answer .note').count(), 0)
  assert.equal(
    await page
      .locator('.answer .json')
      .getByText(/^"Long, /)
      .count(),
    shown,
  )

  const set = { name: 'Long ones', polynyms: ids }
  const { json: made } = await site.ask('/api/polyset/', { method: 'POST', as: 'ada', json: set })
  await page.goto(`/api/polyset/${made.polyset_id}/`)
  assert.match((await note.textContent())!, /KiB of JSON; the page shows the beginning\.\s*Get all of it as JSON\.\s*$/)
  const href = await note.getByRole('link').getAttribute('href')
  assert.deepEqual((await site.ask(href!)).json, made)
})

test('a page that does not exist says so, and nothing is wider than a phone', async () => {
  const { page } = await openPage(browser, site.base)
  for (const path of [
    '/api/nothing/',
    '/api/polynym/99999/',
    '/nothing',
    '/api/quote/',
    '/accounts/login/',
    '/accounts/signup/',
  ]) {
    await page.goto(path)
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    assert.ok(Number(wide) <= 360, `${path} is ${wide} px wide`)
  }
  await page.goto('/api/nothing/')
  assert.match((await page.locator('.answer').textContent())!, /HTTP 404 Not Found[\s\S]*"detail":\s*"Not found\."/)
})

test('a visitor can sign up, create a token, change the password and sign out, without a script', async () => {
  const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: false })
  await page.goto('/api/polynym/?page=2')
  await page.getByRole('link', { name: 'Sign in' }).first().click()
  await page.getByRole('link', { name: 'I need an account' }).click()
  await page.getByLabel('User name').fill('lea')
  await page.getByLabel('Password').fill('short')
  await page.getByLabel('Repeat it').fill('short')
  await clickThrough(page, page.getByRole('button', { name: 'Sign up' }))
  assert.match((await page.locator('#password-wrong').textContent())!, /Use at least 10 characters\./)
  assert.equal(await page.getByLabel('User name').inputValue(), 'lea')
  await page.getByLabel('Password').fill('a long enough secret')
  await page.getByLabel('Repeat it').fill('a long enough slip')
  await clickThrough(page, page.getByRole('button', { name: 'Sign up' }))
  assert.match((await page.locator('#password_again-wrong').textContent())!, /not the same/)
  await page.getByLabel('Password').fill('a long enough secret')
  await page.getByLabel('Repeat it').fill('a long enough secret')
  await clickThrough(page, page.getByRole('button', { name: 'Sign up' }))
  assert.equal(await page.locator('.codes li').count(), 8)
  await clickThrough(page, page.getByRole('link', { name: 'Continue' }))
  // Back to the page before.
  assert.equal(await page.locator('h1').textContent(), 'Polynym List')
  await page.goto('/accounts/')
  assert.equal(await page.locator('h1').textContent(), 'lea')

  // What is wrong is shown at its field.
  await page.goto('/accounts/recovery-codes/')
  await page.getByLabel('Password').fill('not the right one')
  await clickThrough(page, page.getByRole('button', { name: 'Make new codes' }))
  assert.equal(await page.locator('#password-wrong').textContent(), 'That is not your password.')
  await page.getByText('You have 8 of 8 recovery codes left.').waitFor()
  await page.getByRole('link', { name: 'Account', exact: true }).click()

  await page.getByRole('link', { name: 'Tokens' }).click()
  await page.getByLabel('Days').fill('0')
  await clickThrough(page, page.getByRole('button', { name: 'Make a token' }))
  assert.equal(await page.locator('#name-wrong').textContent(), 'Fill this in.')
  assert.equal(await page.getByLabel('Days').inputValue(), '0')
  await page.getByLabel('Name').fill('laptop')
  await clickThrough(page, page.getByRole('button', { name: 'Make a token' }))
  assert.match((await page.locator('#days-wrong').textContent())!, /whole number from 1 to/)
  assert.equal(await page.getByLabel('Name').inputValue(), 'laptop')
  await page.getByLabel('Days').fill('30')
  await clickThrough(page, page.getByRole('button', { name: 'Make a token' }))
  const [key] = /[0-9a-f]{40}/.exec((await page.locator('main').textContent())!) ?? []
  const who = await site.ask('/accounts/', { headers: { authorization: `Token ${key}` } })
  assert.deepEqual(who.json, { username: 'lea', staff: false })
  await clickThrough(page, page.getByRole('button', { name: 'Revoke laptop' }))
  assert.equal((await site.ask('/accounts/', { headers: { authorization: `Token ${key}` } })).status, 401)

  await page.goto('/accounts/password/')
  await page.getByLabel('Old password').fill('a long enough secret')
  await page.getByLabel('New password').fill('another long secret')
  await page.getByLabel('Repeat it').fill('another long secret')
  await clickThrough(page, page.getByRole('button', { name: 'Change password' }))
  await clickThrough(page, page.getByRole('banner').getByRole('button', { name: 'Sign out' }))
  assert.equal(new URL(page.url()).pathname, '/')
  await page.goto('/accounts/')
  assert.equal(new URL(page.url()).pathname, '/accounts/login/')
  await page.getByLabel('User name').fill('lea')
  await page.getByLabel('Password').fill('another long secret')
  await clickThrough(page, page.getByRole('button', { name: 'Sign in' }))
  assert.equal(new URL(page.url()).pathname, '/accounts/')
  // A page with errors returns 400, which the browser console reports; it must report nothing else.
  assert.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  )
})
