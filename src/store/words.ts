/** The tokeniser of search: the same words from a record and from a query, on both databases. */

/** Letters that Unicode does not decompose into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
const LONGEST_WORD = 64
/** A letter or digit begins a word; an apostrophe inside it is skipped: don't and dont are the same. */
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu
/** Chinese is written without spaces, so each character is a word. */
const SIGNS = /\p{Script=Han}/u

/** Without accents, in lower case, in text order. */
export function wordsOf(text: string): string[] {
  return (withoutAccents(text).match(WORD) ?? []).flatMap((word) => {
    const whole = word.replaceAll(/['’]/g, '')
    if (SIGNS.test(whole)) return [...whole]
    return whole.length <= LONGEST_WORD ? whole : [...whole].slice(0, LONGEST_WORD).join('')
  })
}

/** The part after an elided article: people look for d'Églantine under E. */
const ELIDED = /(?<![\p{L}\p{N}])\p{L}{1,2}['’](?=\p{L}{3})/gu

/** The words that a text is found by. */
export function wordsInside(text: string): string[] {
  if (!/['’]/.test(text)) return wordsOf(text)
  const rest = text.replaceAll(ELIDED, ' ')
  return rest === text ? wordsOf(text) : [...wordsOf(text), ...wordsOf(rest)]
}

/** What a name contains is looked up by such parts. */
const PART = /[a-z0-9]{3,}/g
/** A word for all parts of a name that none of its words has: those of a very long word, or beside Chinese. */
export const OTHER_PART = '*'
/** A word for each name that is not written like all its words: those have no accents and no apostrophes. */
export const OTHER_SPELLING = '+'

/** The words that a name is found by. Each part of the name is in one of them. */
export function wordsInName(name: string): string[] {
  const words = wordsInside(name)
  const folded = foldCase(name)
  const parts: string[] = folded.match(PART) ?? []
  const hasOtherPart = !parts.every((part) => words.some((word) => word.includes(part)))
  const hasOtherSpelling = !words.every((word) => folded.includes(word))
  return [...words, ...(hasOtherPart ? [OTHER_PART] : []), ...(hasOtherSpelling ? [OTHER_SPELLING] : [])]
}

/** Whether names are looked up by parts of the word. There may be as many numbers as names. */
export function hasParts(word: string): boolean {
  return /[a-z*+]/.test(word)
}

/** The longest part of a text: each name that contains the text has a word with it. Undefined if there is none. */
export function longestPart(text: string): string | undefined {
  const parts: string[] = foldCase(text).match(PART) ?? []
  return parts.filter(hasParts).sort((a, b) => b.length - a.length)[0]
}

/** A text as search compares it as a whole. */
export function phraseOf(text: string): string {
  return wordsOf(text).join(' ')
}

/**
 * A whole term as `term=` compares it: letter case, accents and doubled spaces do not matter, all other characters do.
 */
export function termOf(text: string): string {
  return withoutAccents(text).replaceAll(/\s+/g, ' ').trim()
}

/** In code points. Longer ones are found by their words. */
const LONGEST_TERM = 200
/** Without its accents, a text may be longer: some characters stand for several letters. An index has a limit. */
const LONGEST_FOLDED = 3 * LONGEST_TERM

/**
 * A name or term as it is looked up as a whole; undefined if it is not, because it is too long or only a filler such as
 * ____.
 */
export function storedTerm(text: string): string | undefined {
  if (text.length > LONGEST_TERM && [...text].length > LONGEST_TERM) return undefined
  const term = termOf(text)
  return term.length <= LONGEST_FOLDED && isTerm(term) ? term : undefined
}

/** Whether it has a letter, a digit or a symbol, such as ♠ or 🌑. */
export function isTerm(term: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(term)
}

/** Ignores letter case. A final sigma is the same letter as any other. */
export function foldCase(text: string): string {
  return text.toLowerCase().replaceAll('ς', 'σ')
}

const SHORTEST = 3
/** English plurals by their spelling. The result need not be a word: a word that is in no record finds nothing. */
const SINGULARS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[^s])s$/, ''],
  [/(?<=[sxz]|[cs]h|o)es$/, ''],
  [/ies$/, 'y'],
  [/ves$/, 'f'],
  [/ves$/, 'fe'],
]
const PLURALS: readonly (readonly [RegExp, string])[] = [
  [/(?<=[^sxz])$/, 's'],
  [/(?<=[sxz]|[cs]h|o)$/, 'es'],
  [/(?<=[^aeiou])y$/, 'ies'],
  [/fe?$/, 'ves'],
]

/** The singulars that a word may be the plural of, and the plurals it may have. */
export function pluralsOf(word: string): string[] {
  if (!/^[a-z]+$/.test(word) || word.length < SHORTEST) return []
  return [...SINGULARS, ...PLURALS]
    .filter(([ending]) => ending.test(word))
    .map(([ending, other]) => word.replace(ending, other))
    .filter((form) => form.length >= SHORTEST)
}

const PLAIN_TEXT = /^[\n -~]*$/

function withoutAccents(text: string): string {
  if (PLAIN_TEXT.test(text)) return text.toLowerCase()
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => PLAIN[letter]!)
}
