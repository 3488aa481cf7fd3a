/** Quadranyms to tell a text with: a sample of the whole catalogue, shuffled by a seed, those that read well first. */
import type { Visit } from '../../http/index.ts'
import { fitOf, type Grammar, type TaggedQuadranym, type Token, tokens as tokensOf } from '../../language/index.ts'
import { type Topic, type Topics, termOf } from './tokens.ts'

/** How many to look at: more for a text with many topics, and never more than the API gives at once. */
const DRAWN = 40
const DRAWN_FOR_EACH = 3
const MOST_DRAWN = 100

interface OpenPlaces {
  readonly qode: string
  readonly grammar: Grammar
  /** The indexes of its topics, in ascending order. */
  readonly indexes: readonly number[]
}

/** For each topic of the text: the sample without quadranyms that lack a word it needs. The same for the same seed. */
export async function offersFor(visit: Visit, { qode, grammar, indexes }: OpenPlaces, seed: string) {
  const many = Math.min(MOST_DRAWN, Math.max(DRAWN, DRAWN_FOR_EACH * indexes.length))
  const { status, json } = await visit.ask(`/api/quadranym/random/?n=${many}&seed=${encodeURIComponent(seed)}`)
  const drawn: readonly (Topic & TaggedQuadranym)[] = status === 200 ? json.results : []
  const byIndex = Map.groupBy(tokensOf(qode, grammar), ({ index }) => index)
  return indexes.map((index): readonly Topic[] => {
    const own = byIndex.get(index) ?? []
    const slots = [...new Set(own.map(({ slot }) => slot))]
    const whole = drawn.filter((topic) => slots.every((slot) => /[^\s_]/.test(termOf(topic, slot))))
    return byFit(own, whole)
  })
}

/** Those that read well first; of two that read as well, the one that comes first. */
export function byFit<T extends TaggedQuadranym>(tokens: readonly Token[], topics: readonly T[]): readonly T[] {
  const fit = new Map(topics.map((topic) => [topic, fitOf(tokens, topic)]))
  return topics.toSorted((a, b) => (fit.get(b) ?? 0) - (fit.get(a) ?? 0))
}

/**
 * A quadranym for each topic, no name twice, and none of those to avoid, as far as the offers allow. Undefined for a
 * topic without any offer.
 */
export function freshTopics(offers: readonly (readonly Topic[])[], avoided: Topics): Topics {
  const used = new Set(avoided.map((topic) => topic?.name))
  return offers.map((offered) => {
    const topic = offered.find(({ name }) => !used.has(name)) ?? offered[0]
    used.add(topic?.name)
    return topic
  })
}
