/** How to walk to a page of a narrowed list. */
import type { Cell } from '../declare/index.ts'
import type { Span } from './stretch.ts'

/** A row of a narrowed list: how many rows precede it, and its sort key. */
export interface Mark {
  readonly offset: number
  readonly key: readonly Cell[]
}

/** How to walk to a page: from the end of the list, or from the mark, or from the beginning. */
export function wayTo(span: Span, count: number, from: Mark | undefined): Span & { readonly backwards: boolean } {
  const limit = Math.min(span.limit, count - span.offset)
  const [behind, before] = [count - span.offset - limit, span.offset - (from?.offset ?? 0)]
  return behind < before ? { limit, offset: behind, backwards: true } : { limit, offset: before, backwards: false }
}
