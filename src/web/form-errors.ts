/** Rewrites the API's messages about members, which are Django REST framework's, for the forms of the site. */

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^This field (?:is required|may not be (?:blank|null))\.$/, 'Fill this in.'],
  [/^This list may not be empty\.$/, 'Choose at least one.'],
  [/^This field must be unique\.$/, 'There is already one with this text.'],
  [/^The fields .+ must make a unique set\.$/, 'There is already one like this.'],
  [/^Ensure this field has no more than ([0-9]+) characters\.$/, 'Use at most $1 characters.'],
  [/^Ensure this field has at least ([0-9]+) characters\.$/, 'Use at least $1 characters.'],
  [/^Ensure this field has no more than ([0-9]+) elements\.$/, 'Choose at most $1.'],
  [/^Ensure this value is less than or equal to (-?[0-9]+)\.$/, 'Enter $1 or less.'],
  [/^Ensure this value is greater than or equal to (-?[0-9]+)\.$/, 'Enter $1 or more.'],
  [/^A valid integer is required\.$/, 'Enter a whole number.'],
  [/^"(.*)" is not a valid choice\.$/s, '“$1” is not one of the choices.'],
  [/^Invalid pk "(.*)" - object does not exist\.$/s, 'There is no record $1.'],
]

/** Other messages are already written for people. */
export function inOurWords(message: string): string {
  for (const [pattern, words] of WORDS) if (pattern.test(message)) return message.replace(pattern, words)
  return message
}

/**
 * The same as a script for browsers, so that both say the same. Node has removed the types from the function's text.
 */
export const ERRORS_SCRIPT = `const WORDS = [${WORDS.map(([pattern, words]) => `[${pattern}, ${JSON.stringify(words)}]`)}]
export ${inOurWords}
`
