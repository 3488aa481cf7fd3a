/** Common words inside names and titles mean nothing of their own there: Larry Wall is no wall. */
import { NOUN_TAGS } from './agreement/word-lists.ts'
import { originIn } from './attribution.ts'
import { type Found, wordAfter } from './nearby-words.ts'
import type { Passage } from './passage.ts'
import { splitWords, type Word } from './words.ts'

const CAPITALISED = /^\p{Lu}[\p{Ll}.][\p{L}.]*$/u
/** Names of what is not a person or a place end with these: "Time magazine". */
const KINDS_OF_NAMES = /^(?:magazine|inc|corp|ltd|co)$/

/** Mickey Mouse, Mountain Dew, Bob "Mountain" Beck, "The Picture of Dorian Gray", -- Art Leo. */
export function isPartOfName(passage: Passage, { word, place, tag }: Found): boolean {
  if (tag.startsWith('NNP') || !/^\p{Lu}/u.test(word.text)) return false
  if (isInOrigin(passage, word.offset, tag) || KINDS_OF_NAMES.test(wordAfter(passage, place) ?? '')) return true
  if (!CAPITALISED.test(word.text)) return false
  if (isNameAt(passage, place - 1) && isNextTo(passage, place - 1)) return true
  if (isInTitle(passage, word.offset)) return true
  if (!NOUN_TAGS.has(tag)) return false
  return isBeforeName(passage, place) || isNickname(passage, place)
}

function isNameAt(passage: Passage, place: number): boolean {
  const text = passage.words[place]?.text
  return text !== undefined && CAPITALISED.test(text) && passage.freeTag(place).startsWith('NNP')
}

/** In a text that has few capitals, "Mountain Dew" is a name. */
function isBeforeName(passage: Passage, place: number): boolean {
  if (!isNextTo(passage, place) || !CAPITALISED.test(passage.words[place + 1]?.text ?? '')) return false
  return isNameAt(passage, place + 1) || !passage.remember('many capitals', () => hasManyCapitals(passage.words))
}

function hasManyCapitals(words: readonly Word[]): boolean {
  const long = words.filter(({ text }) => /^\p{L}{4,}$/u.test(text))
  return long.filter(({ text }) => CAPITALISED.test(text)).length * 2 > long.length
}

/** Whether only a space is between a word and the next. */
function isNextTo(passage: Passage, place: number): boolean {
  const [word, next] = [passage.words[place], passage.words[place + 1]]
  if (!word || !next) return false
  return passage.body.slice(word.offset + word.text.length, next.offset) === ' '
}

function isNickname(passage: Passage, place: number): boolean {
  const { words } = passage
  const isQuoted = words[place - 1]?.text === '"' && words[place + 1]?.text === '"'
  return isQuoted && CAPITALISED.test(words[place - 2]?.text ?? '') && CAPITALISED.test(words[place + 2]?.text ?? '')
}

/** Who a text is from is a name, or begins as a sentence does: "-- Seen on a wall". */
function isInOrigin(passage: Passage, offset: number, tag: string): boolean {
  const start = passage.remember('origin', () => originIn(passage.body)?.offset ?? passage.body.length)
  return offset > start || (offset === start && NOUN_TAGS.has(tag))
}

const QUOTED = /(?<![\p{L}\p{N}])(?:"([^"]{3,80})"|“([^”]{3,80})”|_([^_]{3,80})_)(?![\p{L}\p{N}])/gu
const SMALL_WORD = /^(?:a|an|the|of|and|or|in|on|at|to|for|from|by|with|is|as|but|not|s|['’].*)$/i

function isInTitle(passage: Passage, offset: number): boolean {
  const titles = passage.remember('titles', () => titlesIn(passage.body))
  return titles.some(({ start, end }) => offset >= start && offset < end)
}

/** Quoted words that all have capitals, apart from small ones, and that are no sentence. */
function titlesIn(body: string): { readonly start: number; readonly end: number }[] {
  return [...body.matchAll(QUOTED)].flatMap(({ index, 0: quoted }) => {
    const words = splitWords(quoted.slice(1, -1)).filter(({ text }) => /^\p{L}/u.test(text))
    const isTitle =
      words.length > 1 &&
      !/[.!?:;]/.test(quoted) &&
      words.filter(({ text }) => !SMALL_WORD.test(text)).every(({ text }) => CAPITALISED.test(text)) &&
      words.filter(({ text }) => CAPITALISED.test(text)).length > 1
    return isTitle ? [{ start: index, end: index + quoted.length }] : []
  })
}
