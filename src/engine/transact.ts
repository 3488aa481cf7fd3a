/** Runs writes: by whom, and if the database reports a broken unique rule, the client learns which. */
import type { AnyResource } from '../declare/index.ts'
import { type Footprint, Taken, type Work, writtenBy } from '../store/index.ts'
import type { Actor } from './access.ts'
import { currentActor } from './current-actor.ts'
import type { Engine } from './engine.ts'
import { type Problem, problems } from './problem.ts'

/** The body may have arrived slowly, so the user is read again when the write begins. */
export async function transact<T>(
  engine: Engine,
  actor: Actor,
  work: (actor: Actor) => Work<T>,
  footprint?: Footprint,
): Promise<T> {
  try {
    return await engine.store.write(() => asActor(engine, actor, work), footprint)
  } catch (error) {
    throw ruleBroken(engine, error) ?? error
  }
}

function* asActor<T>(engine: Engine, actor: Actor, work: (actor: Actor) => Work<T>): Work<T> {
  const current = yield* currentActor(engine, actor)
  yield* writtenBy({ account: current.id, at: engine.now().toISOString() })
  return yield* work(current)
}

/** What a client is told if a record with these values exists; undefined for other errors, such as an id that is taken. */
export function ruleBroken({ catalogue }: Pick<Engine, 'catalogue'>, error: unknown): Problem | undefined {
  if (!(error instanceof Taken && error.column.startsWith('unique_'))) return undefined
  const resource = catalogue.find(({ name }) => name === error.table)
  return resource && notUnique(resource, error.column)
}

/** The unique rules are columns numbered from 1. */
function notUnique(resource: AnyResource, column: string): Problem {
  const keys = resource.unique[Number(column.replace('unique_', '')) - 1]!
  const members = keys.flatMap((key) => resource.fields[key].members(key) as string[])
  return problems.invalid(
    members.length === 1
      ? { [members[0]!]: ['This field must be unique.'] }
      : { non_field_errors: [`The fields ${members.join(', ')} must make a unique set.`] },
  )
}
