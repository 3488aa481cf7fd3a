/** The result of an import: counts by collection, repairs by name, and faults. */

export interface Counts {
  /** Records of the source, and what became of them: the five others add up to it. */
  read: number
  made: number
  changed: number
  same: number
  /** A record that occurred earlier in the source, by the unique rule. */
  doubled: number
  bad: number
  /**
   * Created because another record brings them along: embedded, or as lines. The source does not list them, or not yet.
   */
  embedded: number
}

/** A place of the source that could not be imported. */
export interface Fault {
  readonly file: string
  readonly line: number
  /** Members and what is wrong with each. */
  readonly reason: string
}

export interface MadeRepair {
  readonly collection: string
  readonly name: string
  readonly does: string
  /** Counted by member, because many may have the same fault. */
  readonly member?: string
}

/** A source whose member names are data may have any number of them. */
const MOST_MEMBERS = 50

export class Report {
  readonly collections = new Map<string, Counts>()
  readonly repairs = new Map<string, MadeRepair & { count: number }>()
  faults = 0
  /** New records that had an id in the source and got another one here. */
  renumbered = 0

  of(collection: string): Counts {
    const known = this.collections.get(collection)
    if (known) return known
    const counts = { read: 0, made: 0, changed: 0, same: 0, doubled: 0, bad: 0, embedded: 0 }
    this.collections.set(collection, counts)
    return counts
  }

  repaired(repair: MadeRepair, count = 1): void {
    const { collection, name, member = '' } = repair
    const key = `${collection} ${name} ${member}`
    const known = this.repairs.get(key)
    if (known) known.count += count
    else if (member === '' || this.repairs.size < MOST_MEMBERS) this.repairs.set(key, { ...repair, count })
    else this.repaired({ collection, name, does: repair.does }, count)
  }

  /** Adds the results of a part of the import, once it is committed. */
  add(part: Report): void {
    for (const [collection, counts] of part.collections) {
      const mine = this.of(collection)
      for (const key of Object.keys(counts) as (keyof Counts)[]) mine[key] += counts[key]
    }
    for (const repair of part.repairs.values()) this.repaired(repair, repair.count)
    this.faults += part.faults
    this.renumbered += part.renumbered
  }
}
