/** User names: which are allowed, which are reserved, and when two are the same. */
import { inPlainLetters, looksLatin, mixesScripts } from './lookalikes.ts'

const MOST = 150
/** Longer names are not even normalised: one character can become 18, which takes time. */
const MOST_GIVEN = 1000
const ALLOWED = /^[\p{L}\p{M}\p{N}@.+_-]+$/u
/** Invisible characters would make two names look the same. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u
const SPEAKABLE = /[\p{L}\p{N}]/u

/** Accounts that imports create, and names that look like those of the operators. */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse admin administrator anonymous api everyone guest help hostmaster import info mail me moderator nobody null nymdex
   official operator owner postmaster root security staff support system undefined user webmaster wordnet www`.split(
    /\s+/,
  ),
)

/** What is wrong with a name; undefined if nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'This field may not be blank.'
  if (!isPossibleName(name) || [...name].length > MOST) return `Ensure this field has no more than ${MOST} characters.`
  if (!ALLOWED.test(name) || INVISIBLE.test(name)) {
    return 'Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ characters.'
  }
  if (!SPEAKABLE.test(name)) return 'Enter a valid username. This value must contain a letter or a number.'
  if (mixesScripts(name)) return 'Enter a valid username. This value mixes letters of scripts that look alike.'
  if (looksLatin(name)) return 'Enter a valid username. The letters of this value can be mistaken for Latin letters.'
  return undefined
}

/** Whether nobody can sign up under this name. The operator may still give it to a user. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(keyAsRead(name))
}

/** The key of the name that people would read: Latin letters that look like plain ones count as those. */
export function keyAsRead(name: string): string {
  return inPlainLetters(keyOfName(name))
}

/** No account has a longer name, however it is normalised. */
export function isPossibleName(name: string): boolean {
  return name.length <= MOST_GIVEN
}

/** One spelling for what looks the same. A name that is too long for any account is cut, and is still too long. */
export function tidyName(name: string): string {
  return isPossibleName(name) ? name.normalize('NFKC').trim() : name.slice(0, MOST_GIVEN + 1)
}

/** Names are compared ignoring letter case. */
export function keyOfName(name: string): string {
  return tidyName(name).replaceAll('\0', '\ufffd').toLowerCase()
}
