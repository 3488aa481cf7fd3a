/**
 * What an operator who restores a backup should know about it: the staff accounts, and the records that break the
 * current rules.
 */
import { type AnyResource, fieldsOf } from '../../declare/index.ts'
import type { Notable, RowLine, Tables } from './format.ts'

/** This many are named; the rest are counted. */
const MOST_NAMED = 20

export class Notables {
  readonly #tables: Tables
  readonly #longest = new Map<string, ReadonlyMap<string, number>>()
  readonly #staff = new Tally()
  readonly #overlong = new Tally()

  constructor(tables: Tables) {
    this.#tables = tables
  }

  take(line: RowLine): void {
    const { columns } = line
    const { resource } = this.#tables.get(line.in)!
    if (resource) this.#takeRecord(resource, line)
    // Of the tables that belong to no resource, only accounts has staff.
    else if (columns['staff'] === 1 && columns['removed'] === 0) this.#staff.add(String(columns['name']))
  }

  get found(): Notable {
    return { staff: this.#staff, overlong: this.#overlong }
  }

  #takeRecord(resource: AnyResource, { id, columns }: RowLine): void {
    const longest = this.#longest.get(resource.name) ?? longestOf(resource)
    this.#longest.set(resource.name, longest)
    for (const [column, most] of longest) {
      const text = String(columns[column] ?? '')
      if (text.length <= most || [...text].length <= most) continue
      this.#overlong.add(`${resource.name} ${id} (${column})`)
      return
    }
  }
}

class Tally {
  count = 0
  readonly named: string[] = []

  add(name: string): void {
    if (this.count++ < MOST_NAMED) this.named.push(name)
  }
}

/** The maximum length of each column. */
function longestOf(resource: AnyResource): ReadonlyMap<string, number> {
  const columns = fieldsOf(resource).flatMap(([key, field]) => {
    const storage = field.storage(key)
    return storage.in === 'columns' ? storage.columns : []
  })
  return new Map(columns.flatMap(({ name, longest }) => (longest === undefined ? [] : [[name, longest]])))
}
