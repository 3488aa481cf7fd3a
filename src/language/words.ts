/**
 * Words with their positions. The text is never rebuilt from them, so everything that is not replaced survives byte for
 * byte.
 */

export interface Word {
  readonly text: string
  /** In UTF-16 units. */
  readonly offset: number
}

// Hyphens may join a word; points and commas a number; all other marks are single or in runs of one kind.
const PIECE =
  /[\p{L}\p{M}][\p{L}\p{M}\p{N}]*(?:[-'’][\p{L}\p{M}\p{N}]+)*|\p{N}+(?:[.,:]\p{N}+)*\p{L}*|(-{2,}|\.{2,}|[^\s\p{L}\p{M}\p{N}])/gu
const CLITIC = /(?:n['’]t|['’](?:s|ll|re|ve|d|m))$/i
const CANNOT = /^(can)(not)$/i

/** Splits text as the Penn Treebank does: contractions are split (do n't, it 's), marks are separate. */
export function splitWords(text: string): Word[] {
  const words: Word[] = []
  for (const match of text.matchAll(PIECE)) {
    const [piece] = match
    const cut = CLITIC.exec(piece)?.index ?? (CANNOT.test(piece) ? 3 : 0)
    if (cut > 0) words.push({ text: piece.slice(0, cut), offset: match.index })
    words.push({ text: piece.slice(cut), offset: match.index + cut })
  }
  return words
}

export function isWord(text: string): boolean {
  return /^\p{L}/u.test(text)
}
