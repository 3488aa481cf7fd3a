/** Draws a question: random records, until some make a good one. */
import { randomInt } from 'node:crypto'
import type { Drawn, Game, JsonObject, Question } from '../../declare/index.ts'
import { termOf } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { LIMITS } from '../limits.ts'
import { pickRandom } from '../pick.ts'
import { Problem } from '../problem.ts'
import { type Shown, showByIds } from '../show.ts'

/** Records drawn at once, and how often. */
const AT_ONCE = 8
const MOST_DRAWS = 6
/** Sets that share a term, of each term and of all. */
const CROSSINGS = { each: 20, limit: 40 }
const CROSSINGS_SHOWN = 3

export async function drawQuestion(engine: Engine, game: Game): Promise<Question> {
  const { of: resource, beside } = game
  const many = (of: typeof resource) =>
    pickRandom(engine, { name: of.name, resource: of }, { narrowing: undefined, seed: undefined, many: AT_ONCE })
  for (let i = 0; i < MOST_DRAWS; i++) {
    const { records, count } = await many(resource)
    const others = beside && beside !== 'crossing' ? (await many(beside)).records.map(drawnFrom) : []
    for (const record of records.map(drawnFrom)) {
      const near = beside === 'crossing' ? await crossing(engine, game, record) : others
      const question = game.ask(record, near, randomInt)
      if (question) return question
    }
    if (count === 0) break
  }
  throw new Problem(404, { detail: 'The catalogue has no question for this game yet.' })
}

function drawnFrom({ id, json }: Shown): Drawn {
  return { id, shown: JSON.parse(json) }
}

/** Some sets that share a term with this one. */
async function crossing(engine: Engine, { of: resource }: Game, { id, shown }: Drawn): Promise<Drawn[]> {
  const { store } = engine
  const terms = slotTerms(shown).filter(({ length }) => length <= LIMITS.termLength)
  return await store.read(function* () {
    const found = yield* store.frequentTerms.crossing(resource, terms, CROSSINGS)
    const ids = found.map((each) => each.id).filter((each) => each !== id)
    const some = Array.from({ length: Math.min(CROSSINGS_SHOWN, ids.length) }, () =>
      ids.splice(randomInt(ids.length), 1),
    ).flat()
    return (yield* showByIds(store, { resource }, some)).map(drawnFrom)
  })
}

/** The terms in numbered slots, as the index has them. */
function slotTerms(shown: JsonObject): string[] {
  const slots = Object.entries(shown).filter(([member]) => /[a-z][1-9][0-9]*$/.test(member))
  return [...new Set(slots.flatMap(([, value]) => (typeof value === 'string' && value !== '' ? [termOf(value)] : [])))]
}
