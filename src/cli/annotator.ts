/** Marks a plain text with the quadranyms of the catalogue that fit it best. */
import { catalogue } from '../catalogue/index.ts'
import type { JsonObject } from '../declare/index.ts'
import { type Engine, loadRecords } from '../engine/index.ts'
import { annotate, FormIndex, suggest, type TaggedQuadranym } from '../language/index.ts'

/** More would say less: most English words are in some quadranym. */
const MOST = 3
/** About one word that few sets share; a single "in" or "up" does not reach it. */
const LEAST_SCORE = 0.5
const SPAN = 1000

const quadranym = catalogue.find(({ name }) => name === 'quadranym')!

type Known = TaggedQuadranym & { readonly id: number }

/** Adds `q1` and `q2` to a body; leaves it unchanged if nothing fits. */
export async function annotator(engine: Engine): Promise<(body: JsonObject) => JsonObject> {
  const known = await quadranymsOf(engine)
  const index = new FormIndex(known)
  return (body) => {
    const text = String(body['body'])
    const fitting = suggest(text, index, { limit: MOST }).filter(({ score }) => score >= LEAST_SCORE)
    const candidates = fitting.map(({ place }) => known[place]!)
    const { qode, unmatched } = annotate(text, candidates)
    const matched = candidates.filter((each) => !unmatched.includes(each))
    if (qode === '' || matched.length === 0) return body
    // The server sorts them by their words.
    return { ...body, q1: matched.map(({ id }) => ({ quadranym_id: id })), q2: [] }
  }
}

function quadranymsOf({ store }: Engine): Promise<Known[]> {
  return store.read(function* () {
    const known: Known[] = []
    for (let last = 0; ; last = known.at(-1)!.id) {
      const rows = yield* store.records.after({ resource: quadranym }, last, SPAN)
      if (rows.length === 0) return known
      const records = (yield* loadRecords(store, { resource: quadranym }, rows)) as unknown as Known[]
      // Reads only the members it needs, because there may be a hundred thousand.
      for (const { id, name, e, r, o, s, pos, epos, rpos, opos, spos } of records) {
        known.push({ id, name, e, r, o, s, pos, epos, rpos, opos, spos } as Known)
      }
    }
  })
}
