/** User names: which are allowed, and when two are the same. */

const MOST = 150
/** Longer names are not even normalised: that makes up to 18 characters of one, and takes its time. */
const MOST_GIVEN = 1000
const ALLOWED = /^[\p{L}\p{M}\p{N}@.+_-]+$/u

/** What is wrong with a name; undefined when nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'This field may not be blank.'
  if (!isPossibleName(name) || [...name].length > MOST) return `Ensure this field has no more than ${MOST} characters.`
  if (ALLOWED.test(name)) return undefined
  return 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.'
}

/** A longer name belongs to nobody, however it is normalised. */
export function isPossibleName(name: string): boolean {
  return name.length <= MOST_GIVEN
}

/** One spelling for what looks the same. A name that is too long for anybody is cut, and is still too long. */
export function tidyName(name: string): string {
  return isPossibleName(name) ? name.normalize('NFKC').trim() : name.slice(0, MOST_GIVEN + 1)
}

/** Names are the same without regard to letter case. */
export function keyOfName(name: string): string {
  return tidyName(name).replaceAll('\0', '\ufffd').toLowerCase()
}
