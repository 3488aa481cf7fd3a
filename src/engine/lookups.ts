/** Parameters that look like a lookup of a member but are not one: what is wrong, and what was probably meant. */
import { type AnyResource, fieldsOf } from '../declare/index.ts'
import { slipsBetween } from './explore/spelling.ts'

/** Between a member and its lookup: `depth__gte`. */
const BETWEEN = '__'
const MOST_SLIPS = 2
/** Shorter lookups occur in other words by chance. */
const SHORTEST_PART = 3

/** `depth__gte` is the member depth and the lookup gte; `depth` alone is its exact value. */
export function splitLookup(parameter: string): { readonly member: string; readonly lookup: string } {
  const place = parameter.indexOf(BETWEEN)
  return place < 0
    ? { member: parameter, lookup: 'exact' }
    : { member: parameter.slice(0, place), lookup: parameter.slice(place + BETWEEN.length) }
}

export function parameterOf(member: string, lookup: string): string {
  return lookup === 'exact' ? member : `${member}${BETWEEN}${lookup}`
}

/** The error for a lookup that the member does not have; `lookups` are those it has. */
export function faultOfLookup(member: string, lookup: string, lookups: readonly string[]): string {
  if (lookups.length === 0) return `Unknown lookup. Lists cannot be filtered by ${member}.`
  const near = nearest(lookup, lookups)
  const meant = (near ? [near] : lookups).map((each) => parameterOf(member, each))
  const last = meant.pop()
  return `Unknown lookup. Did you mean ${meant.length > 0 ? `${meant.join(', ')} or ` : ''}${last}?`
}

/** Whether any record of the resource shows it. */
export function isMember(resource: AnyResource, name: string): boolean {
  return fieldsOf(resource).some(([key, field]) => field.members(key).includes(name))
}

function nearest(given: string, lookups: readonly string[]): string | undefined {
  const slips = (lookup: string) => slipsBetween(given, lookup, MOST_SLIPS)
  const [best] = lookups.toSorted((a, b) => slips(a) - slips(b))
  if (best && slips(best) <= MOST_SLIPS && slips(best) < Math.min(best.length, given.length)) return best
  const isPart = (lookup: string) => lookup.includes(given) || given.includes(lookup)
  return lookups.find((lookup) => Math.min(lookup.length, given.length) >= SHORTEST_PART && isPart(lookup))
}
