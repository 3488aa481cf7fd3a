/** Quadranyms as the language engine sees them: their terms as they appear in a sentence, and the parts of speech that they give. */
import { isCommonWord } from './derive.ts'
import { entryOf } from './derived-words.ts'
import type { Slot } from './qode.ts'

/** Anything with a name and four terms. */
export interface Quadranym {
  readonly name: string
  readonly e: string
  readonly r: string
  readonly o: string
  readonly s: string
}

/** A quadranym whose parts of speech may be known; they narrow the tags. */
export interface TaggedQuadranym extends Quadranym {
  readonly pos?: string
  readonly epos?: string
  readonly rpos?: string
  readonly opos?: string
  readonly spos?: string
}

/** In the order in which a word that matches several of them is read. */
export const SLOTS: readonly Slot[] = ['n', 'e', 'r', 'o', 's']

/** The term of a slot as it appears inside a sentence. */
export function termOf(quadranym: Quadranym, slot: Slot): string {
  const term = writtenTerm(quadranym, slot)
  const titled = titledIn(quadranym)
  const isTitled = titled === 'all' || (titled === 'name' && slot === 'n')
  return isTitled ? term.charAt(0).toLowerCase() + term.slice(1) : term
}

function writtenTerm(quadranym: Quadranym, slot: Slot): string {
  return slot === 'n' ? quadranym.name : quadranym[slot]
}

type Titled = 'all' | 'name' | 'none'

const known = new WeakMap<Quadranym, Titled>()

/**
 * One capital among lower-case terms is a name, Rome. Capitals everywhere are a style: Door, Open, Close; and so is that of
 * a topic which is a common word: Love, give, take.
 */
function titledIn(quadranym: Quadranym): Titled {
  const found = known.get(quadranym) ?? findTitled(quadranym)
  known.set(quadranym, found)
  return found
}

function findTitled(quadranym: Quadranym): Titled {
  const terms = SLOTS.map((slot) => writtenTerm(quadranym, slot)).filter((term) => /\p{L}/u.test(term))
  if (terms.length <= 2) return 'none'
  if (terms.every((term) => /^\p{Lu}[^\p{Lu}]*$/u.test(term))) return 'all'
  const isOnlyName = terms.filter((term) => /\p{Lu}/u.test(term)).length === 1 && isCommonWord(quadranym.name)
  return isOnlyName ? 'name' : 'none'
}

/**
 * The first letters of a slot's tags, if the quadranym gives its part of speech in words we know. A range that says nothing
 * is one of verbs if both of its ends can be verbs, and one is nothing else: amplify and muffle.
 */
export function tagStart(quadranym: TaggedQuadranym, slot: Slot): string | undefined {
  const given = (slot === 'n' ? quadranym.pos : quadranym[`${slot}pos`]) ?? ''
  return given === '' && (slot === 'e' || slot === 'r') && hasVerbs(quadranym) ? 'VB' : TAG_STARTS.get(given)
}

const withVerbs = new WeakMap<Quadranym, boolean>()

function hasVerbs(quadranym: Quadranym): boolean {
  const known = withVerbs.get(quadranym)
  if (known !== undefined) return known
  const kinds = [quadranym.e, quadranym.r].map((term) => entryOf(term)?.kinds ?? '')
  const found = kinds.every((each) => each.includes('v')) && kinds.includes('v')
  withVerbs.set(quadranym, found)
  return found
}

const TAG_STARTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    NN: 'NN',
    NOUN: 'NN',
    PROPN: 'NNP',
    VB: 'VB',
    VERB: 'VB',
    ADJ: 'JJ',
    JJ: 'JJ',
    ADV: 'RB',
    RB: 'RB',
    IN: 'IN',
    RP: 'RP',
  }),
)
