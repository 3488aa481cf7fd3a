/** Votes: one per user and record. Voting twice, or taking back a vote that was not given, changes nothing. */
import { keyStoredIn } from '../declare/index.ts'
import type { Work } from '../store/index.ts'
import type { Actor } from './access.ts'
import type { Collection } from './collection.ts'
import type { Engine } from './engine.ts'
import { showOne } from './show.ts'
import { noteShown, readOne } from './write.ts'

export function takesVotes({ resource, only }: Collection): boolean {
  return !only && keyStoredIn(resource, 'votes') !== undefined
}

/** The record with the vote given or taken back. */
export function* vote(
  engine: Engine,
  collection: Collection,
  id: number,
  actor: Actor,
  way: 'give' | 'take back',
): Work<string> {
  const { votes } = engine.store
  yield* readOne(engine, collection, id)
  if (way === 'give') yield* votes.vote(collection.resource, id, actor.id)
  else yield* votes.unvote(collection.resource, id, actor.id)
  const { json, owner, changed } = yield* showOne(engine.store, collection, id)
  yield* noteShown(collection, { id, json, owner, changed })
  return json
}
