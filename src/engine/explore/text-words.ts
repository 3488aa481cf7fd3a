/** The words of a text that tell something, each with the words that it may be a form of. */
import { phraseOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { problems } from '../problem.ts'

export interface TextWord {
  /** As the text has it, in lower case. */
  readonly word: string
  /** The word itself first. */
  readonly bases: readonly string[]
}

export const LONGEST_TEXT = 2000
const SHORTEST = 2

export function wordsOfText({ basesOf }: Engine, text: string): TextWord[] {
  const words = new Set(phraseOf(text).split(' '))
  return [...words].flatMap((word) => {
    const bases = basesOf(word).filter((base) => base.length >= SHORTEST)
    return bases.length > 0 ? [{ word, bases }] : []
  })
}

/** A text that the server looks at and does not store. */
export function checkedText(given: string | undefined): string {
  const text = given ?? ''
  const refused = (message: string) => problems.invalid({ text: [message] })
  if (text.trim() === '') throw refused('This field is required.')
  if (text.includes('\0') || !text.isWellFormed()) throw refused('Not a valid string.')
  if ([...text].length > LONGEST_TEXT) throw refused(`Ensure this field has no more than ${LONGEST_TEXT} characters.`)
  return text
}
