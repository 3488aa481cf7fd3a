/** What the spelling of an English word tells about its sound. Words are in lower case. */

/** A consonant and y at the end. */
export const CONSONANT_Y = /(?:[^aeiou]|qu)y$/

/** One consonant after one vowel (qu counts as a consonant), except letters that are never doubled. */
export function endsShort(word: string): boolean {
  return /(?:^|[^aeiou]|qu)[aeiouy][b-df-hj-np-tvz]$/.test(word)
}

/** Approximates spoken vowels: groups of vowels, without a silent e at the end. */
export const syllables = rememberLast(countSyllables)

function countSyllables(word: string): number {
  const groups = word
    .replace(/(?<=[gq])ue$/, '')
    .replace(/qu/g, 'q')
    .replace(/y(?=[aeiou])/g, 'j')
    .replace(/e(?=(?:ly|ful|less|ness|ment)$)/, '')
    .replace(/([^aeiouylr]|[aeiouy]l|[aeiouy]r)e$/, '$1')
    .replace(/([^aeioul])le$/, '$1el')
    .match(/[aeiouy]+/g)
  return Math.max(1, groups?.length ?? 0)
}

/** Callers ask for the forms of one word one after the other, and some share work. */
export function rememberLast<T>(make: (word: string) => T): (word: string) => T {
  let last: { readonly word: string; readonly made: T } | undefined
  return (word) => {
    if (last?.word !== word) last = { word, made: make(word) }
    return last.made
  }
}

const MOST_RECENT = 1000
const LONGEST_RECENT = 40

/** Texts, questions and guesses repeat words: what was made of the latest ones is kept. */
export function rememberRecent<T>(make: (word: string) => T): (word: string) => T {
  const recent = new Map<string, T>()
  return (word) => {
    const known = recent.get(word)
    if (known !== undefined) return known
    const made = make(word)
    if (word.length > LONGEST_RECENT) return made
    if (recent.size >= MOST_RECENT) recent.clear()
    recent.set(word, made)
    return made
  }
}
