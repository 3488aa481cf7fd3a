/**
 * Remembers how many records a narrowed list has, and the keys where its readers' pages began: a client that pages
 * through it continues from there instead of the start. Valid until the resource is written.
 */
import type { AnyResource } from '../declare/index.ts'
import { generationOf, type Mark, type Moment, type Narrowing } from '../store/index.ts'
import { Shelf, type Space } from './shelf.ts'

interface Walk {
  readonly number: number
  readonly count: number
  /** In ascending order. */
  marks: Mark[]
}

const MOST_MARKS = 100
/** The approximate size of a mark. */
const MARK_BYTES = 300

export class Walks {
  readonly #walks: Space<string, Walk>

  constructor(bytes: number) {
    this.#walks = new Shelf(bytes).space()
  }

  countOf(resource: AnyResource, narrowing: Narrowing, moment: Moment): number | undefined {
    return this.#find(resource, narrowing, moment)?.count
  }

  /** The nearest known place before the offset. */
  markBefore(resource: AnyResource, narrowing: Narrowing, offset: number, moment: Moment): Mark | undefined {
    return this.#find(resource, narrowing, moment)?.marks.findLast((mark) => mark.offset <= offset)
  }

  keep(resource: AnyResource, narrowing: Narrowing, count: number, end: Mark | undefined, moment: Moment): void {
    const { number } = generationOf(moment, resource.name)
    const known = this.#find(resource, narrowing, moment)
    const walk = known ?? { number, count, marks: [] }
    if (end && !walk.marks.some(({ offset }) => offset === end.offset)) {
      walk.marks = [...walk.marks, end].sort((a, b) => a.offset - b.offset)
      // Keeps every other mark, which is enough.
      if (walk.marks.length > MOST_MARKS) walk.marks = walk.marks.filter((_, i) => i % 2 === 1)
    }
    if (!known) this.#walks.set(keyOf(resource, narrowing), walk, MARK_BYTES * MOST_MARKS)
  }

  #find(resource: AnyResource, narrowing: Narrowing, moment: Moment): Walk | undefined {
    const walk = this.#walks.get(keyOf(resource, narrowing))
    return walk?.number === generationOf(moment, resource.name).number ? walk : undefined
  }
}

function keyOf({ name }: AnyResource, { conditions, search, ordering }: Narrowing): string {
  return JSON.stringify([name, conditions, search ?? null, ordering ?? null])
}
