/** Reads the quadranyms of a picture: the first, and those that are opened in it. */
import type { Visit } from '../../../http/index.ts'
import { isBlank, NEST_SLOTS, type Nest, type NestSlot, type NestWord } from '../../pictures/index.ts'
import { isFull, type NestedState, nestedAddress, withClosed, withOpened } from './nested-state.ts'

/** As the API answers: the terms of a set, and the sets of these names. */
interface NestedSet {
  readonly name: string
  readonly nested?: readonly {
    readonly slot: string
    readonly term: string
    readonly records: readonly (NestedSet & { readonly quadranym_id: number })[]
  }[]
}

export interface ReadNest {
  readonly nest: Nest
  /** The state as far as it exists: a word that was changed is no longer opened. */
  readonly state: NestedState
  /** The state in which every word that can be opened is. */
  readonly all: NestedState
}

/** Undefined if there is no such quadranym. Each quadranym of the picture is one question to the API. */
export async function readNest(visit: Pick<Visit, 'ask'>, given: NestedState): Promise<ReadNest | undefined> {
  const sets = await readSets(visit, given)
  if (!sets.has('')) return undefined
  const opened = new Map([...given.opened].filter(([path]) => sets.has(path)))
  const state = { id: given.id, opened }
  let all: NestedState = state
  const nestAt = (path: string): Nest => {
    const word = (slot: NestSlot): NestWord => {
      const here = path + slot
      const { term = '', records = [] } = sets.get(path)?.nested?.find((each) => each.slot === slot) ?? {}
      const inside = opened.get(here)
      const place = records.findIndex(({ quadranym_id: id }) => id === inside)
      const next = records[(place + 1) % records.length]
      if (inside !== undefined) {
        return {
          term,
          inside: nestAt(here),
          count: records.length,
          closes: nestedAddress(withClosed(state, here)),
          turns: next && records.length > 1 ? nestedAddress(withOpened(state, here, next.quadranym_id)) : undefined,
        }
      }
      if (!next || isBlank(term) || isFull(all)) return { term }
      all = withOpened(all, here, next.quadranym_id)
      return { term, count: records.length, opens: nestedAddress(withOpened(state, here, next.quadranym_id)) }
    }
    const [e, s, o, r] = NEST_SLOTS
    return { name: sets.get(path)?.name ?? '', words: { e: word(e), s: word(s), o: word(o), r: word(r) } }
  }
  const nest = nestAt('')
  return { nest, state, all }
}

/** By path, level by level. What is opened in place of a word must have that word as its name. */
async function readSets(visit: Pick<Visit, 'ask'>, { id, opened }: NestedState): Promise<Map<string, NestedSet>> {
  const sets = new Map<string, NestedSet>()
  const ask = async (path: string, of: string) => {
    const { status, json } = await visit.ask(`/api/quadranym/${encodeURIComponent(of)}/nested/?depth=1`)
    if (status === 200) sets.set(path, json)
  }
  await ask('', id)
  const levels = Map.groupBy(opened, ([path]) => path.length)
  for (const level of [...levels.keys()].toSorted((a, b) => a - b)) {
    const wanted = (levels.get(level) ?? []).filter(([path, inside]) => {
      const above = sets.get(path.slice(0, -1))?.nested?.find(({ slot }) => slot === path.at(-1))
      return above?.records.some(({ quadranym_id: known }) => known === inside)
    })
    await Promise.all(wanted.map(([path, inside]) => ask(path, String(inside))))
  }
  return sets
}
