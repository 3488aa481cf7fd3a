/** "a" or "an", by the sound of what follows. */
import { ACRONYMS } from './irregular.ts'

/** Vowels that sound like "you" or "one": a unit, a European, a one-way street, a Ouija board. */
const SOUNDS_LIKE_YOU_OR_ONE =
  /^(?:unanim|uni(?:x|cell|corn|cycl|form|f[yi]|lateral|on|que|sex|son|t|vers)|us(?:e|u|ab|ag)|ut(?:ah|e|il|op)|ur(?:al|an|in|olog|ugu)|ubiq|uganda|uighur|uk(?:rain|ul)|uvul|eu|ewe|one(?!ir|r)|once|oui|ouag|u[^\p{L}]|u$)/iu
const SILENT_H = /^(?:hour|heir|honest|hono(?:u)?r|hors[\s-])/i
/** Y before a consonant sounds like i: an yttrium crystal. */
const Y_IS_A_VOWEL = /^y(?:tt|cl|gg|pr|ps|v[eo])/i
const VOWEL = /^[aeiouàáâãäåæèéêëìíîïòóôõöøùúûü]/iu

/** Letters whose names begin with a vowel: an MP, an MSc, an X, an f-word. "U" begins like "you": a UFO. */
const SPELT_OUT = /^[AEFHILMNORSX](?:\p{Lu}{1,4}[cs]?\b|\b)/u
const SPELT_OUT_U = /^U(?:\p{Lu}|\b)/u
const SMALL_LETTER = /^[fhlmnrsx](?![\p{L}\p{M}'’])/u
/** Consonants alone are spelt out, too: an mp3, an nth. */
const NO_WORD = /^(?:mp\d|nth|rpm|sms|html|http|ssh|xml|ngo|fm|hr|lcd|led|rh)\b/i

/** Eight, eighty, eleven, eighteen, however many thousands follow, and years: an 1812 map. */
const EIGHT_OR_ELEVEN = /^[$€£#]?(?:8|(?:11|18)(?:\d\d)?(?:,\d{3})*(?![\d,]))/

/** The word as it is spoken. It must not be all capitals, or "LIE" would count as an abbreviation. */
export function articleFor(word: string): 'a' | 'an' {
  const capitals = /^\p{Lu}+/u.exec(word)?.[0] ?? ''
  if (SPELT_OUT_U.test(word)) return 'a'
  if (SPELT_OUT.test(word) && !ACRONYMS.has(capitals)) return 'an'
  return hasVowelSound(word) ? 'an' : 'a'
}

function hasVowelSound(word: string): boolean {
  if (VOWEL.test(word)) return !SOUNDS_LIKE_YOU_OR_ONE.test(word)
  return [SMALL_LETTER, NO_WORD, SILENT_H, Y_IS_A_VOWEL, EIGHT_OR_ELEVEN].some((each) => each.test(word))
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
