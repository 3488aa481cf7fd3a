/** The shape of a record made from WordNet, and the limits of its texts. */
import type { JsonObject } from '../../declare/index.ts'
import type { Nouns, Uses } from './dictionary.ts'

export interface WordnetRecord {
  readonly collection: 'polynym' | 'quadranym'
  /** The position of its synset. */
  readonly file: string
  readonly line: number
  readonly body: JsonObject
}

/** What is known about the whole dictionary before the first record is made. */
export interface Background {
  readonly src: string
  readonly uses: Uses
  readonly nouns: Nouns
}

/** The account that owns records made from WordNet. */
export const OWNER = 'wordnet'

export const LONGEST_NAME = 200
export const LONGEST_TERM = 500

export function fits(text: string | undefined, longest: number): text is string {
  return text !== undefined && text !== '' && [...text].length <= longest
}
