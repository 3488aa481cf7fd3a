/** The one tokeniser of search: the same words from a record and from a query, on either engine. */

/** Letters that Unicode does not take apart into a plain one and a mark. */
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
}
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'g')
const LONGEST_WORD = 64
/** A letter or digit begins a word; an apostrophe inside one is passed over: don't and dont are the same. */
const WORD = /[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu
/** Chinese is written without spaces, so each sign is a word. */
const SIGNS = /\p{Script=Han}/u

/** Without accents, in small letters, in the order of the text. */
export function wordsOf(text: string): string[] {
  return (withoutAccents(text).match(WORD) ?? []).flatMap((word) => {
    const whole = word.replaceAll(/['’]/g, '')
    if (SIGNS.test(whole)) return [...whole]
    return whole.length <= LONGEST_WORD ? whole : [...whole].slice(0, LONGEST_WORD).join('')
  })
}

/** A text as search compares it as a whole. */
export function phraseOf(text: string): string {
  return wordsOf(text).join(' ')
}

/** A whole term as `term=` compares it: letter case, accents and doubled spaces do not count, all other signs do. */
export function termOf(text: string): string {
  return withoutAccents(text).replaceAll(/\s+/g, ' ').trim()
}

/** A filler such as ____ stands for no term. */
export function isTerm(term: string): boolean {
  return /[\p{L}\p{N}]/u.test(term)
}

function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(SPECIAL, (letter) => PLAIN[letter]!)
}
