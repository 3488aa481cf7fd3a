/** Whether a guess that misses is near the answer: the same word in another form, or a word that has to do with it. */
import type { AnswerLanguage, ShownQuestion } from '../../declare/index.ts'
import type { Engine } from '../engine.ts'
import { nearness } from '../explore/nearness.ts'

/** One step to a part, an example or a word of the definition is about as near as this. */
const NEAR = 0.4

interface Compared {
  readonly guess: string
  readonly answer: string
  readonly question: ShownQuestion
}

export async function isNear(
  engine: Engine,
  language: AnswerLanguage,
  { guess, answer, question }: Compared,
): Promise<boolean> {
  if (language.isOtherForm(guess, answer)) return true
  const words = language.wordsOf(guess)
  // A guess of many words would be near to many answers.
  if (words.length === 0 || words.length > language.wordsOf(answer).length) return false
  // What the question shows is often near, and no guess at all.
  const { terms = [], crossing = [], topic } = question
  const isShown = [...terms, ...crossing, topic].some(
    (text) => typeof text === 'string' && language.isSame(guess, text),
  )
  return !isShown && (await nearness(engine, guess, answer, NEAR)).nearness >= NEAR
}
