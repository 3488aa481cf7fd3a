/** Which entries of the log a request asks for: of a resource, of a record, by a user, of a narrowed list. */
import {
  type Collection,
  checkLookups,
  collectionsOf,
  type Engine,
  type FeedFilter,
  isLookup,
  narrowingOf,
  problems,
} from '../../engine/index.ts'
import type { Query } from '../exchange/query.ts'
import { integerIn } from './integer-parameter.ts'
import { resourceIn } from './resource-parameter.ts'

/** Parameters of the feed itself. `user` is who made the change; lists are narrowed by owner with `user__exact`. */
const OWN = new Set(['since', 'until', 'resource', 'id', 'user', 'log', 'wait', 'limit', 'format'])

export async function readFilter(engine: Engine, query: Query): Promise<FeedFilter> {
  const name = resourceIn(engine, query)?.name
  const collections = collectionsOf(engine.catalogue).filter(({ only }) => !only)
  const collection = collections.find((each) => each.name === name)
  const id = integerIn(query, 'id', {})
  const lookups = query.pairs.filter(([name]) => !OWN.has(name))
  if (!collection) {
    const lookup = lookups.find(([name]) => collections.some((each) => isLookup(each, name)))?.[0]
    const needs = id === undefined ? lookup : 'an id'
    if (needs) throw problems.invalid({ resource: [`This field is required, because there is ${needs}.`] })
  }
  const narrowing = collection && (await readNarrowing(engine, collection, lookups))
  return { resource: name, id, user: query.get('user') || undefined, narrowing }
}

async function readNarrowing(engine: Engine, collection: Collection, lookups: Query['pairs']) {
  const narrowing = narrowingOf(collection, lookups)
  if (narrowing?.ordering) throw problems.invalid({ ordering: ['Entries are in the order of the commits.'] })
  if (narrowing) await checkLookups(engine, collection, narrowing)
  return narrowing
}
