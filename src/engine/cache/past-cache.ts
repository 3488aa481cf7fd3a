/** The moments that readers have asked for lately, with what is known of each; it never becomes wrong. */
import { Past } from '../../store/index.ts'
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

  constructor(bytes: number) {
    this.#most = bytes
  }

  /** `mark` tells logs apart: see `PastReader.begin`. */
  get(seq: number, mark: string): Frozen {
    const known = this.#known.get(seq)
    const frozen = known?.past.mark === mark ? known : { past: new Past(seq, mark), marks: new KeysetMarks(MARK_BYTES) }
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
