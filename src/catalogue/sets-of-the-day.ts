/** Sets of the day: which sets its boards are made of, and what it knows about their words. */
import type { DailyGame } from '../declare/index.ts'
import { polynym } from './polynym.ts'
import { playLanguage } from './words.ts'

const MOST_TERMS = 12

export const setsOfTheDay: DailyGame = {
  name: 'sets',
  title: 'Sets of the day',
  does: 'Sixteen words hide four sets of four: find them.',
  stakes: 'Four mistakes end the game. One board a day, the same for everybody.',
  of: polynym,
  language: playLanguage,
  reads: ['name', 'mode', 'p'],
  setOf(row) {
    const terms = Array.from({ length: MOST_TERMS }, (_, i) => String(row[`p${i + 1}`] ?? ''))
    return {
      id: Number(row['id']),
      name: String(row['name']),
      mode: String(row['mode']),
      terms: terms.filter((term) => term !== ''),
    }
  },
}
