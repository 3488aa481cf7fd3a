/** /tell/tale/: a fable told with topics of the visitor's choice, in any order. */
import type { PageAnswer } from '../../../http/index.ts'
import { counted } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerPage, ExplorerVisit, Shown } from '../../kinds/index.ts'
import { recordLink } from '../../links.ts'
import { shortened } from '../../texts/marked.ts'
import type { Topic } from '../../texts/tokens.ts'
import { fourOf } from '../../texts/turn-panel.ts'
import { nextAddress, type Turned, turnText } from '../../texts/turning.ts'
import { today } from '../../today.ts'
import { topicsOf } from '../make/lines.ts'
import { keeping } from './book.ts'
import { readByIds, topicOf } from './choice.ts'
import { addressOf, finder, gistOf, idsOf, type Pairs, tellPage, turnPair } from './frame.ts'

const PATH = '/tell/tale/'
/** How many fables are offered. */
const OFFERED = 6
const DOES = 'Choose a fable, and a topic for each of its places; change their order, and it is another tale.'

export const talePage: ExplorerPage = { path: PATH, title: 'Tale', GET: show }

async function show(visit: ExplorerVisit): Promise<PageAnswer> {
  const id = visit.query.get('fable')?.trim() ?? ''
  const named = (await readByIds(visit, 'fable', [id])).get(id)
  const offered = await someFables(visit)
  const fable = named ?? offered[0]
  const faults = id !== '' && !named ? [`There is no fable ${id}.`] : []
  if (!fable) {
    const main = html`<div class="empty"><p>There are no fables yet. <a href="/make/fable/">Make one</a></p></div>`
    return tellPage(visit, { title: 'Tale', does: DOES, beginning: undefined, faults, main })
  }
  const fixed = `fable=${fable['fable_id']}`
  const turned = await turnText(visit, 'fable', fable, { path: PATH, fixed })
  const fableFinder = await finder(visit, {
    kind: 'fable',
    label: 'Another fable',
    state: turned ? stateOf(fable, turned, turned.choice.chosen).slice(1) : [],
    chosen: (record) => idsOf('fable', [record]),
  })
  const replacing = turned && (await replacement(visit, fable, turned))
  return tellPage(visit, {
    title: 'Tale',
    does: DOES,
    beginning: turned && shortened(turned.text, 200),
    faults: [...faults, ...(turned?.choice.faults ?? [])],
    main: html`<section class="fables" data-turn="fables" aria-label="Fables">
        <p class="chips">
          ${[...new Map([fable, ...offered].map((each) => [each['fable_id'], each])).values()].map(
            (each) =>
              html`<a class="btn small" data-swap data-key=${`fable-${each['fable_id']}`} aria-current=${each['fable_id'] === fable['fable_id'] ? 'true' : undefined} href=${addressOf(PATH, idsOf('fable', [each]))}>${each['name']} <span class="soft">${counted(each['length'], 'topic')}</span></a>`,
          )}
        </p>
        ${fableFinder}
      </section>
      ${turned && html`${topicList(fable, turned)} ${replacing} ${pages(visit, fable, turned)}`}`,
  })
}

async function someFables(visit: ExplorerVisit): Promise<readonly Shown[]> {
  const day = visit.byClock(today).toISOString().slice(0, 10)
  const { status, json } = await visit.ask(`/api/fable/random/?n=${OFFERED}&seed=${day}`)
  return status === 200 ? json.results : []
}

function stateOf(fable: Shown, { choice }: Turned, topics: readonly Topic[]): Pairs {
  return [
    ...idsOf('fable', [fable]),
    ...topics.map(({ quadranym_id }) => ['quadranym', quadranym_id] as const),
    ...turnPair(choice.turn),
  ]
}

function topicList(fable: Shown, turned: Turned): Content {
  const { chosen } = turned.choice
  const to = (topics: readonly Topic[]) => addressOf(PATH, stateOf(fable, turned, topics))
  const link = (key: string, says: string, sign: string, topics: readonly Topic[], about = '') =>
    html`<a class="btn small" data-swap data-key=${key} href=${to(topics)} aria-label=${about && `${says}: ${about}`} title=${says}>${sign}</a>`
  return html`<section data-turn="choosing" aria-labelledby="topics-title">
    <h2 id="topics-title">Its topics, in order</h2>
    <ol class="chosen">
      ${chosen.map(
        (topic, i) => html`<li>
          <span><a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a> <span class="soft">${fourOf(topic)}</span></span>
          <span class="moves">
            ${i > 0 && link(`up-${i}`, 'Move up', '↑', chosen.toSpliced(i - 1, 2, topic, ...chosen.slice(i - 1, i)), topic.name)}
            ${i < chosen.length - 1 && link(`down-${i}`, 'Move down', '↓', chosen.toSpliced(i, 2, ...chosen.slice(i + 1, i + 2), topic), topic.name)}
            <a class="btn small" data-swap href=${addressOf(PATH, [...stateOf(fable, turned, chosen), ['replace', i + 1]])} aria-label=${`Change: ${topic.name}`}>Change</a>
          </span>
        </li>`,
      )}
    </ol>
    <p class="chips">
      <a class="btn go" data-swap data-key="turn" href=${nextAddress(turned)}>Other topics</a>
      ${chosen.length > 1 && link('reverse', 'Reverse the order', 'Reverse the order', chosen.toReversed())}
    </p>
  </section>`
}

/** The box that finds a topic to put in place of another one. */
async function replacement(visit: ExplorerVisit, fable: Shown, turned: Turned): Promise<Content> {
  const { chosen } = turned.choice
  const place = Number(visit.query.get('replace') ?? 0)
  const old = chosen[place - 1]
  if (!old) return html`<div data-turn="replace"></div>`
  const state = stateOf(fable, turned, chosen)
  const box = await finder(visit, {
    kind: 'quadranym',
    label: `In place of ${old.name}`,
    isFocused: true,
    state: [...state, ['replace', place]],
    chosen: (record) => stateOf(fable, turned, chosen.with(place - 1, topicOf(record))),
  })
  return html`<div data-turn="replace">${box}</div>`
}

function pages(visit: ExplorerVisit, fable: Shown, turned: Turned): Content {
  const { chosen } = turned.choice
  const link =
    visit.base +
    addressOf(
      PATH,
      stateOf(fable, turned, chosen).filter(([name]) => name !== 'turn'),
    )
  const query = new URLSearchParams({ fable: `${fable['name']} #${fable['fable_id']}` })
  for (const { quadranym_id } of linesOf(fable, turned)) query.append('line_quadranym', String(quadranym_id))
  return html`<section class="book" data-turn="book" aria-label="The book">
    <div class="leaf">
      <h2>${fable['name']}</h2>
      <p class="prose" data-say>${turned.marked}</p>
    </div>
    <div class="leaf">
      <h2>Where it comes from</h2>
      <p>The fable ${recordLink('fable', fable)}: <span class="soft">${gistOf(fable)}</span></p>
      <ol class="trace">
        ${chosen.map((topic, i) => html`<li><span>Topic ${i + 1} <span class="soft">is</span> <a href=${`/quadranym/${topic.quadranym_id}/`}>${topic.name}</a></span></li>`)}
      </ol>
      ${keeping(link, `/make/tale/?${query}`)}
    </div>
  </section>`
}

/** The form of a tale has a line for each number up to the last topic. A number that the text skips gets any topic. */
function linesOf(fable: Shown, { choice: { chosen, topicAt } }: Turned): readonly Topic[] {
  const count = topicsOf(fable)
  if (count < fable['length']) return chosen
  return Array.from({ length: count }, (_, i) => topicAt(i + 1) ?? chosen.slice(0, 1)).flat()
}
