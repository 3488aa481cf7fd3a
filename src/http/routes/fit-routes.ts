/** /api/fit/: whether texts read well with topics, as people judge it, and the results. */
import type { JsonObject } from '../../declare/index.ts'
import {
  csvRow,
  type Engine,
  type FitBy,
  FitDesk,
  type FitResult,
  judgedPair,
  MOST_IN_GRID,
  partsOf,
  problems,
} from '../../engine/index.ts'
import type { JsonOutcome, Outcome } from '../exchange/message.ts'
import { ID, inQuery, listOf, type Parameter } from '../openapi/operation.ts'
import { plainMembers } from '../request/body.ts'
import { wantedPage, wantedSize } from '../request/page-parameters.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import { STREAM_TYPES } from '../response/negotiate.ts'
import { pageShower } from '../response/page.ts'
import { described, ok } from '../routing/options.ts'
import type { Call, Route } from '../routing/router.ts'
import { NEVER_KEPT, signedIn } from './account-forms.ts'
import { type FitNames, fitSchemas } from './fit-schemas.ts'
import { pageOf } from './hook-schemas.ts'
import { writer } from './writing.ts'

interface FitParts {
  readonly engine: Engine
  readonly writes: WriteLimits
  readonly pageSize: number
}

/** None if the catalogue has nothing to judge. */
export function fitRoutes({ engine, writes, pageSize }: FitParts): Route[] {
  const pair = judgedPair(engine.catalogue)
  if (!pair) return []
  const desk = new FitDesk(engine, pair)
  const [text, topic, group] = [pair.text.name, pair.topic.name, pair.group]
  const names = { text, topic, group }
  const by: Readonly<Record<string, FitBy>> = {
    [text]: 'text',
    [topic]: 'topic',
    [group]: 'group',
    pair: 'pair',
    all: 'all',
    me: 'me',
  }
  const wantedIn = ({ query }: Call) => ({
    number: wantedPage(query.get('page')),
    size: wantedSize(query.get('page_size'), pageSize),
  })
  const { JUDGEMENT, RESULT, GRID } = fitSchemas(names)
  const idsIn = (name: string): Parameter => ({
    name,
    in: 'query',
    required: true,
    description: `The id of a ${name}; repeat it for several.`,
    schema: { ...listOf({ ...ID, examples: [1] }), maxItems: MOST_IN_GRID },
  })
  const typed = { says: 'A page.', types: STREAM_TYPES.map(({ type }) => type), headers: ['Content-Disposition?'] }
  const about = (name: string, description: string) => described(() => ok({ name, description }))

  async function results(call: Call): Promise<Outcome> {
    const { query } = call
    const wanted = query.get('by')?.trim() || 'all'
    const kind = Object.hasOwn(by, wanted) ? by[wanted] : undefined
    if (!kind) throw problems.invalid({ by: [`"${wanted}" is not a valid choice.`] })
    const of = (['text', 'topic'] as const).flatMap((as) => {
      const given = query.get(names[as])?.trim() ?? ''
      if (given === '') return []
      if (!/^[1-9][0-9]{0,14}$/.test(given)) throw problems.invalid({ [names[as]]: ['A valid integer is required.'] })
      return kind === 'pair' ? [{ as, id: Number(given) }] : []
    })
    const asked = { by: kind, of: of[0], actor: call.identity.actor }
    if (kind === 'me') signedIn(call)
    const shown = (row: FitResult) => namedResult(names, row)
    if (call.rendering.as === 'other') {
      const columns = [text, topic, group, 'yes', 'no', 'pairs', 'agreement']
      return stream(call, 'fit-results', columns, mapped(desk.allResults(asked), shown))
    }
    const { rows, ...place } = await desk.results(asked, wantedIn(call))
    return page(call, { ...place, rows: rows.map(shown) })
  }

  return [
    {
      path: '/api/fit/',
      title: 'Fit List',
      tag: 'fit',
      otherTypes: STREAM_TYPES,
      methods: {
        GET: {
          summary: 'Your judgements',
          description: 'Newest first; as NDJSON or CSV, all of them.',
          signedIn: true,
          parameters: ['page', 'page_size'],
          answers: { 200: { ...typed, schema: pageOf(JUDGEMENT) } },
          async handle(call) {
            const actor = signedIn(call)
            const shown = ({ text, topic, fits, at }: { text: number; topic: number; fits: boolean; at: string }) => ({
              [names.text]: text,
              [names.topic]: topic,
              fits,
              at,
            })
            if (call.rendering.as === 'other') {
              return stream(call, 'fit', [text, topic, 'fits', 'at'], mapped(desk.allMine(actor), shown))
            }
            const { rows, ...place } = await desk.mine(actor, wantedIn(call))
            return page(call, { ...place, rows: rows.map(shown) })
          },
        },
        POST: {
          summary: `Judge a ${text} told with a ${topic}`,
          description: 'It takes the place of the earlier judgement. `fits: null` takes that back.',
          signedIn: true,
          body: { schema: JUDGEMENT },
          answers: {
            200: { says: 'It was judged before.', schema: JUDGEMENT },
            201: { says: 'A new judgement.', schema: JUDGEMENT },
          },
          async handle(call) {
            const actor = writer(call, writes)
            const members = plainMembers(await call.readBody())
            const { judgement, isNew } = await desk.judge(actor, members)
            const ids = { [text]: Number(members[text]), [topic]: Number(members[topic]) }
            const { fits = null, at } = judgement ?? {}
            return answer(isNew ? 201 : 200, { ...ids, fits, ...(at ? { at } : {}) })
          },
        },
        OPTIONS: about('Fit List', `Whether each ${text} reads well with each ${topic}, as you judge it.`),
      },
    },
    {
      path: '/api/fit/results/',
      title: 'Fit Results',
      tag: 'fit',
      otherTypes: STREAM_TYPES,
      methods: {
        GET: {
          summary: 'What people say',
          description: 'Those that read worst first; few judgements count less. As NDJSON or CSV, all of them.',
          parameters: [
            inQuery('by', 'What to count for; `me` is for your own judgements.', {
              type: 'string',
              enum: Object.keys(by),
              default: 'all',
            }),
            inQuery(text, `With \`by=pair\`: only pairs of this ${text}.`, ID),
            inQuery(topic, `With \`by=pair\`: only pairs of this ${topic}.`, ID),
            'page',
            'page_size',
          ],
          answers: { 200: { ...typed, schema: pageOf(RESULT) } },
          problems: [401],
          handle: results,
        },
        OPTIONS: about('Fit Results', 'How many people say that pairs read well, and whether they agree.'),
      },
    },
    {
      path: '/api/fit/grid/',
      title: 'Fit Grid',
      tag: 'fit',
      methods: {
        GET: {
          summary: 'The pairs of a grid',
          description: 'With the pair to judge next: the one whose answer is least certain.',
          parameters: [idsIn(text), idsIn(topic)],
          answers: { 200: { says: 'The pairs, by row.', schema: GRID } },
          example: (first) => {
            const [one, other] = [text, topic].map((name) => first.get(name)?.id)
            return one && other ? [{ query: `${text}=${one}&${topic}=${other}` }] : []
          },
          async handle(call) {
            const ids = { [text]: readIds(call, text), [topic]: readIds(call, topic) }
            const { cells, next } = await desk.grid(call.identity.actor, ids[text] ?? [], ids[topic] ?? [])
            return answer(200, {
              cells: cells.map((cell) => namedResult(names, cell)),
              next: next ? namedResult(names, next) : null,
            })
          },
        },
        OPTIONS: about('Fit Grid', 'Judgements of some pairs, and the pair that tells most.'),
      },
    },
  ]
}

/** Under the names that the catalogue has for texts, topics and groups. */
function namedResult(
  names: FitNames,
  { text, topic, group, ...counts }: FitResult & { readonly fits?: boolean },
): JsonObject {
  return {
    ...(text === undefined ? {} : { [names.text]: text }),
    ...(topic === undefined ? {} : { [names.topic]: topic }),
    ...(group === undefined ? {} : { [names.group]: group }),
    ...counts,
  }
}

function readIds({ query }: Call, name: string): number[] {
  const given = query.all(name).filter((id) => id.trim() !== '')
  const refused = (message: string) => problems.invalid({ [name]: [message] })
  if (given.length === 0) throw refused('This field is required.')
  if (given.some((id) => !/^[1-9][0-9]{0,14}$/.test(id.trim()))) throw refused('A valid integer is required.')
  const ids = [...new Set(given.map(Number))]
  if (ids.length > MOST_IN_GRID) throw refused(`Ensure this field has no more than ${MOST_IN_GRID} elements.`)
  return ids
}

function answer(status: number, json: object): JsonOutcome {
  return { status, json: JSON.stringify(json), headers: NEVER_KEPT }
}

interface Found {
  readonly count: number
  readonly number: number
  readonly last: number
  readonly rows: readonly JsonObject[]
}

function page(call: Call, { rows, ...place }: Found): JsonOutcome {
  const parts = partsOf(rows.map((row) => JSON.stringify(row)))
  const { status, json, headers } = pageShower(call)({ ...place, parts })
  return { status, json, headers: { ...headers, ...NEVER_KEPT } }
}

async function* mapped<T>(
  batches: AsyncIterable<readonly T[]>,
  shown: (row: T) => JsonObject,
): AsyncGenerator<readonly JsonObject[]> {
  for await (const rows of batches) yield rows.map(shown)
}

function stream(
  call: Call,
  file: string,
  columns: readonly string[],
  batches: AsyncIterable<readonly JsonObject[]>,
): Outcome {
  const type = call.rendering.as === 'other' ? call.rendering.type : ''
  const { format } = STREAM_TYPES.find((each) => each.type === type) ?? { format: 'csv' }
  const isCsv = format === 'csv'
  async function* texts(): AsyncGenerator<string> {
    if (isCsv) yield csvRow(columns)
    if (call.method === 'HEAD') return
    for await (const rows of batches) {
      yield rows
        .map((row) => (isCsv ? csvRow(columns.map((name) => String(row[name] ?? ''))) : `${JSON.stringify(row)}\n`))
        .join('')
    }
  }
  return {
    status: 200,
    type: isCsv ? `${type}; charset=utf-8` : type,
    headers: { ...NEVER_KEPT, Vary: 'Accept', 'Content-Disposition': `attachment; filename="${file}.${format}"` },
    stream: texts(),
  }
}
