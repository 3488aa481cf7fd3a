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
  // What the question shows is often near, and no guess at all: brown bear and polar bear tell the bear of sloth bear.
  const { terms = [], crossing = [], topic, hint } = question
  const shown = new Set([...terms, ...crossing, topic, hint].flatMap((text) => language.wordsOf(text ?? '')))
  const own = words.filter((word) => ![word, ...language.formsOf(word)].some((form) => shown.has(form)))
  return own.length > 0 && (await nearness(engine, own.join(' '), answer, NEAR)).nearness >= NEAR
}
