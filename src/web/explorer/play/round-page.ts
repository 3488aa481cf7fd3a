/** /play/<game>/<round>/: one round on one screen: the question and its guess, then what the guess was worth. */
import type { ShownQuestion } from '../../../declare/index.ts'
import type { PageAnswer } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { PLAY, PLAY_STYLE } from '../../assets.ts'
import { card } from '../../cards.ts'
import { failure, faultsOf } from '../../failure.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { visitPage } from '../../visit-page.ts'
import { belongsTo, findGame, type GameView, nextForm, notYourRound, ROUNDS } from './game-page.ts'
import { drawnQuestion } from './question.ts'

export const roundPage: ExplorerPage = {
  path: '/play/:game/:round/',
  title: 'A round',
  GET: (visit) => show(visit),
  POST: guess,
}

interface Round {
  readonly round: string
  readonly game: string
  readonly number: number
  readonly score: number
  readonly question: ShownQuestion
  readonly guess?: string
  readonly answer?: string
  readonly outcome?: 'hit' | 'near' | 'miss'
  readonly stake?: number
  readonly bonus?: number
  readonly points?: number
  readonly records?: readonly string[]
}

const addressOf = ({ places }: ExplorerVisit) =>
  `/api/play/${encodeURIComponent(places['game'] ?? '')}/rounds/${encodeURIComponent(places['round'] ?? '')}/`

async function show(visit: ExplorerVisit, refused?: { status: number; says: readonly string[] }): Promise<PageAnswer> {
  const [game, { status, json }] = await Promise.all([findGame(visit), visit.ask(addressOf(visit))])
  if (game && status === 404) return notYourRound(visit, game.game)
  if (!game || status !== 200) return failure(visit, game ? status : 404, json)
  const round: Round = json
  const title = `${game.title}, round ${round.number} of ${ROUNDS}`
  const records = await recordsOf(visit, round)
  const page = visitPage(visit, {
    part: 'play',
    title,
    styles: [PLAY_STYLE],
    scripts: [PLAY],
    main: html`<div class="round" data-round>
      ${belongsTo(game)}
      <h1>${title}</h1>
      <p class="meta"><span>${counted(round.score, 'point')} in this game</span></p>
      ${refused?.says.map((fault) => html`<p class="fault" role="alert">${fault}</p>`)}
      ${round.outcome === undefined ? open(visit, game, round) : over(visit, game, round, records)}
    </div>`,
  })
  return { status: refused?.status ?? 200, page }
}

function open(visit: ExplorerVisit, game: GameView, { question }: Round): Content {
  const csrf = html`<input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />`
  const { options } = question
  // Enter must not choose the first option, because the key may still be down.
  const first = options && { tabindex: -1, autofocus: true }
  return html`<p class="does" data-says ...${first}>${isWithdrawn(question) ? WITHDRAWN : game.does}</p>
    ${drawnQuestion(question)}
    ${
      isWithdrawn(question)
        ? undefined
        : options
          ? html`<form class="options" method="post" action=${visit.path}>
            ${csrf}
            <ol>
              ${options.map((option, i) => html`<li><button class="option" type="submit" name="guess" value=${i + 1} data-key=${i + 1}>${option}</button></li>`)}
            </ol>
          </form>`
          : html`<form class="typed" method="post" action=${visit.path}>
            ${csrf}
            <label for="guess">The missing term</label>
            <div class="chips">
              <input id="guess" name="guess" required maxlength="200" autofocus autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="go" />
              <button class="go" type="submit">Guess</button>
            </div>
          </form>`
    }
    <form class="chips" method="post" action=${visit.path}>
      ${csrf} <input type="hidden" name="guess" value="" />
      <button class="btn small" type="submit">I give up</button>
      <span class="soft">A hit within 15 seconds earns 10 more points, within 30 seconds 5 more.</span>
    </form>`
}

/** Staff hide what it was made from. */
const isWithdrawn = (question: ShownQuestion) => Object.keys(question).length === 0
const WITHDRAWN = 'This question was withdrawn.'

const OUTCOMES = {
  hit: { sign: '✓', says: 'That is it.' },
  near: { sign: '≈', says: 'That is near.' },
  miss: { sign: '✕', says: 'That is not it.' },
}

function over(visit: ExplorerVisit, game: GameView, round: Round, records: readonly Content[]): Content {
  const { outcome = 'miss', answer = '', guess: given = '', question, points = 0, stake = 0, bonus = 0, number } = round
  const { sign, says } = OUTCOMES[outcome]
  const { options } = question
  const told = options?.[Number(answer) - 1] ?? answer
  const isLast = number >= ROUNDS
  const speed = bonus > 0 ? ` and ${bonus} for speed` : ''
  const worth = outcome === 'hit' ? `${counted(points, 'point')}: ${stake} for the hit${speed}.` : undefined
  const earned = worth ?? (outcome === 'near' ? `${counted(points, 'point')}: half of ${stake}.` : 'No points.')
  return html`<div class=${`outcome ${outcome}`} data-says>
      <p class="verdict"><b aria-hidden="true">${sign}</b> ${given === '' ? 'You gave up.' : says}</p>
      <p>${isWithdrawn(question) ? WITHDRAWN : options ? html`It is <q>${told}</q>${!/[.!?…]$/.test(told) && '.'}` : html`The missing term is <b>${told}</b>.`} ${earned}</p>
      ${!options && given !== '' && outcome !== 'hit' && html`<p class="soft">You typed: ${given}</p>`}
      ${isLast && html`<p><b>The game is over: ${counted(round.score, 'point')}.</b></p>`}
    </div>
    <div class="chips">
      ${nextForm(visit, game.game, isLast ? 'New game' : 'Next round', true)}
      <a class="btn" href=${`/play/${game.game}/`}>Best scores</a>
    </div>
    ${drawnQuestion(question, options ? undefined : answer)}
    ${options && html`<ol class="told">${options.map((option, i) => html`<li class=${i === Number(answer) - 1 ? 'right' : undefined}>${i === Number(answer) - 1 && html`<b aria-hidden="true">✓ </b><span class="unseen">the real one: </span>`}${option}${String(i + 1) === given && html` <span class="soft">(your choice)</span>`}</li>`)}</ol>`}
    ${records.length > 0 && html`<h2>Where it comes from</h2><ul class="grid">${records.map((each) => html`<li>${each}</li>`)}</ul>`}
    ${
      !visit.visitor &&
      html`<p class="soft"><a href=${`/accounts/signup/?next=${encodeURIComponent(visit.path)}`}>Sign up</a> or${' '}
        <a href=${`/accounts/login/?next=${encodeURIComponent(visit.path)}`}>sign in</a> to keep your score.</p>`
    }`
}

const MOST_SHOWN = 2

/** Of a question with options, the text and its topic are enough. The other topics tell nothing. */
async function recordsOf(visit: ExplorerVisit, { records = [], question }: Round): Promise<readonly Content[]> {
  const paths = records.map((address) => new URL(address).pathname)
  const found = await Promise.all(
    paths.slice(0, question.options ? 1 : MOST_SHOWN).map(async (path): Promise<readonly Content[]> => {
      const kind = visit.kinds.find(path.split('/')[2] ?? '')
      const { status, json } = await visit.ask(path, { isOptional: true })
      if (!kind || status !== 200) return []
      const record: Shown = json
      if (!question.options) return [card(kind, record)]
      // A text that was deleted is not among the records, and the first of them is a topic.
      const topic: Shown | undefined = record['quadranym']
      const topics = visit.kinds.find('quadranym')
      return topic && topics ? [card(kind, record), card(topics, topic)] : []
    }),
  )
  return found.flat()
}

/** A second guess, of another device or a second press, shows what the first one was worth. */
async function guess(visit: ExplorerVisit): Promise<PageAnswer> {
  const given = (await visit.form()).get('guess')?.at(-1) ?? ''
  const { status, json } = await visit.ask(addressOf(visit), { method: 'POST', json: { guess: given } })
  if (status === 200 || status === 409) return { location: visit.path }
  if (status === 400) return await show(visit, { status, says: faultsOf(json) })
  return status === 404 ? await show(visit) : failure(visit, status, json)
}
