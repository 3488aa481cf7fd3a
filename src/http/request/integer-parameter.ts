/** Parameters that are whole numbers. */
import { problems } from '../../engine/index.ts'
import type { Query } from '../exchange/query.ts'

interface Bounds {
  readonly least?: number
  readonly most?: number
}

/** The number; undefined if the query does not have it, or has it empty. */
export function integerIn(query: Query, name: string, { least = 1, most }: Bounds): number | undefined {
  const given = query.get(name)?.trim()
  if (given === undefined || given === '') return undefined
  const wrong = (message: string) => problems.invalid({ [name]: [message] })
  if (!/^[+-]?[0-9]{1,15}$/.test(given)) throw wrong('A valid integer is required.')
  if (Number(given) < least) throw wrong(`Ensure this value is greater than or equal to ${least}.`)
  if (most !== undefined && Number(given) > most) throw wrong(`Ensure this value is less than or equal to ${most}.`)
  return Number(given)
}
