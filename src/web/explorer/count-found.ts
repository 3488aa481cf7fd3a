/** The number of records that a search has found. It finds 2,000 at most, so there may be more. */
import { counted } from '../../language/index.ts'

const MOST_FOUND = 2000

export const mayBeMore = (count: number) => count >= MOST_FOUND

export function countFound(count: number, isMore: boolean, one: string, many?: string): string {
  return isMore ? counted(count, one, many).replace(' ', ' or more ') : counted(count, one, many)
}
