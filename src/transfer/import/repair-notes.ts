/** The repairs of a record, noted while it is imported, and counted once all of it is. */
import type { AnyResource, JsonObject } from '../../declare/index.ts'
import { takesVotes } from '../../engine/index.ts'
import { GENERAL_REPAIRS } from './general-repairs.ts'
import { isEmpty, membersOf } from './members.ts'
import { listOf } from './references.ts'
import type { MadeRepair } from './report.ts'

export class RepairNotes {
  readonly #members = new Map<AnyResource, ReadonlySet<string>>()
  #made: MadeRepair[] = []

  /** Those of one record; the next ones are of another. */
  take(): readonly MadeRepair[] {
    const made = this.#made
    this.#made = []
    return made
  }

  add(repair: MadeRepair): void {
    this.#made.push(repair)
  }

  note(resource: AnyResource, name: keyof typeof GENERAL_REPAIRS, member?: string): void {
    const made = { collection: resource.name, name, does: GENERAL_REPAIRS[name] }
    this.#made.push(member === undefined ? made : { ...made, member })
  }

  noteUnknown(resource: AnyResource, given: JsonObject): void {
    const members = this.#members.get(resource) ?? membersOf(resource)
    this.#members.set(resource, members)
    for (const member in given) {
      if (!members.has(member) && !isEmpty(given[member])) this.note(resource, 'unknown member', member)
    }
  }

  /** Returns the names of the voters, oldest vote first; sources have the newest first. */
  noteVotes(resource: AnyResource, given: JsonObject): string[] {
    const voters = listOf(given['voters'] ?? []).filter((each) => typeof each === 'string')
    const likes = Number(given['likes'] ?? 0)
    if (!takesVotes({ name: resource.name, resource })) {
      if (likes > 0 || voters.length > 0) this.note(resource, 'votes left out')
      return []
    }
    if (likes > voters.length) this.note(resource, 'likes without voters')
    return voters.reverse()
  }
}
