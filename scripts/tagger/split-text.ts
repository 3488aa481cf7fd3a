/** Splits plain text, a paragraph a line, into sentences: one a line, with spaces between the words. */
import { createInterface } from 'node:readline'
import { sentenceEnd } from '../../src/language/sentences.ts'
import { splitWords } from '../../src/language/words.ts'

for await (const paragraph of createInterface({ input: process.stdin })) {
  const words = splitWords(paragraph).map(({ text }) => text)
  for (let from = 0, to = 0; from < words.length; from = to) {
    to = sentenceEnd(words, from)
    console.log(words.slice(from, to).join(' '))
  }
}
