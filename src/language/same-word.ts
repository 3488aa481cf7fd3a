/**
 * Whether a typed answer is the expected one. Letter case, accents, punctuation, articles and plurals do not matter; other
 * forms of the same word are near: flowed for flow, happiness for happy.
 */
import { inflect } from './inflect.ts'
import { wordForms } from './word-forms.ts'

/** Longer answers cost too much to compare, and nobody types them. */
const MOST_WORDS = 12
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the'])

/** The words of an answer, without what does not matter. */
export function answerWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}+/gu, '')
  const words =
    plain
      .toLowerCase()
      .replaceAll(/['’]/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  const own = words.filter((word) => !ARTICLES.has(word))
  return own.length > 0 ? own : words
}

/** Without letters or digits, such as a symbol, an answer is compared as it is. */
export function isSameAnswer(guess: string, answer: string): boolean {
  const wanted = answerWords(answer)
  if (wanted.length === 0) return guess.trim() === answer.trim()
  return isAlike(answerWords(guess), wanted, isSameNumberAside)
}

/** Whether each word is a form of the other answer's word. The same answer is a form of itself. */
export function isOtherForm(guess: string, answer: string): boolean {
  return isAlike(answerWords(guess), answerWords(answer), isFormOf)
}

function isAlike(guess: readonly string[], answer: readonly string[], alike: (a: string, b: string) => boolean) {
  if (answer.length === 0 || answer.length > MOST_WORDS) return false
  // Hyphens and spaces do not matter either: fire-fly, fire fly, firefly.
  if (alike(guess.join(''), answer.join(''))) return true
  return guess.length === answer.length && answer.every((word, i) => alike(guess[i] ?? '', word))
}

function isSameNumberAside(a: string, b: string): boolean {
  if (a === b) return true
  // Numbers, and words of other scripts, have no English plural.
  if (!/^[a-z]{2,40}$/.test(a) || !/^[a-z]{2,40}$/.test(b)) return false
  return inflect(a, 'NNS') === b || inflect(b, 'NNS') === a
}

function isFormOf(a: string, b: string): boolean {
  return isSameNumberAside(a, b) || wordForms(a).includes(b) || wordForms(b).includes(a)
}
