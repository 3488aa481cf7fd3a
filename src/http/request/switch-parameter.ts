/** Parameters that are `true` or `false`. A client that means one must not get the other because of its spelling. */
import { problems } from '../../engine/index.ts'
import type { Query } from '../exchange/query.ts'

export function switchIn(query: Query, name: string, byDefault: boolean): boolean {
  const given = query.get(name) ?? String(byDefault)
  if (given !== 'true' && given !== 'false') throw problems.invalid({ [name]: [`"${given}" is not a valid choice.`] })
  return given === 'true'
}
