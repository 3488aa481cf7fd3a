/** Lines of a verse as the API tells them, each with its own spans; the API counts spans through the whole verse. */
import type { Span } from './tokens.ts'

interface Line {
  readonly offset: number
  readonly text: string
  readonly phrase_id: number
  readonly quadranym_id: number
}

/** A response of /api/qode/verse/. */
export interface Verse {
  readonly spans: readonly Span[]
  readonly stanzas: readonly (readonly Line[])[]
}

export interface VerseLine extends Line {
  readonly spans: readonly Span[]
}

export function stanzasOf({ spans, stanzas }: Verse): VerseLine[][] {
  let next = 0
  return stanzas.map((lines) =>
    lines.map((line) => {
      const [first, end] = [next, line.offset + [...line.text].length]
      while ((spans[next]?.offset ?? end) < end) next++
      const own = spans.slice(first, next).map((span) => ({ ...span, offset: span.offset - line.offset }))
      return { ...line, spans: own }
    }),
  )
}
