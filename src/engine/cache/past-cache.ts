/** The moments that readers have asked for lately, with what is known of each; it never becomes wrong. */
import { type Generations, LOG_CHANGED, Past } from '../../store/index.ts'
import { KeysetMarks } from './keyset-marks.ts'

export interface Frozen {
  readonly past: Past
  /** Of the lists of that moment. */
  readonly marks: KeysetMarks
}

/** For the counts and keyset marks of one moment. */
const MARK_BYTES = 1024 * 1024

export class PastCache {
  readonly #most: number
  /** The least recently used first. */
  readonly #known = new Map<number, Frozen>()
  /** The log that they belong to. */
  #log = ''

  /** What was forgotten, in any process, is no longer shown. */
  constructor(bytes: number, generations: Pick<Generations, 'listen'>) {
    this.#most = bytes
    generations.listen(({ resource }) => {
      if (resource === LOG_CHANGED.resource) this.#known.clear()
    })
  }

  /** A restore begins another log. */
  get(log: string, seq: number): Frozen {
    if (log !== this.#log) this.#known.clear()
    this.#log = log
    const frozen = this.#known.get(seq) ?? { past: new Past(seq), marks: new KeysetMarks(MARK_BYTES) }
    this.#known.delete(seq)
    this.#known.set(seq, frozen)
    this.#evict()
    return frozen
  }

  /** They grow while they are used; the newest one stays. */
  #evict(): void {
    let bytes = 0
    for (const [seq, { past }] of [...this.#known].reverse()) {
      bytes += past.bytes + MARK_BYTES
      if (bytes > this.#most && bytes > past.bytes + MARK_BYTES) this.#known.delete(seq)
    }
  }
}
