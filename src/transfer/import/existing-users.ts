/**
 * Finds existing users who would get records from an import. The user names of a source are only names: someone who
 * signed up here under such a name could change and delete the imported records. So an import that names users who can
 * sign in is refused before it writes anything, unless the operator says that they are the same people.
 */
import { type AnyResource, fieldsOf, isList, isObject, type Json, type JsonObject } from '../../declare/index.ts'
import { type Engine, keyOfName, resourceOfLines } from '../../engine/index.ts'
import { Unreadable } from '../item.ts'
import { givenOwner, isEmpty } from './members.ts'
import { allowedName } from './people.ts'
import { listOf } from './references.ts'
import { resourceOf, type Source } from './run.ts'

/** The source names users who can sign in. */
export class NamesExistingUsers extends Error {
  constructor(names: readonly string[]) {
    const first = names.slice(0, SHOWN).join(', ')
    const more = names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ''
    super(
      `records of the source would belong to ${first}${more}, who can sign in here: ` +
        'add --to-existing-users if they are the same people; nothing was changed',
    )
  }
}

const SHOWN = 10

/** Reads all sources once. `owner` gets the records without an owner; undefined if the operator has chosen one. */
export async function refuseExistingUsers(
  engine: Engine,
  sources: readonly Source[],
  owner: string | undefined,
): Promise<void> {
  const { store } = engine
  const able = new Map((await store.read(() => store.accounts.ableToSignIn())).map((name) => [keyOfName(name), name]))
  if (able.size === 0) return
  const found = new Set<string>()
  const take = (given: string | undefined) => {
    const name = given === undefined ? undefined : able.get(keyOfName(allowedName(given, owner ?? '')))
    if (name !== undefined) found.add(name)
  }
  for (const source of sources) {
    for (const item of source.items()) {
      const resource = resourceOf(engine, source, item)
      if (typeof resource === 'string' || item.found instanceof Unreadable) continue
      for (const name of ownersIn(engine, resource, item.found)) take(name ?? owner)
    }
  }
  if (found.size > 0) throw new NamesExistingUsers([...found].sort())
}

/** The owners of a record and of those it embeds; undefined for a record without one. */
function* ownersIn(engine: Engine, resource: AnyResource, body: JsonObject): Generator<string | undefined> {
  const { given } = givenOwner(resource, body)
  if (!resource.ownedThrough) {
    if (isEmpty(given)) yield undefined
    else if (typeof given === 'string') yield given
  }
  for (const [key, field] of fieldsOf(resource)) {
    const storage = field.storage(key)
    if (storage.in !== 'reference' && storage.in !== 'links') continue
    for (const member of field.members(key)) yield* ownersOfEach(engine, storage.to, body[member])
  }
  const givenLines = body['lines']
  if (!resource.lines || !isList(givenLines)) return
  const lines = resourceOfLines(engine, resource.lines)
  const { shorthand } = resource.lines
  for (const line of givenLines) {
    if (isObject(line)) yield* ownersIn(engine, lines, shorthand && !(shorthand in line) ? { [shorthand]: line } : line)
  }
}

function* ownersOfEach(engine: Engine, target: AnyResource, given: Json | undefined): Generator<string | undefined> {
  if (given === undefined || isEmpty(given)) return
  for (const each of listOf(given)) if (isWhole(target, each)) yield* ownersIn(engine, target, each)
}

/** A record with its id is created if it does not exist; a few members only identify one. */
function isWhole(target: AnyResource, given: Json): given is JsonObject {
  return isObject(given) && `${target.name}_id` in given && Object.keys(given).length > 1
}
