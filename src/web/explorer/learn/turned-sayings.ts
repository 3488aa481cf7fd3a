/** Sayings that turn: a proverb told with two topics, and a saying of the catalogue. */
import { spin } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../../kinds/index.ts'
import { label } from '../../label.ts'
import type { FourTerms } from '../../pictures/index.ts'
import { credited } from '../../texts/author.ts'
import { markedBody } from '../../texts/marked.ts'
import { DOOR, PROVERB, STAR } from './examples.ts'

export async function turnedSayings(visit: ExplorerVisit): Promise<Content> {
  const saying = await sayingOf(visit)
  return html`<section aria-labelledby="turn-title">
    <h2 id="turn-title">What it is good for: sayings that turn</h2>
    <p class="does">
      The words of a topic can be marked in a ${label('saying')}. ${label('turn', 'Turn')} it, and another topic takes their place: it says something new.
    </p>
    <div class="told-twice">
      ${told(DOOR)} <p class="turns" aria-hidden="true">⟲</p> ${told(STAR)}
    </div>
    ${saying && fromCatalogue(saying)}
  </section>`
}

/** The proverb with the words of a topic, marked in their colours. */
function told(topic: FourTerms): Content {
  const { text, spans } = spin(PROVERB, [topic])
  let done = 0
  const parts = spans.map(({ offset, length, slot }) => {
    const before = text.slice(done, offset)
    done = offset + length
    return [before, html`<span class=${`tok ${slot}`}>${text.slice(offset, done)}</span>`]
  })
  return html`<figure>
    <p class="text">${parts}${text.slice(done)}</p>
    <figcaption>told with <b class="n">${topic.name}</b></figcaption>
  </figure>`
}

interface Saying {
  readonly kind: Kind
  readonly record: Shown
}

/** The saying of the day, of the first kind that has one. */
async function sayingOf(visit: ExplorerVisit): Promise<Saying | undefined> {
  for (const kind of visit.kinds.all) {
    for (const filter of kind.ofTheDay ?? []) {
      const { status, json } = await visit.ask(`/api/${kind.name}/daily/${filter && `?${filter}`}`)
      if (status === 200) return { kind, record: json }
    }
  }
  return undefined
}

function fromCatalogue({ kind, record }: Saying): Content {
  return html`<div class="card saying">
    <p class="kind">From the catalogue</p>
    <p class="text" dir="auto">${markedBody(record)}</p>
    ${record['src'] && html`<p class="by">${credited(record['src'])}</p>`}
    <p class="chips"><a class="btn go" href=${kind.addressOf(record)}>Turn it yourself</a></p>
  </div>`
}
