/** Ways through the catalogue that follow words from set to set. */
export { type Comparison, canCompare, compareSets, FEWEST_SETS, MOST_SETS, readSetAddresses } from './compare.ts'
export { readCrossings } from './crossings.ts'
export { nearness } from './nearness.ts'
export { type Nested, nests, readNested, readRelated, relatedJson } from './related.ts'
export { readSuggestions, type Suggestions } from './suggest.ts'
export { holdsSlots, readTerm, type TermAnswer } from './term.ts'
export { readVocabulary } from './vocabulary.ts'
