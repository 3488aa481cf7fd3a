import type { Visit } from '../../http/index.ts'
import { counted, spin } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import { recordLink } from '../links.ts'
import { shortened } from '../texts/marked.ts'
import { type Span, type Topic, tokens } from '../texts/tokens.ts'
import { AREA, MAKER, REALM } from './common-facets.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'
import { BREAK_NAME, isBreak } from './phrase.ts'

export const story: KindFile = {
  name: 'story',
  part: 'stories',
  facets: { ...REALM, ...AREA, ...MAKER },
  gistOf: ({ length }) => counted(length, 'line'),
  insideOf: ({ length, beginning }) =>
    html`<p class="gist">${counted(length, 'line')}</p>
      ${beginning && html`<p class="members">${shortened(beginning, 160)}</p>`}`,
  completed: withFirstLines,
  body,
  form: {
    about: 'A story line by line: each line is a phrase told with a quadranym.',
    shelf: 'Stories',
  },
}

/** Adds how each story begins, which a list does not tell. */
async function withFirstLines(visit: Visit, stories: readonly Shown[]): Promise<readonly Shown[]> {
  if (stories.length === 0) return stories
  const ids = stories.map(({ story_id }) => story_id).join(',')
  const size = stories.length
  const { json } = await visit.ask(`/api/storyline/?story__in=${ids}&rank=0&page_size=${size}`, { isOptional: true })
  const first: readonly Shown[] = json?.results ?? []
  const beginnings = new Map(
    first.map(({ story, phrase, quadranym }) => [story.story_id, spin(phrase.qode, [quadranym], UNTAGGED).text]),
  )
  return stories.map((story) => ({ ...story, beginning: beginnings.get(story['story_id']) }))
}

const UNTAGGED = { untagged: true }

/** More lines than any story has so far. */
const LINES = 1000

interface ToldLine {
  readonly text: string
  readonly phrase_id?: number
}

async function body(visit: ExplorerVisit, { story_id }: Shown): Promise<Body> {
  const [told, lines] = await Promise.all([
    visit.ask(`/api/story/${story_id}/tell/`),
    visit.ask(`/api/storyline/?story=${story_id}&page_size=${LINES}`),
  ])
  const records: readonly Shown[] = lines.json.results ?? []
  return {
    ...(told.status === 200 ? { told: { shown: told.json.text, asked: '' } } : {}),
    beside: html`<div class="text told">${told.status === 200 ? paragraphs(told.json, records) : html`<p class="soft">The story is too long to be told on one page.</p>`}</div>
      ${lines.json.count === 0 && html`<div class="empty"><h2>Not told yet</h2><p>It has no lines.</p></div>`}`,
    below:
      records.length > 0 &&
      html`<h2 id="lines">Line by line</h2>
      <ol class="words">
        ${records.map(({ phrase, quadranym }) =>
          isBreak(phrase)
            ? html`<li><span class="soft">${BREAK_NAME}</span></li>`
            : html`<li>${recordLink('phrase', phrase)} <span class="soft">told with</span> ${recordLink('quadranym', quadranym)}</li>`,
        )}
      </ol>`,
  }
}

/** Each line has its own topic, so its words are marked line by line. */
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

/** Only white space is between two lines. */
function startOf(letters: readonly string[], line: readonly string[], from: number): number {
  let start = from
  while (start < letters.length && letters[start] !== line[0] && /\s/.test(letters[start]!)) start++
  return start
}
