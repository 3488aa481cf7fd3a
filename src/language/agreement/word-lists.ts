/** Small words that tell how a sentence goes on. */

export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

export const NOUN_TAGS = setOf('NN NNS NNP NNPS')
export const PLURAL_TAGS = setOf('NNS NNPS')
