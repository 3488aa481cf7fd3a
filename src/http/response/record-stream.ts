/** Whole lists as NDJSON or CSV: every matching record, from one snapshot, sent while it is read. */
import {
  type Collection,
  csvColumns,
  csvRecord,
  csvRow,
  narrowingOf,
  problems,
  streamRecords,
  withIds,
} from '../../engine/index.ts'
import type { StreamOutcome } from '../exchange/message.ts'
import { asOfIn } from '../request/as-of-parameter.ts'
import type { WritingParts } from '../routes/writing.ts'
import type { Call } from '../routing/router.ts'
import { STREAM_TYPES } from './negotiate.ts'
import { projectionFor } from './projection.ts'

const [NDJSON, CSV] = STREAM_TYPES.map(({ type }) => type)

export async function streamList(
  { engine }: Pick<WritingParts, 'engine'>,
  collection: Collection,
  call: Call,
  type: string,
): Promise<StreamOutcome> {
  for (const name of ['page', 'page_size']) {
    if (call.query.get(name)) throw problems.invalid({ [name]: ['A list that is sent as a whole has no pages.'] })
  }
  const narrowing = narrowingOf(collection, call.query.pairs)
  const projection = projectionFor(call, collection)
  const { format } = STREAM_TYPES.find((each) => each.type === type)!
  const then = await asOfIn(engine, call)
  const outcome = {
    status: 200,
    type: type === CSV ? `${CSV}; charset=utf-8` : type,
    headers: {
      Vary: 'Accept',
      'Content-Disposition': `attachment; filename="${collection.name}.${format}"`,
      ...then?.headers,
    },
  }
  // A CSV cell shows embedded records as ids.
  const wanted = { narrowing, projection: type === CSV ? withIds(projection) : projection, asOf: then?.asOf }
  const { records, close } = await streamRecords(engine, collection, wanted)
  if (call.method === 'HEAD') {
    close()
    return { ...outcome, stream: nothing() }
  }
  if (type === NDJSON) return { ...outcome, stream: texts(records, (json) => `${json}\n`) }
  const columns = csvColumns(collection.resource, collection.only).filter(
    (member, i, all) => i === all.length - 1 || (projection?.isWanted(member) ?? true),
  )
  return { ...outcome, stream: texts(records, (json) => csvRecord(columns, json), csvRow(columns)) }
}

async function* texts(
  records: AsyncIterable<readonly string[]>,
  show: (json: string) => string,
  header = '',
): AsyncGenerator<string> {
  let before = header
  for await (const some of records) {
    yield before + some.map(show).join('')
    before = ''
  }
  if (before !== '') yield before
}

async function* nothing(): AsyncGenerator<string> {}
