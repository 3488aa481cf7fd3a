/**
 * A visitor wanted to like a record and had to sign in first. The form says which record it is, with a box that is
 * ticked; sending the form gives the like. So nobody likes anything by following a link.
 */
import type { JsonObject } from '../../declare/index.ts'
import {
  type Actor,
  type Collection,
  collectionsOf,
  type Engine,
  footprintOfVote,
  Problem,
  readRecord,
  takesVotes,
  transact,
  vote,
} from '../../engine/index.ts'
import type { FormField } from '../exchange/message.ts'
import type { WriteLimits } from '../request/write-limits.ts'
import type { Call } from '../routing/router.ts'
import { localPath } from './account-forms.ts'

const LONGEST_NAME = 60

interface Wish {
  readonly collection: Collection
  readonly id: number
}

export class LikeWishes {
  readonly #engine: Engine
  readonly #writes: WriteLimits

  constructor(engine: Engine, writes: WriteLimits) {
    this.#engine = engine
    this.#writes = writes
  }

  /** The box, if the visitor came from a record to like it. */
  async fields(call: Call, members: JsonObject): Promise<readonly FormField[]> {
    const wish = this.#wishOf(members['next'] ?? call.query.get('next'))
    const isFirst = members['wish'] === undefined
    if (!wish || (isFirst ? call.query.get('like') : members['wish']) !== 'true') return []
    const name = await this.#nameOf(wish)
    if (name === undefined) return []
    const label = `Like “${name}”`
    return [
      { name: 'like', label, type: 'checkbox', checked: isFirst || members['like'] === 'true' },
      { name: 'wish', label: '', type: 'hidden', value: 'true' },
    ]
  }

  /** Whether the visitor likes the record now. What cannot be liked any more is no reason not to sign in. */
  async fulfil(actor: Actor, members: JsonObject): Promise<boolean> {
    const wish = this.#wishOf(members['next'])
    if (!wish || members['like'] !== 'true') return false
    const { collection, id } = wish
    const engine = this.#engine
    try {
      this.#writes.take(actor)
      const give = (current: Actor) => vote(engine, collection, id, current, 'give')
      await transact(engine, actor, give, footprintOfVote(collection, id))
      return true
    } catch (error) {
      if (error instanceof Problem) return false
      throw error
    }
  }

  #wishOf(next: unknown): Wish | undefined {
    const [, name, id] = /^\/([a-z-]+)\/([1-9][0-9]{0,14})\/$/.exec(localPath(next) ?? '') ?? []
    const collection = collectionsOf(this.#engine.catalogue).find((each) => each.name === name)
    return collection && !collection.only && takesVotes(collection) ? { collection, id: Number(id) } : undefined
  }

  async #nameOf({ collection, id }: Wish): Promise<string | undefined> {
    try {
      const { json } = await readRecord(this.#engine, collection, id)
      const record: JsonObject = JSON.parse(json)
      const letters = [...String(record[collection.resource.order[0]] ?? collection.name)]
      return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : letters.join('')
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}
