/** Part-of-speech tags in words, and which are in doubt. Pages show the words; the tags themselves are code. */

const TAGS: Readonly<Record<string, string>> = {
  NN: 'noun',
  NNS: 'noun, plural',
  NNP: 'proper name',
  NNPS: 'proper name, plural',
  VB: 'verb',
  VBD: 'verb, past',
  VBG: 'verb with -ing',
  VBN: 'verb, past participle',
  VBP: 'verb, present',
  VBZ: 'verb with -s',
  JJ: 'adjective',
  JJR: 'adjective, comparative',
  JJS: 'adjective, superlative',
  ADJ: 'adjective',
  RB: 'adverb',
  RBR: 'adverb, comparative',
  RBS: 'adverb, superlative',
  IN: 'preposition',
  RP: 'particle',
  TO: 'the word to',
  DT: 'article',
  CD: 'number',
  PRP: 'pronoun',
  MD: 'modal verb',
  WRB: 'question word',
  UH: 'exclamation',
}

/** "VBZ" as "verb with -s". Tags without words are shown as they are. */
export function tagInWords(tag: string): string {
  return TAGS[tag] ?? tag
}

/** A tag with a higher margin is at least 20 times as likely as any other. Of those below it, one in five is wrong. */
const SURE = 3

/** Whether to ask a person about a tag with this margin. A tag without a margin was chosen by a person. */
export function isDoubtful(margin?: number): boolean {
  return margin !== undefined && margin < SURE
}

/** The same as a script for browsers. */
export const TAGS_SCRIPT = `const TAGS = ${JSON.stringify(TAGS)}
const SURE = ${SURE}
export ${tagInWords}
export ${isDoubtful}
`
