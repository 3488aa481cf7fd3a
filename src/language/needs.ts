/**
 * What the place of a token needs besides its part of speech: a verb with an object or without one, a noun that needs no
 * article, a name. The words next to the token tell; where they do not, the place needs nothing.
 */
import { type Grammar, type Piece, parse, type Token } from './qode.ts'

export type Need =
  /** A verb with an object: "Let us q1e_VB the door." */
  | 'object'
  /** A verb without one: "It never q1e_VBZ." */
  | 'no object'
  /** A noun without an article: "Where there's smoke, there's q1n_NN." */
  | 'no article'
  /** A common noun, which follows an article: "the q1n_NN". */
  | 'article'
  /** A name: "All roads lead to q1n_NNP." */
  | 'name'
  /** A word that has degrees: "too q1e_RB". */
  | 'degree'
  /** An adverb after "is", where most cannot stand: "the wine is q1e_RB". */
  | 'predicate'
  /** A preposition that is no particle as well: "achieved q1e_IN enthusiasm". */
  | 'preposition'
  /** A verb of movement: "what q1e_VBZ up". */
  | 'movement'

export interface PlacedToken extends Token {
  readonly need?: Need
}

/** The tokens of a qode with what their places need. */
export function tokensInPlace(qode: string, grammar: Grammar = {}): PlacedToken[] {
  const pieces = parse(qode, grammar)
  return pieces.flatMap((piece, i): PlacedToken[] => {
    if (piece.kind === 'text') return []
    const need = needOf(piece, new Surroundings(pieces, i))
    return [need === undefined ? piece : { ...piece, need }]
  })
}

/** Longer words and sentences are not looked at. */
const LOOK = 80
const NEAR_PIECES = 6

/** The text on both sides, in small letters; other tokens are written as their tags. */
class Surroundings {
  readonly before: string
  readonly after: string

  constructor(pieces: readonly Piece[], at: number) {
    const written = (piece: Piece) => (piece.kind === 'text' ? piece.text.toLowerCase() : (piece.tag ?? ''))
    this.before = pieces
      .slice(Math.max(0, at - NEAR_PIECES), at)
      .map(written)
      .join('')
      .slice(-LOOK)
    this.after = pieces
      .slice(at + 1, at + 1 + NEAR_PIECES)
      .map(written)
      .join('')
      .slice(0, LOOK)
  }
}

const oneOf = (words: string) => words.trim().split(/\s+/).join('|')

function needOf({ tag }: Token, place: Surroundings): Need | undefined {
  if (tag === 'NNP') return DETERMINED.test(place.before) ? undefined : 'name'
  if (tag === 'NN') return DETERMINED.test(place.before) ? 'article' : 'no article'
  if (tag === 'RB') return ofAdverb(place)
  if (tag === 'IN') return BEFORE_NOUN.test(place.after) ? undefined : 'preposition'
  if (tag === 'VBN') return ofParticiple(place)
  // "Barking dogs": what follows is no object.
  if (tag === 'VBG' && /^\s+NN/.test(place.after)) return undefined
  return tag?.startsWith('VB') ? ofVerb(place) : undefined
}

const DETERMINER = oneOf(`
  the a an my your his her its our their thy thine this that these those each every no any some one another such what whose
  either neither half many
`)
/** With an adjective between them, or two: "the rough rude sea". A preposition or a verb ends the search. */
const DETERMINED = new RegExp(
  `(?:(?:^|[^\\p{L}'’])(?:${DETERMINER})|\\p{L}['’]s|NNP?S?['’]s?)(?:\\s+(?!(?:of|is|was|to|in|and|or|where|when|who|that|NN[PS]?|VB[DGNPZ]?)\\s)(?:[\\p{L}'’-]+|JJ[RS]?)){0,2}\\s+$`,
  'u',
)

function ofAdverb({ before, after }: Surroundings): Need | undefined {
  if (/(?:^|\s)(?:too|so|very)\s+$/.test(before)) return 'degree'
  return /(?:^|\s)(?:is|are|was|were|be)\s+$/.test(before) && /^[.,;:!?]/.test(after) ? 'predicate' : undefined
}

const BEFORE_NOUN = new RegExp(`^\\s+(?:${DETERMINER})(?!\\p{L})`, 'u')
const HAVE = /(?:^|[^\p{L}])(?:have|has|had|having|['’]ve)(?:\s+(?:not|never|ever|always|yet))?\s+$/u

/** "Has risen" is a verb like others; in "was broken", "nothing gained" the verb has its object before it. */
function ofParticiple(place: Surroundings): Need | undefined {
  return HAVE.test(place.before) ? ofVerb(place) : 'object'
}

const OBJECT = oneOf(`
  the a an my your his her its our their this these those every each everything something nothing anything me him us them it you
  myself yourself himself herself itself ourselves themselves thyself one all things what whom NN NNS NNP
`)
/** "The whole night", "a little", "the same way": how long and how, not what. */
const NO_OBJECT = oneOf(`
  day days night nights morning evening week year years hour hours moment time while way mile miles whole entire little
  same more most less least
`)
const WITH_OBJECT = new RegExp(`^\\s+(?:${OBJECT})(?![\\p{L}'’])(?!\\s+(?:${NO_OBJECT})(?!\\p{L}))`, 'u')
const WITHOUT_OBJECT = new RegExp(
  `^(?:["'”’)\\]]*(?:[.,;:!?…—–]|\\s*$)|\\s+(?:--|[—–]|RB|RP|VB[ZPD]|(?:${oneOf(`
    and or but nor when if as before after until till because though while than at in on off out up down over away for from with
    without to into upon by against about like who is are was were may must shall will can cannot alone again forever ever last
    best well twice once too so quickly seldom never always
  `)})(?!\\p{L})|(?:a|the)\\s+(?:${NO_OBJECT})(?!\\p{L})))`,
  'u',
)
/** The object is before the verb: "what we seek", "the tree that a wise man sees", "worth seeing", "wine to drink". */
const OBJECT_BEFORE =
  /(?:^|[^\p{L}])(?:(?:what|whom|which|that|NNS?)\s+(?:you|we|i|they|he|she|a\s+(?:\p{L}+\s+)?\p{L}+)(?:\s+(?:do|did|can|may|will|would|not|never|have|want|to)){0,3}|worth|(?:more|any|no|little)\s+(?:\p{L}+|NNS?)\s+to)\s+$/u
/** "When stands the Coliseum": what follows is the subject. */
const SUBJECT_AFTER = /(?:^|[^\p{L}])(?:when|while|where|there)\s+$/u

function ofVerb({ before, after }: Surroundings): Need | undefined {
  if (/(?:^|[^\p{L}])worth\s+$/u.test(before)) return 'object'
  if (OBJECT_BEFORE.test(before) || SUBJECT_AFTER.test(before)) return undefined
  if (/^\s+(?:RP|(?:up|down)(?!\s+to))(?!\p{L})/u.test(after)) return 'movement'
  if (WITHOUT_OBJECT.test(after)) return 'no object'
  return WITH_OBJECT.test(after) ? 'object' : undefined
}
