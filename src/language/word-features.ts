/**
 * What the tagger sees of a word: a few numbers. scripts/tagger/features.py computes the same ones, so any change here
 * requires a newly trained model.
 */

/** FNV-1a over the UTF-16 units of a sign and a part of a text, with its high bits mixed into the low ones. */
function hash(sign: string, text: string, from: number, to: number): number {
  let hashed = Math.imul(0x811c9dc5 ^ sign.charCodeAt(0), 0x01000193)
  for (let i = from; i < to; i++) hashed = Math.imul(hashed ^ text.charCodeAt(i), 0x01000193)
  return (hashed ^ (hashed >>> 15)) >>> 0
}

/** The hash by which the model knows a word in its normal form. */
export const wordHash = (text: string) => hash('w', text, 0, text.length)

/** In lower case, and with all digits alike. */
export const normal = (word: string) => word.toLowerCase().replace(/[1-9]/g, '0')

/** The numbers of a word after the number of the word itself: of its endings, its beginning and its shape. */
export function partsOf(word: string, text: string): readonly number[] {
  const { length } = text
  const ending = (sign: string, letters: number) => hash(sign, text, Math.max(0, length - letters), length)
  return [
    (ending('2', 2) % 1000) + 1,
    (ending('3', 3) % 5999) + 1,
    (ending('4', 4) % 5999) + 1,
    (hash('p', text, 0, Math.min(3, length)) % 2999) + 1,
    shapeOf(word),
  ]
}

function shapeOf(word: string): number {
  if (/\p{Nd}/u.test(word)) return /^[\p{Nd}.,]+$/u.test(word) ? 1 : 2
  if (!/\p{L}/u.test(word)) return 3
  const hasLower = /\p{Ll}/u.test(word)
  const hasUpper = /[\p{Lu}\p{Lt}]/u.test(word)
  if (hasLower && !hasUpper) return word.includes('-') ? 5 : 4
  if (hasUpper && !hasLower && word.length > 1) return 6
  return /^\p{Lu}/u.test(word) ? 7 : 8
}
