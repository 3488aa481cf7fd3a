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
  let done = 0
  const moved = spans.map((span): Span => {
    const end = span.offset + span.length
    const word = letters.slice(span.offset, end)
    const isOpen = span.token !== '' && word.join('') === span.token
    told.push(...letters.slice(done, span.offset))
    const { length: offset } = told
    told.push(...(isOpen ? openWordOf(span) : word))
    done = end
    return { ...span, offset, length: told.length - offset, ...(isOpen ? { isOpen } : {}) }
  })
  return { text: [...told, ...letters.slice(done)].join(''), spans: moved }
}
