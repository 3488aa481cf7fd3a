/** Records by the names that people know, looked up together: a page shows many, and the log has only their ids. */
import { type Content, html } from '../html.ts'
import type { ExplorerVisit, Kind, Shown } from '../kinds/index.ts'
import { shortened } from '../texts/marked.ts'

export interface Entry {
  readonly resource: string
  readonly id: number
}

/** Values of `id__in` in one request. */
const AT_ONCE = 100
const LONGEST = 90
/** How many deleted records are looked up. */
const MOST_GONE = 10

const keyOf = ({ resource, id }: Entry) => `${resource} ${id}`

export class RecordNames {
  readonly #visit: ExplorerVisit
  readonly #wanted = new Map<string, Set<number>>()
  readonly #found = new Map<string, Shown>()
  readonly #former = new Map<string, string>()

  constructor(visit: ExplorerVisit) {
    this.#visit = visit
  }

  want(resource: string, ids: readonly unknown[]): void {
    if (!this.#visit.kinds.find(resource)) return
    const wanted = this.#wanted.get(resource) ?? new Set()
    for (const id of ids) if (typeof id === 'number') wanted.add(id)
    this.#wanted.set(resource, wanted)
  }

  /** The records that members of a kind name. */
  wantMembers(kind: Kind | undefined, members: Shown): void {
    for (const [member, value] of Object.entries(members)) {
      const resource = kind?.embeds[member]
      if (resource !== undefined) this.want(resource, [value].flat())
    }
  }

  /** The members of a record that may be gone, whose name they tell. */
  remember(entry: Entry, members: Shown | null): void {
    const name = members?.[this.#visit.kinds.find(entry.resource)?.nameMember ?? '']
    if (typeof name === 'string' && name !== '') this.#former.set(keyOf(entry), name)
  }

  async read(): Promise<void> {
    const requests = Array.from(this.#wanted, ([resource, ids]) => {
      const all = [...ids]
      const chunks = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) =>
        all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
      )
      return chunks.map((chunk) => this.#readSome(resource, chunk))
    })
    await Promise.all(requests.flat())
    await this.#readFormer()
  }

  /** The names of some records that are gone, from their histories. */
  async #readFormer(): Promise<void> {
    const gone = Array.from(this.#wanted, ([resource, ids]) => Array.from(ids, (id): Entry => ({ resource, id })))
      .flat()
      .filter((entry) => !this.record(entry) && !this.#former.has(keyOf(entry)))
    await Promise.all(
      gone.slice(0, MOST_GONE).map(async (entry) => {
        const { json } = await this.#visit.ask(`/api${historyAddress(entry)}?page_size=1`, { isOptional: true })
        const members: Readonly<Record<string, { was: unknown }>> = json.results?.[0]?.members ?? {}
        this.remember(entry, Object.fromEntries(Object.entries(members).map(([member, { was }]) => [member, was])))
      }),
    )
  }

  async #readSome(resource: string, ids: readonly number[]): Promise<void> {
    const { json } = await this.#visit.ask(`/api/${resource}/?id__in=${ids.join(',')}&page_size=${AT_ONCE}`)
    const records: readonly Shown[] = json.results ?? []
    for (const record of records) this.#found.set(keyOf({ resource, id: record[`${resource}_id`] }), record)
  }

  /** The record as it is now, if it is still there. */
  record(entry: Entry): Shown | undefined {
    return this.#found.get(keyOf(entry))
  }

  /** Its name in plain text. */
  name(entry: Entry): string {
    const kind = this.#visit.kinds.find(entry.resource)
    const record = this.record(entry)
    const known = record && kind ? kind.nameOf(record) : this.#former.get(keyOf(entry))
    return shortened(known ?? `${kind?.one ?? entry.resource} ${entry.id}`, LONGEST)
  }

  /** A link to its page; to its history if it is gone. */
  link(entry: Entry): Content {
    const kind = this.#visit.kinds.find(entry.resource)
    const record = this.record(entry)
    if (!kind) return this.name(entry)
    if (record) return html`<a href=${kind.addressOf(record)}>${this.name(entry)}</a>`
    return html`<a class="gone" title="Deleted since" href=${historyAddress(entry)}>${this.name(entry)}</a>`
  }
}

export function historyAddress({ resource, id }: Entry): string {
  return `/${resource}/${id}/history/`
}
