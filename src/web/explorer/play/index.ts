/** /play/: the games. */
import { counted } from '../../../language/index.ts'
import { PLAY_STYLE } from '../../assets.ts'
import { html } from '../../html.ts'
import type { ExplorerPage, Kinds } from '../../kinds/index.ts'
import { visitPage } from '../../visit-page.ts'
import { type GameView, gamePage } from './game-page.ts'
import { roundPage } from './round-page.ts'
import { archivePage } from './sets/archive-page.ts'
import { boardPage } from './sets/board-page.ts'
import { insightsPage } from './sets/insights-page.ts'
import { SETS_GAME, setsPage } from './sets/sets-page.ts'
import { smallBoard } from './sets/small-board.ts'

const DOES =
  'Games about the words and sayings of the catalogue. You need no account, and nobody can look into the answers.'

const playPage: ExplorerPage = {
  path: '/play/',
  title: 'Play',
  async GET(visit) {
    const { json } = await visit.ask('/api/play/')
    const games: readonly GameView[] = json
    return {
      page: visitPage(visit, {
        part: 'play',
        title: 'Play',
        description: DOES,
        styles: [PLAY_STYLE],
        main: html`<h1>Play</h1>
          <p class="does">${DOES}</p>
          <ul class="grid games">
            ${games.map(
              ({ game, title, does, stakes, scores: [best] }) =>
                html`<li>
                  <div class="card">
                    ${game === SETS_GAME && smallBoard()}
                    <h3><a class="open" href=${`/play/${game}/`}>${title}</a></h3>
                    <p>${does}</p>
                    <p>${stakes}</p>
                    ${best && html`<p class="meta"><span>Best: ${game === SETS_GAME ? `${counted(best['score'], 'day')} in a row` : `${best['score']} points`}, ${best['by'] || best['user']}</span></p>`}
                  </div>
                </li>`,
            )}
          </ul>`,
      }),
    }
  },
}

/** Only catalogues with winners have games. */
export function playPages({ find }: Kinds): readonly ExplorerPage[] {
  return find('winner') ? [playPage, setsPage, archivePage, insightsPage, boardPage, gamePage, roundPage] : []
}
