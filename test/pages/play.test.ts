/** /play/: games by keyboard, by touch and without scripts. Most rounds of a game are played over HTTP, to save time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { addQuestions, answerOf, GAMES, PlayerClient } from '../play/players.ts'
import { DESKTOP, openPage, PHONE, siteInBrowser } from '../support/browser.ts'
import { expected, faultsOf, widthOf } from './looking.ts'

const LAST = 10

describe('playing', () => {
  const { site, browser } = siteInBrowser({ sample: false }, addQuestions)

  /** Much is played here in little time, and there is a limit for each minute. */
  const later = () => {
    site.ticks = (site.ticks ?? 1e9) + 60_000
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

  test('by keyboard alone, with what is found said aloud', async () => {
    const { page, complaints } = await opened(DESKTOP)
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
    assert.match((await page.locator('main > [role=status]').textContent()) ?? '', /That is it\. .*The game is over/s)
    assert.deepEqual(complaints, [])
  })

  test('by touch on a telephone, and nothing is wrong for axe', async () => {
    const { page, complaints } = await opened(PHONE)
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
    const foreign = { ...headers, origin: 'https://elsewhere.example' }
    assert.equal((await site.ask('/play/quizzection/', { method: 'POST', headers: foreign })).status, 403)
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
    for (const from of ['/', '/explore/']) assert.match((await site.page(from)).text, /<a [^>]*href="\/play\/"/)
  })
})
