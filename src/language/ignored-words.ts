/** Words that tell little about what is looked for, and those of the questions in which people ask for it. */
const IGNORED: ReadonlySet<string> = new Set(
  `a about all also am an and any are as at be been being but by can could did do does done for from had has have he her
   his how i if in into is it its me my no not of off on one or our out over she should so some such than that the their
   them there these they this those to too under up us versus very vs was we were what whats when where which who whom
   whose why will with would you your
   two three four five six seven eight nine ten twelve
   another antonym antonyms called describe does define definition example examples explain find famous give good kind
   kinds like list mean meaning means name named names opposite opposites other part parts proverb proverbs quadranym
   quadranyms polynym polynyms quotation quotations quote quotes said say saying sayings set sets show similar something
   stage stages step steps stories story synonym synonyms tell term terms thing things topic topics type types word words wrote`
    .trim()
    .split(/\s+/),
)

/** Whether a search may leave the word out, if no record has all words. */
export function isIgnored(word: string): boolean {
  return IGNORED.has(word)
}
