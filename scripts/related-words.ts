/**
 * Makes src/store/related-words.bin, the words that have to do with each other before an import of WordNet: those of the
 * sample catalogue, and the most used ones of WordNet, each with those of its relations that lead to another of them.
 *
 *   node scripts/related-words.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync } from 'node:zlib'
import { FILES, SenseUses, synsetsOf } from '../src/cli/wordnet/dictionary.ts'
import { relatedWordsOf, wordnetFolder } from '../src/cli/wordnet/index.ts'
import { baseForms } from '../src/language/index.ts'
import { phraseOf, relatedRow } from '../src/store/index.ts'

const FILE = new URL('../src/store/related-words.bin', import.meta.url)
const SAMPLE = new URL('../sample/', import.meta.url)
const MOST_USED = 7500

const dictionary = wordnetFolder(undefined)
const wanted = new Set([...sampleWords(), ...mostUsed()])
const lines: string[] = []
for (const { word, rarity, others } of relatedWordsOf(dictionary)) {
  const known = others.filter((other) => wanted.has(other.word))
  if (wanted.has(word) && known.length > 0) lines.push(`${word} ${relatedRow({ word, rarity, others: known }).others}`)
}
const file = brotliCompressSync(lines.join('\n'))
writeFileSync(FILE, file)
console.log(`${lines.length} words, ${file.length} bytes`)

function* sampleWords(): Generator<string> {
  for (const name of readdirSync(SAMPLE)) {
    const records = readFileSync(new URL(name, SAMPLE), 'utf8').split('\n').filter(Boolean)
    const texts = records.flatMap((line) => Object.values(JSON.parse(line)))
    for (const word of phraseOf(texts.join(' ')).split(' ')) yield* baseForms(word)
  }
}

function mostUsed(): string[] {
  const senses = new SenseUses(dictionary)
  const uses = new Map<string, number>()
  for (const [data, types] of FILES) {
    for (const { offset, words } of synsetsOf(dictionary, data)) {
      for (const word of words) {
        const phrase = phraseOf(word)
        if (!phrase.includes(' ')) uses.set(phrase, (uses.get(phrase) ?? 0) + senses.of(types, offset, word))
      }
    }
  }
  const order = [...uses].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
  return order.slice(0, MOST_USED).map(([word]) => word)
}
