/** Sets of the day: /api/play/sets/. The server keeps the groups of the board and every guess. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, beforeEach, test } from 'node:test'
import { games, playLanguage } from '../../src/catalogue/index.ts'
import { BoardIndex, BoardKeeper, findForgettable, forget, hasOneSolution } from '../../src/engine/index.ts'
import { runCommand } from '../support/command.ts'
import { onEachEngine } from '../support/site.ts'
import { assertRefused, NOT_FOUND, REQUIRED, wrongMethods } from '../words/refused.ts'
import { PlayerClient, solutionOf } from './players.ts'

const PATH = '/api/play/sets/'
const OVER = { detail: 'This round is over.' }
const AGAIN = { detail: 'You have already guessed these four words.' }
const WITHDRAWN = { detail: 'The board of this day was withdrawn.' }
const PASSWORD = 'a long and quiet river'
const HOUR_MS = 60 * 60 * 1000
/** 15 March 2026 is day 74. */
const DAY_74 = Date.parse('2026-03-15T12:00:00.000Z')

onEachEngine('Sets of the day', {}, (site) => {
  after(() => assert.deepEqual(site.bugs, []))

  const at = (day: number, hours = 0) => {
    site.clock = new Date(DAY_74 + ((day - 74) * 24 + hours) * HOUR_MS)
  }
  let ticks = 1e9
  beforeEach(() => {
    at(74)
    ticks += 24 * HOUR_MS
    site.ticks = ticks
  })

  const keeper = () => new BoardKeeper(site.engine, games.daily)
  /** Guesses that are wrong: two words of each of two groups. */
  const mixed = ([a = [], b = []]: string[][]) => [
    [...a.slice(0, 2), ...b.slice(0, 2)],
    [...a.slice(0, 2), ...b.slice(1, 3)],
    [...a.slice(1, 3), ...b.slice(0, 2)],
    [...a.slice(1, 3), ...b.slice(1, 3)],
  ]

  async function play(player: PlayerClient, json: object, { wrong = 0, isWon = true } = {}): Promise<any> {
    const round = await player.begin('sets', json)
    const groups = await solutionOf(site, round.number)
    const fours = [...mixed(groups).slice(0, wrong), ...(isWon ? groups : [])]
    let last = round
    for (const four of fours) {
      const { status, json, text } = await player.guess(round, four)
      assert.equal(status, 200, text)
      last = json
    }
    return last
  }

  test('{sets.begin} {sets.board} a player begins the board of the day, and continues it on another device', async () => {
    const begun = await site.ask(PATH, { method: 'POST', as: 'ada' })
    const { round, question, ...rest } = begun.json
    assert.equal(begun.status, 201)
    assert.equal(begun.headers['location'], `${site.base}${PATH}rounds/${round}/`)
    assert.equal(begun.headers['cache-control'], 'private, no-store')
    const figures = { played: 0, streak: 0, best: 0, won: [0, 0, 0, 0] }
    const open = { guesses: [], mistakes: 0, groups: [], counts: true, figures }
    assert.deepEqual(rest, { game: 'sets', number: 74, date: '2026-03-15', score: 0, ...open })
    assert.equal(new Set(question.words).size, 16)
    const again = await site.ask(PATH, { method: 'POST', as: 'ada' })
    assert.deepEqual([again.status, again.json], [200, begun.json])
    assert.deepEqual((await site.ask(`${PATH}rounds/${round}/`, { as: 'ada' })).json, begun.json)
    assert.deepEqual((await site.ask(PATH, { as: 'ada' })).json.results, [begun.json])
    assert.deepEqual((await new PlayerClient(site).begin('sets')).question, question)
    for (const refused of [
      { ask: `${PATH}rounds/none/`, status: 404, says: NOT_FOUND },
      { ask: '/api/play/polypuzzle/calendar/', status: 404, says: NOT_FOUND },
      { ask: `/api/play/polypuzzle/rounds/${round}/`, status: 404, says: NOT_FOUND },
      ...wrongMethods(`${PATH}calendar/`, 'GET, HEAD, OPTIONS'),
    ]) {
      await assertRefused(site, refused)
    }
  })

  test('{sets.zone} the day is that of the player, through changes of the clock, and of no other planet', async () => {
    const dayAt = async (time: string, json: object) => {
      site.clock = new Date(time)
      const { number, date } = await new PlayerClient(site).begin('sets', json)
      return [number, date]
    }
    for (const [time, zone, number, date] of [
      ['2026-03-28T22:59:59Z', 'Europe/Rome', 87, '2026-03-28'],
      ['2026-03-28T23:00:00Z', 'Europe/Rome', 88, '2026-03-29'],
      ['2026-03-29T21:59:59Z', 'Europe/Rome', 88, '2026-03-29'],
      ['2026-03-29T22:00:00Z', 'Europe/Rome', 89, '2026-03-30'],
      ['2026-03-28T10:00:00Z', 'Pacific/Kiritimati', 88, '2026-03-29'],
      ['2026-03-28T11:59:59Z', 'Etc/GMT+12', 86, '2026-03-27'],
      ['2026-03-28T12:00:00Z', 'Etc/GMT+12', 87, '2026-03-28'],
      ['2026-03-28T23:59:59Z', '', 87, '2026-03-28'],
    ] as const) {
      assert.deepEqual(await dayAt(time, { zone }), [number, date], `${zone} at ${time}`)
    }
    for (const zone of ['Mars/Olympus', '+23:59', '-14:00', 'x'.repeat(65), 7, ['UTC']]) {
      const { status, json } = await site.ask(PATH, { method: 'POST', json: { zone } })
      assert.deepEqual([status, json], [400, { zone: ['Not a time zone, such as Europe/Rome.'] }])
    }
    at(74)
    for (const [day, says] of [
      [75, 'This day has not begun.'],
      [0, 'A valid integer is required.'],
      ['soon', 'A valid integer is required.'],
      [[74], 'A valid integer is required.'],
    ] as const) {
      const { status, json } = await site.ask(PATH, { method: 'POST', json: { day } })
      assert.deepEqual([status, json], [400, { day: [says] }])
    }
    const none = await site.ask(PATH, { method: 'POST', json: { day: 3 } })
    assert.deepEqual([none.status, none.json], [404, { detail: 'There is no board for this day.' }])
  })

  test('{sets.guess} {sets.repeated} a guess is right, near or wrong, and the same four words count once', async () => {
    const player = new PlayerClient(site)
    const round = await player.begin('sets')
    const groups = await solutionOf(site, 74)
    const [first = [], second = [], third = [], fourth = []] = groups
    const near = [...first.slice(0, 3), second[0] ?? '']
    const one = (await player.guess(round, near)).json
    assert.deepEqual([one.mistakes, one.groups, one.guesses[0].outcome], [1, [], 'near'])
    assert.deepEqual(one.guesses[0].words.toSorted(), near.toSorted())
    for (const same of [near, near.toReversed(), near.join(', ').toUpperCase()]) {
      const { status, json } = await player.guess(round, same)
      assert.deepEqual([status, json], [409, AGAIN])
    }
    const two = (await player.guess(round, first)).json
    assert.deepEqual([two.mistakes, two.groups.length, two.guesses[1].outcome], [1, 1, 'right'])
    assert.deepEqual(two.groups[0].terms, first)
    assert.match(two.groups[0].name, /^\S/)
    const found = ['One of these words is in a set that you have found.']
    for (const [guess, says] of [
      [near, found],
      [second.slice(0, 3), ['Guess four different words.']],
      [[...second.slice(0, 3), second[0]], ['Guess four different words.']],
      [[...second, ...third], ['Guess four different words.']],
      [['zzz', ...second.slice(0, 3)], ['The board has no word "zzz".']],
      [[1, 2, 3, 4], ['Not a valid string.']],
      [{ words: second }, ['Not a valid list.']],
      [Array(17).fill('a'), ['Guess four different words.']],
      [',,,', ['Guess four different words.']],
      [undefined, REQUIRED],
    ] as const) {
      const { status, json } = await player.guess(round, guess)
      assert.deepEqual([status, json], [400, { guess: says }], JSON.stringify(guess))
    }
    const form = { guess: second.join(',') }
    const sent = await site.ask(`${PATH}rounds/${round.round}/`, { method: 'POST', form, ...player.sent })
    assert.deepEqual([sent.status, sent.json.groups.length], [200, 2])
    await player.guess(round, third)
    const end = (await player.guess(round, fourth)).json
    assert.deepEqual([end.outcome, end.mistakes, end.score, end.records.length], ['won', 1, 1, 4])
    assert.deepEqual(end.figures, { played: 1, streak: 1, best: 1, won: [0, 1, 0, 0] })
    assert.equal(end.guesses.length, 5)
    for (const record of end.records) assert.equal((await site.ask(new URL(record).pathname)).status, 200)
    for (const guess of [first, '', ['zzz']]) {
      const { status, json } = await player.guess(round, guess)
      assert.deepEqual([status, json], [409, OVER])
    }
  })

  test('{sets.mistakes} {sets.share} the fourth mistake ends the round; the share text has signs and words', async () => {
    const player = new PlayerClient(site, 'pia')
    const round = await player.begin('sets')
    const groups = await solutionOf(site, 74)
    await player.guess(round, groups[3])
    const wrong = mixed(groups)
    for (const four of wrong.slice(0, 3)) assert.equal((await player.guess(round, four)).json.outcome, undefined)
    const end = (await player.guess(round, wrong[3])).json
    assert.deepEqual([end.outcome, end.mistakes, end.score], ['lost', 4, 0])
    assert.deepEqual(
      end.groups.map(({ terms }: { terms: string[] }) => terms.join()).toSorted(),
      groups.map(String).toSorted(),
    )
    const [signs, words] = end.share
    assert.match(signs, /^Sets of the day 74\n🟪🟪🟪🟪(\n(🟨|🟩){4}){4}$/u)
    assert.equal(
      words,
      'Sets of the day 74, not solved. Guess 1: the hardest set. Guess 2: no three together. Guess 3: no three together. Guess 4: no three together. Guess 5: no three together.',
    )
    const quitter = new PlayerClient(site, 'quin')
    const quit = await quitter.begin('sets')
    for (const none of [[], [' '], [' ', '']]) assert.equal((await quitter.guess(quit, none)).status, 400)
    const left = (await quitter.guess(quit, '')).json
    assert.deepEqual([left.outcome, left.mistakes, left.groups.length, left.guesses], ['lost', 0, 4, []])
  })

  test('{sets.guests} without an account, nobody is shown what they have not found until the day is over', async () => {
    await keeper().fill()
    const [guest, quitter] = [new PlayerClient(site), new PlayerClient(site)]
    const round = await guest.begin('sets')
    const groups = await solutionOf(site, 74)
    const [first = [], second = [], third = [], fourth = []] = groups
    await guest.guess(round, third)
    // These four have all the words that are left: their colours would tell the solution.
    const wrong = [0, 1, 2].map((i) => [first[i] ?? '', second[i] ?? '', fourth[i] ?? '', first[3] ?? ''])
    for (const four of [[...first.slice(0, 3), second[3] ?? ''], ...wrong]) await guest.guess(round, four)
    const end = (await guest.find(round)).json
    assert.deepEqual([end.outcome, end.mistakes, end.counts], ['lost', 4, true])
    assert.deepEqual(
      end.groups.map(({ terms }: { terms: string[] }) => terms),
      [third],
    )
    assert.equal(end.records.length, 1)
    assert.equal(end.share[0], 'Sets of the day 74\n🟦🟦🟦🟦\n⬜⬜⬜⬛\n⬛⬛⬛⬛\n⬛⬛⬛⬛\n⬛⬛⬛⬛')
    const left = (await quitter.guess(await quitter.begin('sets'), '')).json
    assert.deepEqual([left.outcome, left.groups, left.records], ['lost', [], []])
    const page = async () => {
      const [, token = ''] = String(guest.sent.headers?.['authorization']).split(' ')
      const headers = { accept: 'text/html', cookie: `nymdex_player=${token}` }
      return (await site.ask(`/play/sets/${round.round}/`, { headers })).text
    }
    assert.match(
      await page(),
      /when this day is over everywhere: on <time[^>]*>Monday, 16 March 2026<\/time> at 12:00 UTC\. <a /,
    )
    at(75, -0.001)
    assert.deepEqual((await guest.find(round)).json, end)
    at(75)
    const over = (await guest.find(round)).json
    assert.deepEqual([over.groups.length, over.records.length], [4, 4])
    assert.match(over.share[0], /^Sets of the day 74\n🟦{4}\n(🟨|🟩){4}\n((🟨|🟩|🟪){4}\n?){3}$/u)
    assert.doesNotMatch(await page(), /over everywhere/)
    // An account sees at once what it did not find, also in a round that it played before it signed in.
    at(74)
    const json = { username: 'rob', password: PASSWORD }
    assert.equal((await site.ask('/accounts/signup/', { method: 'POST', json, ...quitter.sent })).status, 201)
    const given = await site.ask('/api-token-auth/', { method: 'POST', json })
    const [mine] = (await site.ask(PATH, { headers: { authorization: `Token ${given.json.token}` } })).json.results
    assert.deepEqual([mine.round, mine.outcome, mine.counts, mine.groups.length], [left.round, 'lost', true, 4])
  })

  test('{sets.limit} an address begins a board sixty times a day without an account', async () => {
    const guests = Array.from({ length: 60 }, () => new PlayerClient(site))
    for (const guest of guests) await guest.begin('sets')
    const { status, headers, json } = await site.ask(PATH, { method: 'POST' })
    assert.deepEqual([status, headers['retry-after']], [429, '86400'])
    assert.deepEqual(json, { detail: 'Request was throttled. Expected available in 86400 seconds.' })
    const page = await site.ask('/play/sets/', { method: 'POST', headers: { accept: 'text/html' } })
    assert.equal(page.status, 429)
    assert.match(page.text, /Sign in to play, or come back later\./)
    // A round goes on, and other boards, boards that are public and accounts have nothing to do with it.
    await guests[0]?.begin('sets')
    await new PlayerClient(site, 'sue').begin('sets')
    await new PlayerClient(site).begin('sets', { zone: 'Pacific/Kiritimati' })
    at(76)
    await new PlayerClient(site).begin('sets', { day: 74 })
    at(74)
    site.ticks = ticks + 24 * HOUR_MS
    await new PlayerClient(site).begin('sets')
  })

  test('{sets.once} replays, two devices at once, later guesses and tokens of others win nothing', async () => {
    const player = new PlayerClient(site, 'cy')
    const devices = await Promise.all(Array.from({ length: 5 }, () => player.begin('sets')))
    assert.equal(new Set(devices.map(({ round }) => round)).size, 1)
    const [round] = devices
    const groups = await solutionOf(site, 74)
    const wrong = mixed(groups)
    const same = await Promise.all(Array.from({ length: 5 }, () => player.guess(round, wrong[0])))
    assert.deepEqual(same.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409])
    const all = await Promise.all([...wrong.slice(1), ...groups].map((four) => player.guess(round, four)))
    // In any order: a wrong four may come after one of its words was found.
    for (const { status, json } of all) if (status === 409) assert.deepEqual(json, OVER)
    assert.ok(all.every(({ status }) => [200, 400, 409].includes(status)))
    const end = (await player.find(round)).json
    assert.equal(end.guesses.length, 1 + all.filter(({ status }) => status === 200).length)
    assert.ok(end.mistakes === 4 ? end.outcome === 'lost' : end.outcome === 'won')
    assert.equal((await player.begin('sets')).outcome, end.outcome)
    const other = new PlayerClient(site)
    await other.begin('sets')
    for (const sent of [other.sent, { as: 'ada' }, {}]) {
      const target = `${PATH}rounds/${round.round}/`
      assert.deepEqual((await site.ask(target, sent)).json, NOT_FOUND)
      const guess = await site.ask(target, { method: 'POST', json: { guess: groups[0] }, ...sent })
      assert.deepEqual([guess.status, guess.json], [404, NOT_FOUND])
    }
    const lies = { mistakes: 0, outcome: 'won', groups, number: 1, counts: true, figures: { streak: 99 } }
    const liar = new PlayerClient(site)
    const { json } = await liar.guess(await liar.begin('sets', { ...lies }), wrong[0], lies)
    assert.deepEqual([json.mistakes, json.groups, json.outcome, json.figures.streak], [1, [], undefined, 0])
  })

  test('{sets.hidden} {sets.calendar} {sets.stored} groups and salts appear when the day is over everywhere', async () => {
    await keeper().fill()
    const ahead = (await site.ask(`${PATH}calendar/?page_size=100`)).json
    const days = ahead.results.map(({ number }: { number: number }) => number)
    assert.deepEqual([days[0], days.includes(74), ahead.count >= 32], [105, true, true])
    const player = new PlayerClient(site, 'dan')
    const round = await player.begin('sets')
    const groups = await solutionOf(site, 74)
    const day = async () => (await site.ask(`${PATH}calendar/?day=74`)).json.results[0]
    const secret = await day()
    assert.deepEqual(Object.keys(secret), ['number', 'date', 'hash', 'rounds', 'won', 'difficulty'])
    assert.match(secret.hash, /^[0-9a-f]{64}$/)
    for (const { salt, words, groups } of ahead.results)
      assert.deepEqual([salt, words, groups], [undefined, undefined, undefined])
    // The words are not in the order of their groups, and a record that is changed or deleted changes no board.
    assert.notDeepEqual(round.question.words, groups.flat())
    const [id] =
      (await site.engine.store.read(() => site.engine.store.boards.ofDay(74)))?.board.match(/(?<="id":)\d+/) ?? []
    const path = `/api/polynym/${id}/`
    assert.ok((await site.ask(`${path}?cascade=true`, { method: 'DELETE', as: 'staff' })).status < 300)
    assert.deepEqual((await player.find(round)).json, round)
    for (const four of groups) assert.equal((await player.guess(round, four)).status, 200)
    const end = (await player.find(round)).json
    assert.deepEqual([end.outcome, end.records.length], ['won', 3])
    at(75, -0.001)
    assert.equal((await day()).salt, undefined)
    at(75)
    assert.equal((await day()).salt?.length, 43)
    const { salt, words, groups: shown, hash } = await day()
    const text = JSON.stringify({
      groups: shown.map(({ id, mode, name, terms }: any) => ({ id, mode, name, terms })),
      salt,
      words,
    })
    assert.equal(hash, secret.hash)
    assert.equal(createHash('sha256').update(text).digest('hex'), hash)
    assert.equal((await site.ask(`${PATH}calendar/?day=200`)).status, 404)
    assert.equal((await site.ask(`${PATH}calendar/?day=x`)).status, 400)
  })

  test('{sets.verified} nymdex verify-board finds a board that was changed', async () => {
    await keeper().fill()
    at(76)
    const { text, json } = await site.ask(`${PATH}calendar/?day=74`)
    const [{ hash }] = json.results
    const run = async (input: string, ...args: string[]) => {
      const { code, out, err } = await runCommand(['verify-board', ...args], { PATH: process.env['PATH'] }, input)
      return [code, `${out}${err}`]
    }
    const fine = [0, `the board of day 74 has the hash ${hash}\n`]
    assert.deepEqual(await run(text), fine)
    assert.deepEqual(await run(JSON.stringify(json.results[0]), '--hash', hash.toUpperCase()), fine)
    const wrong = `nymdex: the board of day 74 does not have the hash ${hash}: it was changed\n`
    const [day] = json.results
    const [group, ...rest] = day.groups
    for (const changed of [
      { ...day, words: day.words.toReversed() },
      { ...day, salt: `${day.salt}a` },
      { ...day, groups: [{ ...group, name: 'Other' }, ...rest] },
    ]) {
      assert.deepEqual(await run(JSON.stringify(changed)), [1, wrong])
    }
    const ahead = (await site.ask(`${PATH}calendar/?day=80`)).text
    for (const [input, says] of [
      ['{', 'standard input is not JSON'],
      ['{"number": 1}', 'this is not a day of the calendar: it needs number, hash, salt, words and groups'],
      [ahead, 'no day in this JSON is over: only past days have a salt'],
    ] as const) {
      assert.deepEqual(await run(input), [1, `nymdex: ${says}\n`])
    }
  })

  test('{sets.streak} {sets.archive} {sets.late} streaks count days that were won before their boards were public', async () => {
    await keeper().fill()
    const player = new PlayerClient(site, 'eve')
    const figures = async () => (await site.ask(`${PATH}?page_size=1`, player.sent)).json.results[0].figures
    for (const [day, wrong] of [
      [74, 0],
      [75, 2],
      [76, 3],
    ] as const) {
      at(day)
      const { score, counts } = await play(player, {}, { wrong })
      assert.deepEqual([score, counts], [day - 73, true])
    }
    assert.deepEqual(await figures(), { played: 3, streak: 3, best: 3, won: [1, 0, 1, 1] })
    const { count, results } = (await site.ask(`${PATH}?until=75`, player.sent)).json
    assert.deepEqual([count, results.map(({ number }: { number: number }) => number)], [2, [75, 74]])
    assert.equal((await site.ask(`${PATH}?until=soon`, player.sent)).status, 400)
    const [winner] = (await site.ask('/api/winner/?app=sets&user=eve')).json.results
    assert.deepEqual([winner.score, winner.round, winner.by], [3, 76, ''])
    // Somewhere it may still be day 77 until day 78 ends at UTC-12.
    at(78, -0.001)
    assert.equal((await figures()).streak, 3)
    at(78)
    assert.equal((await figures()).streak, 0)
    // A board of an earlier day can be played, and counts for nothing.
    const old = await play(player, { day: 77 })
    assert.deepEqual([old.number, old.outcome, old.counts, old.figures.played], [77, 'won', false, 3])
    // A round that is open when its board becomes public counts no longer.
    const late = await player.begin('sets')
    const [first, ...rest] = await solutionOf(site, 78)
    await player.guess(late, first)
    at(79)
    for (const four of rest) await player.guess(late, four)
    const end = (await player.find(late)).json
    assert.deepEqual(
      [end.outcome, end.counts, end.figures],
      ['won', false, { played: 3, streak: 0, best: 3, won: [1, 0, 1, 1] }],
    )
    const lost = await play(player, {}, { wrong: 4, isWon: false })
    assert.deepEqual([lost.outcome, lost.figures.played, lost.figures.streak], ['lost', 4, 0])
    at(80)
    assert.equal((await play(player, { zone: 'Asia/Tokyo' })).figures.streak, 1)
    // Begun at the end of a day, it belongs to that day.
    at(81, 11.999)
    const begun = await player.begin('sets')
    at(82, -11)
    for (const four of await solutionOf(site, 81)) await player.guess(begun, four)
    assert.deepEqual((await player.find(begun)).json.figures.streak, 2)
  })

  test('{sets.order} a day counts no longer once the player has begun a later one', async () => {
    const west = { zone: 'Etc/GMT+12' }
    at(90)
    await keeper().fill()
    const [player, other] = [new PlayerClient(site, 'mia'), new PlayerClient(site, 'ned')]
    // Shortly before noon it is still the day before at UTC-12.
    at(91, -1)
    const missed = await play(other, west)
    assert.deepEqual([missed.number, missed.counts], [90, true])
    for (const each of [player, other]) await play(each, {})
    const late = await play(player, west)
    assert.deepEqual([late.number, late.outcome, late.counts, late.score], [90, 'won', false, 1])
    assert.equal((await other.begin('sets')).score, 2)
    // Nor if it was played without an account.
    const json = { username: 'oda', password: PASSWORD }
    assert.equal((await site.ask('/accounts/signup/', { method: 'POST', json })).status, 201)
    const given = await site.ask('/api-token-auth/', { method: 'POST', json })
    const headers = { authorization: `Token ${given.json.token}` }
    assert.equal((await site.ask(PATH, { method: 'POST', headers })).status, 201)
    at(91, -0.5)
    const token = new PlayerClient(site)
    assert.equal((await play(token, west)).counts, true)
    await site.ask('/api-token-auth/', { method: 'POST', json, ...token.sent })
    const rounds = async (sent: object) =>
      (await site.ask(PATH, sent)).json.results.map(({ number, outcome, counts }: any) => [number, outcome, counts])
    assert.deepEqual(await rounds({ headers }), [
      [91, undefined, true],
      [90, 'won', false],
    ])
    // In whatever order they move to the account.
    const [early, second] = [new PlayerClient(site), new PlayerClient(site)]
    await play(early, {})
    at(91, -0.2)
    await play(second, west)
    const pat = { username: 'pat', password: PASSWORD }
    await site.ask('/accounts/signup/', { method: 'POST', json: pat, ...second.sent })
    await site.ask('/api-token-auth/', { method: 'POST', json: pat, ...early.sent })
    assert.deepEqual(await rounds({ as: 'pat' }), [
      [91, 'won', true],
      [90, 'won', false],
    ])
  })

  test('{sets.claim} at sign-in the rounds of a token move to the account, which keeps its own round of a day', async () => {
    await keeper().fill()
    const token = new PlayerClient(site)
    await play(token, {})
    at(75)
    await play(token, {})
    const json = { username: 'gil', password: PASSWORD }
    const signed = await site.ask('/accounts/signup/', { method: 'POST', json, ...token.sent })
    assert.equal(signed.status, 201, signed.text)
    const [winner] = (await site.ask('/api/winner/?app=sets&user=gil')).json.results
    assert.deepEqual([winner.score, winner.round], [2, 75])
    const other = new PlayerClient(site)
    await play(other, {}, { wrong: 2 })
    at(76)
    await play(other, {}, { wrong: 1 })
    const given = await site.ask('/api-token-auth/', { method: 'POST', json, ...other.sent })
    assert.equal(given.status, 200, given.text)
    const headers = { authorization: `Token ${given.json.token}` }
    const rounds = (await site.ask(PATH, { headers })).json.results
    assert.deepEqual(
      rounds.map(({ number, mistakes, figures }: any) => [number, mistakes, figures.best]),
      [
        [76, 1, 3],
        [75, 0, 3],
        [74, 0, 3],
      ],
    )
  })

  test('{sets.unique} {sets.taught} {sets.insights} makers that work at once make one board a day, each with one solution', async () => {
    at(300)
    await Promise.all([keeper().fill(), keeper().fill(), keeper().fill()])
    const { store } = site.engine
    const rows = await store.read(() => store.boards.madeAfter(0, 500))
    const made = rows.filter(({ number }) => number >= 300)
    assert.equal(made.length, 32)
    const { of: resource, setOf } = games.daily
    const sets = (await store.read(() => store.records.after({ resource }, 0, 10_000))).map(setOf)
    const index = new BoardIndex(sets, playLanguage)
    for (const { board } of made) assert.ok(hasOneSolution(index, JSON.parse(board).words))
    const groups = made.slice(0, 12).flatMap(({ board }) => JSON.parse(board).groups)
    assert.equal(new Set(groups.map(({ id }: any) => id)).size, 48)
    const solution = await solutionOf(site, 300)
    for (const [i, wrong] of [0, 1, 2, 2].entries()) await play(new PlayerClient(site, `ivy${i}`), {}, { wrong })
    // Rounds without an account teach nothing, and neither does somebody who gives up at once.
    await play(new PlayerClient(site), {}, { wrong: 3 })
    const quitter = new PlayerClient(site, 'jo')
    assert.equal((await quitter.guess(await quitter.begin('sets'), '')).json.outcome, 'lost')
    const day = async () => (await site.ask(`${PATH}calendar/?day=300`)).json.results[0]
    const today = await day()
    assert.deepEqual([today.rounds, today.won, today.first, today.fours], [4, 4, undefined, undefined])
    const taught = async () => {
      const { json } = await site.ask(`${PATH}calendar/?fours=3`)
      return json.results.flatMap(({ number, fours }: any) => (number === 300 ? fours : []))
    }
    const sorted = (fours: { words: string[]; times: number }[]) =>
      fours.map(({ words, times }) => [words.toSorted(), times])
    const wrong = mixed(solution).map((four) => four.toSorted())
    assert.deepEqual(await taught(), [])
    at(302)
    const [four] = await taught()
    assert.deepEqual(sorted(await taught()), [[wrong[0], 3]])
    const { first, fours } = await day()
    assert.deepEqual(first, [4, 0, 0, 0])
    assert.deepEqual(sorted(fours), [
      [wrong[0], 3],
      [wrong[1], 2],
    ])
    assert.equal((await site.ask(`${PATH}calendar/?fours=many`)).status, 400)
    assert.equal((await site.page('/play/sets/archive/?page=99')).status, 404)
    const { text } = await site.page('/play/insights/')
    const terms = four.words.map((word: string, i: number) => `p${i + 1}=${encodeURIComponent(word)}`)
    assert.ok(text.replaceAll('&amp;', '&').includes(`/make/polynym/?${terms.join('&')}`), text)
    assert.match(text, /<td class="number">4<\/td>\s*<td class="number">100%<\/td>/)
    const form = await site.page(`/make/polynym/?${terms.join('&')}`, 'ada')
    for (const word of four.words) assert.ok(form.text.includes(`value="${word}"`), word)
  })

  test('{sets.withdrawn} {sets.stored} the board of a hidden record is withdrawn, and days ahead get another', async () => {
    at(310)
    await keeper().fill()
    const { store } = site.engine
    const idsOf = async (day: number): Promise<number[]> => {
      const row = await store.read(() => store.boards.ofDay(day))
      return JSON.parse(row?.board ?? '').groups.map(({ id }: { id: number }) => id)
    }
    const dayOf = async (day: number) => (await site.ask(`${PATH}calendar/?day=${day}`)).json.results?.[0]
    const remove = async (id = 0) => {
      const { status, text } = await site.ask(`/api/polynym/${id}/?cascade=true`, { method: 'DELETE', as: 'staff' })
      assert.ok(status < 300, text)
    }
    const hide = async (id = 0, hidden = true) => {
      const json = { resource: 'polynym', id, hidden }
      assert.equal((await site.ask('/api/hidden/', { method: 'PUT', json, as: 'staff' })).status, 200)
    }
    const [winner, other] = [new PlayerClient(site, 'ivy'), new PlayerClient(site, 'jon')]
    const won = await play(winner, {}, { wrong: 1 })
    const open = await other.begin('sets')
    const wrong = mixed(await solutionOf(site, 310))
    await other.guess(open, wrong[0])
    const [id] = await idsOf(310)
    const hashes = async () => await Promise.all([320, 321, 322].map(async (day) => (await dayOf(day))?.hash))
    const published = await hashes()
    await remove(id)
    const [first] = await idsOf(320)
    await remove(first)
    assert.equal((await other.find(open)).json.withdrawn, undefined)
    // Nobody has seen the board of a day that has not begun: it is made again without a deleted record.
    await keeper().fill()
    const made = await hashes()
    assert.notEqual(made[0], published[0])
    assert.ok(!(await idsOf(320)).includes(first ?? 0))
    assert.deepEqual(made.slice(1), published.slice(1))
    const [second] = await idsOf(321)
    await remove(second)
    await hide(second)
    assert.equal(await dayOf(321), undefined)
    await keeper().fill()
    assert.notEqual((await dayOf(321)).hash, published[1])
    assert.equal((await dayOf(322)).hash, published[2])

    await hide(id)
    const shown = (await other.find(open)).json
    assert.deepEqual(
      [shown.withdrawn, shown.question, shown.guesses, shown.groups, shown.outcome],
      [true, { words: [] }, [], [], undefined],
    )
    for (const guess of [wrong[1], '']) {
      const { status, json } = await other.guess(open, guess)
      assert.deepEqual([status, json], [409, WITHDRAWN])
    }
    const kept = (await winner.find(won)).json
    assert.deepEqual([kept.outcome, kept.mistakes, kept.score, kept.figures], ['won', 1, 1, won.figures])
    assert.deepEqual(
      [kept.withdrawn, kept.question, kept.guesses, kept.groups, kept.records],
      [true, { words: [] }, [], [], []],
    )
    const page = await site.page(`/play/sets/${open.round}/`, 'jon')
    assert.match(page.text, /The board of this day was withdrawn\./)
    for (const day of [310, 312]) {
      at(day)
      const { hash, words, groups, salt, withdrawn } = await dayOf(310)
      assert.deepEqual([hash, words, groups, salt, withdrawn], [hash, undefined, undefined, undefined, true])
      const begun = await site.ask(PATH, { method: 'POST', json: { day: 310 } })
      assert.deepEqual([begun.status, begun.json], [404, WITHDRAWN])
    }
    assert.doesNotMatch((await site.page('/play/sets/archive/')).text, /name="day" value="310"/)
    await hide(id, false)
    assert.equal((await dayOf(310)).words.length, 16)
    assert.deepEqual((await winner.find(won)).json.groups, won.groups)
  })

  test('{sets.forgotten} a board of a forgotten record goes, and a day that is not over gets another', async () => {
    const [player, winner] = [new PlayerClient(site, 'hal'), new PlayerClient(site, 'lea')]
    const round = await player.begin('sets')
    const won = await play(winner, {}, { wrong: 2 })
    const { store } = site.engine
    const before = await store.read(() => store.boards.ofDay(74))
    const { groups } = JSON.parse(before?.board ?? '')
    const { id } = groups.findLast(({ id }: any) => id > 0)
    await site.ask(`/api/polynym/${id}/?cascade=true`, { method: 'DELETE', as: 'staff' })
    const found = await findForgettable(site.engine, { resource: 'polynym', id })
    await forget(site.engine, found)
    assert.equal((await player.find(round)).status, 404)
    const again = await player.begin('sets')
    assert.notEqual(again.round, round.round)
    assert.notEqual((await store.read(() => store.boards.ofDay(74)))?.hash, before?.hash)
    // A result stays, with nothing of the board in it.
    const kept = await winner.begin('sets')
    assert.deepEqual([kept.round, kept.outcome, kept.mistakes, kept.counts], [won.round, 'won', 2, true])
    assert.deepEqual([kept.score, kept.figures], [1, won.figures])
    assert.deepEqual(
      [kept.withdrawn, kept.question, kept.guesses, kept.groups, kept.records],
      [true, { words: [] }, [], [], []],
    )
    assert.match(kept.share[1], /^Sets of the day 74, solved with 2 mistakes\.$/)
    const stored = await store.read(() => store.rounds.byId(won.round))
    assert.deepEqual([stored?.guess, stored?.sources], ['', '[]'])
    assert.match(
      (await site.page(`/play/sets/${won.round}/`, 'lea')).text,
      /The board of this day was withdrawn\..*Solved with 2 mistakes/s,
    )
    at(75)
    assert.equal((await play(winner, {})).score, 2)
  })
})
