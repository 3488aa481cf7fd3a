/** Charts: what is counted, of which resources. The first resource is shown unless a client asks for another one. */
import type { Row } from './field.ts'
import type { AnyResource } from './resource.ts'

interface Titled {
  /** In addresses: /api/chart/areas/. */
  readonly name: string
  readonly title: string
  /** One sentence. */
  readonly does: string
}

/** How many records have each value of a member. */
export interface ValueChart extends Titled {
  readonly counts: 'values'
  readonly member: string
  readonly of: readonly AnyResource[]
}

/** The same for each value of another member, which is counted together with it. */
export interface PairChart extends Titled {
  readonly counts: 'pairs'
  readonly member: string
  readonly by: string
  readonly of: readonly AnyResource[]
}

/** The terms that occur most often. */
export interface WordChart extends Titled {
  readonly counts: 'words'
  readonly of: readonly AnyResource[]
}

/** Records that share terms. */
export interface NetworkChart extends Titled {
  readonly counts: 'network'
  readonly of: readonly AnyResource[]
}

/** How often each slot is used, for each value of a member. */
export interface SlotChart extends Titled {
  readonly counts: 'slots'
  readonly by: string
  readonly slots: readonly string[]
  readonly of: readonly SlotUse[]
}

/** How a resource uses the slots. */
export interface SlotUse {
  readonly resource: AnyResource
  /** The columns that tell it. */
  readonly reads: readonly string[]
  /** The slots that a record uses, each as often as it does. */
  used(row: Row): readonly string[]
  /** The filter for the records that use a slot, if lists have one. */
  readonly filter?: (slot: string) => string
}

/** When the records of all resources were created, or what the newest entries of the log did. */
export interface TimeChart extends Titled {
  readonly counts: 'created' | 'changes'
}

export type Chart = ValueChart | PairChart | WordChart | NetworkChart | SlotChart | TimeChart
