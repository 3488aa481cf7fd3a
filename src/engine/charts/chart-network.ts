/** The network of sets that share words: which sets, which words, and where each set is drawn. */
import { setImmediate } from 'node:timers/promises'
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import type { Sample, Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { type ChartEdge, type ChartNode, type ChartNumbers, sampleOf } from './chart-answer.ts'
import { layOut } from './chart-layout.ts'

export const MOST_NODES = 300
/** A word that more sets have would connect everything with everything. */
const MOST_SETS = 40
/** The strongest ties of each set are drawn. */
const TIES = 4
const SLICE_MS = 4

interface ReadSets {
  readonly sample: Sample
  readonly names: ReadonlyMap<number, string>
  /** The words of each set, by its id. */
  readonly words: ReadonlyMap<number, readonly string[]>
}

/** The sets that are looked at, with their words. */
export function* readSets({ store }: Engine, resource: AnyResource, most: number): Work<ReadSets> {
  const sample = yield* store.samples.take(resource, yield* store.records.count({ resource }), most)
  const slots = fieldsOf(resource).flatMap(([key, field]) => (field.searches === 'term' ? field.members(key) : []))
  const name = fieldsOf(resource).find(([, field]) => field.searches === 'name')?.[0] ?? 'id'
  const rows = yield* store.samples.columns(resource, sample, ['id', name])
  return {
    sample,
    names: new Map(rows.map((row) => [Number(row['id']), String(row[name])])),
    words: yield* store.samples.slots(resource, sample, slots),
  }
}

export async function networkOf({ sample, names, words }: ReadSets): Promise<ChartNumbers> {
  const holders = holdersOf(words)
  const chosen = (await strengthsOf(words, holders))
    .sort((a, b) => b.weight - a.weight || b.count - a.count || a.id - b.id)
    .slice(0, MOST_NODES)
  const ids = chosen.map(({ id }) => id)
  const edges = strongest(ids, tiesAmong(new Set(ids), holders))
  const tied = new Set(edges.flatMap(({ sets }) => sets))
  const shown = chosen.filter(({ id }) => tied.has(id))
  const places = new Map(shown.map(({ id }, place) => [id, place]))
  const placeOf = (id: number) => places.get(id) ?? 0
  const points = await layOut(
    shown.length,
    edges.map(({ sets: [a, b] }) => [placeOf(a), placeOf(b)]),
  )
  const nodes = shown.map(({ id, count }, i): ChartNode => {
    const { x, y } = points[i] ?? { x: 0, y: 0 }
    return { id, name: names.get(id) ?? '', count, x, y }
  })
  return { count: sample.read, ...sampleOf(sample), columns: [], rows: [], nodes, edges }
}

/** By each word that sets share: the sets that have it. */
type Holders = ReadonlyMap<string, ReadonlySet<number>>

function holdersOf(words: ReadSets['words']): Holders {
  const holders = new Map<string, Set<number>>()
  for (const [id, terms] of words) {
    for (const term of terms) {
      const ids = holders.get(term)
      if (ids) ids.add(id)
      else holders.set(term, new Set([id]))
    }
  }
  return new Map([...holders].filter(([, { size }]) => size > 1 && size <= MOST_SETS))
}

interface Strength {
  readonly id: number
  /** How many sets share words with it, and how many words that are in all. */
  readonly count: number
  readonly weight: number
}

/** Of each set that shares words. Which words it shares with which set is found only for those that are drawn. */
async function strengthsOf(words: ReadSets['words'], holders: Holders): Promise<Strength[]> {
  const strengths: Strength[] = []
  let slice = performance.now()
  for (const [id, terms] of words) {
    const others = new Set<number>()
    let weight = 0
    for (const term of new Set(terms)) {
      const ids = holders.get(term)
      if (!ids) continue
      weight += ids.size - 1
      for (const other of ids) others.add(other)
    }
    if (weight > 0) strengths.push({ id, count: others.size - 1, weight })
    if (performance.now() - slice < SLICE_MS) continue
    await setImmediate()
    slice = performance.now()
  }
  return strengths
}

/** For each of these sets, those of them that share words with it, and which words. */
type Ties = ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>

function tiesAmong(among: ReadonlySet<number>, holders: Holders): Ties {
  const ties = new Map(Array.from(among, (id) => [id, new Map<number, string[]>()]))
  for (const [word, all] of holders) {
    const ids = [...all].filter((id) => among.has(id))
    for (const from of ids) {
      const others = ties.get(from)
      for (const to of ids) {
        if (from === to) continue
        const shared = others?.get(to)
        if (shared) shared.push(word)
        else others?.set(to, [word])
      }
    }
  }
  return ties
}

/** The strongest ties of each of these sets to others of them. */
function strongest(ids: readonly number[], ties: Ties): ChartEdge[] {
  const edges = new Map<string, ChartEdge>()
  for (const id of ids) {
    const others = [...(ties.get(id) ?? [])].sort(([a, some], [b, more]) => more.length - some.length || a - b)
    for (const [other, shared] of others.slice(0, TIES)) {
      const sets: ChartEdge['sets'] = [Math.min(id, other), Math.max(id, other)]
      edges.set(sets.join(), { sets, shared: [...shared].sort() })
    }
  }
  return [...edges.values()].sort((a, b) => a.sets[0] - b.sets[0] || a.sets[1] - b.sets[1])
}
