/** /play/sets/: what the game is, the way to today's board, streaks, and the last board that is public. */
import type { PageAnswer } from '../../../../http/index.ts'
import { counted } from '../../../../language/index.ts'
import { personAddress } from '../../../addresses.ts'
import { PLAY, PLAY_STYLE, SETS, SHARE } from '../../../assets.ts'
import { failure } from '../../../failure.ts'
import { type Content, html } from '../../../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../../../kinds/index.ts'
import { today } from '../../../today.ts'
import { visitPage } from '../../../visit-page.ts'
import { belongsTo, findGame, type GameView } from '../game-page.ts'
import { bars, dateSaid, difficultyOf, type GroupView } from './bars.ts'
import { type FiguresView, figuresShown } from './figures.ts'
import { smallBoard } from './small-board.ts'

export const SETS_GAME = 'sets'
export const ARCHIVE = '/play/sets/archive/'

export interface DayShown {
  readonly number: number
  readonly date: string
  readonly hash: string
  readonly rounds: number
  readonly won: number
  readonly difficulty: number
  readonly groups?: readonly GroupView[]
}

/** The round of the latest day that the player has begun. */
interface Latest {
  readonly round: string
  readonly date: string
  readonly figures: FiguresView
  readonly outcome?: 'won' | 'lost'
}

/** Enough to reach the last day that is over, behind the days ahead. */
const DAYS_READ = 40
const TOO_MANY =
  'This board was begun too often at your address without an account. Sign in to play, or come back later.'

export const setsPage: ExplorerPage = { path: '/play/sets/', title: 'Sets of the day', GET: show, POST: begin }

/** A button that begins a board. Scripts fill in the zone, so that the day is the player's own; otherwise it is UTC's. */
export function beginForm({ csrf }: ExplorerVisit, text: string, day?: number): Content {
  return html`<form method="post" action="/play/sets/">
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    <input type="hidden" name="zone" value="" />
    ${day !== undefined && html`<input type="hidden" name="day" value=${day} />`}
    <button class=${day === undefined ? 'btn go' : 'btn small'} type="submit" autofocus=${day === undefined}>${text}</button>
  </form>`
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const sets = { ...visit, places: { game: SETS_GAME } }
  const [game, calendar, mine] = await Promise.all([
    findGame(sets),
    visit.ask(`/api/play/${SETS_GAME}/calendar/?page_size=${DAYS_READ}`),
    visit.ask(`/api/play/${SETS_GAME}/?page_size=1`),
  ])
  if (!game) return failure(visit, 404, { detail: 'Not found.' })
  const days: readonly DayShown[] = calendar.json.results ?? []
  const last = days.find(({ groups }) => groups)
  const [latest]: readonly (Latest | undefined)[] = mine.json.results ?? []
  const figures = latest?.figures
  return {
    page: visitPage(visit, {
      part: 'play',
      title: game.title,
      description: game.does,
      styles: [PLAY_STYLE],
      // The board takes the place of this page, with its way to share the result.
      scripts: [PLAY, SETS, SHARE],
      main: html`<div data-round>
        ${belongsTo()}
        <h1>${game.title}</h1>
        <p class="does" data-says>${game.does}</p>
        <p>${game.stakes} Every board has exactly one solution.</p>
        ${!figures && smallBoard()}
        ${todaysBoard(visit, latest)}
        ${figures && figures.played > 0 && figuresShown(figures)}
        ${last?.groups && html`<section><h2>The last board</h2><p class="soft">${dateSaid(last.date)}, number ${last.number}. ${difficultyOf(last.difficulty)}</p>${bars(last.groups, { isOver: true })}</section>`}
        ${longestStreaks(game)}
      </div>`,
    }),
  }
}

/** Whether the board is done depends on where the player is: a script knows the day there, the server that of UTC. */
function todaysBoard(visit: ExplorerVisit, latest: Latest | undefined): Content {
  const { round, date, outcome } = latest ?? {}
  const isDone = outcome !== undefined && date === visit.byClock(today).toISOString().slice(0, 10)
  const earlier = html`<a class="btn" href=${ARCHIVE}>Earlier boards</a>`
  return html`${
    outcome &&
    html`<div data-done=${date} hidden=${!isDone}>
      <p><b>Today’s board is done: you ${outcome === 'won' ? 'solved it' : 'did not solve it'}.</b> <span data-next-day>The next board begins at midnight.</span></p>
      <div class="chips"><a class="btn go" href=${`/play/sets/${round}/`}>See the result</a> ${earlier}</div>
    </div>`
  }
    <div data-to-do hidden=${isDone}>
      <div class="chips">${beginForm(visit, 'Play today’s board')} ${earlier}</div>
    </div>`
}

function longestStreaks({ scores }: GameView): Content {
  if (scores.length === 0) return undefined
  return html`<section>
    <h2>Longest streaks</h2>
    <table class="scores">
      <thead><tr><th scope="col">Player</th><th scope="col" class="number">Days in a row</th></tr></thead>
      <tbody>
        ${scores.map(({ by, user, score }) => html`<tr><td><a href=${personAddress(user)}>${by || user}</a></td><td class="number">${counted(score, 'day')}</td></tr>`)}
      </tbody>
    </table>
  </section>`
}

async function begin(visit: ExplorerVisit): Promise<PageAnswer> {
  const form = await visit.form()
  const [zone, day] = ['zone', 'day'].map((name) => form.get(name)?.at(-1) ?? '')
  const { status, json, headers } = await visit.ask(`/api/play/${SETS_GAME}/`, { method: 'POST', json: { zone, day } })
  if (status === 429 && !visit.visitor) return failure(visit, status, { detail: TOO_MANY })
  if (status !== 200 && status !== 201) return failure(visit, status, json)
  const cookies = headers['Set-Cookie']
  return { location: `/play/${SETS_GAME}/${json.round}/`, ...(Array.isArray(cookies) ? { cookies } : {}) }
}
