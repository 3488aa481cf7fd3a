/** /play/sets/<round>/: the board on one screen: sixteen words to choose from, the sets that were found, and the end. */
import type { PageAnswer } from '../../../../http/index.ts'
import { counted } from '../../../../language/index.ts'
import { PLAY, PLAY_STYLE, SETS, SHARE } from '../../../assets.ts'
import { failure, faultsOf } from '../../../failure.ts'
import { type Content, html } from '../../../html.ts'
import type { ExplorerPage, ExplorerVisit } from '../../../kinds/index.ts'
import { widthOf } from '../../../pictures/measure.ts'
import { visitPage } from '../../../visit-page.ts'
import { notYourRound } from '../game-page.ts'
import { bars, dateSaid, difficultyOf, type GroupView } from './bars.ts'
import { type FiguresView, figuresShown } from './figures.ts'
import { ARCHIVE, beginForm, type DayShown, SETS_GAME } from './sets-page.ts'

export const boardPage: ExplorerPage = {
  path: '/play/sets/:round/',
  title: 'Sets of the day',
  GET: (visit) => show(visit),
  POST: guess,
}

const MOST_MISTAKES = 4
const SETS_OF_BOARD = 4
const DAY_AND_HALF_MS = 36 * 60 * 60 * 1000

interface Round {
  readonly number: number
  readonly date: string
  readonly question: { readonly words: readonly string[] }
  readonly guesses: readonly { readonly words: readonly string[]; readonly outcome: 'right' | 'near' | 'wrong' }[]
  readonly mistakes: number
  readonly groups: readonly GroupView[]
  readonly withdrawn?: boolean
  readonly counts: boolean
  readonly figures: FiguresView
  readonly outcome?: 'won' | 'lost'
  readonly share?: readonly string[]
  readonly records?: readonly string[]
}

const addressOf = ({ places }: ExplorerVisit) =>
  `/api/play/${SETS_GAME}/rounds/${encodeURIComponent(places['round'] ?? '')}/`

async function show(visit: ExplorerVisit, refused?: { status: number; says: readonly string[] }): Promise<PageAnswer> {
  const { status, json } = await visit.ask(addressOf(visit))
  if (status === 404) return notYourRound(visit, SETS_GAME)
  if (status !== 200) return failure(visit, status, json)
  const round: Round = json
  const calendar = await visit.ask(`/api/play/${SETS_GAME}/calendar/?day=${round.number}`, { isOptional: true })
  const day: DayShown | undefined = calendar.status === 200 ? calendar.json.results[0] : undefined
  const title = `Sets of the day ${round.number}`
  const page = visitPage(visit, {
    part: 'play',
    title,
    styles: [PLAY_STYLE],
    scripts: [PLAY, SETS, SHARE],
    main: html`<div class="board-page" data-round>
      <p class="kind"><a href="/play/">Play</a> · <a href="/play/sets/">Sets of the day</a></p>
      <h1>${title}</h1>
      <p class="meta"><time datetime=${round.date}>${dateSaid(round.date)}</time> ${day && difficultyOf(day.difficulty)} ${!round.counts && html`<span>does not count for streaks</span>`}</p>
      ${refused?.says.map((fault) => html`<p class="fault" role="alert">${fault}</p>`)}
      ${round.withdrawn && html`<p class="does">The board of this day was withdrawn.</p>`}
      ${round.outcome === undefined ? (round.withdrawn ? otherBoards(visit, round) : open(visit, round)) : over(visit, round, day)}
    </div>`,
  })
  return { status: refused?.status ?? 200, page }
}

/** What the last guess was, in a sentence that is also said aloud. */
function verdictOf({ guesses, groups, mistakes }: Round): string {
  const last = guesses.at(-1)
  if (!last) return 'Choose four words that belong together.'
  if (last.outcome === 'right') return `Found: ${groups.at(-1)?.name}.`
  const left = `${counted(MOST_MISTAKES - mistakes, 'mistake')} left.`
  return last.outcome === 'near' ? `One away: three of the four belong together. ${left}` : `Not a set. ${left}`
}

function open(visit: ExplorerVisit, round: Round): Content {
  const { groups, question, mistakes, guesses } = round
  const found = new Set(groups.flatMap(({ terms }) => terms))
  const words = question.words.filter((word) => !found.has(word))
  const csrf = html`<input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />`
  return html`<p class=${`verdict ${guesses.at(-1)?.outcome ?? ''}`} data-says>${verdictOf(round)}</p>
    ${bars(groups)}
    <form class="board" method="post" action=${visit.path} data-board>
      ${csrf}
      <fieldset class="tiles">
        <legend class="unseen">Words: choose four</legend>
        ${words.map(
          (word, i) =>
            html`<label class=${tileClass(word)}><input type="checkbox" name="word" value=${word} autofocus=${i === 0} /><span>${word}</span></label>`,
        )}
      </fieldset>
      <p class="tries">Mistakes: <span aria-hidden="true">${'✕'.repeat(mistakes)}${'○'.repeat(MOST_MISTAKES - mistakes)}</span><span class="unseen">${mistakes} of ${MOST_MISTAKES}</span> <span class="soft" data-chosen></span></p>
      <div class="chips">
        <button class="go" type="submit">Guess</button>
        <button class="btn" type="button" data-shuffle hidden>Shuffle</button>
        <button class="btn" type="reset">Clear</button>
      </div>
    </form>
    <form class="chips give-up" method="post" action=${visit.path}>
      ${csrf} <input type="hidden" name="ends" value="1" />
      <button class="btn small" type="submit">I give up</button>
    </form>`
}

/** Longer words are set in smaller letters: the classes of tiles, and how wide their words are in em, as play.css has it. */
const TILES = [
  [5.4, 'tile'],
  [6.2, 'tile long'],
  [7, 'tile longer'],
] as const

function tileClass(term: string): string {
  // The first letter is shown as a capital.
  const shown = term.charAt(0).toUpperCase() + term.slice(1)
  const width = Math.max(...shown.split(/[\s-]+/).map((word) => widthOf(word, 1, true)))
  return TILES.find(([most]) => width <= most)?.[1] ?? 'tile longest'
}

function over(visit: ExplorerVisit, round: Round, day: DayShown | undefined): Content {
  const { outcome, mistakes, groups, guesses, figures, share = [], records = [] } = round
  const isWon = outcome === 'won'
  const how = mistakes === 0 ? 'without a mistake' : `with ${counted(mistakes, 'mistake')}`
  const found = guesses.filter(({ outcome }) => outcome === 'right').length
  const pages = new Map(records.map((address) => pageOf(new URL(address).pathname)))
  const [signs = '', words = ''] = share
  const solved =
    day && day.rounds > 1
      ? `${Math.round((100 * day.won) / day.rounds)}\u00a0% of ${counted(day.rounds, 'player')} solved it.`
      : ''
  return html`<div class=${`outcome ${isWon ? 'hit' : 'miss'}`} data-says tabindex="-1" autofocus>
      <p class="verdict"><b aria-hidden="true">${isWon ? '✓' : '✕'}</b> ${isWon ? `Solved ${how}.` : `Not solved${round.withdrawn ? '' : `: ${counted(found, 'set')} of 4 found`}.`}</p>
      <p>${round.counts && figures.streak > 1 && `${figures.streak} days in a row. `}<span data-next-day>The next board begins at midnight.</span> ${solved}</p>
    </div>
    ${bars(groups, { pages, isOver: true, missed: new Set(groups.slice(found).map(({ id }) => id)) })}
    ${untold(visit, round)}
    ${groups.length > 0 && html`<p class="soft">Each set leads to its page, and each word to the sets that have it.</p>`}
    <div class="two">
    <details class="sharing" open>
      <summary>Share</summary>
      ${field('share-signs', 'With signs', `${signs}\n${visit.base}/play/sets/`, guesses.length + 3)}
      ${field('share-words', 'In words', `${words} ${visit.base}/play/sets/`, 3)}
      <p class="soft" role="status" data-copied></p>
    </details>
    ${figuresShown(figures)}
    </div>
    ${otherBoards(visit, round)}
    ${
      !visit.visitor &&
      html`<p class="soft"><a href=${`/accounts/signup/?next=${encodeURIComponent(visit.path)}`}>Sign up</a> or${' '}
        <a href=${`/accounts/login/?next=${encodeURIComponent(visit.path)}`}>sign in</a> to keep this result and your streak.</p>`
    }`
}

/** Without an account, the sets that were not found are shown when the day is over at UTC-12. */
function untold(visit: ExplorerVisit, { groups, date, withdrawn }: Round): Content {
  if (withdrawn || groups.length === SETS_OF_BOARD) return undefined
  const end = new Date(Date.parse(date) + DAY_AND_HALF_MS)
  return html`<p>The sets that you did not find are shown here when this day is over everywhere: on${' '}
    <time datetime=${end.toISOString()}>${dateSaid(end.toISOString().slice(0, 10))}</time> at 12:00 UTC.${' '}
    <a href=${`/accounts/login/?next=${encodeURIComponent(visit.path)}`}>Sign in</a> to see them now.</p>`
}

function otherBoards(visit: ExplorerVisit, { counts }: Round): Content {
  return html`<div class="chips">
    ${!counts && beginForm(visit, 'Today’s board')}
    <a class="btn" href=${ARCHIVE}>Earlier boards</a>
    <a class="btn" href="/play/">Other games</a>
  </div>`
}

/** The id and the page of a record, from its address in the API. */
function pageOf(path: string): [number, string] {
  const [, , resource, id] = path.split('/')
  return [Number(id), `/${resource}/${id}/`]
}

function field(id: string, name: string, text: string, rows: number): Content {
  return html`<label for=${id}>${name}</label>
    <div class="pair">
      <textarea id=${id} class="copied" readonly rows=${rows}>${text}</textarea>
      <button class="btn small" type="button" data-copy=${id} aria-label=${`Copy: ${name}`} hidden>Copy</button>
    </div>`
}

/** A guess that is refused, such as the same four words again, shows why. */
async function guess(visit: ExplorerVisit): Promise<PageAnswer> {
  const form = await visit.form()
  const words = form.get('word') ?? []
  const isEnd = form.get('ends')?.at(-1) === '1'
  if (!isEnd && words.length !== 4) return await show(visit, { status: 400, says: ['Choose four words.'] })
  const { status, json } = await visit.ask(addressOf(visit), { method: 'POST', json: { guess: isEnd ? '' : words } })
  if (status === 200) return { location: visit.path }
  if (status === 400 || status === 409) return await show(visit, { status, says: faultsOf(json) })
  return status === 404 ? await show(visit) : failure(visit, status, json)
}
