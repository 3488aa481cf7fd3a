/** The text that the lines of a story, or the topics of a tale, make so far. */
import { indexes, spin } from '../../../language/index.ts'
import { type Content, html } from '../../html.ts'
import type { ExplorerVisit, Shown } from '../../kinds/index.ts'
import { openWordOf } from '../../texts/open-words.ts'
import { openWord, type Topic, tokens } from '../../texts/tokens.ts'
import { stanzasOf, type VerseLine } from '../../texts/verse-lines.ts'
import { BREAK, type ResolvedLines, topicsOf } from './lines.ts'

const MOST_AT_ONCE = 100

/** The told text, as far as it can be told. */
export async function preview(
  visit: ExplorerVisit,
  kind: 'story' | 'tale',
  lines: ResolvedLines,
  fable?: Shown,
): Promise<Content> {
  const content = kind === 'story' ? await toldStory(visit, lines.told) : toldTale(lines, fable)
  return html`<section class="preview" data-swap-part="preview" aria-live="polite" aria-label="How it reads">
    ${content ?? html`<p class="soft">${kind === 'story' ? 'The lines you choose are told here.' : 'Choose a fable, and it is told here.'}</p>`}
  </section>`
}

async function toldStory(visit: ExplorerVisit, told: ResolvedLines['told']): Promise<Content> {
  if (told.length === 0) return undefined
  const lines: VerseLine[] = []
  for (let from = 0; from < told.length; from += MOST_AT_ONCE) {
    const some = told.slice(from, from + MOST_AT_ONCE)
    const phrases = some.map(({ phrase }) => phrase!['phrase_id'])
    const quadranyms = some.map(({ quadranym }) => quadranym['quadranym_id'])
    const half = Math.ceil(some.length / 2)
    // The service takes up to fifty quadranyms at once.
    for (const [start, end] of [
      [0, half],
      [half, some.length],
    ] as const) {
      if (start === end) continue
      const json = { phrases: phrases.slice(start, end), quadranyms: quadranyms.slice(start, end), by: 'zip' }
      const asked = await visit.ask('/api/qode/verse/', { method: 'POST', json })
      if (asked.status !== 200) return html`<p class="wrong">${JSON.stringify(asked.json)}</p>`
      lines.push(...stanzasOf(asked.json).flat())
    }
  }
  const paragraphs: Content[][] = [[]]
  lines.forEach(({ text, spans }, i) => {
    const { phrase, quadranym } = told[i]!
    if (phrase!['name'] === BREAK) paragraphs.push([])
    else
      paragraphs.at(-1)!.push(
        tokens(text, spans, () => quadranym as Topic),
        ' ',
      )
  })
  return paragraphs.filter((each) => each.length > 0).map((each) => html`<p class="text">${each}</p>`)
}

/** Topics that are not chosen yet are shown by their number. */
function toldTale({ topics }: ResolvedLines, fable: Shown | undefined): Content {
  if (!fable) return undefined
  const qode: string = fable['qode']
  const count = topicsOf(fable)
  const used = indexes(qode, { untagged: true })
  // An old text may have very large indexes; then its topics are only those that it uses.
  const known = (index: number) => topics[count < fable['length'] ? used.indexOf(index) : index - 1]
  const all = Array.from({ length: count }, (_, i) => topics[i] ?? OPEN)
  const { text, spans } = spin(qode, all as Topic[], { untagged: true })
  let done = 0
  const parts = spans.map(({ offset, length, index, slot, token }): Content => {
    const before = text.slice(done, offset)
    done = offset + length
    const topic = known(index)
    const word = text.slice(offset, done)
    const span = { offset: 0, length: [...word].length, index, slot, token }
    return [before, topic ? tokens(word, [span], () => topic as Topic) : openWord(openWordOf(span), slot)]
  })
  return html`<p class="text">${parts}${text.slice(done)}</p>`
}

/** Stands for a topic that is not chosen yet. */
const OPEN = { name: 'topic', e: 'topic', r: 'topic', o: 'topic', s: 'topic' }
