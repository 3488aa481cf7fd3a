import { counted } from '../../language/index.ts'
import { recordAddress } from '../addresses.ts'
import { html } from '../html.ts'
import { label } from '../label.ts'
import { recordLink } from '../links.ts'
import { withOpenWords } from '../texts/open-words.ts'
import { type Topic, tokens } from '../texts/tokens.ts'
import { AREA, MAKER } from './common-facets.ts'
import type { Body, ExplorerVisit, KindFile, Shown } from './kind.ts'

export const tale: KindFile = {
  name: 'tale',
  part: 'stories',
  facets: { ...AREA, ...MAKER },
  gistOf: ({ fable }) => `after ${fable.name}`,
  insideOf: ({ length, fable }) =>
    html`<p class="gist">a fable of ${counted(length, 'topic')}</p>
      <p class="members">after ${fable.name}</p>`,
  body,
  form: {
    about: 'A fable told with quadranyms that you choose.',
    shelf: 'Stories',
    words: { fable: { label: 'Fable' } },
  },
}

/** More lines than any tale has so far. */
const LINES = 1000

async function body(visit: ExplorerVisit, { tale_id, fable }: Shown): Promise<Body> {
  const [told, lines] = await Promise.all([
    visit.ask(`/api/tale/${tale_id}/tell/`),
    visit.ask(`/api/taleline/?tale=${tale_id}&page_size=${LINES}`),
  ])
  const records: readonly Shown[] = lines.json.results ?? []
  const topics = new Map(records.map(({ rank, quadranym }) => [rank + 1, quadranym as Topic]))
  const params = records.map(({ quadranym }) => `quadranym=${quadranym['quadranym_id']}`).join('&')
  // It may have been deleted meanwhile.
  const { text, spans } = withOpenWords(told.status === 200 ? told.json : { text: '', spans: [] })
  return {
    told: { shown: text, asked: '' },
    beside: html`<p class="text told">${tokens(text, spans, (index) => topics.get(index))}</p>
      <p class="by">After the ${label('fable')} ${recordLink('fable', fable)}. <a href=${recordAddress('fable', fable) + (params && `?${params}`)}>Turn it</a></p>`,
    below:
      records.length > 0 &&
      html`<h2 id="lines">Its ${label('topic', 'topics')}</h2>
      <ol class="words">${records.map(({ quadranym }) => html`<li>${recordLink('quadranym', quadranym)}</li>`)}</ol>`,
  }
}
