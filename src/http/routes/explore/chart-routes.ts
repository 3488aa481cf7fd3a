/** /api/chart/: the charts there are, and the numbers of each. */
import type { Chart, Schema } from '../../../declare/index.ts'
import { chartedResource, chartsOf, type Engine, problems, readChart, resourcesOf } from '../../../engine/index.ts'
import type { Keep, Outcome } from '../../exchange/message.ts'
import { COUNT, exactly, ID, inQuery, listOf, means, TEXT } from '../../openapi/operation.ts'
import { ok } from '../../routing/options.ts'
import type { Call, Route } from '../../routing/router.ts'
import { ofTheLog } from '../log-answers.ts'
import { readingRoute } from './reading-route.ts'

export function chartRoutes(engine: Engine): Route[] {
  const charts = chartsOf(engine)
  return charts.length > 0 ? [listRoute(charts), chartRoute(engine, charts)] : []
}

const TITLED = {
  name: means(TEXT, 'Its name in addresses.'),
  title: means(TEXT, 'Its title.'),
  description: means(TEXT, 'What it shows.'),
}

function listRoute(charts: readonly Chart[]): Route {
  const results = charts.map((chart) => ({
    ...titleOf(chart),
    resources: resourcesOf(chart).map((resource) => resource.name),
  }))
  const one = exactly({
    ...TITLED,
    resources: means(listOf(TEXT), 'The collections that it can show; none if it shows all of them together.'),
  })
  return readingRoute(
    {
      path: '/api/chart/',
      title: 'Charts',
      tag: 'catalogue',
      does: 'The charts of the catalogue.',
      details: 'Each has an address of its own.',
      answer: {
        says: 'The charts.',
        schema: exactly({
          count: means(COUNT, 'The number of charts.'),
          results: means(listOf(one), 'The charts, in the order of the site.'),
        }),
      },
    },
    () => ok({ count: results.length, results }, { of: [] }),
  )
}

function titleOf({ name, title, does }: Chart) {
  return { name, title, description: does }
}

const QUERY = means(TEXT, 'The filter of the list of what is counted, if there is one.')
const VALUE = means({ type: ['string', 'integer'] }, 'What is counted; an empty text for records without a value.')
const PLACE: Schema = { type: 'integer', minimum: 0, maximum: 1000 }

const CHART = exactly({
  ...TITLED,
  resource: means({ type: ['string', 'null'] }, 'The collection; null if it shows all of them together.'),
  count: means(COUNT, 'The number of records, or changes, that were counted.'),
  'sample?': means(
    exactly({ read: means(COUNT, 'How many were counted.'), of: means(COUNT, 'How many there are.') }),
    'If not all of them were counted.',
  ),
  'unit?': means({ type: 'string', enum: ['day', 'week', 'month', 'year'] }, 'How long each column is.'),
  columns: means(listOf(exactly({ value: VALUE, 'query?': QUERY })), 'The columns; none if each row is one number.'),
  rows: means(
    listOf(
      exactly({
        value: VALUE,
        'query?': QUERY,
        count: means(COUNT, 'The number of the row.'),
        cells: means(listOf(COUNT), 'A number for each column.'),
      }),
    ),
    'The rows.',
  ),
  'nodes?': means(
    listOf(
      exactly({
        id: means(ID, 'The id of the set.'),
        name: means(TEXT, 'Its name.'),
        count: means(COUNT, 'How many sets share words with it.'),
        x: means(PLACE, 'Where it is drawn, from the left.'),
        y: means(PLACE, 'Where it is drawn, from the top.'),
      }),
    ),
    'The sets of a network.',
  ),
  'edges?': means(
    listOf(
      exactly({
        sets: means({ ...listOf(ID), minItems: 2, maxItems: 2 }, 'The ids of two sets.'),
        shared: means(listOf(TEXT), 'The words that both have.'),
      }),
    ),
    'The strongest ties of a network.',
  ),
})

function chartRoute(engine: Engine, charts: readonly Chart[]): Route {
  return readingRoute(
    {
      path: '/api/chart/:name/',
      title: 'Chart',
      tag: 'catalogue',
      does: 'The numbers of a chart.',
      details: 'They come from counters, or from a sample of the records if there are very many.',
      parameters: [
        {
          name: 'name',
          in: 'path',
          required: true,
          description: 'The name of the chart.',
          schema: { type: 'string', enum: charts.map(({ name }) => name) },
        },
        inQuery('resource', 'The collection to count; by default the first that the chart can show.', TEXT),
      ],
      problems: [404],
      answer: { says: 'The numbers, as rows and columns; of a network, its nodes and edges.', schema: CHART },
      example: () => charts.filter(({ name }) => name === 'modes').map(({ name }) => ({ places: { name } })),
    },
    (call) => answer(engine, charts, call),
  )
}

async function answer(engine: Engine, charts: readonly Chart[], { places, query }: Call): Promise<Outcome> {
  const chart = charts.find(({ name }) => name === places['name'])
  if (!chart) throw problems.notFound()
  const resource = chartedResource(chart, query.get('resource'))
  const { count, sample, unit, columns, rows, nodes, edges } = await readChart(engine, chart, resource)
  const numbers = { count, sample, unit, columns, rows, nodes, edges }
  const keep: Keep = chart.counts === 'changes' ? ofTheLog(engine) : { of: namesOf(engine, resource?.name) }
  return ok({ ...titleOf(chart), resource: resource?.name ?? null, ...numbers }, keep)
}

function namesOf({ catalogue }: Engine, name: string | undefined): string[] {
  return name === undefined ? catalogue.map((resource) => resource.name) : [name]
}
