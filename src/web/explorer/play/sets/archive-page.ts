/** /play/sets/archive/: the boards of earlier days, which can be played and count for no streak. */
import { PLAY, PLAY_STYLE, SETS, SHARE } from '../../../assets.ts'
import { failure } from '../../../failure.ts'
import { type Content, html } from '../../../html.ts'
import type { ExplorerPage } from '../../../kinds/index.ts'
import { visitPage } from '../../../visit-page.ts'
import { dateSaid, difficultyOf } from './bars.ts'
import { ARCHIVE, beginForm, type DayShown, SETS_GAME } from './sets-page.ts'

const PAGE_SIZE = 60

interface Played {
  readonly number: number
  readonly round: string
  readonly outcome?: 'won' | 'lost'
}

export const archivePage: ExplorerPage = {
  path: ARCHIVE,
  title: 'Earlier boards',
  async GET(visit) {
    const number = Math.max(1, Number(visit.query.get('page') ?? 1) || 1)
    const calendar = await visit.ask(`/api/play/${SETS_GAME}/calendar/?page_size=${PAGE_SIZE}&page=${number}`)
    if (calendar.status !== 200) return failure(visit, calendar.status, calendar.json)
    const all: readonly DayShown[] = calendar.json.results
    const days = all.filter(({ groups }) => groups)
    const mine = await visit.ask(`/api/play/${SETS_GAME}/?page_size=${PAGE_SIZE}&until=${days[0]?.number ?? 1}`)
    const played: readonly Played[] = mine.json.results ?? []
    const rounds = new Map(played.map((each) => [each.number, each]))
    const state = (day: DayShown): Content => {
      const round = rounds.get(day.number)
      if (!round) return beginForm(visit, 'Play', day.number)
      const says = round.outcome === 'won' ? '✓ Solved' : round.outcome === 'lost' ? '✕ Not solved' : 'Continue'
      return html`<a class="btn small" href=${`/play/sets/${round.round}/`}>${says}</a>`
    }
    return {
      page: visitPage(visit, {
        part: 'play',
        title: 'Earlier boards',
        styles: [PLAY_STYLE],
        scripts: [PLAY, SETS, SHARE],
        main: html`<div data-round>
          <p class="kind"><a href="/play/">Play</a> · <a href="/play/sets/">Sets of the day</a></p>
          <h1>Earlier boards</h1>
          <p class="does">Play a board of a day that is over. It does not count for your streak.</p>
          <p><a href="/play/insights/">What players teach</a></p>
          ${days.length === 0 && html`<p class="soft">No day is over yet.</p>`}
          <ul class="rows days">
            ${days.map(
              (day) =>
                html`<li><span><b>${day.number}</b> <time datetime=${day.date}>${dateSaid(day.date)}</time> <span class="soft">${difficultyOf(day.difficulty)}</span></span> ${state(day)}</li>`,
            )}
          </ul>
          ${calendar.json.next && html`<p><a class="btn" href=${`${ARCHIVE}?page=${number + 1}`}>Even earlier</a></p>`}
        </div>`,
      }),
    }
  },
}
