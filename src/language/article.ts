/** "a" or "an", by the sound of what follows. */

const SOUNDS_LIKE_YOU_OR_ONE =
  /^(?:unanim|uni(?:cell|corn|cycl|form|f[yi]|lateral|on|que|sex|son|t|vers)|us(?:e|u|ab|ag)|ut(?:e|il|op)|ur(?:an|in|olog)|ubiq|uk(?:rain|ul)|eu|ewe|one(?!r)|once|u[^\p{L}]|u$)/iu
const SILENT_H = /^(?:hour|heir|honest|hono(?:u)?r)/i
/** Letters whose names begin with a vowel: an MP, an X. "U" begins like "you": a UFO. */
const SPELT_OUT = /^[AEFHILMNORSX](?:\p{Lu}{1,4}\b|\b)/u
const SPELT_OUT_U = /^U(?:\p{Lu}|\b)/u
const EIGHT_OR_ELEVEN = /^(?:8|1[18](?!\d|[.,:]\d))/
const VOWEL = /^[aeiouàáâãäåæèéêëìíîïòóôõöøùúûü]/iu

/** The word as it is spoken. It must not be all capitals, or "LIE" would count as an abbreviation. */
export function articleFor(word: string): 'a' | 'an' {
  if (SPELT_OUT_U.test(word)) return 'a'
  if (SPELT_OUT.test(word) || SILENT_H.test(word) || EIGHT_OR_ELEVEN.test(word)) return 'an'
  return VOWEL.test(word) && !SOUNDS_LIKE_YOU_OR_ONE.test(word) ? 'an' : 'a'
}

/** How much of the text before a word can contain its article. */
const ARTICLE_ROOM = 24
const ARTICLE_BEFORE = /(?<![\p{L}\p{M}\p{N}'’-])(an?)(\s+["'“‘([]*)$/iu

/** An article at the end of a text, with the space after it, and where it begins. */
export interface ArticleBefore {
  readonly article: string
  readonly space: string
  readonly offset: number
}

/** The article that the text before `end` ends with. */
export function articleBefore(text: string, end = text.length): ArticleBefore | undefined {
  // Only the end can contain the article: this keeps the work linear.
  const [whole = '', article = '', space = ''] =
    ARTICLE_BEFORE.exec(text.slice(Math.max(0, end - ARTICLE_ROOM), end)) ?? []
  return whole === '' ? undefined : { article, space, offset: end - whole.length }
}

/** The text before a word, with the article at its end corrected. */
export function withArticle(before: string, word: string, { shouted }: { readonly shouted: boolean }): string {
  const found = articleBefore(before)
  if (!found) return before
  const { article, space, offset } = found
  const right = articleFor(word)
  if (article.toLowerCase() === right) return before
  return `${before.slice(0, offset)}${inCaseOfArticle(article, right, shouted)}${space}`
}

/** "A" may be a capital or shouted; the word that follows shows which. */
function inCaseOfArticle(article: string, right: string, shouted: boolean): string {
  if (article === article.toLowerCase()) return right
  return article === 'AN' || shouted ? right.toUpperCase() : right.charAt(0).toUpperCase() + right.slice(1)
}
