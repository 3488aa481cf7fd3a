/** Pages of what is told: phrases and fables with topics of the visitor's choice, stories and tales with their own. */
import type { Visit } from '../../../http/index.ts'
import { recordAddress } from '../../addresses.ts'
import { FLIP } from '../../assets.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { flipPanel } from '../../texts/flip.ts'
import { type Span, type Topic, tokens } from '../../texts/tokens.ts'
import { link } from './head.ts'
import type { Body } from './index.ts'
import { usesOf } from './uses.ts'

/** More lines than anybody told so far. */
const LINES = 1000

export const openBody =
  (kind: 'phrase' | 'fable') =>
  async (visit: ExplorerVisit, record: Shown): Promise<Body> => {
    const [flip, uses] = await Promise.all([flipPanel(visit, kind, record), usesOf(visit, kind, record)])
    return {
      scripts: [FLIP],
      beside: html`<div class="telling"><div>${flip.told} ${flip.views}</div>${flip.panel}</div>`,
      below: uses,
    }
  }

interface ToldLine {
  readonly text: string
  readonly phrase_id?: number
}

export async function storyBody(visit: Visit, { story_id }: Shown): Promise<Body> {
  const [told, lines] = await Promise.all([
    visit.ask(`/api/story/${story_id}/tell/`),
    visit.ask(`/api/storyline/?story=${story_id}&page_size=${LINES}`),
  ])
  const records: readonly Shown[] = lines.json.results ?? []
  return {
    beside: html`<div class="text told">${told.status === 200 ? paragraphs(told.json, records) : html`<p class="soft">The story is too long to be told on one page.</p>`}</div>
      ${lines.json.count === 0 && html`<div class="empty"><h2>Not told yet</h2><p>It has no lines.</p></div>`}`,
    below:
      records.length > 0 &&
      html`<h2>Line by line</h2>
      <ol class="words">
        ${records.map(({ phrase, quadranym }) => html`<li>${phrase.name === '-' ? 'A new paragraph' : link('phrase', phrase)} <span class="soft">told with</span> ${link('quadranym', quadranym)}</li>`)}
      </ol>`,
  }
}

/** Each line is told with a topic of its own, so its words are marked line by line. */
function paragraphs(
  told: { text: string; spans: readonly Span[]; lines: readonly ToldLine[] },
  records: readonly Shown[],
): Content {
  const letters = [...told.text]
  const spans = told.spans.values()
  let span = spans.next()
  let done = 0
  const parts: Content[] = []
  told.lines.forEach(({ text }, i) => {
    if (text === '') return
    const length = [...text].length
    const start = startOf(letters, [...text], done)
    const own: Span[] = []
    for (; !span.done && span.value.offset < start + length; span = spans.next()) {
      own.push({ ...span.value, offset: span.value.offset - start })
    }
    parts.push(
      letters.slice(done, start).join(''),
      tokens(text, own, () => records[i]?.['quadranym'] as Topic),
    )
    done = start + length
  })
  return parts
}

/** Between two lines stands nothing but space. */
function startOf(letters: readonly string[], line: readonly string[], from: number): number {
  let start = from
  while (start < letters.length && letters[start] !== line[0] && /\s/.test(letters[start]!)) start++
  return start
}

export async function taleBody(visit: Visit, { tale_id, fable }: Shown): Promise<Body> {
  const [told, lines] = await Promise.all([
    visit.ask(`/api/tale/${tale_id}/tell/`),
    visit.ask(`/api/taleline/?tale=${tale_id}&page_size=${LINES}`),
  ])
  const records: readonly Shown[] = lines.json.results ?? []
  const topics = new Map(records.map(({ rank, quadranym }) => [rank + 1, quadranym as Topic]))
  const params = records.map(({ quadranym }) => `quadranym=${quadranym['quadranym_id']}`).join('&')
  return {
    beside: html`<p class="text told">${tokens(told.json.text, told.json.spans, (index) => topics.get(index))}</p>
      <p class="by">After the fable ${link('fable', fable)}. <a href=${`${recordAddress('fable', fable)}?${params}`}>Flip it</a></p>`,
    below: html`<h2>Its topics</h2>
      <ol class="words">${records.map(({ quadranym }) => html`<li>${link('quadranym', quadranym)}</li>`)}</ol>`,
  }
}
