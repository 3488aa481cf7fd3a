/** Rounds of the board of a day, and its calendar, as JSON. They share the addresses of the other games. */
import { isList, type Json, type JsonObject, textOfJson } from '../../declare/index.ts'
import { type DailyRound, type DayView, LONGEST_GUESS, problems } from '../../engine/index.ts'
import type { Call } from '../routing/router.ts'

const LONGEST_ZONE = 64
const MOST_WORDS = 16

/** Which day a player wants to begin. */
export function wishIn({ zone, day }: JsonObject): { zone: string | undefined; day: number | undefined } {
  if (zone !== undefined && zone !== null && (typeof zone !== 'string' || zone.length > LONGEST_ZONE)) {
    throw problems.invalid({ zone: ['Not a time zone, such as Europe/Rome.'] })
  }
  const isGiven = day !== undefined && day !== null && day !== ''
  return { zone: zone ?? undefined, day: isGiven ? dayIn(day) : undefined }
}

/** The number of a day. */
function dayIn(given: Json): number {
  const isNumber = typeof given === 'string' || typeof given === 'number'
  if (!isNumber || !/^[1-9][0-9]{0,8}$/.test(String(given))) {
    throw problems.invalid({ day: ['A valid integer is required.'] })
  }
  return Number(given)
}

/** A list of words, or one text with commas between them; nothing to give up. */
export function wordsIn({ guess }: JsonObject): string[] {
  const wrong = (message: string) => problems.invalid({ guess: [message] })
  if (guess === undefined) throw wrong('This field is required.')
  if (guess !== null && typeof guess === 'object' && !isList(guess)) throw wrong('Not a valid list.')
  const words = isList(guess ?? '') ? textsIn(guess, wrong) : textOfJson(guess ?? '').split(',')
  if (words.length > MOST_WORDS || words.some((word) => [...word].length > LONGEST_GUESS)) {
    throw wrong('Guess four different words.')
  }
  const given = words.map((word) => word.trim()).filter((word) => word !== '')
  if (given.length === 0 && (isList(guess ?? '') || words.length > 1)) throw wrong('Guess four different words.')
  return given
}

function textsIn(guess: Json, wrong: (message: string) => Error): string[] {
  const list = isList(guess) ? guess : []
  return list.map((word) => {
    if (typeof word !== 'string') throw wrong('Not a valid string.')
    return word
  })
}

export function shownDailyRound({ base }: Call, game: string, round: DailyRound): object {
  const { id, number, date, words, guesses, mistakes, groups, withdrawn, counts, figures, result } = round
  const open = { round: id, game, number, date, score: figures.streak, question: { words }, guesses, mistakes, groups }
  const { played, streak, best, mistakes: won } = figures
  const own = { counts, figures: { played, streak, best, won }, ...(withdrawn && { withdrawn }) }
  if (!result) return { ...open, ...own }
  const { outcome, begun, ended, share, records } = result
  const from = records.map((each) => `${base}/api/${each.resource}/${each.id}/`)
  return { ...open, ...own, outcome, begun, ended, share: [share.signs, share.words], records: from }
}

export function shownDay({ number, date, hash, rounds, won, difficulty, withdrawn, revealed, fours }: DayView): object {
  const rest = { ...(withdrawn && { withdrawn }), ...revealed, ...(fours && { fours }) }
  return { number, date, hash, rounds, won, difficulty, ...rest }
}
