/** /tell/verse/: any phrases and any topics as a verse, by phrase, by topic or pairwise. */
import type { PageAnswer } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { fourOf } from '../../texts/turn-panel.ts'
import { book, keeping, saveAddress, tellVerse } from './book.ts'
import { type Choice, nextTurn, readChoice, topicOf } from './choice.ts'
import { addressOf, finder, gistOf, idsOf, type Pairs, tellPage, turnPair } from './frame.ts'

const PATH = '/tell/verse/'
const SOME = { some: 3, most: 12 }

/** As the API names them, and as people read them. */
const WAYS = [
  { by: 'phrase', title: 'By phrase', does: 'A stanza for each phrase, told with every topic.' },
  { by: 'topic', title: 'By topic', does: 'A stanza for each topic, with every phrase.' },
  { by: 'zip', title: 'Pairwise', does: 'The first phrase with the first topic, the second with the second.' },
] as const

type Way = (typeof WAYS)[number]

const DOES = 'Choose phrases and topics; each line is one of the phrases, told with one of the topics.'

export const versePage: ExplorerPage = { path: PATH, title: 'Verse', GET: show }

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const choice = await readChoice(visit, SOME)
  const way = WAYS.find(({ by }) => by === visit.query.get('by')) ?? WAYS[0]
  const { phrases, topics } = choice
  const state = stateOf(choice, way)
  const [told, phraseFinder, topicFinder] = await Promise.all([
    tellVerse(visit, { phrases, topics, by: way.by }),
    finder(visit, {
      kind: 'phrase',
      label: 'Another phrase',
      state,
      chosen: (record) => [...state, ...idsOf('phrase', [record])],
    }),
    finder(visit, {
      kind: 'quadranym',
      label: 'Another topic',
      state,
      chosen: (record) => [...state, ...idsOf('quadranym', [record])],
    }),
  ])
  const stanzas = 'stanzas' in told ? told.stanzas : []
  const link = visit.base + addressOf(PATH, stateOf({ ...choice, turn: 0 }, way))
  return tellPage(visit, {
    title: 'Verse',
    does: DOES,
    beginning: stanzas
      .flat()
      .slice(0, 3)
      .map(({ text }) => text)
      .join(' '),
    faults: choice.faults,
    main: html`<div class="two choosing" data-turn="choosing">
        <section aria-labelledby="phrases-title">
          <h2 id="phrases-title">Phrases</h2>
          ${chosenList('phrase', choice, way)} ${phraseFinder}
        </section>
        <section aria-labelledby="topics-title">
          <h2 id="topics-title">Topics</h2>
          ${chosenList('quadranym', choice, way)} ${topicFinder}
        </section>
      </div>
      ${ways(choice, way)}
      ${book({
        title: 'Verse',
        told,
        empty: 'There are no phrases and topics to tell yet.',
        ways: keeping(link, stanzas.length > 0 ? saveAddress(stanzas) : undefined),
      })}`,
  })
}

function stateOf({ phrases, topics, turn }: Choice, { by }: Pick<Way, 'by'>): Pairs {
  return [
    ...idsOf('phrase', phrases),
    ...idsOf('quadranym', topics),
    ...(by === 'phrase' ? [] : [['by', by] as const]),
    ...turnPair(turn),
  ]
}

function ways(choice: Choice, now: Way): Content {
  const { turn } = choice
  const other = (kept: Pairs) =>
    addressOf(PATH, [...kept, ...stateOf({ ...choice, phrases: [], topics: [], turn: nextTurn(turn) }, now)])
  return html`<div data-turn="ways">
    <nav class="chips" aria-label="How they are joined">
      ${WAYS.map((way) => html`<a class="btn" data-swap data-key=${way.by} data-tip=${way.does} aria-current=${way === now ? 'true' : undefined} href=${addressOf(PATH, stateOf(choice, way))}>${way.title}</a>`)}
    </nav>
    <p class="soft">${now.does}</p>
    <p class="chips">
      <a class="btn go" data-swap data-key="shuffle" href=${other([])}>Shuffle</a>
      <a class="btn" data-swap data-key="phrases" href=${other(idsOf('quadranym', choice.topics))}>Other phrases</a>
      <a class="btn" data-swap data-key="topics" href=${other(idsOf('phrase', choice.phrases))}>Other topics</a>
    </p>
  </div>`
}

function chosenList(kind: 'phrase' | 'quadranym', choice: Choice, way: Way): Content {
  const member = kind === 'phrase' ? 'phrases' : 'topics'
  const records = choice[member]
  const to = (list: readonly Shown[]) => addressOf(PATH, stateOf({ ...choice, [member]: list }, way))
  return html`<ol class="chosen">
    ${records.map((record, i) => {
      const act = (key: string, says: string, sign: string, list: readonly Shown[]) =>
        html`<a class="btn small" data-swap data-key=${`${kind}-${key}-${i}`} href=${to(list)} aria-label=${`${says}: ${record['name']}`} title=${says}>${sign}</a>`
      return html`<li>
        <span><a href=${`/${kind}/${record[`${kind}_id`]}/`}>${record['name']}</a> <span class="soft">${kind === 'phrase' ? gistOf(record) : fourOf(topicOf(record))}</span></span>
        <span class="moves">
          ${i > 0 && act('up', 'Move up', '↑', swapped(records, i - 1))}
          ${i < records.length - 1 && act('down', 'Move down', '↓', swapped(records, i))}
          ${records.length > 1 && act('remove', 'Remove', '×', records.toSpliced(i, 1))}
        </span>
      </li>`
    })}
  </ol>`
}

/** The record at a place changes places with the one after it. */
function swapped(records: readonly Shown[], i: number): readonly Shown[] {
  return records.toSpliced(i, 2, ...records.slice(i, i + 2).reverse())
}
