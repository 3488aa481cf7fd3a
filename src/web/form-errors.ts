/** Rewrites the API's messages, which are Django REST framework's, for the pages of the site. */

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
  [/^Must begin with a term of pa and a comma\.$/, 'Choose a word of the first set.'],
  [/^Must end with a comma and a term of pb\.$/, 'Choose a word of the second set.'],
  [/^Use one of ConceptNet's relation names between the two terms\.$/, 'Choose how they relate.'],
  [/^Needs at least one token\.$/, 'Mark at least one word that changes with the topic.'],
  [/^Too many topics!$/, 'It may have one topic only.'],
  [/^Invalid pk "(.*)" - object does not exist\.$/s, 'There is no record $1.'],
  [/^Object with username=(.*) does not exist\.$/s, 'Nobody here is called $1.'],
  [/^Not a valid string\.$/, 'Enter a text.'],
  [/^Must be a valid boolean\.$/, 'Choose yes or no.'],
  [/^Null characters are not allowed\.$/, 'This contains a character that cannot be stored.'],
  [/^Surrogate characters are not allowed: .+\.$/, 'This contains a character that cannot be stored.'],
  [/^Fill the slots in order, with no gap\.$/, 'Fill these in order, with no gap.'],
  [/^Needs at least one token\.$/, 'Mark at least one word.'],
  [/^Too many topics!$/, 'This has too many topics.'],
  [/^Datetime has wrong format\. .+$/, 'Enter a date and time.'],
  [/^Unable to log in with provided credentials\.$/, 'That name and password do not match.'],
  [/^Invalid username\/password\.$/, 'That name and password do not match.'],
  [/^A user with that username already exists\.$/, 'Somebody else has this name. Choose another one.'],
  [/^Your (?:old )?password was entered incorrectly\.$/, 'That is not your password.'],
  [/^This password is too short\. It must contain at least ([0-9]+) characters\.$/, 'Use at least $1 characters.'],
  [/^This password is too common\.$/, 'Many people use this password. Choose another one.'],
  [/^The password is the same as the username\.$/, 'Choose a password that is not your name.'],
  [/^Enter a valid username\. This value may contain only .+$/, 'Use only letters, digits and @ . + - _ in a name.'],
  [/^Enter a valid username\. This value must contain .+$/, 'Use at least one letter or digit in a name.'],
  [/^Enter a valid username\. .+$/, 'Use letters of one script: this name looks like another one.'],
  [/^A whole number from ([0-9]+) to ([0-9]+) is required\.$/, 'Enter a whole number from $1 to $2.'],
  [/^Request was throttled\. Expected available in 1 second\.$/, 'That was too often. Try again in a second.'],
  [
    /^Request was throttled\. Expected available in ([0-9]+) seconds\.$/,
    'That was too often. Try again in $1 seconds.',
  ],
  [/^CSRF Failed: .+$/s, 'This page is out of date. Go back, load it again, and send it once more.'],
  [/^Method ".+" not allowed\.$/, 'That cannot be done here.'],
  [/^Authentication credentials were not provided\.$/, 'Sign in first.'],
  [/^You do not have permission to perform this action\.$/, 'Only its owner and staff may do that.'],
  [/^Not found\.$/, 'There is nothing here.'],
  [/^Invalid page\.$/, 'There is no such page of this list.'],
  [/^The request body is larger than ([0-9]+) bytes\.$/, 'This is too long: it can have at most $1 bytes.'],
  [/^Unsupported (?:media type|content encoding) .+$/s, 'This was not sent as a form.'],
  [/^The record has changed since it was read\.$/, 'Somebody has changed it in the meantime.'],
  [
    /^This server can only read at the moment: its database takes no changes\.$/,
    'Nothing can be saved at the moment. Try again later.',
  ],
  [/^The query takes too long\. .+$/, 'This takes too long. Ask for less.'],
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
