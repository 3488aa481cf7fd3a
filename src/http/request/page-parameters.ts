/** Which page of a list a query asks for. */
import { LIMITS, problems } from '../../engine/index.ts'

/** Missing or blank means page 1; anything that is not a number names no page. */
export function wantedPage(given: string | undefined): number | 'last' {
  const wanted = given?.trim() ?? ''
  if (wanted === '') return 1
  if (wanted === 'last') return 'last'
  if (!/^\+?[0-9]{1,15}$/.test(wanted)) throw problems.invalidPage()
  return Number(wanted)
}

/** An invalid value means the default, a value that is too large the maximum, silently. */
export function wantedSize(given: string | undefined, byDefault: number, most: number = LIMITS.largestPage): number {
  const wanted = given?.trim() ?? ''
  if (!/^\+?[0-9]+$/.test(wanted) || Number(wanted) === 0) return byDefault
  return Math.min(Number(wanted), most)
}
