/** Kinds of words: whether a word that its sentence uses under one tag can become a token with another tag. */
import type { TaggedWord } from './tagger.ts'

const lists = (text: string) => text.split(', ').map((tags) => tags.split(' '))

/** Nouns, verbs, adjectives, adverbs, particles and prepositions, question words. "More" and "best" are of two kinds. */
const KINDS = lists('NN NNS NNP NNPS, VB VBD VBG VBN VBP VBZ, JJ JJR JJS RBR RBS, RB RBR RBS JJR JJS, RB RP IN TO, WRB')
/** Participles stand where nouns and adjectives stand: "the rising of the sun", "the door is closed". */
const PARTICIPLES = lists('VBG NN, VBG JJ, VBN JJ')
/** The other way round, a noun or an adjective with a lower margin is probably wrong: "Greeks bearing gifts". */
const PARTICIPLE_MARGIN = -4
/** Words that few terms are. The tags of such a term are guesses, so it is enough that the word is the term itself. */
const OTHER_WORDS: ReadonlySet<string> = new Set('CC CD DT EX FW PDT PRP PRP$ UH WDT WP WP$'.split(' '))

/**
 * Whether a sentence uses a word as a term is meant: "I'd love to" has no noun. `tag` is the best tag of the term, `free`
 * the one that the sentence asks for.
 */
export function isMeant(
  { isAnyKind }: { readonly isAnyKind: boolean },
  { tag, margin }: TaggedWord,
  free: string,
): boolean {
  const haveBoth = (tags: readonly string[]) => tags.includes(tag) && tags.includes(free)
  if (KINDS.some(haveBoth) || (isAnyKind && OTHER_WORDS.has(free))) return true
  return PARTICIPLES.some(haveBoth) && (tag.startsWith('VB') || margin >= PARTICIPLE_MARGIN)
}
