/** The book: a told text on the left page, and on the right where each of its lines comes from. */
import type { Visit } from '../../../http/index.ts'
import { type Content, html } from '../../html.ts'
import type { Shown } from '../../kinds/index.ts'
import { recordLink } from '../../links.ts'
import { type Span, tokens } from '../../texts/tokens.ts'
import { stanzasOf } from '../../texts/verse-lines.ts'
import { topicOf } from './choice.ts'

/** A phrase told with a topic. */
export interface BookLine {
  readonly text: string
  readonly spans: readonly Span[]
  readonly phrase: Shown
  readonly topic: Shown
}

/** Stanzas or paragraphs; or why they cannot be told. */
export type Told = { readonly stanzas: readonly (readonly BookLine[])[] } | { readonly fault: string }

interface Recipe {
  readonly phrases: readonly Shown[]
  readonly topics: readonly Shown[]
  readonly by: string
}

export async function tellVerse(visit: Visit, { phrases, topics, by }: Recipe): Promise<Told> {
  if (phrases.length === 0 || topics.length === 0) return { stanzas: [] }
  const json = {
    phrases: phrases.map(({ phrase_id }) => phrase_id),
    quadranyms: topics.map(({ quadranym_id }) => quadranym_id),
    by,
  }
  const told = await visit.ask('/api/qode/verse/', { method: 'POST', json })
  if (told.status !== 200) return { fault: Object.values(told.json).flat().map(String).join(' ') }
  const phraseOf = new Map(phrases.map((phrase) => [phrase['phrase_id'], phrase]))
  const topicOf = new Map(topics.map((topic) => [topic['quadranym_id'], topic]))
  const stanzas = stanzasOf(told.json).map((lines) =>
    lines.flatMap(({ text, spans, phrase_id, quadranym_id }): BookLine[] => {
      const [phrase, topic] = [phraseOf.get(phrase_id), topicOf.get(quadranym_id)]
      return phrase && topic ? [{ text, spans, phrase, topic }] : []
    }),
  )
  return { stanzas }
}

interface Book {
  readonly title: string
  readonly told: Told
  /** Sentences follow each other; otherwise each has a line of its own. */
  readonly isProse?: boolean
  /** Shown while the book has no line. */
  readonly empty?: Content
  /** What can be done with a line, by its number counted from 0. */
  readonly actionsOf?: (line: number) => Content
  /** Below the pages. */
  readonly ways: Content
}

export function book({ title, told, isProse = false, empty, actionsOf, ways }: Book): Content {
  const stanzas = 'stanzas' in told ? told.stanzas.filter((lines) => lines.length > 0) : []
  let count = 0
  const numbered = stanzas.map((lines) => lines.map((line) => ({ line, number: count++ })))
  const lineOf = ({ line: { text, spans, topic }, number }: Numbered) =>
    html`<span class="said" data-say=${!isProse || number === count - 1 || undefined}>${tokens(text, spans, () => topicOf(topic))}</span>${isProse && ' '}`
  return html`<section class="book" data-turn="book" aria-label="The book">
    <div class="leaf">
      <h2>${title}</h2>
      ${'fault' in told && html`<p class="note bad">${told.fault}</p>`}
      ${numbered.map((lines) => html`<p class=${isProse ? 'prose' : 'stanza'}>${lines.map(lineOf)}</p>`)}
      ${count === 0 && html`<p class="soft">${empty}</p>`}
    </div>
    <div class="leaf">
      <h2>Where each line comes from</h2>
      <ol class="trace">
        ${numbered.map((lines, stanza) => lines.map(({ line, number }, i) => trace(line, number, stanza > 0 && i === 0, actionsOf)))}
      </ol>
      ${ways}
    </div>
  </section>`
}

interface Numbered {
  readonly line: BookLine
  readonly number: number
}

function trace(
  { phrase, topic }: BookLine,
  number: number,
  beginsStanza: boolean,
  actionsOf: Book['actionsOf'],
): Content {
  return html`<li class=${beginsStanza ? 'next' : undefined} value=${number + 1}>
    <span>${recordLink('phrase', phrase)} <span class="soft">told with</span> ${recordLink('quadranym', topic)}</span>
    ${actionsOf?.(number)}
  </li>`
}

/** The form of a new story, filled with these lines. A break is between two stanzas. */
export function saveAddress(stanzas: readonly (readonly BookLine[])[]): string {
  const query = new URLSearchParams()
  stanzas.forEach((lines, i) => {
    if (i > 0) query.append('line_phrase', '-')
    if (i > 0) query.append('line_quadranym', '')
    for (const { phrase, topic } of lines) {
      query.append('line_phrase', String(phrase['phrase_id']))
      query.append('line_quadranym', String(topic['quadranym_id']))
    }
  })
  return `/make/story/?${query}`
}

/** Link and story: what people do with a told text. */
export function keeping(link: string, save: string | undefined): Content {
  return html`<p class="chips">
      ${save && html`<a class="btn go" href=${save}>Save it as a ${save.includes('/tale/') ? 'tale' : 'story'}</a>`}
    </p>
    <p class="by"><a class="permalink" data-key="link" href=${link}>Link to this</a> <span class="soft">Anybody can open it, without an account.</span></p>`
}
