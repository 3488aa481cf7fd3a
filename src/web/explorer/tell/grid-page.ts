/** /tell/: seven phrases, each told with seven topics. A press puts a sentence into the book. */
import type { PageAnswer } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { recordLink } from '../../links.ts'
import { tokens } from '../../texts/tokens.ts'
import { type BookLine, book, keeping, saveAddress, type Told, tellVerse } from './book.ts'
import { type Choice, nextTurn, readByIds, readChoice, topicOf } from './choice.ts'
import { addressOf, finder, hiddenInputs, idsOf, type Pairs, tellPage, turnPair } from './frame.ts'

const PATH = '/tell/'
const SEVEN = { some: 7, most: 7, isFilled: true }
/** The API tells this many pairs at once. */
const MOST_LINES = 50
/** A new paragraph, among lines such as 12-7: phrase 12 told with quadranym 7. */
const PARAGRAPH = '-'

const DOES = 'Seven phrases, each told with seven topics. Press a sentence to put it into the book; shuffle for others.'

export const gridPage: ExplorerPage = { path: PATH, title: 'Phrases times topics', GET: show }

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const choice = await readChoice(visit, SEVEN)
  const [told, { lines, faults, written }] = await Promise.all([
    tellVerse(visit, { ...choice, by: 'phrase' }),
    readLines(visit, choice),
  ])
  const state = stateOf(choice, lines)
  const [phrases, topics] = await Promise.all([
    finder(visit, {
      kind: 'phrase',
      label: 'A phrase of your choice',
      state,
      chosen: (record) => [...state, ...idsOf('phrase', [record])],
    }),
    finder(visit, {
      kind: 'quadranym',
      label: 'A topic of your choice',
      state,
      chosen: (record) => [...state, ...idsOf('quadranym', [record])],
    }),
  ])
  const beginning = 'stanzas' in written ? written.stanzas.flat().map(({ text }) => text) : []
  return tellPage(visit, {
    title: 'Phrases times topics',
    does: DOES,
    beginning: beginning.slice(0, 3).join(' '),
    faults: [...choice.faults, ...faults],
    main: html`<form class="telling-grid" action=${PATH} data-turn="grid" data-grid>
        ${hiddenInputs(state)}
        ${shuffles(choice, lines)}
        ${table(told, choice, new Set(lines))}
        <p class="chips"><button class="btn small" name="line" value=${PARAGRAPH} data-key="paragraph">New paragraph in the book</button></p>
      </form>
      <div class="finders" data-turn="finders">${phrases} ${topics}</div>
      ${pages(visit, choice, lines, written)}`,
  })
}

function stateOf({ phrases, topics, turn }: Choice, lines: readonly string[]): Pairs {
  return [...idsOf('phrase', phrases), ...idsOf('quadranym', topics), ...turnPair(turn), ...linePairs(lines)]
}

function linePairs(lines: readonly string[]): Pairs {
  return lines.map((line) => ['line', line] as const)
}

/** The lines of the book, as the address names them. Those of a phrase or topic that is gone are left out. */
async function readLines(visit: ExplorerVisit, choice: Choice) {
  const given = visit.query.all('line').map((line) => line.trim())
  const valid = given.filter((line) => line === PARAGRAPH || /^[1-9][0-9]{0,14}-[1-9][0-9]{0,14}$/.test(line))
  const pairs = valid.slice(0, MOST_LINES).map((line) => ({ line, ids: line.split('-') }))
  const [phrases, topics] = await Promise.all([
    known(
      visit,
      'phrase',
      choice.phrases,
      pairs.map(({ ids }) => ids[0] ?? ''),
    ),
    known(
      visit,
      'quadranym',
      choice.topics,
      pairs.map(({ ids }) => ids[1] ?? ''),
    ),
  ])
  const found = pairs.flatMap(({ line, ids }): Found[] => {
    const [phrase, topic] = [phrases.get(ids[0] ?? ''), topics.get(ids[1] ?? '')]
    if (phrase && topic) return [{ line, phrase, topic }]
    return line === PARAGRAPH ? [{ line }] : []
  })
  const faults = valid.length > MOST_LINES ? [`The book is full: it has ${MOST_LINES} lines.`] : []
  return { lines: found.map(({ line }) => line), faults, written: await tellLines(visit, found) }
}

async function tellLines(visit: ExplorerVisit, found: readonly Found[]): Promise<Told> {
  const told = found.filter((each) => 'phrase' in each)
  const phrases = told.map(({ phrase }) => phrase)
  const verse = await tellVerse(visit, { phrases, topics: told.map(({ topic }) => topic), by: 'zip' })
  if ('fault' in verse) return verse
  const sentences = verse.stanzas.flat().values()
  const paragraphs: BookLine[][] = [[]]
  for (const each of found) {
    const next = 'phrase' in each ? sentences.next().value : undefined
    if (next) paragraphs.at(-1)?.push(next)
    else paragraphs.push([])
  }
  return { stanzas: paragraphs.filter((lines) => lines.length > 0) }
}

type Found = { readonly line: string } | { readonly line: string; readonly phrase: Shown; readonly topic: Shown }

/** The lines stay when the grid is shuffled, so their phrases and topics may not be in it. */
async function known(visit: ExplorerVisit, kind: string, shown: readonly Shown[], ids: readonly string[]) {
  const here = new Map(shown.map((record) => [String(record[`${kind}_id`]), record]))
  const others = await readByIds(
    visit,
    kind,
    ids.filter((id) => !here.has(id)),
  )
  return new Map([...here, ...others])
}

function shuffles({ phrases, topics, turn }: Choice, lines: readonly string[]): Content {
  const next = [...turnPair(nextTurn(turn)), ...linePairs(lines)]
  const link = (key: string, text: string, kept: Pairs, look = 'btn') =>
    html`<a class=${look} data-swap data-key=${key} href=${addressOf(PATH, [...kept, ...next])}>${text}</a>`
  return html`<p class="chips">
    ${link('shuffle', 'Shuffle', [], 'btn go')} ${link('phrases', 'Other phrases', idsOf('quadranym', topics))}
    ${link('topics', 'Other topics', idsOf('phrase', phrases))}
  </p>`
}

function table(told: Told, { phrases, topics }: Choice, inBook: ReadonlySet<string>): Content {
  if ('fault' in told) return html`<p class="note bad">${told.fault}</p>`
  if (told.stanzas.length === 0) return html`<p class="empty">There are no phrases and topics to tell yet.</p>`
  return html`<div class="wide">
    <table class="cells">
      <thead>
        <tr>
          <td></td>
          ${topics.map((topic) => html`<th scope="col">${recordLink('quadranym', topic)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${told.stanzas.map(
          (lines, i) => html`<tr>
            <th scope="row">${phrases[i] && recordLink('phrase', phrases[i])}</th>
            ${lines.map((line) => html`<td>${cell(line, inBook)}</td>`)}
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function cell({ text, spans, phrase, topic }: BookLine, inBook: ReadonlySet<string>): Content {
  const code = `${phrase['phrase_id']}-${topic['quadranym_id']}`
  return html`<button class=${inBook.has(code) ? 'cell in' : 'cell'} name="line" value=${code} data-key=${code}>
    ${tokens(text, spans, () => topicOf(topic), { plain: true })}
    ${inBook.has(code) && html`<span class="unseen"> In the book.</span>`}
  </button>`
}

function pages(visit: ExplorerVisit, choice: Choice, lines: readonly string[], told: Told): Content {
  const places = lines.flatMap((line, i) => (line === PARAGRAPH ? [] : [i]))
  const without = (line: number) => addressOf(PATH, stateOf(choice, lines.toSpliced(places[line] ?? -1, 1)))
  const link = visit.base + addressOf(PATH, stateOf({ ...choice, turn: 0 }, lines))
  const stanzas = 'stanzas' in told ? told.stanzas : []
  return book({
    title: 'Your story',
    told,
    isProse: true,
    empty: 'Press a sentence above, and it is written here.',
    actionsOf: (line) =>
      html`<a class="btn small" data-swap href=${without(line)} aria-label=${`Remove line ${line + 1}`} title="Remove">×</a>`,
    ways: html`${keeping(link, stanzas.length > 0 ? saveAddress(stanzas) : undefined)}
      ${lines.length > 0 && html`<p><a data-swap data-key="empty" href=${addressOf(PATH, stateOf(choice, []))}>Empty the book</a></p>`}`,
  })
}
