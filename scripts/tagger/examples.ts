/** WordNet's example sentences. Each shows a word of its synset, so the part of speech of that word is known. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { matchable } from '../../src/language/match.ts'
import { splitWords } from '../../src/language/words.ts'
import type { PartlyTagged } from './corpora.ts'

/** WordNet's files, and what the tags of their words begin with. */
const FILES: readonly (readonly [file: string, start: string])[] = [
  ['data.noun', 'NN'],
  ['data.verb', 'VB'],
  ['data.adj', 'JJ'],
  ['data.adv', 'RB'],
]
const LEAST_WORDS = 4

export function readExamples(folder: string): PartlyTagged[] {
  return FILES.flatMap(([file, start]) => {
    const lines = readFileSync(join(folder, file), 'latin1').split('\n')
    return lines.filter((line) => /^\d/.test(line)).flatMap((line) => examplesIn(line, start))
  })
}

function examplesIn(line: string, start: string): PartlyTagged[] {
  const [data = '', gloss = ''] = line.split(' | ')
  const fields = data.split(' ')
  const count = Number.parseInt(fields[3]!, 16)
  const lemmas = Array.from({ length: count }, (_, i) => fields[4 + 2 * i]!.replace(/\(.*\)$/, ''))
  const tags = new Map<string, readonly string[]>()
  for (const lemma of lemmas) {
    for (const { form, tags: all } of matchable(lemma)) {
      const fitting = all.filter((tag) => tag.startsWith(start))
      if (fitting.length > 0) tags.set(form, [...new Set([...(tags.get(form) ?? []), ...fitting])])
    }
  }
  return [...gloss.matchAll(/"([^"]+)"/g)].flatMap(([, example]) => {
    const words = splitWords(sentenceOf(example!)).map(({ text }) => text)
    const known = words.map((word) => tags.get(word.toLowerCase()))
    // A word that occurs twice may be two parts of speech.
    const marked = known.filter((each) => each !== undefined).length
    return words.length < LEAST_WORDS || marked !== 1 ? [] : [{ words, tags: known }]
  })
}

function sentenceOf(example: string): string {
  const text = example.trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
