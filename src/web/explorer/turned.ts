/** A marked text told with random other topics, those that read well first: what the annotator shows without scripts. */
import { type TaggedQuadranym, tokensInPlace } from '../../language/index.ts'
import type { Content } from '../html.ts'
import type { ExplorerVisit } from '../kinds/index.ts'
import { settle } from '../texts/marks.ts'
import { byFit } from '../texts/offers.ts'
import { inOrder, type Topic, termOf, tokens } from '../texts/tokens.ts'
import type { Draft } from './annotating.ts'

/** More than are needed: topics without a word that the text needs are left out. */
const POOL = 40

export async function turned(visit: ExplorerVisit, { text, marks, topics }: Draft): Promise<Content> {
  const { qode, used, subs } = settle(text, marks, topics)
  if (qode === '') return undefined
  const found = await visit.ask(`/api/quadranym/random/?n=${POOL}`)
  const others: readonly (Topic & TaggedQuadranym)[] = found.status === 200 ? found.json.results : []
  const isWhole = (topic: Topic) => [...new Set(subs)].every((slot) => !/^_*$/.test(termOf(topic, slot)))
  const left = others.filter((topic) => !used.includes(topic.quadranym_id) && isWhole(topic))
  if (left.length < used.length) return undefined
  const marked = tokensInPlace(qode)
  const chosen: Topic[] = []
  used.forEach((_, place) => {
    const own = marked.filter(({ index }) => index === place + 1)
    chosen.push(
      ...byFit(own, left)
        .filter((topic) => !chosen.includes(topic))
        .slice(0, 1),
    )
  })
  const quadranyms = chosen.map(({ quadranym_id }) => quadranym_id)
  const told = await visit.ask('/api/qode/spin/', { method: 'POST', json: { qode, quadranyms } })
  return told.status === 200 ? tokens(told.json.text, told.json.spans, inOrder(chosen)) : undefined
}
