/** What one record made from WordNet looks like, and what its texts must obey. */
import type { JsonObject } from '../../declare/index.ts'
import type { Nouns, Uses } from './dictionary.ts'

export interface WordnetRecord {
  readonly collection: 'polynym' | 'quadranym'
  /** Where the synset stands that it was made from. */
  readonly file: string
  readonly line: number
  readonly body: JsonObject
}

/** What is known of the whole dictionary before the first record is made. */
export interface Background {
  readonly src: string
  readonly uses: Uses
  readonly nouns: Nouns
}

/** The account that what was made from WordNet belongs to. */
export const OWNER = 'wordnet'

export const LONGEST_NAME = 200
export const LONGEST_TERM = 500

export function fits(text: string | undefined, longest: number): text is string {
  return text !== undefined && text !== '' && [...text].length <= longest
}
