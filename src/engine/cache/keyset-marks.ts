/**
 * Keyset pagination of narrowed lists: how many records a list has, and the keys of rows that readers have reached. The
 * page after such a row is found by its key, without reading the list from its start. If no index has the order of a
 * list, each page would sort all of it, so the ids of many pages are read at once, and all ids of a search.
 */
import { type Cache, CacheMemory, GenerationStamp } from '../../cache/index.ts'
import type { AnyResource } from '../../declare/index.ts'
import type { Mark, Moment, Narrowing, Span } from '../../store/index.ts'
import { LIMITS } from '../limits.ts'

interface MarkedList {
  readonly count: number
  /** In ascending order. */
  marks: readonly Mark[]
  ahead: IdsAhead | undefined
}

/** Consecutive rows of a list. */
interface IdsAhead {
  readonly offset: number
  readonly ids: readonly number[]
}

const MOST_MARKS = 100
/** Approximate sizes. */
const MARK_BYTES = 300
const ID_BYTES = 8
/** Sorting a list takes hardly longer if it returns this many rows instead of one page. */
const READ_AHEAD = 2000
const MOST_AHEAD = READ_AHEAD + LIMITS.largestPage

/** A list of which all ids are known. */
export const wholeList = (ids: readonly number[]) => ({ count: ids.length, ahead: { offset: 0, ids } })

/** The rows to read for a page, so that the pages around it need no more. */
export function spanAround({ offset, limit }: Span): Span {
  const before = offset % READ_AHEAD
  return { offset: offset - before, limit: Math.max(READ_AHEAD, before + limit) }
}

export class KeysetMarks {
  readonly #lists: Cache<string, MarkedList, Moment>

  constructor(bytes: number) {
    this.#lists = new CacheMemory(bytes).cache()
  }

  countOf(resource: AnyResource, narrowing: Narrowing, moment: Moment): number | undefined {
    return this.#lists.get(keyOf(resource, narrowing), moment)?.count
  }

  /** The nearest known row before the offset. */
  markBefore(resource: AnyResource, narrowing: Narrowing, offset: number, moment: Moment): Mark | undefined {
    return this.#lists.get(keyOf(resource, narrowing), moment)?.marks.findLast((mark) => mark.offset <= offset)
  }

  /** The ids of a page that was read with others. */
  idsOn(resource: AnyResource, narrowing: Narrowing, span: Span, moment: Moment): readonly number[] | undefined {
    const list = this.#lists.get(keyOf(resource, narrowing), moment)
    if (!list?.ahead) return undefined
    const { offset, ids } = list.ahead
    const end = Math.min(span.offset + span.limit, list.count)
    if (span.offset < offset || end > offset + ids.length) return undefined
    return ids.slice(span.offset - offset, end - offset)
  }

  /** The ids of a list, if all were read. */
  allIds(resource: AnyResource, narrowing: Narrowing, moment: Moment): readonly number[] | undefined {
    const list = this.#lists.get(keyOf(resource, narrowing), moment)
    return list?.ahead?.ids.length === list?.count ? list?.ahead?.ids : undefined
  }

  /** `end` is the last row that was read. */
  set(
    resource: AnyResource,
    narrowing: Narrowing,
    { count, end, ahead }: { count: number; end?: Mark; ahead?: IdsAhead },
    moment: Moment,
  ): void {
    const key = keyOf(resource, narrowing)
    const known = this.#lists.get(key, moment)
    const list: MarkedList = known ?? { count, marks: [], ahead: undefined }
    if (end && !list.marks.some(({ offset }) => offset === end.offset)) {
      const marks = [...list.marks, end].sort((a, b) => a.offset - b.offset)
      // When there are too many, every second one does as well.
      list.marks = marks.length > MOST_MARKS ? marks.filter((_, i) => i % 2 === 1) : marks
    }
    if (ahead) list.ahead = ahead
    // A list that is read ahead has no marks. If not all of it is known, later ids can take the place of these.
    const mostIds = ahead?.ids.length === count ? count : MOST_AHEAD
    const bytes = ahead ? ID_BYTES * mostIds : MARK_BYTES * MOST_MARKS
    if (!known) this.#lists.set(key, list, new GenerationStamp([resource.name], moment), bytes)
  }
}

function keyOf({ name }: AnyResource, { conditions, search, ordering }: Narrowing): string {
  return JSON.stringify([name, conditions, search ?? null, ordering ?? null])
}
