/** Charts: numbers about the whole catalogue, at a cost that does not grow with it. */
import type { AnyResource, Chart } from '../../declare/index.ts'
import type { Work } from '../../store/index.ts'
import type { Engine } from '../engine.ts'
import { problems } from '../problem.ts'
import { readPatiently } from '../query-timeout.ts'
import type { ChartNumbers } from './chart-answer.ts'
import { networkOf, readSets } from './chart-network.ts'
import { countChanges, countCreated, MOST_ENTRIES } from './chart-times.ts'
import { countPairs, countValues } from './chart-values.ts'
import { countSlots, countWords } from './chart-words.ts'

export { MOST_NODES } from './chart-network.ts'

/** How many records a chart reads, if no counter has its numbers. Tests use small numbers. */
export interface ChartBounds {
  readonly records: number
  /** Of the network, for which the words of all of them are compared. */
  readonly sets: number
  readonly entries: number
}

const BOUNDS: ChartBounds = { records: 5000, sets: 1500, entries: MOST_ENTRIES }

/** The resources that a chart can show; none if it shows all of them together. */
export function resourcesOf(chart: Chart): readonly AnyResource[] {
  if (!('of' in chart)) return []
  return chart.counts === 'slots' ? chart.of.map(({ resource }) => resource) : chart.of
}

/** The charts for which the catalogue has records. */
export function chartsOf({ charts, catalogue }: Engine): Chart[] {
  return charts.filter((chart) => {
    const resources = resourcesOf(chart)
    return resources.every((resource) => catalogue.includes(resource))
  })
}

/** The resource that a client asks for, or the first; undefined if the chart shows all of them together. */
export function chartedResource(chart: Chart, name: string | undefined): AnyResource | undefined {
  const resources = resourcesOf(chart)
  if (!name) return resources[0]
  const found = resources.find((each) => each.name === name)
  if (!found) throw problems.invalid({ resource: [`"${name}" is not a valid choice.`] })
  return found
}

export async function readChart(
  engine: Engine,
  chart: Chart,
  resource: AnyResource | undefined,
  bounds = BOUNDS,
): Promise<ChartNumbers> {
  if (chart.counts === 'network' && resource) return await readNetwork(engine, resource, bounds)
  return await readPatiently(engine, () => numbersOf(engine, chart, resource, bounds))
}

async function readNetwork(engine: Engine, resource: AnyResource, bounds: ChartBounds): Promise<ChartNumbers> {
  // Tests ask for other bounds.
  const cache = bounds === BOUNDS ? engine.networks : undefined
  const made = await readPatiently(engine, function* (moment) {
    const kept = cache?.get(resource, moment)
    if (kept) return { numbers: kept }
    const numbers = networkOf(yield* readSets(engine, resource, bounds.sets))
    cache?.keep(resource, moment, numbers)
    return { numbers }
  })
  return await made.numbers
}

function* numbersOf(
  engine: Engine,
  chart: Chart,
  resource: AnyResource | undefined,
  { records, entries }: ChartBounds,
): Work<ChartNumbers> {
  if (chart.counts === 'created') return yield* countCreated(engine)
  if (chart.counts === 'changes' || !resource) return yield* countChanges(engine, entries)
  if (chart.counts === 'values') return yield* countValues(engine, chart, resource)
  if (chart.counts === 'pairs') return yield* countPairs(engine, chart, resource)
  if (chart.counts === 'slots') {
    const use = chart.of.find((each) => each.resource === resource)
    if (use) return yield* countSlots(engine, chart, use, records)
  }
  return yield* countWords(engine, resource, records)
}
