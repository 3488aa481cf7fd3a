/** /play/: games by keyboard, by touch and without scripts. Most rounds of a game are played over HTTP, to save time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addQuestions, addSets, answerOf, GAMES, PlayerClient, solutionOf } from '../play/players.ts'
import { DESKTOP, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { make } from '../writing/fixtures.ts'
import { brokenWords, expected, faultsOf, lookAt, widthOf } from './looking.ts'

const LAST = 10
const DAY_MS = 24 * 60 * 60 * 1000

describe('playing', () => {
  const { site, browser } = siteInBrowser({ sample: false }, async (site) => {
    await addQuestions(site)
    await addSets(site)
  })

  /** Much is played here in little time, and there are limits for each minute and for each day. */
  const later = () => {
    site.ticks = (site.ticks ?? 1e9) + DAY_MS
  }

  /** A browser whose player has two rounds left in each game. */
  async function opened(options: BrowserContextOptions) {
    const { page, complaints } = await openPage(browser, site.base, options)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/play/')
    await page.getByRole('link', { name: 'PolyPuzzle' }).click()
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('heading', { name: 'PolyPuzzle, round 1 of 10' }).waitFor()
    const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'nymdex_player')
    assert.ok(cookie)
    const player = new PlayerClient(site)
    player.useToken(cookie.value)
    for (const game of GAMES) {
      later()
      for (let i = 1; i < LAST - 1; i++) await player.play(game, i % 3 > 0)
    }
    return { page, complaints }
  }

  const roundOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-2) ?? ''

  const begunRound = async (page: Page) => {
    await page.getByRole('heading', { name: 'round 1 of 10' }).waitFor()
    return roundOf(page)
  }

  /** Plays the last two rounds; `guess` and `press` are how this player does it. */
  async function finish(
    page: Page,
    guess: (answer: string, isTyped: boolean) => Promise<void>,
    press: (name: string) => Promise<void>,
    look: () => Promise<void> = async () => {},
  ) {
    for (const game of GAMES) {
      later()
      await page.goto(`/play/${game}/`)
      for (const number of [LAST - 1, LAST]) {
        await press('Next round')
        await page.getByRole('heading', { name: `round ${number} of 10` }).waitFor()
        if (number === LAST) await look()
        const answer = await answerOf(site, roundOf(page))
        await guess(answer, await page.getByRole('textbox', { name: 'The missing term' }).isVisible())
        await page.getByText('That is it.').first().waitFor()
      }
      await page.getByText(/^The game is over: \d+ points\.$/).waitFor()
      await page.getByRole('heading', { name: 'Where it comes from' }).waitFor()
      await page.getByRole('button', { name: 'New game' }).waitFor()
      await look()
    }
  }

  /** Plays the board of today with one mistake. */
  async function solve(
    page: Page,
    choose: (words: readonly string[]) => Promise<void>,
    press: (name: string) => Promise<void>,
    look: () => Promise<void> = async () => {},
  ) {
    later()
    await page.goto('/play/sets/')
    await press('Play today’s board')
    const heading = page.getByRole('heading', { name: /^Sets of the day \d+$/ })
    await heading.waitFor()
    const number = Number((await heading.textContent())?.replace(/\D/g, ''))
    const groups = await solutionOf(site, number)
    const [first = [], second = []] = groups
    await look()
    await choose([...first.slice(0, 3), second[0] ?? ''])
    await press('Guess')
    await page.getByText('One away: three of the four belong together. 3 mistakes left.').first().waitFor()
    await press('Clear')
    for (const [i, group] of groups.entries()) {
      await choose(group)
      await press('Guess')
      if (i < groups.length - 1)
        await page
          .getByText(/^Found: /)
          .first()
          .waitFor()
      await page.locator('.bar').nth(i).waitFor()
      if (i === 1) await look()
    }
    await page.getByText('Solved with 1 mistake.').first().waitFor()
    assert.match(
      await page.getByRole('textbox', { name: 'With signs' }).inputValue(),
      /^Sets of the day \d+\n(.{8}\n){5}http/s,
    )
    assert.match(
      await page.getByRole('textbox', { name: 'In words' }).inputValue(),
      /solved with 1 mistake\. Guess 1: three of four\./,
    )
    await page.getByRole('link', { name: 'Rivers' }).waitFor()
    await page.locator('.outcome:focus').waitFor()
    await look()
  }

  /** The page of the game offers the result in place of the board. */
  async function lookAgain(page: Page) {
    await page.goto('/play/sets/')
    await page.getByText('Today’s board is done: you solved it.').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Play today’s board' }).isVisible(), false)
    await page.getByRole('link', { name: 'See the result' }).click()
    await page.getByText('Solved with 1 mistake.').first().waitFor()
  }

  test('by keyboard alone, with what is found said aloud', async () => {
    const { page, complaints } = await opened({ ...DESKTOP, timezoneId: 'Etc/GMT+12' })
    await finish(
      page,
      async (answer, isTyped) => {
        await page.keyboard.type(answer)
        if (isTyped) await page.keyboard.press('Enter')
      },
      async (name) => {
        const button = page.getByRole('button', { name })
        await button.and(page.locator(':focus')).waitFor()
        await page.keyboard.press('Enter')
      },
    )
    const said = page.locator('main > [role=status]')
    assert.match((await said.textContent()) ?? '', /That is it\. .*The game is over/s)
    const boxes = page.getByRole('checkbox')
    const words = () => boxes.evaluateAll((all) => all.map((box) => box.getAttribute('value')))
    await solve(
      page,
      async (chosen) => {
        for (const word of chosen) {
          const all = await words()
          const focused = page.locator('input[name=word]:focus')
          const at = all.indexOf(await focused.getAttribute('value'))
          const step = all.indexOf(word) - at
          for (let i = 0; i < Math.abs(step); i++) await page.keyboard.press(step > 0 ? 'ArrowRight' : 'ArrowLeft')
          await page.keyboard.press('Space')
        }
        await page.getByText('4 of 4 chosen').waitFor()
      },
      async (name) => {
        if (name === 'Guess') return await page.keyboard.press('Enter')
        const button = page.getByRole('button', { name })
        for (let i = 0; !(await button.and(page.locator(':focus')).isVisible()) && i < 30; i++) {
          await page.keyboard.press('Tab')
        }
        await page.keyboard.press('Enter')
        if (name !== 'Clear') return
        await page.getByText('0 of 4 chosen').waitFor()
        while (!(await page.locator('input[name=word]:focus').isVisible())) await page.keyboard.press('Shift+Tab')
      },
    )
    assert.match(
      (await said.textContent()) ?? '',
      /Solved with 1 mistake\..* The next board begins in \d+ h \d+ min\./s,
    )
    await page.getByRole('button', { name: 'Copy: With signs' }).waitFor()
    await lookAgain(page)
    assert.deepEqual(complaints, [])
    // Five guesses at one address are one step back.
    await page.goBack()
    assert.equal(new URL(page.url()).pathname, '/play/sets/')
  })

  test('by touch on a telephone, and nothing is wrong for axe', async () => {
    const { page, complaints } = await opened({ ...PHONE, timezoneId: 'Pacific/Kiritimati' })
    await finish(
      page,
      async (answer, isTyped) => {
        if (!isTyped) return await page.locator(`button[data-key="${answer}"]`).tap()
        await page.getByRole('textbox', { name: 'The missing term' }).fill(answer)
        await page.getByRole('button', { name: 'Guess' }).tap()
      },
      async (name) => await page.getByRole('button', { name }).tap(),
      async () => {
        assert.deepEqual(await faultsOf(page), [], page.url())
        assert.ok((await widthOf(page)) <= 390, page.url())
      },
    )
    await solve(
      page,
      async (words) => {
        for (const word of words) await page.locator('.tile', { hasText: new RegExp(`^${word}$`) }).tap()
      },
      async (name) => await page.getByRole('button', { name }).tap(),
      async () => {
        assert.deepEqual(await faultsOf(page), [], page.url())
        assert.ok((await widthOf(page)) <= 390, page.url())
        const figures = page.locator('.facts dd')
        if ((await figures.count()) > 0) {
          await page.setViewportSize({ width: 320, height: 844 })
          const heights = await figures.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height))
          assert.equal(new Set(heights).size, 1, 'no figure is broken')
        }
        const guess = page.getByRole('button', { name: 'Guess' })
        if (!(await guess.isVisible())) return
        const { y = 0, height = 0 } = (await guess.boundingBox()) ?? {}
        assert.ok(y + height <= 844, 'the board fits on one screen')
        for (const width of [320, 360, 390]) {
          await page.setViewportSize({ width, height: 844 })
          assert.deepEqual(await brokenWords(page, '.tile span'), [], `${width} px`)
          assert.ok((await widthOf(page)) <= width, page.url())
        }
        // All words look alike: capital letters would tell the rivers from the fish.
        const cases = await page
          .locator('.tile span')
          .evaluateAll((all) => all.map((word) => getComputedStyle(word, '::first-letter').textTransform))
        assert.deepEqual([...new Set(cases)], ['uppercase'])
      },
    )
    await lookAgain(page)
    assert.deepEqual(expected(complaints), [])
  })

  test('without scripts', async () => {
    const { page } = await opened({ ...DESKTOP, javaScriptEnabled: false })
    await finish(
      page,
      async (answer, isTyped) => {
        if (!isTyped) return await page.locator(`button[data-key="${answer}"]`).click()
        await page.getByRole('textbox', { name: 'The missing term' }).fill(answer)
        await page.getByRole('button', { name: 'Guess' }).click()
      },
      async (name) => await page.getByRole('button', { name }).click(),
    )
    await solve(
      page,
      async (words) => {
        for (const word of words) await page.getByRole('checkbox', { name: word, exact: true }).check()
      },
      async (name) => await page.getByRole('button', { name }).click(),
      // What only scripts can do is not offered.
      async () => assert.equal(await page.locator(':is([data-shuffle], [data-copy]):visible').count(), 0),
    )
    await page.getByText('The next board begins at midnight.').waitFor()
    await lookAgain(page)
  })

  test('a page tells no answer, a second press shows the result, and rounds of others do not exist', async () => {
    const headers = { accept: 'text/html' }
    const begun = await site.ask('/play/quizzection/', { method: 'POST', headers })
    assert.equal(begun.status, 303)
    const [cookie = ''] = begun.headers['set-cookie'] ?? []
    const mine = { headers: { ...headers, cookie: cookie.split(';', 1)[0] ?? '' } }
    const path = begun.headers['location'] ?? ''
    const shown = await site.ask(path, mine)
    assert.equal(shown.status, 200)
    assert.doesNotMatch(shown.text, /sail/i)
    assert.match(String(shown.headers['cache-control']), /no-store|private/)
    assert.equal((await site.ask(path, { headers })).status, 404)
    for (const guess of ['row', 'sail']) {
      const sent = await site.ask(path, { method: 'POST', form: { guess }, ...mine })
      assert.deepEqual([sent.status, sent.headers['location']], [303, path])
    }
    const over = await site.ask(path, mine)
    assert.match(over.text, /That is not it\..*The missing term is <b>sail<\/b>\..*You typed: row/s)
    const long = await site.ask('/play/quizzection/', { method: 'POST', ...mine })
    const refused = await site.ask(long.headers['location'] ?? '', {
      method: 'POST',
      form: { guess: 'a'.repeat(201) },
      ...mine,
    })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /role="alert"/)
    for (const gone of ['/play/chess/', '/play/chess/1/', '/play/polypuzzle/none/']) {
      assert.equal((await site.ask(gone, { headers })).status, 404)
    }
    assert.match((await site.ask('/play/sets/', mine)).text, /Four mistakes end the game\./)
    const board = await site.ask('/play/sets/', { method: 'POST', form: { zone: 'Europe/Rome' }, ...mine })
    const place = board.headers['location'] ?? ''
    const closed = await site.ask(place, mine)
    assert.doesNotMatch(closed.text, /Boats|Fish|Hats|Rivers|\/polynym\//)
    const send = async (word: string[], more = {}) =>
      await site.ask(place, { method: 'POST', form: { word, ...more }, ...mine })
    const mixed = ['row', 'cod', 'fez', 'Nile']
    assert.deepEqual((await send(mixed)).status, 303)
    const again = await send(mixed)
    assert.equal(again.status, 409)
    assert.match(again.text, /role="alert">You have already guessed these four words\./)
    const few = await send(mixed.slice(1))
    assert.equal(few.status, 400)
    assert.match(few.text, /role="alert">Choose four words\./)
    assert.equal((await site.ask(place, { headers })).status, 404)
    assert.equal((await send([], { ends: '1' })).status, 303)
    const given = await site.ask(place, mine)
    assert.match(given.text, /Not solved: 0 sets of 4 found\..*when this day is over everywhere/s)
    assert.doesNotMatch(given.text, /Boats/)
    site.clock = new Date(Date.now() + 3 * DAY_MS)
    assert.match((await site.ask(place, mine)).text, /Not solved: 0 sets of 4 found\..*Boats.*not found/s)
    site.clock = undefined
    const foreign = { ...headers, origin: 'https://elsewhere.example' }
    assert.equal((await site.ask('/play/quizzection/', { method: 'POST', headers: foreign })).status, 403)
  })

  test('a finished round shows the text and its own topic, also if another topic was deleted', async () => {
    const headers = { accept: 'text/html' }
    const begun = await site.ask('/play/thegist/', { method: 'POST', headers })
    const mine = { headers: { ...headers, cookie: begun.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? '' } }
    const next = async () => (await site.ask('/play/thegist/', { method: 'POST', ...mine })).headers['location'] ?? ''
    let path = await next()
    const answer = async () => Number(await answerOf(site, path.split('/').at(-2) ?? ''))
    for (; (await answer()) === 1; path = await next()) {
      await site.ask(path, { method: 'POST', form: { guess: '' }, ...mine })
    }
    const [, first = ''] = /data-key="1"[^>]*>([^<]*)</.exec((await site.ask(path, mine)).text) ?? []
    const { results } = (await site.ask(`/api/quadranym/?name=${first}`)).json
    const [{ quadranym_id: id, name, e, r, o, s }] = results
    await site.ask(`/api/quadranym/${id}/`, { method: 'DELETE', as: 'gus' })
    await site.ask(path, { method: 'POST', form: { guess: '' }, ...mine })
    const { text } = await site.ask(path, mine)
    assert.match(text, /It is <q>door<\/q>\. No points\./)
    assert.match(text, /Where it comes from.*We open what others close\..*>door</s)
    for (const topic of ['song', 'fire', 'tale']) assert.doesNotMatch(text, new RegExp(`quadranym[^>]*>${topic}<`))
    await make(site, 'quadranym', { name, e, r, o, s })
  })

  test('neither a held key nor the second of two clicks answers the next question', async () => {
    later()
    const { page, complaints } = await openPage(browser, site.base, DESKTOP)
    await page.goto('/play/thegist/')
    await page.evaluate(`document.addEventListener('round', () => {
      const { x, y } = document.querySelector('.option').getBoundingClientRect()
      window.clicked = document.elementFromPoint(x + 9, y + 9).className
    }, { once: true })`)
    await page.getByRole('button', { name: 'Begin' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.down('Enter')
    await page.locator('.does:focus').waitFor()
    assert.notEqual(await page.evaluate('window.clicked ?? "option"'), 'option')
    const answer = await answerOf(site, roundOf(page))
    await page.locator(`[data-key="${answer === '1' ? 2 : 1}"]`).focus()
    for (let i = 0; i < 3; i++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.locator(`[data-key="${answer}"]`).click()
    await page.getByText('That is it.').first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test('who signs in in another tab plays on, with the board of the day and with a round', async () => {
    later()
    const { page, complaints } = await openPage(browser, site.base, DESKTOP)
    await page.goto('/play/polypuzzle/')
    await page.getByRole('button', { name: 'Begin' }).click()
    await page.getByRole('textbox', { name: 'The missing term' }).fill(await answerOf(site, await begunRound(page)))
    const board = await page.context().newPage()
    await board.goto('/play/sets/')
    await board.getByRole('button', { name: 'Play today’s board' }).click()
    for (const word of ['row', 'cod', 'fez', 'Nile']) await board.getByRole('checkbox', { name: word }).check()
    const data = { username: 'late', password: 'a long enough secret' }
    assert.equal((await page.request.post('/accounts/signup/', { data })).status(), 201)
    await page.getByRole('button', { name: 'Guess' }).click()
    await page.getByText('That is it.').first().waitFor()
    await board.getByRole('button', { name: 'Guess' }).click()
    await board.getByText('Not a set. 3 mistakes left.').first().waitFor()
    assert.equal((await site.ask('/api/winner/?user=late&app=polypuzzle')).json.count, 1)
    assert.deepEqual(expected(complaints), [])
    await page.context().close()
  })

  test('after midnight, a page that is still open offers the new board', async () => {
    later()
    const { page, complaints } = await openPage(browser, site.base, { ...DESKTOP, timezoneId: 'UTC' })
    await page.goto('/play/sets/')
    await page.getByRole('button', { name: 'Play today’s board' }).click()
    await page.getByRole('button', { name: 'I give up' }).click()
    await page.getByText('Not solved: 0 sets of 4 found.').first().waitFor()
    await page.goto('/play/sets/')
    await page.getByText('Today’s board is done: you did not solve it.').waitFor()
    await page.clock.setFixedTime(Date.now() + DAY_MS)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByRole('button', { name: 'Play today’s board' }).waitFor()
    assert.equal(await page.getByText('Today’s board is done').isVisible(), false)
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('a cross of two long sets fits on one screen, in the order of its terms', async () => {
    const { page } = await openPage(browser, site.base, PHONE)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/play/quizzection/')
    await page.getByRole('button', { name: 'Begin' }).tap()
    await page.getByRole('textbox', { name: 'The missing term' }).waitFor()
    const terms =
      'great primer,english,pica,small pica,long primer,bourgeois,brevier,minion,,agate,pearl,diamond'.split(',')
    const crossing =
      'garnet,amethyst,bloodstone,,emerald,moonstone,ruby,sardonyx,sapphire,tourmaline,topaz,turquoise'.split(',')
    const asked = [terms, crossing].map((set) => set.map((term) => term || null))
    const question = JSON.stringify({ terms: asked[0], crossing: asked[1] })
    await site.engine.store.write(function* () {
      yield { sql: 'UPDATE play_round SET question = ? WHERE id = ?', parameters: [question, roundOf(page)] }
    })
    await page.reload()
    for (const { viewport } of [PHONE, DESKTOP]) {
      if (viewport) await page.setViewportSize(viewport)
      const box = await page.locator('.round form').last().boundingBox()
      assert.ok(box && viewport && box.y + box.height <= viewport.height, JSON.stringify(box))
    }
    const said = await page.locator('.crossed li').allTextContents()
    assert.deepEqual(
      said,
      [...terms, ...crossing].map((term) => term || '?missing'),
    )
    assert.deepEqual(await faultsOf(page), [])
    // A round that is no longer the player's: the page says so.
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'I give up' }).tap()
    await page.getByRole('heading', { name: 'This is not your round' }).waitFor()
    assert.match((await page.locator('main > [role=status]').textContent()) ?? '', /^This is not your round Only the/)
    await page.getByRole('link', { name: 'Play a round of your own' }).tap()
    await page.getByRole('button', { name: 'Begin' }).waitFor()
    await page.context().close()
  })

  test('the hall of fame, and the way to the games', async () => {
    const player = new PlayerClient(site, 'ada')
    for (let i = 0; i < LAST; i++) await player.play('quizzection', true)
    const { text } = await site.page('/play/quizzection/')
    assert.match(
      text,
      /<a href="\/people\/ada\/">ada<\/a><\/td><td class="number">170<\/td><td class="number">10<\/td>/,
    )
    assert.match(text, /<td class="number">17\.0<\/td><td class="number">10<\/td>/)
    assert.match((await site.page('/play/')).text, /Best: 170 points, ada/)
    const menu = /<nav class="parts".*?<a href="\/play\/" aria-current="page">Play<\/a>.*?<\/nav>/s
    for (const part of ['/play/', '/play/sets/', '/play/quizzection/'])
      assert.match((await site.page(part)).text, menu, part)
    for (const from of ['/', '/explore/']) assert.match((await site.page(from)).text, /<a [^>]*href="\/play\/"/)
  })

  test('earlier boards can be played, and the front page offers the board of today', async () => {
    later()
    const now = Date.now()
    const { number } = await new PlayerClient(site).begin('sets')
    site.clock = new Date(now + 3 * DAY_MS)
    const { text } = await site.page('/play/sets/archive/')
    assert.match(text, new RegExp(`<b>${number}</b>.*name="day" value="${number}".*>Play</button>`, 's'))
    assert.match((await site.page('/play/sets/')).text, /The last board.*Boats/s)
    await site.engine.store.write(function* () {
      for (const value of [0b1111, 0b1111, 0b1111]) yield* site.engine.store.boards.addTally(number, 'four', value)
      yield* site.engine.store.boards.addTally(number, 'end', 1)
      yield* site.engine.store.boards.addTally(number, 'first', 2)
    })
    await lookAt(browser, site.base, ['/play/insights/'])
    const headers = { accept: 'text/html' }
    const begun = await site.ask('/play/sets/', { method: 'POST', form: { day: String(number) }, headers })
    const cookie = begun.headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
    const round = await site.ask(begun.headers['location'] ?? '', { headers: { ...headers, cookie } })
    assert.match(round.text, new RegExp(`Sets of the day ${number}.*does not count for streaks`, 's'))
    site.clock = undefined
    assert.match((await site.page('/')).text, /<a class="btn go" href="\/play\/sets\/">Play today’s board</)
  })
})
