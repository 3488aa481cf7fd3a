/**
 * Keyset pagination of narrowed lists: how many records a list has, and the keys of rows that readers have reached. The
 * page after such a row is found by its key, without reading the list from its start.
 */
import { type Cache, CacheMemory, GenerationStamp } from '../../cache/index.ts'
import type { AnyResource } from '../../declare/index.ts'
import type { Mark, Moment, Narrowing } from '../../store/index.ts'

interface MarkedList {
  readonly count: number
  /** In ascending order. */
  marks: readonly Mark[]
}

const MOST_MARKS = 100
/** The approximate size of a mark. */
const MARK_BYTES = 300

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

  /** `end` is the last row of a page that was read. */
  set(
    resource: AnyResource,
    narrowing: Narrowing,
    { count, end }: { count: number; end?: Mark },
    moment: Moment,
  ): void {
    const key = keyOf(resource, narrowing)
    const known = this.#lists.get(key, moment)
    const list: MarkedList = known ?? { count, marks: [] }
    if (end && !list.marks.some(({ offset }) => offset === end.offset)) {
      const marks = [...list.marks, end].sort((a, b) => a.offset - b.offset)
      // When there are too many, every second one does as well.
      list.marks = marks.length > MOST_MARKS ? marks.filter((_, i) => i % 2 === 1) : marks
    }
    if (!known) this.#lists.set(key, list, new GenerationStamp([resource.name], moment), MARK_BYTES * MOST_MARKS)
  }
}

function keyOf({ name }: AnyResource, { conditions, search, ordering }: Narrowing): string {
  return JSON.stringify([name, conditions, search ?? null, ordering ?? null])
}
