/** User names: which are allowed, and when two are the same. */

const ALLOWED = /^[\p{L}\p{M}\p{N}@.+_-]{1,150}$/u

/** What is wrong with a name; undefined when nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'This field may not be blank.'
  if ([...name].length > 150) return 'Ensure this field has no more than 150 characters.'
  if (ALLOWED.test(name)) return undefined
  return 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.'
}

/** One spelling for what looks the same. */
export function tidyName(name: string): string {
  return name.normalize('NFKC').trim()
}

/** Names are the same without regard to letter case. */
export function keyOfName(name: string): string {
  return tidyName(name).replaceAll('\0', '\ufffd').toLowerCase()
}
