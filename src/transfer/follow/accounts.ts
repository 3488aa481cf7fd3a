/** Accounts of the source and of the copy: the same names, other ids. They have no password here. */
import { isList, type Json, type JsonObject } from '../../declare/index.ts'
import { accountNamed, type Engine } from '../../engine/index.ts'
import { type Copied, type LoggedChange, ownerMember } from '../../store/index.ts'
import type { SourceEntry, SourceRecord } from './source.ts'

export class SourceAccounts {
  readonly #engine: Engine
  readonly #ids = new Map<string, number>()

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** They may have been removed. */
  forget(): void {
    this.#ids.clear()
  }

  /** Creates those that are missing, in a transaction of its own: what is known must not be rolled back. */
  async know(names: Iterable<string>): Promise<void> {
    const missing = [...new Set(names)].filter((name) => !this.#ids.has(name))
    if (missing.length === 0) return
    const engine = this.#engine
    const found = await engine.store.write(function* () {
      const ids: [string, number][] = []
      for (const name of missing) ids.push([name, (yield* accountNamed(engine, name)).id])
      return ids
    })
    for (const [name, id] of found) this.#ids.set(name, id)
  }

  copied({ id, owner, columns, links, voters }: SourceRecord): Copied {
    return { id, owner: this.#id(owner), columns, links, votes: voters.map((name) => this.#id(name)) }
  }

  logged({ user, old, ...entry }: SourceEntry): LoggedChange {
    return {
      ...entry,
      account: user === undefined ? undefined : this.#id(user),
      old: old && JSON.stringify(this.#withIds(entry.resource, old)),
    }
  }

  /** The log holds accounts, oldest vote first; the feed names, newest first. */
  #withIds(resource: string, old: JsonObject): JsonObject {
    const owner = this.#ownerMember(resource)
    const stored: Record<string, Json> = { ...old }
    const name = old[owner]
    if (typeof name === 'string') stored[owner] = this.#id(name)
    const { voters } = old
    if (isList(voters)) stored['voters'] = voters.map((voter) => this.#id(String(voter))).reverse()
    return stored
  }

  namesIn({ resource, user, old = {} }: SourceEntry): string[] {
    const { [this.#ownerMember(resource)]: owner = null, voters = [] }: JsonObject = old
    return [user, owner, ...(isList(voters) ? voters : [])].filter((name) => typeof name === 'string')
  }

  #ownerMember(name: string): string {
    return ownerMember(this.#engine.catalogue.find((each) => each.name === name))
  }

  #id(name: string): number {
    const id = this.#ids.get(name)
    if (id === undefined) throw new Error(`the account ${name} is not known yet`)
    return id
  }
}
