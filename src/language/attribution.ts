/**
 * Who a text is from. A text whose words were replaced is "after" its author: nobody shall read it as the author's own
 * words.
 */

const LONGEST_ORIGIN = 120
/** A dash that begins a line or follows the end of a sentence. */
const DASH = /(\n[ \t]*|[.!?…"'”’)\]][ \t]*)(?:--|[—–])[ \t]*(?=\S)/g
/** A sentence, and not a name such as "Martin Luther King Jr." */
const SENTENCE = /(?<!\b(?:Jr|Sr|Esq|[A-Z]))[.!?]$/

/** "Oscar Wilde" becomes "after Oscar Wilde". */
export function after(source: string): string {
  return source === '' || /^after\s/i.test(source) ? source : `after ${source}`
}

export interface Origin {
  /** Where it begins in the text, in UTF-16 units. */
  readonly offset: number
  readonly source: string
}

/** What a text ends with, after a dash: "Know thyself. -- inscription at Delphi". */
export function originIn(text: string): Origin | undefined {
  const start = Math.max(0, text.length - LONGEST_ORIGIN)
  const end = text.slice(start)
  const last = [...end.matchAll(DASH)].at(-1)
  if (!last) return undefined
  const offset = last.index + last[0].length
  const source = end.slice(offset).trimEnd()
  const isOwnLine = last[1]?.startsWith('\n') ?? false
  if (!isOwnLine && (source.includes('\n') || SENTENCE.test(source))) return undefined
  return { offset: start + offset, source }
}
