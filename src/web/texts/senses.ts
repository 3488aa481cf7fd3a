/** Other senses of a topic: quadranyms of the same name, for a text that does not read well with the chosen one. */
import type { Visit } from '../../http/index.ts'
import { fitOf, fits, type TaggedQuadranym } from '../../language/index.ts'
import { type OpenPlaces, tokensByIndex } from './offers.ts'
import type { Topic, Topics } from './tokens.ts'

/** How many quadranyms of a name are looked at. */
const MOST_SENSES = 20

/** For each chosen topic: those of the same name that read better. Topics of the text itself always read well. */
export async function betterSenses(
  visit: Visit,
  places: OpenPlaces,
  chosen: readonly Topic[],
  own: Topics,
): Promise<readonly (readonly Topic[])[]> {
  const tokens = tokensByIndex(places)
  return Promise.all(
    chosen.map(async (topic, i) => {
      const needed = tokens[i] ?? []
      if (own[i]?.quadranym_id === topic.quadranym_id || fits(needed, topic)) return []
      const { status, json } = await visit.ask(
        `/api/quadranym/?name=${encodeURIComponent(topic.name)}&page_size=${MOST_SENSES}`,
      )
      const senses: readonly (Topic & TaggedQuadranym)[] = status === 200 ? json.results : []
      return senses.filter((sense) => fitOf(needed, sense) > fitOf(needed, topic) && fits(needed, sense))
    }),
  )
}
