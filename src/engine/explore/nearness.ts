/**
 * How near words are to terms, by the words that have to do with each other. From a term two steps are taken, from a word
 * one; where they meet, the steps are the reason.
 */
import {
  backOf,
  phraseOf,
  RELATIONS,
  type Related,
  type RelatedTable,
  type RelatedWordsFound,
  type Relation,
  type Work,
} from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { readPatiently } from '../query-timeout.ts'
import { type TextWord, wordsOfText } from './text-words.ts'

/** Of a text with more, the first different words count. */
const MOST_WORDS = 150
/** What is farther away is left out. */
const LEAST = 0.06
/** Each step after the first one counts less. */
const STEP = 0.7
/** How many words around a term lead on to others; those around a word of a longer term do not. */
const MOST_AROUND = 20
const MOST_LED_ON = 2
/** Of a term that is a sentence, the first words count. */
const MOST_PARTS = 6
/** A word of a term that has n words counts this much, divided by n. */
const PART = 1.2
/** In a long text, many words are a little near to anything: only the nearest count. */
const MOST_COUNTED = 5
const MOST_REASONS = 3
/** A single step of at least this weight, in hundredths, counts in full, however common the word is. */
const SURE = 60

export interface NearTerm {
  readonly term: string
  /** From 0 to 1. */
  readonly nearness: number
  /** Why, the closest word first. */
  readonly because: readonly Reason[]
}

export interface Reason {
  /** As the text has it. */
  readonly word: string
  readonly says: string
}

/** A step from a word to another. */
interface Step {
  readonly from: string
  readonly to: string
  readonly how: Relation
}

/** A way that ends at a term, or at a word of one. */
interface Way {
  readonly nearness: number
  readonly steps: readonly Step[]
  /** The word of the term that it ends at, if the term has others. */
  readonly part?: string
}

/** How a word of the text begins its way: at itself, or with a step to another word. */
interface Beginning {
  readonly word: string
  readonly base: string
  readonly rarity: number
  readonly step?: Related
}

/** By the words that they lead to. */
type Beginnings = ReadonlyMap<string, readonly Beginning[]>

/**
 * How near two words are, from 0 to 1, and why: the same in either direction. Forms of one word are as near as can be,
 * words of the same meaning almost. With `least`, the answer is only whether they are that near: it is found sooner, and
 * a lower number may be too low.
 */
export function nearness(engine: Engine, one: string, other: string, least = LEAST): Promise<NearTerm> {
  return readPatiently(engine, function* (): Work<NearTerm> {
    const table = yield* engine.store.relatedWords.open()
    const none: NearTerm = { term: other, nearness: 0, because: [] }
    const [forth = none] = yield* nearTerms(engine, table, one, [other], least)
    if (least > LEAST && forth.nearness >= least) return forth
    const [back = none] = yield* nearTerms(engine, table, other, [one], least)
    return { ...(back.nearness > forth.nearness ? back : forth), term: other }
  })
}

/** How near a text is to each of the terms, the nearest first. The number of queries is the same for any text. */
export function* nearTerms(
  engine: Engine,
  table: RelatedTable,
  text: string,
  terms: readonly string[],
  wanted = LEAST,
): Work<NearTerm[]> {
  const words = wordsOfText(engine, text).slice(0, MOST_WORDS)
  // Several words can be near together that are not near each.
  const least = words.length > 1 ? LEAST : wanted
  const own = yield* table.of(words.flatMap(({ bases }) => bases))
  const forms = terms.map((term) => wordsOfText(engine, term).slice(0, MOST_PARTS))
  const ends = new Set(forms.flat().flatMap(({ word, bases }) => [word, ...bases]))
  const beginnings = beginningsOf(words, own, { ends, least })
  const near = yield* table.of(forms.flat().flatMap(({ bases }) => bases))
  const parts = forms.map((some) => some.flatMap((form) => partsOf(form, some.length, near)))
  const onward = parts.flat().flatMap((part) => ledOn(part, near, least).map(({ word }) => word))
  const far = yield* table.of(onward, beginnings)
  const phrase = ` ${phraseOf(text)} `
  const found = terms.map((term, i): NearTerm => {
    if (isIn(phrase, term)) return { term, nearness: 1, because: [itself(term)] }
    const ways = (parts[i] ?? []).map((part) => waysTo(part, { near, far, least }, beginnings))
    return nearTerm(term, ways, beginnings)
  })
  return found.sort((a, b) => b.nearness - a.nearness)
}

/** Steps that cannot begin a way that is near enough are left out. */
function beginningsOf(
  words: readonly TextWord[],
  own: RelatedWordsFound,
  { ends, least }: { readonly ends: ReadonlySet<string>; readonly least: number },
): Beginnings {
  const found = new Map<string, Beginning[]>()
  const add = (to: string, beginning: Beginning) => {
    const all = found.get(to)
    if (all) all.push(beginning)
    else found.set(to, [beginning])
  }
  for (const { word, bases } of words) {
    for (const base of bases) {
      const row = own.get(base)
      const rarity = row ? rarityOf(row) : 1
      add(base, { word, base, rarity })
      for (const step of row?.others ?? []) {
        const counts = ends.has(step.word) || weightOf(step.how) * rarityOf(step) * STEP >= least
        if (counts) add(step.word, { word, base, rarity, step })
      }
    }
  }
  return found
}

function isIn(phrase: string, term: string): boolean {
  const words = phraseOf(term)
  return words !== '' && phrase.includes(` ${words} `)
}

function itself(term: string): Reason {
  const word = phraseOf(term)
  return { word, says: `${quoted(word)} is ${word.includes(' ') ? 'in the text' : 'the word itself'}.` }
}

/** A word of a term. */
interface TermPart {
  readonly base: string
  /** Undefined if it is the whole term. */
  readonly part: string | undefined
  /** How much a way to it counts. */
  readonly counts: number
  readonly isLedOn: boolean
}

/** A form that is a word itself means that word: anger is no form of ang. */
function partsOf({ word, bases }: TextWord, count: number, near: RelatedWordsFound): TermPart[] {
  return (near.has(word) ? [word] : bases).map((base) => ({
    base,
    part: count > 1 ? word : undefined,
    counts: count > 1 ? PART / count : 1,
    isLedOn: count <= MOST_LED_ON,
  }))
}

/** The words around it from which a second step can be near enough. */
function ledOn({ base, counts, isLedOn }: TermPart, near: RelatedWordsFound, least: number): readonly Related[] {
  if (!isLedOn) return []
  const around = near.get(base)?.others.slice(0, MOST_AROUND) ?? []
  return around.filter((each) => counts * secondStep(each) >= least)
}

function secondStep(first: Related): number {
  return weightOf(backOf(first.how)) * rarityOf(first) * STEP
}

/** The words one and two steps from terms, and how near a way must be. */
interface Around {
  readonly near: RelatedWordsFound
  readonly far: RelatedWordsFound
  readonly least: number
}

/** The ways to it, of up to two steps, from words that the text leads to. */
function waysTo(to: TermPart, { near, far, least }: Around, from: Beginnings): ReadonlyMap<string, Way> {
  const { base, part, counts } = to
  const ways = new Map<string, Way>()
  const put = (word: string, weight: number, steps: () => Step[]) => {
    const nearness = weight * counts
    if (nearness < least || nearness <= (ways.get(word)?.nearness ?? 0) || !from.has(word)) return
    ways.set(word, { nearness, steps: steps(), ...(part === undefined ? {} : { part }) })
  }
  put(base, 1, () => [])
  for (const each of near.get(base)?.others ?? []) {
    put(each.word, weightOf(backOf(each.how)), () => [stepBack(base, each)])
  }
  for (const each of ledOn(to, near, least)) {
    for (const next of far.get(each.word)?.others ?? []) {
      const nearness = secondStep(each) * weightOf(backOf(next.how))
      put(next.word, nearness, () => [stepBack(each.word, next), stepBack(base, each)])
    }
  }
  return ways
}

/** A relation of a word, as a step to that word. */
function stepBack(to: string, { word, how }: Related): Step {
  return { from: word, to, how: backOf(how) }
}

function weightOf(how: Relation): number {
  return RELATIONS[how].weight / 100
}

/** Words that have to do with very many others, such as "make", tell little. */
function rarityOf({ rarity }: { readonly rarity: number }): number {
  return (rarity / 9) ** 2
}

function nearTerm(term: string, ways: readonly ReadonlyMap<string, Way>[], beginnings: Beginnings): NearTerm {
  const best = new Map<string, Way & { readonly base: string }>()
  for (const [end, way] of ways.flatMap((each) => [...each])) {
    for (const { word, base, rarity, step } of beginnings.get(end) ?? []) {
      const first = step ? weightOf(step.how) * (way.steps.length === 0 ? 1 : rarityOf(step) * STEP) : 1
      const nearness = way.nearness * first * (isSure(step, way) ? 1 : rarity)
      if (nearness < LEAST || nearness <= (best.get(word)?.nearness ?? 0)) continue
      const steps = step ? [{ from: base, to: step.word, how: step.how }, ...way.steps] : way.steps
      best.set(word, { ...way, base, nearness, steps })
    }
  }
  const reasons = [...best]
    .sort(([one, a], [other, b]) => b.nearness - a.nearness || (one < other ? -1 : 1))
    .slice(0, MOST_COUNTED)
  const rest = reasons.reduce((left, [, { nearness }]) => left * (1 - nearness), 1)
  return {
    term,
    nearness: Math.round(1000 * (1 - rest)) / 1000,
    because: reasons.slice(0, MOST_REASONS).map(([word, way]) => ({ word, says: reasonOf(term, word, way) })),
  }
}

/** The word itself, or one step that does not depend on what else the word means. */
function isSure(step: Related | undefined, { steps }: Way): boolean {
  if (steps.length > 1 || (step && steps.length > 0)) return false
  const only = step ?? steps[0]
  return !only || RELATIONS[only.how].weight >= SURE
}

const SAYS: Readonly<Record<Relation, (from: string, to: string) => string>> = {
  same: (from, to) => `${from} means the same as ${to}`,
  family: (from, to) => `${from} and ${to} are words of one family`,
  like: (from, to) => `${from} is similar to ${to}`,
  quality: (from, to) => `${from} and ${to} are a quality and its value`,
  kind: (from, to) => `${from} is a kind of ${to}`,
  example: (from, to) => `${to} is a kind of ${from}`,
  part: (from, to) => `${from} and ${to} are a part and its whole`,
  told: (from, to) => `the definition of ${from} has ${to}`,
  tells: (from, to) => `the definition of ${to} has ${from}`,
}

function reasonOf(term: string, word: string, { base, steps, part }: Way & { readonly base: string }): string {
  const says = [
    ...(base === word ? [] : [`${quoted(word)} is a form of ${quoted(base)}`]),
    ...steps.map(({ from, to, how }) => SAYS[how](quoted(from), quoted(to))),
    ...(part === undefined ? [] : [`${quoted(part)} is a word of ${quoted(term)}`]),
  ].join('; ')
  return says === '' ? itself(word).says : `${says.charAt(0).toUpperCase()}${says.slice(1)}.`
}

function quoted(word: string): string {
  return `“${word}”`
}
