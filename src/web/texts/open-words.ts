/** Topics that a told text lacks, in words: the API tells them as tokens. */
import type { Span } from './tokens.ts'

export interface Told {
  readonly text: string
  readonly spans: readonly Span[]
}

/** "a word of topic 1" */
export function openWordOf({ slot, index }: Pick<Span, 'slot' | 'index'>): string {
  return slot === 'n' ? `topic ${index}` : `a word of topic ${index}`
}

/** The text with words in place of the tokens that no topic fills. */
export function withOpenWords({ text, spans }: Told): Told {
  const letters = [...text]
  const told: string[] = []
  /** How far the text is told, and how many letters longer it has become. */
  let [done, longer] = [0, 0]
  const moved = spans.map((span): Span => {
    const end = span.offset + span.length
    const word = letters.slice(span.offset, end).join('')
    const isOpen = span.token !== '' && word === span.token
    const shown = isOpen ? openWordOf(span) : word
    told.push(letters.slice(done, span.offset).join(''), shown)
    const offset = span.offset + longer
    const { length } = [...shown]
    done = end
    longer += length - span.length
    return { ...span, offset, length, ...(isOpen ? { isOpen } : {}) }
  })
  return { text: [...told, letters.slice(done).join('')].join(''), spans: moved }
}
