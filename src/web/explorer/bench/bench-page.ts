/** /bench/: a grid of phrases and quadranyms to judge, one pair at a time. */
import type { PageAnswer } from '../../../http/index.ts'
import { hereOf } from '../../addresses.ts'
import { inOurWords } from '../../form-errors.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { recordLink } from '../../links.ts'
import { tokens } from '../../texts/tokens.ts'
import { type BookLine, type Told, tellVerse } from '../tell/book.ts'
import { type Choice, nextTurn, readChoice, topicOf } from '../tell/choice.ts'
import { addressOf, finder, hiddenInputs, idsOf, type Pairs, sectionPage, turnPair } from '../tell/frame.ts'
import { BENCH, type Counts, countsBar } from './section.ts'

const PATH = '/bench/'
const FIVE = { some: 5, most: 20, isFilled: true, isMixed: true }
const DOES =
  'A phrase should read well with every quadranym of its kind. Say which of these do; the next one is always the one whose answer is least certain.'

export const benchPage: ExplorerPage = { path: PATH, title: 'Fit bench', GET: (visit) => show(visit), POST: judge }

interface Cell extends Counts {
  readonly phrase: number
  readonly quadranym: number
  readonly fits?: boolean
}

interface Grid {
  readonly cells: readonly Cell[]
  readonly next: Cell | null
}

interface State extends Choice {
  readonly realm: string
}

async function show(visit: ExplorerVisit, refused?: { status: number; says: string }): Promise<PageAnswer> {
  const realm = visit.query.get('realm')?.trim() ?? ''
  const topicsWith = realm && `realm=${encodeURIComponent(realm)}`
  const state: State = { ...(await readChoice(visit, { ...FIVE, topicsWith })), realm }
  const pairs = stateOf(state)
  const [told, grid, realms, phraseFinder, topicFinder] = await Promise.all([
    tellVerse(visit, { ...state, by: 'phrase' }),
    readGrid(visit, state),
    readRealms(visit),
    finder(visit, {
      kind: 'phrase',
      label: 'A phrase of your choice',
      state: pairs,
      chosen: (record) => [...pairs, ...idsOf('phrase', [record])],
    }),
    finder(visit, {
      kind: 'quadranym',
      label: 'A quadranym of your choice',
      state: pairs,
      chosen: (record) => [...pairs, ...idsOf('quadranym', [record])],
    }),
  ])
  const lines = linesIn(told)
  const at = currentOf(visit, grid)
  return sectionPage(visit, BENCH, {
    title: 'Does it read well?',
    does: DOES,
    beginning: undefined,
    status: refused?.status ?? 200,
    faults: [...state.faults, ...(refused ? [refused.says] : []), ...('fault' in told ? [told.fault] : [])],
    main: html`${offered(visit, state, grid, lines, at)} ${table(state, grid, lines, at)}
      <div data-turn="shuffles">${shuffles(state, realms)}</div>
      <div class="finders" data-turn="finders">${phraseFinder} ${topicFinder}</div>`,
  })
}

function stateOf({ phrases, topics, turn, realm }: State): Pairs {
  return [...idsOf('phrase', phrases), ...idsOf('quadranym', topics), ...realmPair(realm), ...turnPair(turn)]
}

function realmPair(realm: string): Pairs {
  return realm === '' ? [] : [['realm', realm]]
}

async function readGrid(visit: ExplorerVisit, { phrases, topics }: State): Promise<Grid> {
  const nothing = { cells: [], next: null }
  if (phrases.length === 0 || topics.length === 0) return nothing
  const pairs = [...idsOf('phrase', phrases), ...idsOf('quadranym', topics)]
  const { status, json } = await visit.ask(addressOf('/api/fit/grid/', pairs))
  return status === 200 ? json : nothing
}

async function readRealms(visit: ExplorerVisit): Promise<readonly string[]> {
  const { status, json } = await visit.ask('/api/quadranym/facets/?by=realm', { isOptional: true })
  const values: readonly { readonly value: string }[] = status === 200 ? json.facets.realm : []
  return values.map(({ value }) => value).filter((value) => value !== '')
}

function codeOf({ phrase, quadranym }: Pick<Cell, 'phrase' | 'quadranym'>): string {
  return `${phrase}-${quadranym}`
}

function linesIn(told: Told): ReadonlyMap<string, BookLine> {
  const lines = 'stanzas' in told ? told.stanzas.flat() : []
  return new Map(
    lines.map((line) => [codeOf({ phrase: line.phrase['phrase_id'], quadranym: line.topic['quadranym_id'] }), line]),
  )
}

/** The pair that the address names, or the one that tells most. */
function currentOf({ query }: ExplorerVisit, { cells, next }: Grid): Cell | undefined {
  const named = cells.find((cell) => codeOf(cell) === query.get('at'))
  return named ?? cells.find((cell) => next !== null && codeOf(cell) === codeOf(next))
}

/** The sentence to judge, with a button for each answer. */
function offered(
  visit: ExplorerVisit,
  state: State,
  { cells }: Grid,
  lines: ReadonlyMap<string, BookLine>,
  at: Cell | undefined,
): Content {
  const line = at && lines.get(codeOf(at))
  const judged = cells.filter(({ fits }) => fits !== undefined).length
  const here = addressOf(PATH, stateOf(state))
  if (!at || !line) {
    return html`<section class="judging card" data-turn="judging" aria-label="To judge">
      <p class="text">${cells.length === 0 ? 'There is nothing to judge yet.' : 'You have judged all of these.'}</p>
      ${cells.length > 0 && html`<p class="chips"><a class="btn go" data-swap data-key="shuffle" href=${shuffled(state)}>Take others</a></p>`}
    </section>`
  }
  const { phrase, topic, text, spans } = line
  return html`<section class="judging card" data-turn="judging" aria-label="To judge">
    <p class="text" data-say="true">${tokens(text, spans, () => topicOf(topic))}</p>
    <p class="by">${recordLink('phrase', phrase)} told with ${recordLink('quadranym', topic)}</p>
    <form class="chips" method="post" action=${hereOf(visit)} data-judge=${here} data-phrase=${at.phrase} data-quadranym=${at.quadranym}>
      <input type="hidden" name="csrfmiddlewaretoken" value=${visit.csrf} />
      ${hiddenInputs([
        ['phrase', at.phrase],
        ['quadranym', at.quadranym],
      ])}
      ${
        visit.visitor
          ? html`${answer('true', 'y', 'Reads well', at.fits === true)} ${answer('false', 'n', 'Does not', at.fits === false)}
            ${at.fits !== undefined && answer('', 'x', 'Take it back', false)}
            <a class="btn" data-swap data-key="skip" data-press="s" href=${skipAddress(state, cells, at)}>Skip <kbd>S</kbd></a>`
          : html`<a class="btn go" href=${`/accounts/login/?next=${encodeURIComponent(hereOf(visit))}`}>Sign in to judge</a>
            <a class="btn" data-swap data-key="skip" data-press="s" href=${skipAddress(state, cells, at)}>Another one <kbd>S</kbd></a>`
      }
    </form>
    ${visit.visitor && html`<p class="soft">You have judged ${judged} of these ${cells.length}.</p>`}
  </section>`
}

function answer(value: string, key: string, says: string, isPressed: boolean): Content {
  return html`<button class=${value === 'true' ? 'btn go' : 'btn'} name="fits" value=${value} data-press=${key} data-key=${`press-${key}`} aria-pressed=${isPressed ? 'true' : undefined}>
    ${says} <kbd>${key.toUpperCase()}</kbd>
  </button>`
}

/** The next pair of the grid that is open, in the order of reading. */
function skipAddress(state: State, cells: readonly Cell[], at: Cell): string {
  const place = cells.indexOf(at)
  const others = [...cells.slice(place + 1), ...cells.slice(0, place)]
  const next = others.find(({ fits }) => fits === undefined) ?? others[0] ?? at
  return addressOf(PATH, [...stateOf(state), ['at', codeOf(next)]])
}

function table(state: State, { cells }: Grid, lines: ReadonlyMap<string, BookLine>, at: Cell | undefined): Content {
  const { phrases, topics } = state
  const byCode = new Map(cells.map((cell) => [codeOf(cell), cell]))
  return html`<div class="wide" data-turn="grid">
    <table class="cells bench">
      <thead>
        <tr>
          <td></td>
          ${topics.map((topic) => html`<th scope="col">${recordLink('quadranym', topic)} <small>${topic['realm']}</small></th>`)}
        </tr>
      </thead>
      <tbody>
        ${phrases.map(
          (phrase) => html`<tr>
            <th scope="row">${recordLink('phrase', phrase)} <small>${phrase['realm']}</small></th>
            ${topics.map((topic) => html`<td>${cellLink(state, byCode, lines, { phrase, topic }, at)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function cellLink(
  state: State,
  cells: ReadonlyMap<string, Cell>,
  lines: ReadonlyMap<string, BookLine>,
  { phrase, topic }: { readonly phrase: Shown; readonly topic: Shown },
  at: Cell | undefined,
): Content {
  const code = codeOf({ phrase: phrase['phrase_id'], quadranym: topic['quadranym_id'] })
  const [cell, line] = [cells.get(code), lines.get(code)]
  if (!cell || !line) return undefined
  const { fits } = cell
  const own = fits === undefined ? '' : fits ? ' yes' : ' no'
  const isHere = at && codeOf(at) === code
  return html`<a class=${`cell${own}`} data-swap data-key=${code} aria-current=${isHere ? 'true' : undefined} href=${addressOf(PATH, [...stateOf(state), ['at', code]])}>
    ${tokens(line.text, line.spans, () => topicOf(topic), { plain: true })}
    ${fits !== undefined && html`<span class="judged"><b>${fits ? 'You say it reads well.' : 'You say it does not.'}</b> ${countsBar(cell)}</span>`}
  </a>`
}

function shuffled({ turn, realm }: State, kept: Pairs = []): string {
  return addressOf(PATH, [...kept, ...realmPair(realm), ...turnPair(nextTurn(turn))])
}

function shuffles(state: State, realms: readonly string[]): Content {
  const { phrases, topics, realm, turn } = state
  return html`<p class="chips">
      <a class="btn" data-swap data-key="shuffle" href=${shuffled(state)}>Shuffle</a>
      <a class="btn" data-swap data-key="phrases" href=${shuffled(state, idsOf('quadranym', topics))}>Other phrases</a>
      <a class="btn" data-swap data-key="topics" href=${shuffled(state, idsOf('phrase', phrases))}>Other quadranyms</a>
    </p>
    ${
      realms.length > 0 &&
      html`<form class="chips" action=${PATH}>
        ${hiddenInputs([...idsOf('phrase', phrases), ...turnPair(turn)])}
        <label for="realm">Quadranyms of the realm</label>
        <select id="realm" name="realm">
          <option value="">any</option>
          ${realms.map((value) => html`<option value=${value} selected=${value === realm}>${value}</option>`)}
        </select>
        <button class="btn small" type="submit">Show</button>
      </form>`
    }`
}

async function judge(visit: ExplorerVisit): Promise<PageAnswer> {
  const here = addressOf(
    PATH,
    visit.query.pairs.filter(([name]) => name !== 'at'),
  )
  if (!visit.visitor) return { location: `/accounts/login/?next=${encodeURIComponent(here)}` }
  const form = await visit.form()
  const given = (name: string) => form.get(name)?.at(-1) ?? ''
  const json = { phrase: given('phrase'), quadranym: given('quadranym'), fits: given('fits') }
  const { status, json: said } = await visit.ask('/api/fit/', { method: 'POST', json })
  if (status < 300) return { location: here }
  const says = Object.values(said)
    .flat()
    .map((message) => inOurWords(String(message)))
  return await show(visit, { status, says: says.join(' ') })
}
