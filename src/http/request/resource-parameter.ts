/** The parameter `resource`: the collection that entries of the log, or records, are of. */
import type { AnyResource } from '../../declare/index.ts'
import { type Engine, problems } from '../../engine/index.ts'
import type { Query } from '../exchange/query.ts'

export function resourceIn({ catalogue }: Engine, query: Query): AnyResource | undefined {
  const name = query.get('resource')
  if (!name) return undefined
  const resource = catalogue.find((each) => each.name === name)
  if (!resource) throw problems.invalid({ resource: [`"${name}" is not a valid choice.`] })
  return resource
}
