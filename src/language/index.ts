/**
 * The entry point of the language library: English and qode, usable without the server. A quadranym here is any object
 * with `name`, `e`, `r`, `o` and `s`.
 */
export type { Repair } from './agreement/index.ts'
export { type AlignedToken, type Alignment, align } from './align.ts'
export { type AnnotatedToken, type Annotation, annotate, annotatedTokens } from './annotate.ts'
export { articleFor } from './article.ts'
export { after, type Origin, originIn } from './attribution.ts'
export { baseForms } from './base.ts'
export { charactersIn, unitsIn } from './characters.ts'
export { check, type Fault } from './check.ts'
export { counted, plural } from './count.ts'
export { authorKey, type Credit, creditOf } from './credit.ts'
export { wordFor } from './derive.ts'
export { familiarityOf, MOST_FAMILIAR } from './familiarity.ts'
export { BEST_FIT, fitOf, fits } from './fit.ts'
export { ignoredFrom, isFunctionWord } from './ignored-words.ts'
export { type Form, forms, type InflectedTag, inflect } from './inflect.ts'
export { type Need, type PlacedToken, tokensInPlace } from './needs.ts'
export { type OddTerm, oddTerms, partsOfSpeech } from './parts-of-speech.ts'
export { Passage } from './passage.ts'
export {
  depth,
  type Grammar,
  indexes,
  MOST_INDEX,
  type Piece,
  parse,
  type Slot,
  subs,
  type Text,
  type Token,
  tokens,
  width,
  write,
} from './qode.ts'
export type { Quadranym, TaggedQuadranym } from './quadranym.ts'
export { answerWords, isOtherForm, isSameAnswer } from './same-word.ts'
export { type Span, type SpinOptions, type Spun, spin } from './spin.ts'
export { FormIndex, type Suggestion, scoreOf, suggest } from './suggest.ts'
export { type TaggedWord, tag, tagWithMargins, useTaggerModel } from './tagger.ts'
export { termKey } from './term-key.ts'
export { wordForms } from './word-forms.ts'
export { splitWords, type Word } from './words.ts'
