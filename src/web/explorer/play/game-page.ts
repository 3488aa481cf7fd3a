/** /play/<game>/: the rules of a game, the way into it, and its hall of fame. */
import type { PageAnswer } from '../../../http/index.ts'
import { personAddress } from '../../addresses.ts'
import { PLAY, PLAY_STYLE } from '../../assets.ts'
import { failure } from '../../failure.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { visitPage } from '../../visit-page.ts'

export const ROUNDS = 10

export interface GameView {
  readonly game: string
  readonly title: string
  readonly does: string
  readonly stakes: string
  readonly scores: readonly Shown[]
  readonly means: readonly { readonly user: string; readonly rounds: number; readonly points: number }[]
}

export const gamePage: ExplorerPage = { path: '/play/:game/', title: 'A game', GET: show, POST: begin }

export async function findGame(visit: ExplorerVisit): Promise<GameView | undefined> {
  const { json } = await visit.ask('/api/play/')
  const games: readonly GameView[] = json
  return games.find(({ game }) => game === visit.places['game'])
}

/** Where a page belongs, above its heading. */
export function belongsTo(game?: GameView): Content {
  return html`<p class="kind"><a href="/play/">Play</a>${game && html` · <a href=${`/play/${game.game}/`}>${game.title}</a>`}</p>`
}

/** Nobody but its player sees a round, so its address is of no use to others, or to the player after the session has ended. */
export function notYourRound(visit: ExplorerVisit, game: string): PageAnswer {
  const title = 'This is not your round'
  const main = html`<div class="state">
    <p class="kind">404</p>
    <h1>${title}</h1>
    <p>Only the player who began a round can see it. ${visit.visitor ? '' : 'If you began it with an account, sign in.'}</p>
    <div class="chips">
      ${!visit.visitor && html`<a class="btn" href=${`/accounts/login/?next=${encodeURIComponent(visit.path)}`}>Sign in</a>`}
      <a class="btn go" href=${`/play/${game}/`}>Play a round of your own</a>
    </div>
  </div>`
  return { status: 404, page: visitPage(visit, { part: 'play', title, main }) }
}

/** A button that begins the next round: the clock starts when it is pressed, not when a page is opened. */
export function nextForm({ csrf }: ExplorerVisit, game: string, text: string, isFirst: boolean): Content {
  return html`<form method="post" action=${`/play/${game}/`}>
    <input type="hidden" name="csrfmiddlewaretoken" value=${csrf} />
    <button class="btn go" type="submit" data-next autofocus=${isFirst}>${text}</button>
  </form>`
}

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const game = await findGame(visit)
  if (!game) return failure(visit, 404, { detail: 'Not found.' })
  const { json } = await visit.ask(`/api/play/${game.game}/?page_size=1`)
  const [last] = json.results ?? []
  const isOpen = last && last.outcome === undefined
  const begins = isOpen ? `Continue with round ${last.number}` : last && last.number < ROUNDS ? 'Next round' : 'Begin'
  return {
    page: visitPage(visit, {
      part: 'play',
      title: game.title,
      description: game.does,
      styles: [PLAY_STYLE],
      scripts: [PLAY],
      main: html`<div data-round>
        ${belongsTo()}
        <h1>${game.title}</h1>
        <p class="does" data-says>${game.does}</p>
        <p>${game.stakes} Ten rounds make a game. A hit within 15 seconds earns 10 more points, within 30 seconds 5 more.</p>
        <div class="chips">${nextForm(visit, game.game, begins, true)}</div>
        ${hallOfFame(game)}
      </div>`,
    }),
  }
}

export function hallOfFame({ scores, means }: GameView): Content {
  if (scores.length === 0) return html`<p class="soft">Nobody has a score yet.</p>`
  return html`<div class="two">
    <section>
      <h2>Best scores</h2>
      <table class="scores">
        <thead><tr><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr></thead>
        <tbody>
          ${scores.map(
            ({ by, user, score, round }) =>
              html`<tr><td><a href=${personAddress(user)}>${by || user}</a></td><td class="number">${score}</td><td class="number">${round}</td></tr>`,
          )}
        </tbody>
      </table>
    </section>
    ${
      means.length > 0 &&
      html`<section>
        <h2>Most points a round</h2>
        <table class="scores">
          <thead><tr><th scope="col">Player</th><th scope="col" class="number">Points a round</th><th scope="col" class="number">Rounds</th></tr></thead>
          <tbody>
            ${means.map(
              ({ user, rounds, points }) =>
                html`<tr><td><a href=${personAddress(user)}>${user}</a></td><td class="number">${(points / rounds).toFixed(1)}</td><td class="number">${rounds}</td></tr>`,
            )}
          </tbody>
        </table>
      </section>`
    }
  </div>`
}

async function begin(visit: ExplorerVisit): Promise<PageAnswer> {
  const game = visit.places['game'] ?? ''
  const { status, json, headers } = await visit.ask(`/api/play/${encodeURIComponent(game)}/`, { method: 'POST' })
  if (status !== 200 && status !== 201) return failure(visit, status, json)
  const cookies = headers['Set-Cookie']
  return { location: `/play/${game}/${json.round}/`, ...(Array.isArray(cookies) ? { cookies } : {}) }
}
