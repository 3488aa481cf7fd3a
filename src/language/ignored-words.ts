/** Words that a search may ignore, because they tell little about what is looked for. */

/** Words of grammar, and of "who said". */
const FUNCTION_WORDS = words(`
  a about all also am an and any are as at be been being but by can could did do does done for from had has have he her
  his how i if in into is it its me my no not of off on one or our out over said say she should so some such than that the their
  them there these they this those to too under up us versus very vs was we were what whats when where which who whom
  whose why will with would wrote you your
`)

/** Words of the questions in which people ask for something. */
const QUESTION_WORDS = words(`
  another antonym antonyms called define definition describe eight example examples explain famous find five four give
  good kind kinds like list mean meaning means name named names nine opposite opposites other part parts polynym polynyms
  proverb proverbs quadranym quadranyms quotation quotations quote quotes saying sayings set sets seven show
  similar six something stage stages step steps stories story synonym synonyms tell ten term terms thing things three
  topic topics twelve two type types word words
`)

/** From which attempt on the word is ignored; undefined if never. In the first attempt every word counts. */
export function ignoredFrom(word: string): number | undefined {
  if (isFunctionWord(word)) return 2
  return QUESTION_WORDS.has(word) ? 3 : undefined
}

export function isFunctionWord(word: string): boolean {
  return FUNCTION_WORDS.has(word)
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
