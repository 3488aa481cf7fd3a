/** People, their points, levels, badges and statistics of games. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countWrongContributions, countWrongStandings } from '../../src/store/index.ts'
import { onEachEngine } from '../support/site.ts'
import { make } from '../writing/fixtures.ts'
import { addQuestions, PlayerClient } from './players.ts'

const PATH = '/api/user/'

onEachEngine('People', { sample: false }, (site) => {
  after(() => assert.deepEqual(site.bugs, []))
  before(() => addQuestions(site))

  const person = async (name: string) => (await site.ask(`${PATH}${name}/`)).json
  const list = async () => {
    const { status, json, text } = await site.ask(PATH)
    assert.equal(status, 200, text)
    return json.results
  }
  const points = async (name: string) => {
    const { points, votes, made, best } = await person(name)
    assert.equal(points, votes + made + best)
    return [votes, made, best]
  }
  const vote = (method: string, path: string) => site.ask(`${path}vote/`, { method, as: 'ann' })
  const wrongCounters = () => {
    const { store, catalogue } = site.engine
    return store.read(function* () {
      return [yield* countWrongContributions(catalogue), yield* countWrongStandings()]
    })
  }

  test('{people.points} points are votes given, records made and best scores, and follow every write', async () => {
    assert.equal((await site.ask(`${PATH}ann/`)).status, 404)
    const songs = await make(
      site,
      'polynym',
      { name: 'Songs', mode: 'type', p1: 'aria', p2: 'hymn', p3: 'tune' },
      'ann',
    )
    const fortune = await make(site, 'fortune', { body: 'Sing.' }, 'ann')
    assert.deepEqual(await points('ANN'), [0, 2, 0])
    const [door] = (await site.ask('/api/quadranym/?name=door')).json.results
    const liked = `/api/quadranym/${door.quadranym_id}/`
    await vote('POST', liked)
    await vote('POST', liked)
    await vote('POST', `/api/polynym/${songs.polynym_id}/`)
    assert.deepEqual(await points('ann'), [2, 2, 0])
    await vote('DELETE', liked)
    assert.deepEqual(await points('ann'), [1, 2, 0])
    // A vote ends with its record, and returns with it.
    const removed = await site.ask(`/api/polynym/${songs.polynym_id}/`, { method: 'DELETE', as: 'ann' })
    assert.equal(removed.status, 204)
    assert.deepEqual(await points('ann'), [0, 1, 0])
    const [{ set }] = (await site.ask('/api/changes/recent/?user=ann')).json.results
    assert.equal((await site.ask(`/api/changes/${set}/undo/`, { method: 'POST', as: 'ann' })).status, 200)
    assert.deepEqual(await points('ann'), [1, 2, 0])
    await site.tokenOf('bob')
    const winner = await make(site, 'winner', { user: 'bob', app: 'an old game', score: 40, round: 1 }, 'staff')
    assert.deepEqual(await points('bob'), [0, 0, 40])
    const changed = { method: 'PATCH', json: { score: 30 }, as: 'staff' }
    await site.ask(`/api/winner/${winner.winner_id}/`, changed)
    assert.deepEqual(await points('bob'), [0, 0, 30])
    await site.ask(`/api/winner/${winner.winner_id}/`, { ...changed, json: { score: -5 } })
    assert.equal((await person('bob')).points, 0)
    await site.ask(`/api/winner/${winner.winner_id}/`, { ...changed, json: { score: 24 } })
    // PostgreSQL writes both in one transaction.
    const letters = { name: 'Two', mode: 'type', p1: 'a', p2: 'b', p3: 'c' }
    await Promise.all([make(site, 'fortune', { body: 'One.' }, 'bob'), make(site, 'polynym', letters, 'bob')])
    assert.deepEqual(await points('bob'), [0, 2, 24])
    const { entries, liked: given } = await person('ann')
    assert.deepEqual([entries, given], [{ fortune: 1, polynym: 1 }, { polynym: 1 }])
    await site.ask(`/api/fortune/${fortune.fortune_id}/`, { method: 'DELETE', as: 'ann' })
    assert.deepEqual((await person('ann')).entries, { polynym: 1 })
    assert.deepEqual(await wrongCounters(), [0, 0])
  })

  test('{people.levels} levels begin at 25, 50, 100, 200, 500 and 1,000 points', async () => {
    const [row] = (await site.ask('/api/winner/?user=bob')).json.results
    const at = async (points: number) => {
      // Bob has made two records.
      const json = { score: points - 2 }
      await site.ask(`/api/winner/${row.winner_id}/`, { method: 'PATCH', json, as: 'staff' })
      const { level, next, ...rest } = await person('bob')
      assert.equal(rest.points, points)
      assert.match(level.does, /^[A-Z].*\.$/)
      return [level.title, next]
    }
    const titles = ['Guest', 'Neighbour', 'Gatherer', 'Weaver', 'Gardener', 'Storyteller', 'Lighthouse']
    const starts = [25, 50, 100, 200, 500, 1000]
    for (const [i, start] of starts.entries()) {
      assert.deepEqual(await at(start - 1), [titles[i], start])
      assert.deepEqual(await at(start), [titles[i + 1], starts[i + 1] ?? null])
    }
  })

  test('{people.list} people are listed, most points first, in pages', async () => {
    const people = await list()
    const all = people.map(({ points }: { points: number }) => points)
    assert.deepEqual(
      all,
      all.toSorted((a: number, b: number) => b - a),
    )
    assert.equal(people[0].user, 'bob')
    const { badges, games, ...rest } = await person('bob')
    assert.deepEqual(people[0], rest)
    const second = await site.ask(`${PATH}?page=2&page_size=1`)
    assert.deepEqual([second.json.count, second.json.results], [people.length, [people[1]]])
    assert.match(String(second.headers['link']), /rel="last"/)
    assert.equal((await site.ask(`${PATH}?page=99`)).status, 404)
  })

  test('{people.games} a profile has the rounds, hits, near misses, points and best score of each game', async () => {
    const player = new PlayerClient(site, 'cleo')
    await player.play('quizzection', true)
    await player.guess(await player.begin('quizzection'), 'sailing')
    await player.play('quizzection', false)
    await player.play('thegist', true)
    const { games, points } = await person('cleo')
    const [cross, gist] = games
    assert.deepEqual(cross, {
      game: 'quizzection',
      title: 'QuizZection',
      rounds: 3,
      hits: 1,
      near: 1,
      points: 20,
      best: 20,
    })
    assert.deepEqual([gist.game, gist.rounds, gist.hits, gist.near, gist.best], ['thegist', 1, 1, 0, gist.points])
    assert.equal(points, cross.best + gist.best)
    const { json } = await site.ask(`${PATH}bob/`)
    assert.deepEqual([json.games[0].game, json.games[0].rounds], ['an old game', 0])
    // The other games have the order of the winners, in which order ever these are stored.
    await site.tokenOf('dora')
    const winner = (app: string) => make(site, 'winner', { user: 'dora', app, score: 9, round: 1 }, 'staff')
    const [first] = [await winner('alpha'), await winner('beta')]
    const change = { method: 'PATCH', json: { round: 2 }, as: 'staff' }
    assert.equal((await site.ask(`/api/winner/${first.winner_id}/`, change)).status, 200)
    const listed = (await site.ask('/api/winner/?user=dora')).json.results.map(({ app }: any) => app)
    assert.deepEqual(
      (await person('dora')).games.map(({ game }: any) => game),
      listed,
    )
  })

  test('{people.badges} badges are for what people make and like, and for the games', async () => {
    const titles = async (name: string) => (await person(name)).badges.map(({ title }: { title: string }) => title)
    assert.deepEqual(await titles('cleo'), [])
    assert.deepEqual(await titles('ann'), ['First entry'])
    const player = new PlayerClient(site, 'cleo')
    for (let i = 0; i < 7; i++) await player.play('quizzection', false)
    for (const game of ['polypuzzle', 'quadrazone', 'unquote']) await player.play(game, true)
    assert.deepEqual(await titles('cleo'), ['QuizZection player', 'All-rounder'])
    const streak = await make(site, 'winner', { user: 'cleo', app: 'sets', score: 7, round: 80 }, 'staff')
    assert.ok((await titles('cleo')).includes('A week of sets'))
    await site.ask(`/api/winner/${streak.winner_id}/`, { method: 'DELETE', as: 'staff' })
    assert.deepEqual(await wrongCounters(), [0, 0])
  })

  test('{people.blocked} a blocked account is in no list and has no badges and games, until it is let in again', async () => {
    const listed = async () => {
      const games = (await site.ask('/api/play/')).json
      const famous = games.flatMap(({ scores, means }: any) => [...scores, ...means])
      const profile = await person('cleo')
      const names = [await list(), famous].map((rows) => new Set(rows.map(({ user }: any) => user)).has('cleo'))
      // The page of another winner has a hall of fame as well.
      const { text } = await site.page(`/winner/${other.winner_id}/`)
      assert.match(text, /12 days in a row\..*The best at Sets of the day.*>dot</s)
      assert.equal(/href="\/people\/cleo\/"/.test(text), names[1])
      return [...names, profile.badges.length, profile.games.length, profile.best > 0]
    }
    await site.tokenOf('dot')
    const other = await make(site, 'winner', { user: 'dot', app: 'sets', score: 12, round: 80 }, 'staff')
    await make(site, 'winner', { user: 'cleo', app: 'sets', score: 3, round: 80 }, 'staff')
    const before = await listed()
    assert.deepEqual(before, [true, true, 2, 6, true])
    const { count } = (await site.ask(PATH)).json
    const block = async (blocked: boolean) => {
      const { status } = await site.ask(`${PATH}cleo/block/`, { method: 'PUT', json: { blocked }, as: 'staff' })
      assert.equal(status, 200)
    }
    await block(true)
    assert.deepEqual(await listed(), [false, false, 0, 0, true])
    assert.equal((await site.ask(PATH)).json.count, count - 1)
    await block(false)
    assert.deepEqual(await listed(), before)
  })
})
