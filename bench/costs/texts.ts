/** Texts that parsers, taggers and databases find hard, of any length. */
import type { Chance } from '../../test/robust/chance.ts'

const UNITS = [
  'a',
  'a ',
  'A. ',
  'a-',
  '-',
  '_',
  "'",
  '"a" ',
  '. ',
  '... ',
  'q1n_NN ',
  'q1n',
  'q1n_',
  'q999e^VBZ-',
  'Q1n_NN',
  '🌊',
  '🌊 ',
  '\ufdfa',
  'e\u0301',
  '\u0301',
  '漢',
  '\u202e',
  '\u0001',
  '%',
  '%25',
  '\\',
  '\n',
  '\t',
  ' ',
  '<b>',
  '&amp;',
  'http://a.b/c ',
  'going ',
  'the door opens and closes ',
  "don't ",
  "n't ",
  'up-to-date-',
  'UP ',
  '1 ',
  '1,',
  '[',
  '{"a":',
]
const WORDS = 'door open close up down love hate light dark sea river stone house run go come light heavy'.split(' ')

export function textOf(chance: Chance, length: number): string {
  const way = chance.below(10)
  if (way < 6) return cut(chance.pick(UNITS).repeat(length), length)
  if (way < 8) {
    const words = Array.from({ length: Math.ceil(length / 5) }, () => chance.pick(WORDS))
    return cut(words.join(chance.pick([' ', '-', '. ', ', '])), length)
  }
  // All different, so that nothing is cached.
  return cut(Array.from({ length: Math.ceil(length / 4) }, (_, i) => (i * 7919).toString(36)).join(' '), length)
}

function cut(text: string, length: number): string {
  return [...text.slice(0, length * 2)].slice(0, length).join('')
}
