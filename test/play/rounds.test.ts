/** /api/play/: rounds of games, whose answers, stakes and times the server keeps. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, NOT_FOUND, REQUIRED, wrongMethods } from '../words/refused.ts'
import { make } from '../writing/fixtures.ts'
import { addQuestions, answerOf, GAMES, PlayerClient } from './players.ts'

const PATH = '/api/play/'
const START = Date.parse('2026-05-01T10:00:00.000Z')
const OVER = { detail: 'This round is over: it had its guess.' }

onEachEngine('Rounds of games', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))
  before(() => addQuestions(site))

  /** Seconds after the start. */
  const at = (seconds: number) => {
    site.clock = new Date(START + seconds * 1000)
  }

  test('{play.games} the games are listed with their rules', async () => {
    const { status, json, headers } = await site.ask(PATH)
    assert.deepEqual([status, json.length, headers['cache-control']], [200, 6, 'private, no-store'])
    assert.deepEqual(
      json.map(({ game, typed }: { game: string; typed: boolean }) => [game, typed]),
      ['sets', ...GAMES].map((game) => [game, !['sets', 'thegist', 'unquote'].includes(game)]),
    )
    for (const { does, stakes, scores, means } of json) {
      assert.match(`${does}${stakes}`, /^[A-Z].+\.[A-Z0-9].+\.$/)
      assert.deepEqual([scores, means], [[], []])
    }
    for (const refused of [
      { ask: `${PATH}chess/`, status: 404, says: NOT_FOUND },
      { ask: `POST ${PATH}chess/`, status: 404, says: NOT_FOUND },
      { ask: `${PATH}polypuzzle/rounds/none/`, status: 404, says: NOT_FOUND },
      ...wrongMethods(PATH, 'GET, HEAD, OPTIONS'),
      ...wrongMethods(`${PATH}polypuzzle/`, 'GET, POST, HEAD, OPTIONS'),
      ...wrongMethods(`${PATH}polypuzzle/rounds/none/`, 'GET, POST, HEAD, OPTIONS'),
    ]) {
      await assertRefused(site, refused)
    }
  })

  test('{play.begin} {play.private} a player begins a round, and continues it on another device', async () => {
    const begun = await site.ask(`${PATH}polypuzzle/`, { method: 'POST', as: 'ada' })
    const { round, game, number, score, question } = begun.json
    assert.deepEqual([begun.status, game, number, score], [201, 'polypuzzle', 1, 0])
    assert.match(round, /^[A-Za-z0-9_-]{22}$/)
    assert.equal(begun.headers['location'], `${site.base}${PATH}polypuzzle/rounds/${round}/`)
    assert.equal(begun.headers['set-cookie'], undefined)
    const again = await site.ask(`${PATH}polypuzzle/`, { method: 'POST', as: 'ada' })
    assert.deepEqual([again.status, again.json], [200, { round, game, number, score, question }])
    const found = await site.ask(`${PATH}polypuzzle/rounds/${round}/`, { as: 'ada' })
    assert.deepEqual([found.status, found.json], [200, again.json])
    const list = await site.ask(`${PATH}polypuzzle/`, { as: 'ada' })
    assert.deepEqual([list.json.count, list.json.results], [1, [again.json]])
    for (const { headers } of [begun, again, found, list]) assert.equal(headers['cache-control'], 'private, no-store')
    assert.deepEqual((await site.ask(`${PATH}polypuzzle/`, { as: 'ben' })).json.results, [])
  })

  test('{play.hidden} {play.stakes} before the end nothing tells the answer, the stake or the time', async () => {
    const player = new PlayerClient(site)
    for (const game of GAMES) {
      for (let number = 1; number <= 3; number++) {
        const { token, ...round } = await player.begin(game)
        const answer = await answerOf(site, round.round)
        assert.deepEqual(Object.keys(round), ['round', 'game', 'number', 'score', 'question'])
        const seen = [JSON.stringify(round), (await player.find(round)).text]
        const [listed] = (await site.ask(`${PATH}${game}/?page_size=1`, player.sent)).json.results
        assert.deepEqual(listed, round)
        const { terms = [], crossing = [], text = '', options = [] } = round.question
        if (options.length === 0) for (const each of seen) assert.doesNotMatch(each, new RegExp(answer, 'i'))
        for (const id of Object.values(round.question).flat()) assert.doesNotMatch(String(id), /\/api\/|^\d+$/)
        const { json } = await player.guess(round, answer)
        const blank = terms.indexOf(null)
        const stake =
          game === 'quadrazone'
            ? [3, 3, 5, 5][blank]
            : options.length > 0
              ? 2 + options.length
              : terms.length + crossing.length
        assert.deepEqual([json.outcome, json.stake, json.answer, json.number], ['hit', stake, answer, number])
        if (game === 'thegist') assert.equal(text, 'We _____ what others _____.')
        if (options.length > 0) assert.ok(options.length >= 3 && options.length <= 5)
        if (game === 'thegist') assert.equal(options[Number(answer) - 1], 'door')
        if (game === 'unquote') assert.equal(options[Number(answer) - 1], 'We open what others close.')
        assert.deepEqual(Object.keys(json).slice(5), [
          'guess',
          'answer',
          'outcome',
          'stake',
          'bonus',
          'points',
          'begun',
          'ended',
          'records',
        ])
        for (const record of json.records) assert.equal((await site.ask(new URL(record).pathname)).status, 200)
      }
    }
  })

  test('{play.bonus} {play.clock} a fast hit earns more, by the clock of the server alone', async () => {
    for (const [seconds, bonus] of [
      [0, 10],
      [15, 10],
      [15.001, 5],
      [30, 5],
      [30.001, 0],
      [86400, 0],
      [-5, 0],
    ] as const) {
      const player = new PlayerClient(site)
      at(0)
      const round = await player.begin('quizzection')
      at(seconds)
      const lies = {
        begun: new Date(START - 1000).toISOString(),
        ended: round.begun,
        stake: 500,
        points: 500,
        seconds: 1,
      }
      const { json } = await player.guess(round, 'sail', lies)
      const { stake, points, begun, ended } = json
      assert.deepEqual([stake, json.bonus, points, json.score], [7, bonus, 7 + bonus, 7 + bonus], String(seconds))
      assert.deepEqual(
        [begun, ended],
        [0, seconds].map((each) => new Date(START + each * 1000).toISOString()),
      )
    }
    site.clock = undefined
  })

  test('{play.same} {play.near} case, accents, articles and plurals do not matter; another form earns half', async () => {
    const guesses: [string, string, number][] = [
      ['  SAIL ', 'hit', 17],
      ['the sails', 'hit', 17],
      ['Sáil!', 'hit', 17],
      ['sailing', 'near', 3],
      ['sailed', 'near', 3],
      ['sailor', 'near', 3],
      ['sailor walk sail ride', 'miss', 0],
      ['tow', 'miss', 0],
      ['row', 'miss', 0],
      ['', 'miss', 0],
      ['sail sail', 'miss', 0],
    ]
    for (const [guess, outcome, points] of guesses) {
      const player = new PlayerClient(site)
      const { json } = await player.guess(await player.begin('quizzection'), guess)
      assert.deepEqual([json.outcome, json.points, json.guess], [outcome, points, guess.trim()], guess)
    }
    // What the question shows is no guess, whatever its form and whatever is added to it.
    const bears = { p1: 'brown bear', p2: 'polar bear', p3: 'sloth bear' }
    await make(site, 'polynym', { name: 'Bears', mode: 'type', area: 'mammals', ...bears })
    const guesser = new PlayerClient(site, 'gil')
    const ask = async (): Promise<any> => {
      const round = await guesser.begin('polypuzzle')
      if (round.question.hint === 'mammals') return round
      await guesser.guess(round, '')
      return await ask()
    }
    for (const guess of ['bear', 'bears', 'bearer', 'zzz bear', 'mammal']) {
      const { json } = await guesser.guess(await ask(), guess)
      assert.deepEqual([json.outcome, json.points], ['miss', 0], guess)
    }
    const asked = await ask()
    const [own = ''] = (await answerOf(site, asked.round)).split(' ')
    const { json: known } = await guesser.guess(asked, own)
    assert.deepEqual([known.outcome, known.points], ['near', 1])
    const player = new PlayerClient(site)
    const round = await player.begin('thegist')
    const wrong = (Number(await answerOf(site, round.round)) % 3) + 1
    const { json } = await player.guess(round, String(wrong))
    assert.deepEqual([json.outcome, json.points], ['miss', 0])
  })

  test('{play.once} a round takes one guess: replays, later guesses and two devices at once change nothing', async () => {
    const player = new PlayerClient(site, 'cy')
    const round = await player.begin('quizzection')
    const guesses = ['row', 'sail', 'tow', 'walk', 'sail', 'drift']
    const replies = await Promise.all(guesses.map((guess) => player.guess(round, guess)))
    const counted = replies.filter(({ status }) => status === 200)
    assert.equal(counted.length, 1)
    for (const { status, json } of replies) if (status !== 200) assert.deepEqual([status, json], [409, OVER])
    for (const guess of ['sail', counted[0]?.json.guess]) {
      const { status, json } = await player.guess(round, guess)
      assert.deepEqual([status, json], [409, OVER])
    }
    assert.deepEqual((await player.find(round)).json, counted[0]?.json)
    assert.equal((await player.find(round)).json.score, counted[0]?.json.points)
    const devices = await Promise.all(Array.from({ length: 6 }, () => player.begin('quizzection')))
    assert.equal(new Set(devices.map((each) => each.round)).size, 1)
    assert.equal(devices[0].number, 2)
  })

  test('{play.token} without an account, the client that has the token is the player', async () => {
    const [mine, other] = [new PlayerClient(site), new PlayerClient(site)]
    const begun = await site.ask(`${PATH}quizzection/`, { method: 'POST' })
    const { token } = begun.json
    assert.match(token, /^[A-Za-z0-9_-]{43}$/)
    const [cookie = ''] = begun.headers['set-cookie'] ?? []
    assert.match(cookie, new RegExp(`^nymdex_player=${token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax$`))
    const round = begun.json
    mine.useToken(token)
    assert.equal((await mine.find(round)).json.token, undefined)
    const byCookie = { headers: { cookie: `nymdex_player=${token}` } }
    assert.equal((await site.ask(`${PATH}quizzection/rounds/${round.round}/`, byCookie)).status, 200)
    await other.begin('quizzection')
    for (const sent of [other.sent, { as: 'ada' }, {}]) {
      const target = `${PATH}quizzection/rounds/${round.round}/`
      assert.deepEqual((await site.ask(target, sent)).json, NOT_FOUND)
      const guess = await site.ask(target, { method: 'POST', json: { guess: 'sail' }, ...sent })
      assert.deepEqual([guess.status, guess.json], [404, NOT_FOUND])
    }
    for (const changed of [`${token}a`, token.slice(1), token.toUpperCase(), 'a']) {
      const sent = { headers: { authorization: `Player ${changed}` } }
      for (const method of ['GET', 'POST']) {
        const { status, json } = await site.ask(`${PATH}quizzection/`, { method, ...sent })
        assert.deepEqual([status, json], [401, { detail: 'Invalid token.' }])
      }
      // A browser may have a cookie that is older than its rounds.
      const fresh = await site.ask(`${PATH}quizzection/`, {
        method: 'POST',
        headers: { cookie: `nymdex_player=${changed}` },
      })
      assert.equal(fresh.status, 201)
      assert.notEqual(fresh.json.token, changed)
    }
    assert.equal((await mine.guess(round, 'sail')).json.outcome, 'hit')
  })

  test('{play.deleted} a round goes on when its records are deleted or changed', async () => {
    const made = await make(site, 'quadranym', { name: 'hue', e: 'red', r: 'blue', o: 'paint', s: 'mood' })
    const player = new PlayerClient(site, 'dan')
    let round = await player.begin('quadrazone')
    while (round.question.topic !== 'hue') {
      await player.guess(round, '')
      round = await player.begin('quadrazone')
    }
    assert.equal((await site.ask(`/api/quadranym/${made.quadranym_id}/`, { method: 'DELETE', as: 'gus' })).status, 204)
    const answer = await answerOf(site, round.round)
    assert.deepEqual((await player.find(round)).json.question, round.question)
    const { json } = await player.guess(round, answer)
    assert.deepEqual([json.outcome, json.records], ['hit', []])
  })

  test('{play.withdrawn} while staff hide a record, its rounds show neither the question nor the answer', async () => {
    const words = { e: 'warm', r: 'cool', o: 'air', s: 'comfort' }
    const { quadranym_id } = await make(site, 'quadranym', { name: 'draught', ...words })
    const player = new PlayerClient(site, 'dot')
    let round = await player.begin('quadrazone')
    while (round.question.topic !== 'draught') {
      await player.guess(round, '')
      round = await player.begin('quadrazone')
    }
    assert.equal((await site.ask(`/api/quadranym/${quadranym_id}/`, { method: 'DELETE', as: 'staff' })).status, 204)
    const json = { resource: 'quadranym', id: quadranym_id, hidden: true }
    assert.equal((await site.ask('/api/hidden/', { method: 'PUT', as: 'staff', json })).status, 200)
    assert.deepEqual((await player.find(round)).json.question, {})
    assert.match((await site.page(`/play/quadrazone/${round.round}/`, 'dot')).text, /This question was withdrawn\./)
    const { question, answer, outcome } = (await player.guess(round, '')).json
    assert.deepEqual([question, answer, outcome], [{}, '', 'miss'])
    const { text } = await site.page(`/play/quadrazone/${round.round}/`, 'dot')
    assert.match(text, /This question was withdrawn\./)
    assert.doesNotMatch(text, /draught/)
  })

  test('{play.sizes} a guess is a short text', async () => {
    const player = new PlayerClient(site)
    const round = await player.begin('polypuzzle')
    for (const [guess, says] of [
      [undefined, REQUIRED],
      [['a'], ['Not a valid string.']],
      [{ guess: 'a' }, ['Not a valid string.']],
      ['a\u0000b', ['Not a valid string.']],
      ['\ud800', ['Not a valid string.']],
      ['a'.repeat(201), ['Ensure this field has no more than 200 characters.']],
    ] as const) {
      const { status, json } = await player.guess(round, guess)
      assert.deepEqual([status, json], [400, { guess: says }])
    }
    for (const id of ['%00', '%20', '..%2f']) {
      assert.equal((await site.ask(`${PATH}polypuzzle/rounds/${id}/`, player.sent)).status, 404, id)
    }
    const form = { guess: 'x'.repeat(200) }
    const target = `${PATH}polypuzzle/rounds/${round.round}/`
    const { status, json } = await site.ask(target, { method: 'POST', form, ...player.sent })
    assert.deepEqual([status, json.outcome], [200, 'miss'])
  })
})
