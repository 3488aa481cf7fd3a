/** /api/play/: games whose questions, answers and clocks the server keeps. */
import { type JsonObject, textOfJson } from '../../declare/index.ts'
import {
  type DailyDesk,
  LONGEST_GUESS,
  type Player,
  partsOf,
  problems,
  type RoundDesk,
  type ShownRound,
} from '../../engine/index.ts'
import { networkOf } from '../exchange/address.ts'
import type { JsonOutcome } from '../exchange/message.ts'
import { inQuery, listOf, ID as NUMBER, type Parameter, TEXT } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { integerIn } from '../request/integer-parameter.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import { playerCookie, playerOf } from '../request/player.ts'
import type { Throttle } from '../request/throttle.ts'
import { pageShower } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { shownDailyRound, shownDay, wishIn, wordsIn } from './daily-rounds.ts'
import { pageOf } from './hook-schemas.ts'
import { BEGIN, DAY, GUESS, gameSchema, ROUND } from './play-schemas.ts'

interface PlayParts {
  /** Undefined if the catalogue has no games. */
  readonly desk: RoundDesk | undefined
  readonly daily: DailyDesk | undefined
  /** Rounds and guesses of each user, and of each address that is not signed in. */
  readonly plays: Throttle
  /** Rounds of a board that each address begins without an account. */
  readonly guests: Throttle
  readonly pageSize: number
}

interface BegunRound {
  readonly round: { readonly id: string; readonly shown: object }
  readonly isNew: boolean
  readonly token?: string
}

/** Rounds and days are larger than records. */
const LARGEST_PAGE = 100
/** A round belongs to one player, and no cache may keep it. */
const PRIVATE = { 'Cache-Control': 'private, no-store' }

export function playRoutes({ desk, daily, plays, guests, pageSize }: PlayParts): Route[] {
  if (!desk || !daily) return []
  const { list, winners } = desk.games
  const sets = daily.game
  const GAME: Parameter = {
    name: 'game',
    in: 'path',
    required: true,
    description: 'The game.',
    schema: { type: 'string', enum: [sets, ...list].map(({ name }) => name) },
  }
  const ID: Parameter = { name: 'round', in: 'path', required: true, description: 'The id of the round.', schema: TEXT }
  const about = (name: string, description: string) => described(() => ok({ name, description }))
  const gameOf = ({ places }: Call) => desk.gameOf(places['game'] ?? '').name
  const isDaily = ({ places }: Call) => places['game'] === sets.name
  const idIn = ({ places }: Call) => places['round'] ?? ''
  const wantedIn = ({ query }: Call) => ({
    number: wantedPage(query.get('page')),
    size: wantedSize(query.get('page_size'), pageSize, LARGEST_PAGE),
  })
  const paged = (call: Call, place: { count: number; number: number; last: number }, shown: readonly object[]) => {
    const parts = partsOf(shown.map((each) => JSON.stringify(each)))
    const { status, json, headers } = pageShower(call)({ ...place, parts })
    return { status, json, headers: { ...headers, ...PRIVATE } }
  }
  const begun = (call: Call, game: string, { round, isNew, token }: BegunRound) => {
    const given = token === undefined ? {} : { token }
    const outcome = answer(isNew ? 201 : 200, { ...round.shown, ...given })
    if (!isNew) return outcome
    const cookie = token === undefined ? {} : { 'Set-Cookie': [playerCookie(call, token)] }
    const location = `${call.base}/api/play/${game}/rounds/${round.id}/`
    return { ...outcome, headers: { ...outcome.headers, Location: location, ...cookie } }
  }
  const count = ({ actor }: Player, call: Call) => plays.take(actor ? `user ${actor.id}` : networkOf(call.address))

  return [
    {
      path: '/api/play/',
      title: 'Play',
      tag: 'play',
      methods: {
        GET: {
          summary: 'The games',
          description: 'And their best players.',
          answers: {
            200: {
              says: 'All of them.',
              schema: listOf(gameSchema(winners.resource.name)),
            },
          },
          async handle() {
            const results = await Promise.all(
              [{ ...sets, isTyped: false }, ...list].map(async ({ name, title, does, stakes, isTyped }) => {
                const fame = await desk.fame(name)
                return { game: name, title, does, stakes, typed: isTyped, ...fame }
              }),
            )
            return answer(200, results)
          },
        },
        OPTIONS: about('Play', 'Games with what the catalogue knows.'),
      },
    },
    {
      path: '/api/play/:game/',
      title: 'Play Game',
      tag: 'play',
      methods: {
        GET: {
          summary: 'Your rounds of a game',
          description: 'Newest first.',
          parameters: [GAME, 'page', 'page_size', inQuery('until', 'Of sets: up to this day.', NUMBER)],
          answers: { 200: { says: 'A page.', schema: pageOf(ROUND) } },
          problems: [401],
          async handle(call) {
            const player = await playerOf(call, desk)
            if (isDaily(call)) {
              const until = integerIn(call.query, 'until', {})
              const { rows, ...place } = await daily.mine(player, wantedIn(call), until)
              return paged(
                call,
                place,
                rows.map((row) => shownDailyRound(call, sets.name, row)),
              )
            }
            const { rows, ...place } = await desk.mine(player, gameOf(call), wantedIn(call))
            return paged(
              call,
              place,
              rows.map((row) => shown(call, row)),
            )
          },
        },
        POST: {
          summary: 'Begin a round',
          description: 'Or continue the open one. It needs no account.',
          parameters: [GAME],
          body: { schema: BEGIN },
          answers: {
            200: { says: 'The round.', schema: ROUND },
            201: { says: 'A new round.', schema: ROUND, headers: ['Location', 'Set-Cookie?'] },
          },
          problems: [401],
          async handle(call) {
            const player = await playerOf(call, desk)
            if (isDaily(call)) {
              count(player, call)
              const wish = wishIn(plainMembers(await call.readBody()))
              const countGuest = (day: number) => guests.take(`${networkOf(call.address)} ${day}`)
              const { round, ...rest } = await daily.begin(player, wish, countGuest)
              const shown = shownDailyRound(call, sets.name, round)
              return begun(call, sets.name, { ...rest, round: { id: round.id, shown } })
            }
            const game = gameOf(call)
            count(player, call)
            const { round, ...rest } = await desk.begin(player, game)
            return begun(call, game, { ...rest, round: { id: round.id, shown: shown(call, round) } })
          },
        },
        OPTIONS: about('Play Game', 'Your rounds of a game.'),
      },
    },
    {
      path: '/api/play/:game/calendar/',
      title: 'Play Calendar',
      tag: 'play',
      methods: {
        GET: {
          summary: 'The boards of days',
          description: 'Of sets, up to 30 days ahead, the latest first.',
          parameters: [
            GAME,
            'page',
            'page_size',
            inQuery('day', 'This day alone.', NUMBER),
            inQuery('fours', 'Days with `fours` of this many players.', NUMBER),
          ],
          answers: { 200: { says: 'A page.', schema: pageOf(DAY) } },
          async handle(call) {
            if (!isDaily(call)) throw problems.notFound()
            const day = integerIn(call.query, 'day', {})
            if (day !== undefined)
              return paged(call, { count: 1, number: 1, last: 1 }, [shownDay(await daily.calendar.day(day))])
            const least = integerIn(call.query, 'fours', {})
            if (least !== undefined) {
              const days = await daily.calendar.taught(least)
              return paged(call, { count: days.length, number: 1, last: 1 }, days.map(shownDay))
            }
            const { rows, ...place } = await daily.calendar.page(wantedIn(call))
            return paged(call, place, rows.map(shownDay))
          },
        },
        OPTIONS: about('Play Calendar', 'The boards of days.'),
      },
    },
    {
      path: '/api/play/:game/rounds/:round/',
      title: 'Play Round',
      tag: 'play',
      methods: {
        GET: {
          summary: 'A round',
          description: 'On any device of its player.',
          parameters: [GAME, ID],
          answers: { 200: { says: 'The round.', schema: ROUND } },
          problems: [401],
          async handle(call) {
            const player = await playerOf(call, desk)
            if (isDaily(call)) {
              return answer(200, shownDailyRound(call, sets.name, await daily.find(player, idIn(call))))
            }
            return answer(200, shown(call, await desk.find(player, gameOf(call), idIn(call))))
          },
        },
        POST: {
          summary: 'Guess',
          description: 'Once: it ends the round. A second guess returns 409.',
          parameters: [GAME, ID],
          body: { schema: GUESS },
          answers: { 200: { says: 'The round.', schema: ROUND } },
          problems: [401],
          async handle(call) {
            const player = await playerOf(call, desk)
            if (isDaily(call)) {
              count(player, call)
              const words = wordsIn(plainMembers(await call.readBody()))
              return answer(200, shownDailyRound(call, sets.name, await daily.guess(player, idIn(call), words)))
            }
            const game = gameOf(call)
            count(player, call)
            const guess = guessIn(plainMembers(await call.readBody()))
            return answer(200, shown(call, await desk.guess(player, game, idIn(call), guess)))
          },
        },
        OPTIONS: about('Play Round', 'A question and its one guess.'),
      },
    },
  ]
}

function guessIn({ guess }: JsonObject): string {
  const wrong = (message: string) => problems.invalid({ guess: [message] })
  if (guess === undefined) throw wrong('This field is required.')
  if (guess !== null && typeof guess === 'object') throw wrong('Not a valid string.')
  const text = textOfJson(guess ?? '').trim()
  if (/[\p{Cc}\p{Surrogate}]/u.test(text)) throw wrong('Not a valid string.')
  if ([...text].length > LONGEST_GUESS) throw wrong(`Ensure this field has no more than ${LONGEST_GUESS} characters.`)
  return text
}

function answer(status: number, json: object): JsonOutcome {
  return { status, json: JSON.stringify(json), headers: PRIVATE }
}

function shown({ base }: Call, { id, game, number, score, question, result }: ShownRound): object {
  const open = { round: id, game, number, score, question }
  if (!result) return open
  const { records, guess, answer, outcome, stake, bonus, points, begun, ended } = result
  const from = records.map((each) => `${base}/api/${each.resource}/${each.id}/`)
  return { ...open, guess, answer, outcome, stake, bonus, points, begun, ended, records: from }
}
