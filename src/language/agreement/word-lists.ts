/** Sets of words, and the tags that several rules look for. */

export const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

export const NOUN_TAGS = setOf('NN NNS NNP NNPS')
export const PLURAL_TAGS = setOf('NNS NNPS')
