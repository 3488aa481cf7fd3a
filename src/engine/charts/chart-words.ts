/** Charts that read records: the most frequent words, and how slots are used. Of many records they read a sample. */
import type { AnyResource, SlotChart, SlotUse } from '../../declare/index.ts'
import type { Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { spelled } from '../explore/term.ts'
import { type ChartNumbers, type ChartRow, MOST_ROWS, queryFor, sampleOf } from './chart-answer.ts'

const MOST_WORDS = 100

export function* countWords(engine: Engine, resource: AnyResource, most: number): Work<ChartNumbers> {
  const { store } = engine
  const sample = yield* store.samples.take(resource, yield* store.records.count({ resource }), most)
  const terms = yield* store.samples.terms(resource, sample, MOST_WORDS)
  const words = yield* spelled(
    engine,
    terms.map((each) => ({ resource, ...each })),
  )
  return {
    count: sample.read,
    ...sampleOf(sample),
    columns: [],
    rows: words.map(({ text, count }) => ({ value: text, count, cells: [] })),
  }
}

export function* countSlots(
  { store }: Engine,
  { by, slots }: SlotChart,
  { resource, reads, used, filter }: SlotUse,
  most: number,
): Work<ChartNumbers> {
  const sample = yield* store.samples.take(resource, yield* store.records.count({ resource }), most)
  const groups = new Map<string, { count: number; readonly uses: Map<string, number> }>()
  for (const row of yield* store.samples.columns(resource, sample, [by, ...reads])) {
    const value = String(row[by])
    const group = groups.get(value) ?? { count: 0, uses: new Map<string, number>() }
    groups.set(value, group)
    group.count++
    for (const slot of used(row)) group.uses.set(slot, (group.uses.get(slot) ?? 0) + 1)
  }
  const rows = Array.from(groups, ([value, { count, uses }]): ChartRow => {
    return { value, query: queryFor(by, value), count, cells: slots.map((slot) => uses.get(slot) ?? 0) }
  })
  const isBlank = ({ value }: ChartRow) => Number(value === '')
  return {
    count: sample.read,
    ...sampleOf(sample),
    columns: slots.map((value) => ({ value, ...(filter ? { query: filter(value) } : {}) })),
    rows: rows
      .sort((a, b) => isBlank(a) - isBlank(b) || b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1))
      .slice(0, MOST_ROWS + 1),
  }
}
