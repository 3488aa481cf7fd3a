/**
 * Annotating: words of a body that are forms of the given quadranyms' terms become tokens. Each token is spun in its
 * place at once; if the word would not come back unchanged, it stays text. So spinning with the same quadranyms gives
 * back the body byte for byte.
 */
import { articleFor } from './article.ts'
import { inCase, isProper } from './capitals.ts'
import { type Reading, readingsOf, type TaggedQuadranym } from './match.ts'
import { Passage } from './passage.ts'
import { type Piece, type Slot, write } from './qode.ts'
import { termOf, wordOf } from './spin.ts'

export interface AnnotatedToken {
  /** The word in the body, and its position. */
  readonly word: string
  readonly offset: number
  readonly index: number
  readonly slot: Slot
  readonly tag: string
}

export interface Annotation<Q> {
  /** Index i means the i-th given quadranym. Empty if no word matched. */
  readonly qode: string
  readonly tokens: readonly AnnotatedToken[]
  /** The quadranyms with exactly one word in the text, with more, and with none, in the order given. */
  readonly q1: readonly Q[]
  readonly q2: readonly Q[]
  readonly unmatched: readonly Q[]
}

/** The words that may become tokens, in text order; each list has one entry per word. */
interface Matches {
  /** Which of the text's words. */
  readonly places: readonly number[]
  readonly readings: readonly Reading[]
  readonly tags: readonly string[]
}

/** The matches that become tokens. */
interface Marks extends Matches {
  /** Their indexes among the matches. */
  readonly kept: readonly number[]
  /** By index of the match: 1 if the word has a capital that the rule does not ask for. */
  readonly capitals: Uint8Array
}

/** A term, inflected for a tag, in each case that a place can ask for. */
interface Written {
  readonly plain: string
  readonly capital: string
  readonly shouted: string
}

/** A caller that tries many quadranyms on one text passes a `Passage`, which caches what it computes. */
export function annotate<Q extends TaggedQuadranym>(text: string | Passage, quadranyms: readonly Q[]): Annotation<Q> {
  const passage = typeof text === 'string' ? new Passage(text) : text
  const marks = mark(passage, quadranyms)
  const tokens = tokensOf(passage, marks)
  const words = quadranyms.map(() => 0)
  for (const { index } of tokens) words[index - 1]!++
  const quadranymsWith = (fits: (words: number) => boolean) => quadranyms.filter((_, place) => fits(words[place]!))
  return {
    qode: tokens.length === 0 ? '' : write(piecesOf(passage.body, tokens, marks)),
    tokens,
    q1: quadranymsWith((words) => words === 1),
    q2: quadranymsWith((words) => words > 1),
    unmatched: quadranymsWith((words) => words === 0),
  }
}

/** The tokens of `annotate` alone. */
export function annotatedTokens(passage: Passage, quadranyms: readonly TaggedQuadranym[]): AnnotatedToken[] {
  return tokensOf(passage, mark(passage, quadranyms))
}

function tokensOf({ words }: Passage, { places, readings, tags, kept }: Marks): AnnotatedToken[] {
  return kept.map((match) => {
    const { text, offset } = words[places[match]!]!
    const { place, slot } = readings[match]!
    return { word: text, offset, index: place + 1, slot, tag: tags[match]! }
  })
}

function mark(passage: Passage, quadranyms: readonly TaggedQuadranym[]): Marks {
  // A text that already holds a token must not be annotated again.
  const readings = passage.holdsToken ? [] : [...readingsOf(quadranyms)]
  const found = readings.filter(([form]) => passage.placesOf(form).length > 0)
  // Quadranyms with the same words in the text have the same marks.
  const key = found.map(([form, { place, slot, tags }]) =>
    [form, place, slot, termOf(quadranyms[place]!, slot), ...tags].join(' '),
  )
  return passage.remember(key.join('\n'), () => verify(passage, findMatches(passage, found), quadranyms))
}

function findMatches(passage: Passage, found: readonly (readonly [form: string, reading: Reading])[]): Matches {
  const foundAt = new Int32Array(passage.words.length).fill(-1)
  found.forEach(([form], i) => {
    for (const place of passage.placesOf(form)) foundAt[place] = i
  })
  const places: number[] = []
  const readings: Reading[] = []
  for (let place = 0; place < foundAt.length; place++) {
    if (foundAt[place]! < 0) continue
    places.push(place)
    readings.push(found[foundAt[place]!]![1])
  }
  return { places, readings, tags: tagsOf(passage, places, readings) }
}

/** The best tags in context, among those that give the words back. */
function tagsOf(passage: Passage, places: readonly number[], readings: readonly Reading[]): string[] {
  const { sentenceStarts } = passage
  const tags: string[] = []
  let sentence = 0
  for (let from = 0, to = 0; from < places.length; from = to) {
    while (sentenceStarts[sentence + 1]! <= places[from]!) sentence++
    let isCertain = true
    for (; to < places.length && places[to]! < sentenceStarts[sentence + 1]!; to++) {
      if (readings[to]!.tags.length > 1) isCertain = false
    }
    if (isCertain) for (let i = from; i < to; i++) tags.push(readings[i]!.tags[0]!)
    else passage.sentence(sentence).tag(places, readings, from, to, tags)
  }
  return tags
}

/** Inflects each term for each tag once, however often it occurs in the text. */
class Writing {
  readonly #quadranyms: readonly TaggedQuadranym[]
  readonly #known = new Map<Reading, Map<string, Written>>()

  constructor(quadranyms: readonly TaggedQuadranym[]) {
    this.#quadranyms = quadranyms
  }

  of(reading: Reading, tag: string): Written {
    let byTag = this.#known.get(reading)
    if (!byTag) {
      byTag = new Map()
      this.#known.set(reading, byTag)
    }
    let written = byTag.get(tag)
    if (!written) {
      written = this.#write(reading, tag)
      byTag.set(tag, written)
    }
    return written
  }

  #write({ place, slot }: Reading, tag: string): Written {
    const plain = wordOf({ slot, tag }, this.#quadranyms[place]!, 'as it is')
    return { plain, capital: inCase(plain, 'Capital'), shouted: inCase(plain, 'SHOUTED') }
  }
}

/** How often words that do not come back are removed; a text that is not stable by then stays plain. */
const ROUNDS = 6

/**
 * The matches whose words come back when they are spun in their places, if all the others are tokens too. `casesOf`
 * decides the letter case of each place.
 */
function verify(passage: Passage, matches: Matches, quadranyms: readonly TaggedQuadranym[]): Marks {
  const { places, readings, tags } = matches
  const writing = new Writing(quadranyms)
  const capitals = new Uint8Array(places.length)
  let kept: readonly number[] = [...places.keys()]
  for (let round = 0; round < ROUNDS; round++) {
    const shouted = passage.shouted(kept.map((match) => places[match]!))
    const next: number[] = []
    let end = 0
    for (let i = 0; i < kept.length; i++) {
      const match = kept[i]!
      const place = places[match]!
      const { text, offset } = passage.words[place]!
      const tag = tags[match]!
      const { plain, capital, shouted: loud } = writing.of(readings[match]!, tag)
      const isShouted = shouted[i] === 1
      const isCapital = !isShouted && (isProper(tag) || passage.beginsSentence(place))
      const isAsWanted = text === (isShouted ? loud : isCapital ? capital : plain)
      capitals[match] = isAsWanted ? 0 : 1
      const comesBack = isAsWanted || (!isShouted && !isCapital && text === capital)
      if (comesBack && hasRightArticle(passage, place, end, isShouted ? plain : text)) next.push(match)
      end = offset + text.length
    }
    if (next.length === kept.length) return { ...matches, kept, capitals }
    kept = next
  }
  return { ...matches, kept: [], capitals }
}

/**
 * Whether the article before a word is right. An article before `since` belongs to another token, and may be anything.
 */
function hasRightArticle(passage: Passage, place: number, since: number, word: string): boolean {
  const found = passage.articleBefore(place)
  return !found || found.offset < since || found.article.toLowerCase() === articleFor(word)
}

/** The body with the tokens in it. */
function piecesOf(body: string, tokens: readonly AnnotatedToken[], { kept, capitals }: Marks): Piece[] {
  const pieces: Piece[] = []
  let done = 0
  const keepText = (to: number) => {
    if (to > done) pieces.push({ kind: 'text', offset: done, length: to - done, text: body.slice(done, to) })
  }
  tokens.forEach(({ word, offset, index, slot, tag }, i) => {
    keepText(offset)
    pieces.push({ kind: 'token', offset, length: word.length, index, slot, tag, capital: capitals[kept[i]!] === 1 })
    done = offset + word.length
  })
  keepText(body.length)
  return pieces
}
