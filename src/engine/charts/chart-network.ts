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
  const ties = await tiesOf(words)
  const chosen = [...ties]
    .map(([id, others]) => ({ id, count: others.size, weight: weightOf(others) }))
    .sort((a, b) => b.weight - a.weight || b.count - a.count || a.id - b.id)
    .slice(0, MOST_NODES)
  const edges = edgesAmong(
    chosen.map(({ id }) => id),
    ties,
  )
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

/** For each set, the sets that share words with it, and which words. */
type Ties = ReadonlyMap<number, ReadonlyMap<number, readonly string[]>>

async function tiesOf(words: ReadSets['words']): Promise<Ties> {
  const holders = new Map<string, Set<number>>()
  for (const [id, terms] of words) {
    for (const term of terms) {
      const ids = holders.get(term)
      if (ids) ids.add(id)
      else holders.set(term, new Set([id]))
    }
  }
  const ties = new Map<number, Map<number, string[]>>()
  const tie = (from: number, to: number, word: string) => {
    const others = ties.get(from) ?? new Map<number, string[]>()
    ties.set(from, others)
    const shared = others.get(to)
    if (shared) shared.push(word)
    else others.set(to, [word])
  }
  let slice = performance.now()
  for (const [word, ids] of holders) {
    if (ids.size < 2 || ids.size > MOST_SETS) continue
    for (const from of ids) for (const to of ids) if (from !== to) tie(from, to, word)
    if (performance.now() - slice < SLICE_MS) continue
    await setImmediate()
    slice = performance.now()
  }
  return ties
}

function weightOf(others: ReadonlyMap<number, readonly string[]>): number {
  let weight = 0
  for (const shared of others.values()) weight += shared.length
  return weight
}

/** The strongest ties of each of these sets to others of them. */
function edgesAmong(ids: readonly number[], ties: Ties): ChartEdge[] {
  const among = new Set(ids)
  const edges = new Map<string, ChartEdge>()
  for (const id of ids) {
    const others = [...(ties.get(id) ?? [])]
      .filter(([other]) => among.has(other))
      .sort(([a, some], [b, more]) => more.length - some.length || a - b)
    for (const [other, shared] of others.slice(0, TIES)) {
      const sets: ChartEdge['sets'] = [Math.min(id, other), Math.max(id, other)]
      edges.set(sets.join(), { sets, shared: [...shared].sort() })
    }
  }
  return [...edges.values()].sort((a, b) => a.sets[0] - b.sets[0] || a.sets[1] - b.sets[1])
}
