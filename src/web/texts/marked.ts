/** Texts as lists show them: words that come from quadranyms in the colours of their slots. */
import { align, charactersIn, type Grammar, parse } from '../../language/index.ts'
import { type Content, html } from '../html.ts'
import type { Shown } from '../kinds/kind.ts'
import { inOrder, SLOTS, type Span, type Topic, tokens } from './tokens.ts'

/** The body of a fortune or a quote. */
export function markedBody(record: Shown, options: { readonly plain?: boolean } = {}): Content {
  const spans = bodySpans(record)
  return spans ? tokens(record['body'], spans, inOrder(topicsOf(record)), options) : record['body']
}

/**
 * The words of a body that come from its tokens. Each distinct index, in ascending order, is the next of its
 * quadranyms. Undefined if the qode no longer fits the body.
 */
export function bodySpans({ body, qode }: Shown): readonly Span[] | undefined {
  const alignment = qode === '' ? { aligned: [] } : align(body, parse(qode))
  if (!('aligned' in alignment)) return undefined
  const indexes = [...new Set(alignment.aligned.map(({ token }) => token.index))].sort((a, b) => a - b)
  const characters = charactersIn(body)
  return alignment.aligned.map(({ token, word, offset }): Span => {
    const start = characters(offset)
    const place = { offset: start, length: characters(offset + word.length) - start }
    return { ...place, index: indexes.indexOf(token.index) + 1, slot: token.slot, token: '' }
  })
}

/** The quadranyms of a text, in the order of its indexes. */
export function topicsOf({ q1 = [], q2 = [], quadranym }: Shown): Topic[] {
  return quadranym ? [quadranym] : [...q2, ...q1]
}

const UNTAGGED: Grammar = { untagged: true }

/** A phrase or a fable, with the name of the slot in place of an open word. */
export function openText(qode: string, most = 280): Content {
  const parts: Content[] = []
  let length = 0
  for (const piece of parse(qode, UNTAGGED)) {
    if (length > most) return [...parts, ' …']
    if (piece.kind === 'text') {
      parts.push(shortened(piece.text, most - length))
      length += piece.text.length
    } else {
      parts.push(html`<span class=${`tok open ${piece.slot}`}>${SLOTS[piece.slot]}</span>`)
      length += SLOTS[piece.slot]!.length
    }
  }
  return parts
}

/** As many whole words as fit. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const cut = text.slice(0, Math.max(most, 1)).replace(/[\ud800-\udbff]$/, '')
  return `${cut.replace(/\s+\S*$/, '') || cut} …`
}
