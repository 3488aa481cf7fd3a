/** People and their records, and the pages of the visitor's own account. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions } from 'playwright-core'
import { accountNamed } from '../../src/engine/index.ts'
import { DESKTOP, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { onEachEngine } from '../support/site.ts'
import { addWinners } from '../support/winners.ts'
import { expected, faultsOf, lookAt, widthOf } from './looking.ts'

const PASSWORD = 'a long enough secret'

onEachEngine('people', {}, (site) => {
  const get = (path: string, as?: string) => site.page(path, as)

  test('the page of a person shows their records, by kind', async () => {
    const { status, text } = await get('/people/mira/')
    assert.equal(status, 200)
    for (const kind of ['quadranym', 'polynym', 'polyset']) {
      const { json } = await site.ask(`/api/${kind}/?user=mira`)
      assert.ok(text.includes(`<h2><a rel="nofollow" href="/${kind}/?user=mira">`), kind)
      assert.ok(text.includes(`>${json.count} ${kind}`), kind)
    }
  })

  test('quotes and fortunes are on the page of the person who made them, and say so on their own', async () => {
    const posted = await site.ask('/api/fortune/', { method: 'POST', json: { body: 'Own what you say.' }, as: 'Solo' })
    const { text } = await get('/people/solo/')
    assert.match(text, /<h1>Solo<\/h1>/)
    assert.match(text, /<h2><a rel="nofollow" href="\/fortune\/\?user=Solo">/)
    assert.match(text, /Own what you say/)
    const record = await get(`/fortune/${posted.json.fortune_id}/`)
    assert.match(record.text, /by <a href="\/people\/Solo\/">Solo<\/a>/)
    const { json } = await site.ask('/api/quote/facets/?by=user&page_size=1')
    assert.match((await get('/people/')).text, new RegExp(`${json.facets.user[0].count} quotes`))
    await site.ask(`/api/fortune/${posted.json.fortune_id}/`, { method: 'DELETE', as: 'Solo' })
  })

  test('everybody who made something is listed, those with most first', async () => {
    const { text } = await get('/people/')
    const people = Array.from(text.matchAll(/class="open" href="\/people\/([a-z]+)\/"/g), ([, name]) => name)
    assert.equal(people[0], 'mira')
    assert.equal(people.length, 8)
  })

  test('winners are linked once there are some; their own page says why there are none', async () => {
    assert.ok(!(await get('/people/')).text.includes('/winner/'))
    assert.ok(!(await get('/people/mira/')).text.includes('<h2>Games</h2>'))
    const { text } = await get('/winner/')
    assert.match(text, /There are no winners yet/)
    assert.match(text, /Nobody has a score yet\./)
    await addWinners(site)
    assert.ok((await get('/people/')).text.includes('<a href="/winner/">Winners of the games</a>'))
    assert.ok((await get('/people/mira/')).text.includes('<h2>Games</h2>'))
    // The games of the catalogue are shown by their titles.
    const { json: games } = await site.ask('/api/play/')
    for (const { game, title } of games) {
      const score = { user: 'mira', app: game, score: 5, round: 1 }
      assert.equal((await site.ask('/api/winner/', { method: 'POST', as: 'staff', json: score })).status, 201)
      const list = (await get(`/winner/?app=${game}`)).text
      for (const shown of [`<td>${title}</td>`, `${title} (1)</option>`, `Game: ${title}<`])
        assert.ok(list.includes(shown))
      const changes = (await get('/changes/?kind=winner')).text
      assert.ok(changes.includes(`>mira, ${title}</a>`), changes)
    }
  })

  test('{people.points} {people.levels} {people.games} profiles and the list show points, levels, badges and games', async () => {
    const { json } = await site.ask('/api/user/mira/')
    const { text } = await get('/people/mira/')
    const points = `${json.points.toLocaleString('en')} points`
    assert.ok(text.includes(`<b>${json.level.title}</b> <span class="soft">${json.level.does}</span>`))
    assert.ok(text.includes(`<b>${points}</b>`))
    for (const { title } of json.badges) assert.ok(text.includes(`<li><b>${title}</b>`), title)
    assert.ok(json.badges.length > 2)
    for (const { best } of json.games) assert.ok(text.includes(`<td class="number">${best.toLocaleString('en')}</td>`))
    const list = await get('/people/')
    assert.ok(list.text.includes(`<b>${json.level.title}</b> · ${points}`))
    assert.match(list.text, /<dt>Lighthouse <span class="soft">from 1,000 points<\/span><\/dt>/)
    assert.equal((await get('/people/?page=2')).status, 404)
  })

  test('{staff.only} pages for staff show the server, its figures and settings, and accounts, to nobody else', async () => {
    const pages: Record<string, RegExp> = {
      '/staff/': /<dt>Database<\/dt><dd><span class="fine">ok<\/span><\/dd>/,
      '/staff/figures/': /<svg [^>]*role="img" aria-label="Responses a minute: \d+ answered/,
      '/staff/people/?search=MI': /<a href="\/staff\/people\/mira\/">mira<\/a><\/th><td>cannot sign in<\/td>/,
      '/staff/people/mira/': /<h1>mira<\/h1>/,
      '/staff/settings/': /<h1>Settings<\/h1>/,
    }
    for (const [path, shows] of Object.entries(pages)) {
      const { status, text, headers } = await get(path, 'staff')
      assert.equal(status, 200, path)
      assert.match(text, shows)
      assert.match(String(headers['cache-control']), /no-store/)
      assert.equal((await get(path)).status, 401)
      const other = await get(path, 'newcomer')
      assert.equal(other.status, 403)
      assert.doesNotMatch(other.text, shows)
    }
    assert.equal((await get('/staff/people/?page=9', 'staff')).status, 404)
    assert.equal((await get('/staff/people/nobody-here/', 'staff')).status, 404)
    assert.match((await get('/staff/people/?search=%3Cb%3E', 'staff')).text, /value="&lt;b>"/)
    assert.match((await get('/people/mira/', 'staff')).text, /href="\/staff\/people\/mira\/"/)
  })

  test('the page of somebody who made nothing returns 404, except for themselves', async () => {
    assert.equal((await get('/people/nobody/')).status, 404)
    const own = await get('/people/newcomer/', 'newcomer')
    assert.equal(own.status, 200)
    assert.match(own.text, /Nothing of yours yet/)
    assert.match(own.text, /href="\/accounts\/tokens\/"/)
    assert.equal((await get('/people/newcomer/')).status, 404)
    assert.equal((await get('/people/a%00b/')).status, 404)
    assert.deepEqual(site.bugs, [])
  })
})

describe('an account in a browser', () => {
  const { site, browser } = siteInBrowser()

  test('a visitor signs up, finds their own page, and every account page is accessible', async () => {
    const { page, complaints } = await openPage(browser, site.base, { javaScriptEnabled: true })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/quadranym/?realm=Social')
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.searchParams.get('next') === '/quadranym/?realm=Social')
    await page.getByRole('link', { name: 'I need an account' }).click()
    await page.getByLabel('User name').fill('lea')
    await page.getByLabel('Password').fill('short')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.locator('#password-wrong').waitFor()
    assert.deepEqual(await faultsOf(page), [])
    await page.getByLabel('Password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'Welcome, lea' }).waitFor()
    assert.equal(await page.locator('.account a').textContent(), 'lea')
    assert.deepEqual(await faultsOf(page), [])
    const [code] = await page.locator('.codes code').allTextContents()
    await page.getByRole('link', { name: 'Continue' }).click()
    await page.waitForURL('/quadranym/?realm=Social')
    await page.setViewportSize({ width: 320, height: 640 })
    assert.ok((await widthOf(page)) <= 320)
    await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('User name').fill('lea')
    await page.getByLabel('Password').fill('not the right one')
    await page.getByRole('button', { name: 'Sign in' }).click()
    assert.equal(await page.getByRole('alert').textContent(), 'That name and password do not match.')
    await page.getByLabel('Password').fill('a long enough secret')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Sign out' }).first().waitFor()
    await page.setViewportSize({ width: 360, height: 740 })
    for (const path of ['', 'tokens/', 'password/', 'delete/', 'sessions/', 'recovery-codes/']) {
      await page.goto(`/accounts/${path}`)
      assert.deepEqual(await faultsOf(page), [], path)
      assert.ok((await widthOf(page)) <= 360, path)
    }
    await page.goto('/accounts/sessions/')
    assert.match((await page.locator('.entries').textContent())!, /^Chrome on Linux \(this one\)Signed in on /)

    // With a script, a password is typed once and can be shown.
    await page.context().clearCookies()
    await page.goto('/accounts/login/')
    await page.getByRole('link', { name: 'I forgot my password' }).click()
    await page.getByLabel('User name').fill('lea')
    await page.getByLabel('Recovery code').fill(code!.toUpperCase())
    await page.getByLabel('New password').fill('yet another secret')
    assert.equal(await page.getByLabel('Repeat it').count(), 0)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    assert.equal(await page.getByLabel('New password').getAttribute('type'), 'text')
    assert.deepEqual(await faultsOf(page), [])
    await page.getByRole('button', { name: 'Recover account' }).click()
    await page.getByText('You have 7 of 8 recovery codes left.').waitFor()
    assert.match((await page.locator('#message').textContent())!, /new password is set/)

    // A like that was wished for before signing in is given, and giving it does not move the page.
    await page.context().clearCookies()
    await page.goto('/polynym/1/')
    await page.getByRole('link', { name: 'Sign in to like' }).click()
    await page.getByLabel('User name').fill('lea')
    await page.getByLabel('Password').fill('yet another secret')
    assert.equal(await page.getByRole('checkbox', { name: /^Like “/ }).isChecked(), true)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Take your like back' }).waitFor()
    await page.setViewportSize({ width: 360, height: 300 })
    const button = page.locator('form.like button')
    await button.scrollIntoViewIfNeeded()
    const before = await page.evaluate('scrollY')
    await button.click()
    await page.getByRole('button', { name: 'Like', exact: true }).waitFor()
    assert.equal(await page.evaluate('scrollY'), before)
    assert.equal(await page.locator('#message').textContent(), 'You no longer like this.')
    assert.equal((await site.ask('/api/polynym/1/')).json.voters?.includes('lea') ?? false, false)
    // Without a connection, the page stays and says so.
    assert.deepEqual(expected(complaints.splice(0)), [])
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Like', exact: true }).click()
    await page.getByText('The server cannot be reached. Try again.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Like', exact: true }).click()
    await page.getByRole('button', { name: 'Take your like back' }).waitFor()
    complaints.splice(0)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/accounts/')
    await page.getByRole('link', { name: 'Your page' }).click()
    await page.waitForURL('/people/lea/')
    assert.equal(await page.locator('h1').textContent(), 'lea')
    assert.deepEqual(expected(complaints), [])
  })

  const CALM: BrowserContextOptions = { reducedMotion: 'reduce' }
  const WAYS = [
    { way: 'on a desktop, with scripts', options: { ...DESKTOP, ...CALM, javaScriptEnabled: true } },
    { way: 'on a phone, without scripts', options: { ...PHONE, ...CALM, javaScriptEnabled: false } },
  ]

  /** A page whose visitor has just signed up. */
  async function signedUp(username: string, options: BrowserContextOptions) {
    const opened = await openPage(browser, site.base, options)
    const data = { username, password: PASSWORD }
    const answer = await opened.page.request.post('/accounts/signup/', { data })
    assert.equal(answer.status(), 201)
    return opened
  }

  async function makeStaff(name: string): Promise<void> {
    const { engine } = site
    await engine.store.write(function* () {
      const { id } = yield* accountNamed(engine, name)
      yield* engine.store.accounts.setStaff(id, true)
    })
  }

  for (const [i, { way, options }] of WAYS.entries()) {
    test(`a visitor reports a record, staff hide it and show it again, and its owner is told (${way})`, async () => {
      const owner = await signedUp(`owner${i}`, options)
      const staff = await signedUp(`keeper${i}`, options)
      const visitor = await openPage(browser, site.base, options)
      await makeStaff(`keeper${i}`)
      const posted = await site.ask('/api/fortune/', {
        method: 'POST',
        json: { body: `Buy ${i} now.` },
        as: `owner${i}`,
      })
      const path = `/fortune/${posted.json.fortune_id}/`

      await visitor.page.goto(path)
      assert.equal(await visitor.page.getByRole('button', { name: 'Hide' }).count(), 0)
      await visitor.page.getByRole('link', { name: 'Report' }).click()
      await visitor.page.getByLabel('It is spam or an advertisement').check()
      await visitor.page.getByLabel('In a sentence').fill('It sells something.')
      if (options.javaScriptEnabled) assert.deepEqual(await faultsOf(visitor.page), [])
      await visitor.page.getByRole('button', { name: 'Send the report' }).click()
      await visitor.page.getByRole('heading', { name: 'Thank you' }).waitFor()
      await visitor.page.getByRole('link', { name: 'Back to the record' }).click()
      await visitor.page.waitForURL(path)

      await staff.page.goto('/reports/')
      const report = staff.page.locator('.reports article', { hasText: `Buy ${i} now.` })
      assert.match((await report.textContent())!, /spam or an advertisement\. It sells something\./)
      assert.ok((await widthOf(staff.page)) <= options.viewport!.width)
      await report.getByRole('button', { name: 'Hide the record' }).click()
      await staff.page.waitForURL('/hidden/')
      assert.match((await staff.page.locator('#message').textContent())!, /It is hidden/)

      await visitor.page.reload()
      await visitor.page.getByRole('heading', { name: 'It was deleted' }).waitFor()
      await owner.page.goto(path)
      await owner.page.getByRole('heading', { name: 'Staff have hidden it' }).waitFor()
      assert.equal(await owner.page.getByRole('button', { name: 'Show it again' }).count(), 0)
      if (options.javaScriptEnabled) assert.deepEqual(await faultsOf(owner.page), [])
      await staff.page.goto(path)
      assert.ok((await widthOf(staff.page)) <= options.viewport!.width)
      await staff.page.getByRole('button', { name: 'Show it again' }).click()
      await staff.page.waitForURL(path)
      assert.match((await staff.page.locator('#message').textContent())!, /It is shown again/)
      await owner.page.reload()
      assert.match((await owner.page.locator('.telling .text').textContent())!, /^Buy/)

      // The page of any record has the button, too.
      await staff.page.getByRole('button', { name: 'Hide', exact: true }).click()
      await staff.page.waitForURL('/hidden/')
      await visitor.page.reload()
      await visitor.page.getByRole('heading', { name: 'It was deleted' }).waitFor()

      // Staff sign the owner out, and give back an account that somebody else has taken.
      const checked = async () => {
        if (options.javaScriptEnabled) assert.deepEqual(await faultsOf(staff.page), [])
        assert.ok((await widthOf(staff.page)) <= options.viewport!.width)
      }
      for (const path of ['staff', 'staff/figures', 'staff/settings', 'reports', 'hidden', 'staff/people']) {
        await staff.page.goto(`/${path}/`)
        await checked()
      }
      await staff.page.getByLabel('Names that begin with').fill(`owner${i}`)
      await staff.page.getByRole('button', { name: 'Find' }).click()
      await staff.page.getByRole('link', { name: `owner${i}` }).click()
      await staff.page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await staff.page.getByText('All sessions of the user have ended.').waitFor()
      await owner.page.reload()
      await owner.page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
      await staff.page.getByRole('button', { name: 'Reset the password' }).click()
      await staff.page.getByText('The password is reset.').waitFor()
      await checked()
      const code = await staff.page.locator('code.code').textContent()
      const data = { username: `owner${i}`, code, new_password: 'chosen once more' }
      assert.equal((await owner.page.request.post('/accounts/recover/', { data })).status(), 200)
      for (const { page, complaints } of [owner, staff, visitor]) {
        assert.deepEqual(expected(complaints), [])
        await page.context().close()
      }
    })

    test(`an account is recovered with a code, which works once (${way})`, async () => {
      const name = `forgetful${i}`
      const { page: before } = await openPage(browser, site.base, options)
      await before.goto('/accounts/signup/')
      await before.getByLabel('User name').fill(name)
      await before.getByLabel('Password').fill(PASSWORD)
      if (!options.javaScriptEnabled) await before.getByLabel('Repeat it').fill(PASSWORD)
      await before.getByRole('button', { name: 'Sign up' }).click()
      const [code = ''] = await before.locator('.codes code').allTextContents()
      const { page, complaints } = await openPage(browser, site.base, options)
      const recover = async (code: string, password: string) => {
        await page.goto('/accounts/login/')
        await page.getByRole('link', { name: 'I forgot my password' }).click()
        await page.getByLabel('User name').fill(name)
        await page.getByLabel('Recovery code').fill(code)
        await page.getByLabel('New password').fill(password)
        if (!options.javaScriptEnabled) await page.getByLabel('Repeat it').fill(password)
        await page.getByRole('button', { name: 'Recover account' }).click()
      }
      await recover('not-a-code', 'the first new secret')
      await page.getByRole('alert').first().waitFor()
      await recover(code, 'the first new secret')
      await page.getByText('You have 7 of 8 recovery codes left.').waitFor()
      assert.match((await page.locator('#message').textContent())!, /new password is set/)
      assert.ok((await widthOf(page)) <= options.viewport!.width)
      // Other sessions have ended.
      await before.goto('/accounts/')
      await before.waitForURL(/\/accounts\/login\//)
      await page.getByRole('banner').getByRole('button', { name: 'Sign out' }).click()
      await recover(code, 'the second new secret')
      await page.getByRole('alert').first().waitFor()
      await page.goto('/accounts/login/')
      await page.getByLabel('User name').fill(name)
      await page.getByLabel('Password').fill('the first new secret')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('banner').getByRole('link', { name }).waitFor()
      assert.deepEqual(expected(complaints), [])
      for (const each of [page, before]) await each.context().close()
    })
  }

  test('the pages of people are accessible', async () => {
    await lookAt(browser, site.base, [
      '/people/',
      '/people/mira/',
      '/people/nobody/',
      '/accounts/login/',
      '/accounts/signup/',
    ])
  })
})
