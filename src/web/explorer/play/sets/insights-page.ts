/** /play/insights/: how players solved the boards of days that are over, and what they took for sets. */
import { PLAY_STYLE } from '../../../assets.ts'
import { type Content, html } from '../../../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../../../kinds/index.ts'
import { visitPage } from '../../../visit-page.ts'
import { dateSaid } from './bars.ts'
import { type DayShown, SETS_GAME } from './sets-page.ts'

export const INSIGHTS = '/play/insights/'
/** Days that are read, with those ahead, and days that are shown. */
const DAYS_READ = 50
const DAYS_SHOWN = 14
/** What fewer players take for a set may be chance. */
const LEAST = 3

interface Four {
  readonly words: readonly string[]
  readonly times: number
}

interface Board extends DayShown {
  readonly first?: readonly number[]
  readonly fours?: readonly Four[]
}

export const insightsPage: ExplorerPage = {
  path: INSIGHTS,
  title: 'What players teach',
  async GET(visit) {
    const [calendar, taught] = await Promise.all([
      visit.ask(`/api/play/${SETS_GAME}/calendar/?page_size=${DAYS_READ}`),
      visit.ask(`/api/play/${SETS_GAME}/calendar/?fours=${LEAST}`),
    ])
    const all: readonly Board[] = calendar.json.results ?? []
    const over = all.filter(({ groups, rounds }) => groups && rounds > 0).slice(0, DAYS_SHOWN)
    const boards = await Promise.all(over.map(({ number }) => boardOf(visit, number)))
    return {
      page: visitPage(visit, {
        part: 'play',
        title: 'What players teach',
        description: 'How players solve the boards of Sets of the day, and which words they take for a set.',
        styles: [PLAY_STYLE],
        main: html`<p class="kind"><a href="/play/">Play</a> · <a href="/play/sets/">Sets of the day</a></p>
          <h1>What players teach</h1>
          <p class="does">Some words belong together, and the catalogue does not say so yet. Players find them by mistake.</p>
          ${possible(taught.json.results ?? [])} ${table(boards.flat())}`,
      }),
    }
  },
}

async function boardOf(visit: ExplorerVisit, number: number): Promise<readonly Board[]> {
  const { json } = await visit.ask(`/api/play/${SETS_GAME}/calendar/?day=${number}`)
  return json.results ?? []
}

/** The form of a new polynym, with these words in it. */
function makerOf(words: readonly string[]): string {
  return `/make/polynym/?${words.map((word, i) => `p${i + 1}=${encodeURIComponent(word)}`).join('&')}`
}

function possible(days: readonly Board[]): Content {
  const fours = days
    .flatMap(({ number, fours = [] }) => fours.map((four) => ({ ...four, number })))
    .sort((one, other) => other.times - one.times)
  return html`<section id="possible">
    <h2>Possible polynyms</h2>
    ${
      fours.length === 0
        ? html`<p class="soft">No four words were taken for a set by three players or more.</p>`
        : html`<p class="soft">Players took these words for a set. What belongs together can become a polynym.</p>
            <ul class="rows days">
              ${fours.map(
                ({ words, times, number }) =>
                  html`<li>
                    <span><b>${words.join(', ')}</b> <span class="soft">${times} players, board ${number}</span></span>
                    <a class="btn small" href=${makerOf(words)} aria-label=${`Make a polynym of ${words.join(', ')}`}>Make a polynym</a>
                  </li>`,
              )}
            </ul>`
    }
  </section>`
}

function table(boards: readonly Board[]): Content {
  if (boards.length === 0) return html`<p class="soft">Nobody has played a board of a day that is over.</p>`
  return html`<section id="boards">
    <h2>Boards</h2>
    <div class="wide" tabindex="0" role="region" aria-label="Boards">
      <table class="scores">
        <thead>
          <tr>
            <th scope="col">Board</th><th scope="col" class="number">Rounds</th><th scope="col" class="number">Solved</th>
            <th scope="col">Found first</th><th scope="col">Most frequent mistake</th>
          </tr>
        </thead>
        <tbody>${boards.map(row)}</tbody>
      </table>
    </div>
  </section>`
}

function row({ number, date, rounds, won, groups = [], first = [], fours: [four] = [] }: Board): Content {
  const most = Math.max(...first)
  const easiest = most > 0 ? groups[first.indexOf(most)] : undefined
  return html`<tr>
    <th scope="row">${number} <time class="soft" datetime=${date}>${dateSaid(date)}</time></th>
    <td class="number">${rounds.toLocaleString('en')}</td>
    <td class="number">${Math.round((100 * won) / Math.max(1, rounds))}%</td>
    <td>${easiest ? html`<a href=${`/polynym/${easiest.id}/`}>${easiest.name}</a>` : '–'}</td>
    <td>${four ? html`${four.words.join(', ')} <span class="soft">(${four.times})</span>` : '–'}</td>
  </tr>`
}
