/** Which word of a term is inflected: "give up" becomes "gave up", "open door" "open doors", "cup of tea" "cups of tea". */

export type Head = readonly [before: string, word: string, after: string]

const PREPOSITIONS = 'of|in|at|to|by|on|for|from|with|under|over|de|du|des|à|en'
const PARTICLES = 'up|in|on|by|out|off|down|over|away|back|through|around|along|under'
/** mother-in-law, cup of tea: the noun before the preposition. The same word on both sides is no such phrase: one-on-one. */
const NOUN_PHRASE = new RegExp(
  `^((?:\\p{L}+-)?\\p{L}[\\p{L}\\p{M}'’]*)([-\\s](?:${PREPOSITIONS})(?:[-\\s](?!\\1$).+))$`,
  'isu',
)
/** The same with words before the noun: "red cup of tea". */
const LONG_NOUN_PHRASE = new RegExp(`^(.*?\\s)(\\p{L}[\\p{L}\\p{M}'’-]*)(\\s(?:${PREPOSITIONS})\\s.+)$`, 'isu')
/** passers-by: one who does it takes the ending inside. All others take it at the end: cover-ups, sit-ins. */
const DOER = new RegExp(
  `^((?:pass|runn|hang|look|onlook|stand|sitt|wash|pick|fill|clean|dropp|call|listen|com|go|stay|tell)er)([-\\s](?:${PARTICLES}))$`,
  'isu',
)
/** The adjective comes last, or a phrase that works like one: days off. */
const ADJECTIVES_LAST = [
  /^(.*\p{L})([-\s](?:elect|designate|laureate|errant|martial|politic|incarnate|extraordinaire|apparent|presumptive))$/isu,
  /^(.*(?:attorney|solicitor|secretary|governor|postmaster|surgeon|director|consul))([-\s]general)$/isu,
  /^(.*notary)(\spublic)$/isu,
  /^(.*(?:day|night|evening|week|weekend|month|year))(\s(?:off|out))$/isu,
  /^(coup|objet)([-\s]d['’]\p{L}+)$/isu,
]
/** Names of things that begin like a person: jack-in-the-boxes. */
const NO_NOUN_PHRASE = /^jack-in-/i
const NOUN_FIRST = [NOUN_PHRASE, DOER, ...ADJECTIVES_LAST]
/** A verb that is written together with its particle: check-in, back-up. */
const PARTICLE_VERB = new RegExp(`^(\\p{L}+)(-(?:${PARTICLES}))$`, 'isu')
const FIRST_WORD = /^(\S+)(\s.*)$/su
const LAST_WORD = /^(.*[^\p{L}\p{M}])([\p{L}\p{M}]+)$/su

export function headOf(term: string, tag: string): Head {
  const inside = tag.startsWith('VB') ? headOfVerb(term) : headOfNoun(term)
  if (inside) return inside
  const [, before = '', word = term] = LAST_WORD.exec(term) ?? []
  return [before, word, '']
}

function headOfVerb(term: string): Head | undefined {
  const [, first, rest = ''] = FIRST_WORD.exec(term) ?? PARTICLE_VERB.exec(term) ?? []
  if (first === undefined) return undefined
  // "double-click on": the first word may be joined itself.
  const [, before = '', word = first] = LAST_WORD.exec(first) ?? []
  return [before, word, rest]
}

function headOfNoun(term: string): Head | undefined {
  if (NO_NOUN_PHRASE.test(term)) return undefined
  for (const pattern of NOUN_FIRST) {
    const [, noun, after = ''] = pattern.exec(term) ?? []
    if (noun !== undefined) return withLastPart('', noun, after)
  }
  const [, before = '', noun, after = ''] = LONG_NOUN_PHRASE.exec(term) ?? []
  return noun === undefined ? undefined : withLastPart(before, noun, after)
}

/** Of a joined noun, half-brother, the last part. */
function withLastPart(before: string, noun: string, after: string): Head {
  const [, start = '', word = noun] = LAST_WORD.exec(noun) ?? []
  return [before + start, word, after]
}
