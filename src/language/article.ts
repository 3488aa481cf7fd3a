/** "a" or "an", by the sound of what follows. */

const SOUNDS_LIKE_YOU_OR_ONE =
  /^(?:uni(?:corn|cycl|form|f[yi]|lateral|on|que|son|t|vers)|us(?:e|u|ab|ag)|ut(?:e|il|op)|ur(?:an|in|olog)|ubiq|eu|ewe|one|once|ukul|u[^\p{L}]|u$)/iu
const SILENT_H = /^(?:hour|heir|honest|hono(?:u)?r)/i
/** Letters whose names begin with a vowel: an MP, an X. */
const SPELT_OUT = /^[FHLMNRSX](?:\p{Lu}{1,4}\b|\b)/u

export function articleFor(word: string): 'a' | 'an' {
  if (SPELT_OUT.test(word)) return 'an'
  if (SILENT_H.test(word)) return 'an'
  return /^[aeiouàáâãäåæèéêëìíîïòóôõöøùúûü]/iu.test(word) && !SOUNDS_LIKE_YOU_OR_ONE.test(word) ? 'an' : 'a'
}

const LOOK_BACK = 24
const ARTICLE_BEFORE = /(?<![\p{L}\p{M}\p{N}'’-])(an?)(\s+)$/iu

/** The text before a word, with the article at its end put right. */
export function withArticle(before: string, word: string): string {
  // Only the end can hold the article: this keeps the work linear.
  const match = ARTICLE_BEFORE.exec(before.slice(-LOOK_BACK))
  if (!match) return before
  const [whole, article = '', space = ''] = match
  const right = articleFor(word)
  if (article.toLowerCase() === right) return before
  return `${before.slice(0, -whole.length)}${inCaseOfArticle(article, right, word)}${space}`
}

/** A stands for both "A" and "AN"; which it was shows in the word that follows. */
function inCaseOfArticle(article: string, right: string, word: string): string {
  if (article === article.toLowerCase()) return right
  const shouted = article === 'AN' || (article === 'A' && word.length > 1 && word === word.toUpperCase())
  return shouted ? right.toUpperCase() : right.charAt(0).toUpperCase() + right.slice(1)
}
