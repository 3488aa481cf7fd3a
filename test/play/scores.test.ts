/** What rounds leave behind: scores, the hall of fame, and what happens to the rounds of a player. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findForgettable, forget } from '../../src/engine/index.ts'
import { countWrongStandings } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'
import { make } from '../writing/fixtures.ts'
import { addQuestions, answerOf, GAMES, PlayerClient } from './players.ts'

const PATH = '/api/play/'
const PASSWORD = 'a long and quiet river'
const DAY_MS = 24 * 60 * 60 * 1000

onEachEngine('Scores of games', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))
  before(() => addQuestions(site))

  const winners = async (app: string) => (await site.ask(`/api/winner/?app=${app}`)).json.results
  const fame = async (game: string) => {
    const { json } = await site.ask(PATH)
    return json.find((each: { game: string }) => each.game === game)
  }

  test('{play.run} {play.winner} ten rounds make a game, and the best score of a player is a winner', async () => {
    const player = new PlayerClient(site, 'ada')
    const scores: number[] = []
    for (let number = 1; number <= 10; number++) {
      const round = await player.play('quizzection', number > 2)
      assert.deepEqual([round.number, round.score], [number, 17 * Math.max(0, number - 2)])
      scores.push(round.score)
      const rows = await winners('quizzection')
      if (number <= 2) assert.deepEqual(rows, [])
      else {
        const { winner_id, ...row } = rows[0]
        assert.deepEqual(row, { by: '', user: 'ada', app: 'quizzection', score: round.score, round: number })
        assert.equal(rows.length, 1)
      }
    }
    const next = await player.play('quizzection', true)
    assert.deepEqual([next.number, next.score], [1, 17])
    assert.equal((await winners('quizzection'))[0].score, Math.max(...scores))
    const [{ winner_id: id }] = await winners('quizzection')
    const history = (await site.ask(`/api/winner/${id}/history/`)).json.results
    assert.equal(history.length, 8)
    assert.ok(history.every((each: { user: string }) => each.user === 'ada'))
  })

  test('{play.staff} staff still write rows, players do not, and a round does not lower a score', async () => {
    const row = { by: 'Ben the Old', user: 'ben', app: 'quizzection', score: 20, round: 3 }
    await new PlayerClient(site, 'ben').begin('polypuzzle')
    const forged = { method: 'POST', json: { ...row, score: 30000 }, as: 'ben' }
    assert.equal((await site.ask('/api/winner/', forged)).status, 403)
    const made = await make(site, 'winner', row, 'staff')
    const player = new PlayerClient(site, 'ben')
    await player.play('quizzection', true)
    const path = `/api/winner/${made.winner_id}/`
    assert.equal((await site.ask(path)).json.score, 20)
    await player.play('quizzection', true)
    assert.deepEqual((await site.ask(path)).json, { ...made, score: 34, round: 2 })
    const forgedChange = { method: 'PATCH', json: { score: 30000 }, as: 'ben' }
    assert.equal((await site.ask(path, forgedChange)).status, 403)
    await make(site, 'winner', { ...row, app: 'an old game' }, 'staff')
  })

  test('{play.fame} the hall of fame has the ten best scores, and most points a round', async () => {
    for (let i = 0; i < 11; i++) {
      const row = { user: `old${i}`, app: 'quizzection', score: 2 * i, round: 1 }
      await site.tokenOf(row.user)
      await make(site, 'winner', row, 'staff')
    }
    const { scores, means } = await fame('quizzection')
    const top: [string, number][] = scores.map(({ user, score }: { user: string; score: number }) => [user, score])
    assert.deepEqual(top.slice(0, 3), [
      ['ada', 136],
      ['ben', 34],
      ['old10', 20],
    ])
    assert.equal(top.length, 10)
    assert.deepEqual(scores, (await winners('quizzection')).slice(0, 10))
    // Ben has too few rounds.
    assert.deepEqual(means, [{ user: 'ada', rounds: 11, points: 153 }])
    const player = new PlayerClient(site, 'cy')
    for (let i = 0; i < 10; i++) await player.play('quizzection', true)
    assert.deepEqual((await fame('quizzection')).means[0], { user: 'cy', rounds: 10, points: 170 })
  })

  test('{play.claim} rounds without an account move to the account at sign-up and sign-in', async () => {
    const account = (path: string, json: object, sent: object) => site.ask(path, { method: 'POST', json, ...sent })
    const anonymous = new PlayerClient(site)
    for (let i = 0; i < 3; i++) await anonymous.play('quizzection', true)
    const open = await anonymous.begin('thegist')
    assert.ok((await winners('quizzection')).every(({ user }: { user: string }) => user !== 'dora'))
    const credentials = { username: 'dora', password: PASSWORD }
    const made = await account('/accounts/signup/', credentials, anonymous.sent)
    assert.equal(made.status, 201)
    const [row] = (await site.ask('/api/winner/?user=dora')).json.results
    assert.deepEqual([row.app, row.score, row.round], ['quizzection', 51, 3])
    const dora = new PlayerClient(site, 'dora')
    assert.equal((await dora.find(open)).json.round, open.round)
    assert.equal((await site.ask(`${PATH}quizzection/`, { as: 'dora' })).json.count, 3)
    assert.equal((await site.ask(`${PATH}quizzection/`, anonymous.sent)).status, 401)
    const next = await dora.play('quizzection', true)
    assert.deepEqual([next.number, next.score], [4, 68])

    const browser = new PlayerClient(site)
    const { token } = await browser.begin('quizzection')
    await browser.play('quizzection', true)
    const headers = { cookie: `nymdex_player=${token}` }
    const login = await account('/accounts/login/', credentials, { headers })
    assert.equal(login.status, 200)
    assert.match(login.headers['set-cookie']?.at(-1) ?? '', /^nymdex_player=; Path=\/; Max-Age=0;/)
    assert.equal((await site.ask(`${PATH}quizzection/`, { as: 'dora' })).json.count, 5)
    // A token that nobody has claims nothing.
    const stale = await account('/api-token-auth/', credentials, { headers: { authorization: 'Player nobody' } })
    assert.equal(stale.status, 200)
    // Only good rounds could be claimed, so they say nothing about points a round.
    assert.ok((await fame('quizzection')).means.every(({ user }: { user: string }) => user !== 'dora'))
    // Nor do questions that somebody saw before signing in: who does not know the answer could begin as somebody else.
    await dora.guess(open, await answerOf(site, open.round))
    const { json: profile } = await site.ask('/api/user/dora/')
    assert.deepEqual(
      profile.games.map(({ game, rounds }: { game: string; rounds: number }) => [game, rounds]),
      [
        ['quizzection', 1],
        ['thegist', 0],
      ],
    )
    assert.equal(await site.engine.store.read(countWrongStandings), 0)
  })

  test('{play.gone} rounds go with the account, after thirty days without one, and when a record is forgotten', async () => {
    const { store } = site.engine
    const rows = (player: string, game: string) =>
      store.read(() => store.rounds.ofPlayer(player, game, { limit: 9, offset: 0 }))
    const cy = await store.read(() => store.accounts.byKey('cy'))
    assert.equal((await rows(`user ${cy?.id}`, 'quizzection')).length, 9)
    await store.write(() => store.accounts.remove(cy?.id ?? 0))
    assert.deepEqual(await rows(`user ${cy?.id}`, 'quizzection'), [])
    assert.ok((await fame('quizzection')).means.every(({ user }: { user: string }) => user !== 'cy'))

    const old = new PlayerClient(site)
    const round = await old.begin('polypuzzle')
    site.clock = new Date(Date.now() + 29 * DAY_MS)
    await new PlayerClient(site).begin('polypuzzle')
    assert.equal((await old.find(round)).status, 200)
    site.clock = new Date(Date.now() + 31 * DAY_MS)
    await new PlayerClient(site).begin('polypuzzle')
    assert.equal((await old.find(round)).status, 401)
    site.clock = undefined

    const player = new PlayerClient(site, 'eve')
    const before = await player.begin('thegist')
    const [quote] = (await site.ask('/api/quote/')).json.results
    await site.ask(`/api/quote/${quote.quote_id}/`, { method: 'PATCH', json: { src: 'Somebody' }, as: 'gus' })
    assert.equal((await player.find(before)).status, 200)
    const found = await findForgettable(site.engine, { resource: 'quote', id: quote.quote_id })
    await forget(site.engine, found)
    assert.equal((await player.find(before)).status, 404)
  })

  test('{play.limit} a player or an address begins and guesses 120 times a minute', async () => {
    site.ticks = 10 * DAY_MS
    const player = new PlayerClient(site, 'fay')
    const sent = { method: 'POST', as: 'fay' }
    for (let i = 0; i < 60; i++) await player.play(GAMES[i % GAMES.length] ?? '', i % 2 === 0)
    const refused = await site.ask(`${PATH}polypuzzle/`, sent)
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '60'])
    assert.equal((await site.ask(`${PATH}polypuzzle/`, { as: 'fay' })).status, 200)
    assert.equal((await site.ask(`${PATH}polypuzzle/`, { method: 'POST' })).status, 201)
    site.ticks += 60_000
    assert.equal((await site.ask(`${PATH}polypuzzle/`, sent)).status, 201)
    site.ticks = undefined
  })
})
