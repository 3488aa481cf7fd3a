/** Prepositions, particles and question words, which no quadranym inflects. */

/** Words that are more than nouns, verbs, adjectives and adverbs. */
export const CLOSED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    'RP IN RB': 'up down in out on off over away back about around through by along across under',
    IN: `of at from with into for against between before after above below beyond near among within without toward towards
         upon during since until as if because though although while than like per via despite behind beside besides beneath
         inside outside onto past opposite except unless whether amid`,
    'TO IN': 'to',
    WRB: 'where when why how whenever wherever',
  }).flatMap(([tags, words]) => words.split(/\s+/).map((word) => [word, tags.split(' ')] as const)),
)

/** The ones among those that are nothing else. */
export const ONLY_CLOSED: ReadonlySet<string> = new Set(
  `of at from with into against among within toward towards upon during until unless because although whether onto amid
   to where when why how whenever wherever`.split(/\s+/),
)

export function isFunctionWord(word: string): boolean {
  return CLOSED.has(word)
}
