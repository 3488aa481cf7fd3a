/** The words of a text that tell something, each with the words that it may be a form of. */
import { phraseOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'

export interface TextWord {
  /** As the text has it, in lower case. */
  readonly word: string
  /** The word itself first. */
  readonly bases: readonly string[]
}

const SHORTEST = 2

export function wordsOfText({ basesOf }: Engine, text: string): TextWord[] {
  const words = new Set(phraseOf(text).split(' '))
  return [...words].flatMap((word) => {
    const bases = basesOf(word).filter((base) => base.length >= SHORTEST)
    return bases.length > 0 ? [{ word, bases }] : []
  })
}
