/** Records as they are now, in the form of the log: members as a body gives them, with ids in place of records. */
import type { AnyResource, JsonObject } from '../declare/index.ts'
import type { Work } from './database.ts'
import { allMembers } from './old-members.ts'
import type { Records } from './records.ts'
import { votersOf } from './votes.ts'

export interface RecordState {
  /** Without voters. */
  readonly members: JsonObject
  /** Accounts, oldest vote first. */
  readonly voters: readonly number[]
}

/** By id; a record that does not exist is left out. */
export function* readStates(
  records: Pick<Records, 'byIds'>,
  resource: AnyResource,
  ids: readonly number[],
): Work<Map<number, RecordState>> {
  const states = new Map<number, RecordState>()
  for (const row of yield* records.byIds({ resource }, ids)) {
    const members = JSON.parse(allMembers(resource, row, []))
    states.set(Number(row['id']), { members, voters: yield* votersOf(resource, row) })
  }
  return states
}
