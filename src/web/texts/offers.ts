/** Quadranyms to tell a text with: a sample of the whole catalogue, shuffled by a seed, those that read well first. */
import type { Visit } from '../../http/index.ts'
import { fitOf, type Grammar, type PlacedToken, type TaggedQuadranym, tokensInPlace } from '../../language/index.ts'
import { type Topic, termOf } from './tokens.ts'

/** How many to look at: more for a text with many topics, and never more than the API gives at once. */
const DRAWN = 40
const DRAWN_FOR_EACH = 3
const MOST_DRAWN = 100

export interface OpenPlaces {
  readonly qode: string
  readonly grammar: Grammar
  /** The indexes of its topics, in ascending order. */
  readonly indexes: readonly number[]
}

/** For each topic of the text, what it can be told with. The same for the same seed. */
export async function offersFor(
  visit: Visit,
  places: OpenPlaces,
  seed: string,
): Promise<readonly (readonly Topic[])[]> {
  const many = drawnFor(places)
  const { status, json } = await visit.ask(`/api/quadranym/random/?n=${many}&seed=${encodeURIComponent(seed)}`)
  const drawn: readonly (Topic & TaggedQuadranym)[] = status === 200 ? json.results : []
  return offersAmong(places, drawn)
}

export function drawnFor({ indexes }: OpenPlaces): number {
  return Math.min(MOST_DRAWN, Math.max(DRAWN, DRAWN_FOR_EACH * indexes.length))
}

/** For each topic of the text: these quadranyms, without those that lack a word it needs. */
export function offersAmong<T extends TaggedQuadranym>(
  places: OpenPlaces,
  drawn: readonly T[],
): readonly (readonly T[])[] {
  return tokensByIndex(places).map((own) => {
    const slots = [...new Set(own.map(({ slot }) => slot))]
    const whole = drawn.filter((topic) => slots.every((slot) => /[^\s_]/.test(termOf(topic, slot))))
    return byFit(own, whole)
  })
}

/** For each topic of the text, its tokens with what their places need. */
export function tokensByIndex({ qode, grammar, indexes }: OpenPlaces): readonly (readonly PlacedToken[])[] {
  const byIndex = Map.groupBy(tokensInPlace(qode, grammar), ({ index }) => index)
  return indexes.map((index) => byIndex.get(index) ?? [])
}

/** Those that read well first; of two that read as well, the one that comes first. */
export function byFit<T extends TaggedQuadranym>(tokens: readonly PlacedToken[], topics: readonly T[]): readonly T[] {
  const fit = new Map(topics.map((topic) => [topic, fitOf(tokens, topic)]))
  return topics.toSorted((a, b) => (fit.get(b) ?? 0) - (fit.get(a) ?? 0))
}

interface Named {
  readonly name: string
}

/**
 * A quadranym for each topic, no name twice, and none of those to avoid, as far as the offers allow. Undefined for a
 * topic without any offer.
 */
export function freshTopics<T extends Named>(
  offers: readonly (readonly T[])[],
  avoided: readonly (Named | undefined)[],
): readonly (T | undefined)[] {
  const used = new Set(avoided.map((topic) => topic?.name))
  return offers.map((offered) => {
    const topic = offered.find(({ name }) => !used.has(name)) ?? offered[0]
    used.add(topic?.name)
    return topic
  })
}
