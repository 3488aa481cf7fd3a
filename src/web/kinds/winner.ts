import { counted } from '../../language/index.ts'
import { personAddress } from '../addresses.ts'
import { type Content, html } from '../html.ts'
import { gameTitle } from './game-titles.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'

export const winner: KindFile = {
  name: 'winner',
  part: 'people',
  ofPeople: { title: 'Games', by: 'user', link: 'Winners of the games' },
  owner: undefined,
  isMain: false,
  isFound: false,
  isByChance: false,
  whyEmpty: 'Nobody has a score yet. The best scores of the games will be listed here.',
  facets: { app: 'Game', user: 'Player' },
  valueInWords: (member, value) => (member === 'app' ? gameTitle(value) : value),
  gistOf: () => '',
  table: scores,
  order: 'By game',
  nameOf: ({ by, user, app }) => `${by || user}, ${gameTitle(app)}`,
  body,
}

function scores(records: readonly Shown[]): Content {
  return html`<div class="wide">
    <table class="scores">
      <thead>
        <tr><th scope="col">Game</th><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr>
      </thead>
      <tbody>
        ${records.map(
          ({ app, by, user, score, round }) =>
            html`<tr>
              <td>${gameTitle(app)}</td><td><a href=${personAddress(user)}>${by || user}</a></td>
              <td class="number">${score.toLocaleString('en')}</td><td class="number">${round}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

const BEST = 10
/** The game whose score is a streak. */
const DAILY = 'sets'

interface HallOfFame {
  readonly title: string
  readonly scores: readonly Shown[]
}

/** The games of this catalogue leave out blocked accounts; games of other services have their records alone. */
async function fameOf(visit: ExplorerVisit, app: string): Promise<HallOfFame> {
  const { json: games } = await visit.ask('/api/play/')
  const game = games.find((each: Shown) => each['game'] === app)
  if (game) return game
  const { json } = await visit.ask(`/api/winner/?app=${encodeURIComponent(app)}&page_size=${BEST}`)
  return { title: app, scores: json.results }
}

async function body(visit: ExplorerVisit, record: Shown): Promise<Body> {
  const { app, score, round } = record
  const { title, scores } = await fameOf(visit, app)
  const says = app === DAILY ? `${counted(score, 'day')} in a row` : `${counted(score, 'point')} in round ${round}`
  return {
    beside: html`<p class="does">${says}.</p>
      <h2>The best at ${title}</h2>
      <div class="wide">
        <table class="scores">
          <thead><tr><th scope="col">Player</th><th scope="col" class="number">Score</th><th scope="col" class="number">Round</th></tr></thead>
          <tbody>
            ${scores.map(
              (each) =>
                html`<tr aria-current=${each['winner_id'] === record['winner_id'] ? 'true' : undefined}>
                  <td><a href=${personAddress(each['user'])}>${each['by'] || each['user']}</a></td>
                  <td class="number">${each['score'].toLocaleString('en')}</td><td class="number">${each['round']}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
  }
}
